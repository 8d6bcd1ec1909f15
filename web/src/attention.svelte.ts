// What the one who looks is waited for: a game that is under way, whether it is one's turn, and
// whether the server has asked for patience. Told in the tab, the header and the icon.
import { store } from './settings.svelte';

const PLAYING = 'hansu.playing';

export const attention = $state({
  yourTurn: false,
  /** The game one plays in this browser: the way back to it. */
  game: store.read(PLAYING) || null,
  /** Questions that wait because the server has asked for it. */
  waiting: 0,
});

/** A game is under way, or is over. */
export function underWay(game: string, on: boolean): void {
  const next = on ? game : attention.game === game ? null : attention.game;
  if (next === attention.game) return;
  attention.game = next;
  store.write(PLAYING, next ?? '');
}
