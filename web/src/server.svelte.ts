// Who one is at this server: asked once. The answer gives this browser its key, in a cookie that no
// script can read.
import { api } from './api';

async function introduce(): Promise<void> {
  try {
    await api.me();
  } catch {
    // What needs the key will ask again, and say what is wrong.
  }
}

let known: Promise<void> | null = null;

/** Done when the server knows this browser; asked once. */
export function introduced(): Promise<void> {
  known ??= introduce();
  return known;
}
