// Values that one page leaves for the next: a first move made on the home page, an invitation's
// link.
import { store } from '../settings.svelte';
import type { Begun } from '../new-game';
import type { Wish } from '../wire';

const first = new Map<string, Wish>();
const LINK = 'hansu.invitation.';

/** Stores a move that was made before its game existed. */
export function handOver(game: string, wish: Wish): void {
  first.set(game, wish);
}

export function takeOver(game: string): Wish | undefined {
  const wish = first.get(game);
  first.delete(game);
  return wish;
}

/** Stores the link of an invitation: only its creator gets it, and a reload must not lose it. A
 *  server that does not know its own address sends only the token. */
export function rememberLink({ game, link, invitation }: Begun): void {
  const whole = link ?? (invitation && `${location.origin}/join/${invitation}`);
  if (whole) store.write(LINK + game, whole);
}

export function linkOf(game: string): string | null {
  return store.read(LINK + game);
}
