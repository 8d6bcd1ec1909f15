// The tension of a game, from 0 to 1: possible captures, checks, little time, and material that has
// just changed hands. Computed from the view; nothing is evaluated beyond counting.
import { materialBalance } from '../game/captured';
import { lowTime, remaining } from '../game/clock';
import { placement } from '../game/squares';
import { squaresIn } from '../game/targets';
import { boardNow, type GameView } from '../game/view';

type Seen = Pick<
  GameView,
  'phase' | 'plies' | 'first' | 'moves' | 'clocks' | 'ticking' | 'offset' | 'start'
>;

/** The number of captures of the side to move; 0 if its moves are not known here. */
export function captures({ moves, plies, first }: Pick<Seen, 'moves' | 'plies' | 'first'>): number {
  if (!moves) return 0;
  const pieces = placement(boardNow({ plies, first } as GameView).fen);
  return Object.entries(moves.targets)
    .flatMap(([from, to]) => squaresIn(to).map((square) => ({ from, square })))
    .filter(({ from, square }) => {
      const taken = pieces.get(square);
      return taken !== undefined && taken.color !== pieces.get(from)?.color;
    }).length;
}

/** The change of the material balance within the last four moves, in pawns. */
function swing({ plies, first }: Pick<Seen, 'plies' | 'first'>): number {
  const boards = [first, ...plies.map(({ board }) => board)]
    .slice(-5)
    .map(({ fen }) => materialBalance(fen));
  return Math.max(...boards) - Math.min(...boards);
}

/** How short the time of the side to move is: 0 with plenty, 1 with none. */
function hurry(view: Seen, now: number): number {
  const side = view.ticking?.side;
  const left = side ? remaining(view, side, now) : null;
  const { time } = view.start;
  if (!side || left === null || time.kind === 'correspondence') return 0;
  return Math.max(0, 1 - left / (2 * lowTime(time, side)));
}

const share = (value: number, full: number) => Math.min(1, value / full);

/** The tension of a game at our time; null when no game is being played. */
export function tensionOf(view: Seen, now: number): number | null {
  if (view.phase !== 'playing') return null;
  const recent = view.plies.slice(-6);
  const checks = recent.filter(({ board }) => board.check).length;
  const taken = recent.filter(({ san }) => san.includes('x')).length;
  const checked = view.plies.at(-1)?.board.check ? 0.25 : 0;
  const level =
    0.05 +
    0.25 * share(captures(view), 6) +
    0.2 * share(taken, 4) +
    0.2 * share(checks, 2) +
    0.2 * share(swing(view), 6) +
    0.35 * hurry(view, now) +
    checked;
  return Math.min(1, level);
}
