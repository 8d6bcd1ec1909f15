// The player's key at this server, asked for once. The server sets it in a cookie that scripts
// cannot read.
import { api } from './api';

async function requestKey(): Promise<void> {
  try {
    await api.me();
  } catch {
    // A later request that needs the key will fail and report the error.
  }
}

let ready: Promise<void> | null = null;

/** Resolves when this browser has its key, or could not get one; the request is sent once. */
export function ensureKey(): Promise<void> {
  ready ??= requestKey();
  return ready;
}
