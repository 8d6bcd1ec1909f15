// What needs the player's attention: the game under way, whether it is the player's turn, and
// whether the server has asked to wait. Shown in the tab, the header and the icon.
import { store } from './settings.svelte';

const PLAYING = 'hansu.playing';

export const attention = $state({
  yourTurn: false,
  /** The id of the game that is played in this browser: the header links back to it. */
  game: store.read(PLAYING) || null,
  /** How many requests wait because the server is busy. */
  waiting: 0,
});

/** Notes that a game is under way, or over. */
export function setUnderWay(game: string, on: boolean): void {
  const next = on ? game : attention.game === game ? null : attention.game;
  if (next === attention.game) return;
  attention.game = next;
  store.write(PLAYING, next ?? '');
}
