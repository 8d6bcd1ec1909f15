// What this server offers, and who one is there: asked once. The answer also gives this browser its
// key, in a cookie that no script can read.
import { api } from './api';

interface Offers {
  /** Whether one can play against the computer. */
  computer: boolean;
}

export const offers: Offers = $state({ computer: false });

async function introduce(): Promise<void> {
  try {
    offers.computer = (await api.me()).computer;
  } catch {
    // Without an answer the page offers what every server has.
  }
}

let known: Promise<void> | null = null;

/** Done when the server knows this browser; asked once. */
export function introduced(): Promise<void> {
  known ??= introduce();
  return known;
}
