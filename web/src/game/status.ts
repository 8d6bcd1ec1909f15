// The status line. Its wording is fixed by the project's specification; texts are in the
// catalogues.
import type { Reason } from '../wire';
import { boardNow, turn, type GameView } from './view';

export type StatusKey =
  | `status.turn.${'white' | 'black'}`
  | `status.check.${'white' | 'black'}`
  | `status.mate.${'white' | 'black'}`
  | `status.wins.${'white' | 'black'}`
  | 'status.waiting'
  | 'status.adjourned'
  | 'status.abort'
  | 'status.draw';

export interface Status {
  readonly key: StatusKey;
  /** The reason of a draw. */
  readonly reason?: Reason;
}

export function status(view: GameView): Status {
  const side = turn(view);
  switch (view.phase) {
    case 'waiting':
      return { key: 'status.waiting' };
    case 'adjourned':
      return { key: 'status.adjourned' };
    case 'playing':
      return { key: boardNow(view).check ? `status.check.${side}` : `status.turn.${side}` };
    case 'ended':
      break;
  }
  const { winner, reason } = view.ending ?? { winner: 'none', reason: 'abort' };
  if (reason === 'checkmate') return { key: `status.mate.${side}` };
  if (winner !== 'none') return { key: `status.wins.${winner}` };
  if (reason === 'abort') return { key: 'status.abort' };
  return { key: 'status.draw', reason };
}
