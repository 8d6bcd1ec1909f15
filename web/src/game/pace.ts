// How long each move took, and how long a replay pauses before each. Pure.
import { turnOf } from './squares';
import { stagesOf } from './clock';
import type { Bonus, Ply, Sides, Snapshot, Stage, TimeControl, Turn } from '../wire';

export type Pace = 'steady' | 'original' | 'fourfold';

/** Milliseconds before each move of a steady replay. */
const STEADY = 1_200;
/** Limits of the pause before a move in a timed replay, in milliseconds. */
const SHORTEST = 300;
const LONGEST = 60_000;

/** The thinking time of a move, from the clock before and after it and the bonus of the move. */
function thinkingTime(before: number, after: number, bonus: Bonus): number {
  const gone = before - after;
  if (bonus === 'none') return Math.max(0, gone);
  if ('increment' in bonus) return Math.max(0, gone + bonus.increment);
  // These give back at most the time used: an unchanged clock means only "not more than this".
  const most = 'bronstein' in bonus ? bonus.bronstein : bonus.delay;
  return gone > 0 ? gone + most : most / 2;
}

function onlyStage(time: TimeControl, side: Turn): Stage | undefined {
  const [first, ...more] = stagesOf(time, side);
  return more.length > 0 ? undefined : first;
}

/** How long each move took, in milliseconds; null if no clock tells. In a game with more than one
 *  stage a clock also gets time at the end of a stage, so a jump upwards tells nothing either. */
export function thinkingTimes(
  game: Pick<Snapshot, 'first' | 'start'> & { readonly plies: readonly Ply[] },
): (number | null)[] {
  const { time } = game.start;
  const stage = { white: onlyStage(time, 'white'), black: onlyStage(time, 'black') };
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
    // A side's first move is free: no clock runs, and there is no bonus.
    if (was === undefined || index < 2) return null;
    const own = stage[side];
    if (!own && clocks[side] > was) return null;
    return thinkingTime(was, clocks[side], own?.bonus ?? 'none');
  });
}

/** Milliseconds that a replay waits before a move. */
export function pauseBefore(thought: number | null, pace: Pace): number {
  if (pace === 'steady' || thought === null) return STEADY;
  const time = pace === 'fourfold' ? thought / 4 : thought;
  return Math.min(LONGEST, Math.max(SHORTEST, time));
}

/** True if any thinking time is known. */
export function isTimed(thoughts: readonly (number | null)[]): boolean {
  return thoughts.some((one) => one !== null && one > 0);
}

/** A short time as text: `0.4 s`, `12 s`, `3:05`. */
export function formatShort(time: number): string {
  if (time < 9_950) return `${(time / 1000).toFixed(1)} s`;
  const seconds = Math.round(time / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
