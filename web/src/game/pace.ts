// How long each move took, and how a replay keeps the time of the game. Pure.
import { turnOf } from './squares';
import { stagesOf } from './clock';
import type { Bonus, Ply, Sides, Snapshot, Stage, TimeControl, Turn } from '../wire';

export type Pace = 'steady' | 'original' | 'fourfold';

/** A steady replay's move, in milliseconds. */
const STEADY = 1_200;
/** No move of a replay is quicker: one must see it. Nor slower, where a clock ran for an hour. */
const SHORTEST = 300;
const LONGEST = 60_000;

/** What a mover thought, from the clock before and after the move and what the move gave. */
function thought(before: number, after: number, bonus: Bonus): number {
  const gone = before - after;
  if (bonus === 'none') return Math.max(0, gone);
  if ('increment' in bonus) return Math.max(0, gone + bonus.increment);
  // These give back at most what was used: a clock that did not move says only "not more".
  const most = 'bronstein' in bonus ? bonus.bronstein : bonus.delay;
  return gone > 0 ? gone + most : most / 2;
}

function only(time: TimeControl, side: Turn): Stage | undefined {
  const [first, ...more] = stagesOf(time, side);
  return more.length > 0 ? undefined : first;
}

/** How long each move took, in milliseconds; nothing where no clock tells it. With more than one
 *  stage a clock gets time that the moves do not show, so a jump upwards tells nothing either. */
export function thoughts(
  game: Pick<Snapshot, 'first' | 'start'> & { readonly plies: readonly Ply[] },
): (number | null)[] {
  const { time } = game.start;
  const stage = { white: only(time, 'white'), black: only(time, 'black') };
  let before: Sides<number> | null = null;
  let fen = game.first.fen;
  return game.plies.map(({ clocks, board }, index) => {
    const side = turnOf(fen);
    fen = board.fen;
    if (!clocks) {
      before = null;
      return null;
    }
    const was = before?.[side];
    before = clocks;
    // A side's first move is free: no clock runs, and nothing is given for it.
    if (was === undefined || index < 2) return null;
    const own = stage[side];
    if (!own && clocks[side] > was) return null;
    return thought(was, clocks[side], own?.bonus ?? 'none');
  });
}

/** How long a replay waits before a move. */
export function wait(thought: number | null, pace: Pace): number {
  if (pace === 'steady' || thought === null) return STEADY;
  const time = pace === 'fourfold' ? thought / 4 : thought;
  return Math.min(LONGEST, Math.max(SHORTEST, time));
}

/** Whether there is a timing to keep. */
export function isTimed(thoughts: readonly (number | null)[]): boolean {
  return thoughts.some((one) => one !== null && one > 0);
}

/** A short time in figures: `0.4 s`, `12 s`, `3:05`. */
export function brief(time: number): string {
  if (time < 9_950) return `${(time / 1000).toFixed(1)} s`;
  const seconds = Math.round(time / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
