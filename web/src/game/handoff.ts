// What one page gives to the next: a first move made on the home page, the link of an invitation.
import { store } from '../settings.svelte';
import type { Begun } from '../beginning';
import type { Wish } from '../wire';

const first = new Map<string, Wish>();
const LINK = 'hansu.invitation.';

/** A move that was made before its game existed. */
export function handOver(game: string, wish: Wish): void {
  first.set(game, wish);
}

export function takeOver(game: string): Wish | undefined {
  const wish = first.get(game);
  first.delete(game);
  return wish;
}

/** The link of an invitation is known only to who made it; a reload must not lose it. A server that
 *  does not know its own address gives only the token. */
export function rememberLink({ game, link, invitation }: Begun): void {
  const whole = link ?? (invitation && `${location.origin}/join/${invitation}`);
  if (whole) store.write(LINK + game, whole);
}

export function linkOf(game: string): string | null {
  return store.read(LINK + game);
}
