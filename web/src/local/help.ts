// Hints in a game of this browser; the answers have the same form as the server's.
import type { GameView } from '../game/view';
import type { AskedHint, Hint } from '../wire';
import { language } from '../words/index.svelte';
import { Computer, failure } from './questions';
import type { Asked } from './shapes';

const computer = new Computer();

export async function hint(
  asked: AskedHint,
  { start: { variant, fen }, plies, seq }: GameView,
): Promise<Hint> {
  const moves = plies.map(({ uci }) => uci);
  const game: Asked = { variant, fen: fen ?? null, moves, lang: language() };
  const found = await computer.ask<Hint | null>({ hint: { asked, game, seq } });
  if (!found) throw failure();
  return found;
}
