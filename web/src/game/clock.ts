// What a clock shows, computed from the last clock state of the server; nothing is counted down
// here.
import type { Sides, Stage, TimeControl, Turn } from '../wire';
import type { GameView } from './view';

/** Tenths of a second are shown below this many milliseconds. */
export const TENTHS = 10_000;

/** The time left of a side in milliseconds, at our time; null without clocks. */
export function remaining(
  view: Pick<GameView, 'clocks' | 'ticking' | 'offset'>,
  side: Turn,
  now: number,
): number | null {
  const { clocks, ticking, offset } = view;
  if (!clocks) return null;
  if (ticking?.side !== side) return clocks[side];
  if (ticking.from === null || ticking.from === undefined) return ticking.left;
  const run = Math.max(0, now + (offset ?? 0) - ticking.from);
  return Math.max(0, ticking.left - run);
}

/** True if a side's clock counts down at our time. */
export function isRunning(
  view: Pick<GameView, 'clocks' | 'ticking' | 'offset'>,
  side: Turn,
  now: number,
): boolean {
  const { ticking, offset } = view;
  return (
    !!view.clocks &&
    ticking?.side === side &&
    typeof ticking.from === 'number' &&
    now + (offset ?? 0) >= ticking.from
  );
}

/** The stages of a side's clock; empty without a clock that counts down. */
export function stagesOf(time: TimeControl, side: Turn): readonly Stage[] {
  return time.kind === 'clock' ? time.stages : time.kind === 'odds' ? time[side] : [];
}

/** A side's clock warns below this many milliseconds: a tenth of the first stage, at least ten
 *  seconds and at most a minute. */
export function lowTime(time: TimeControl, side: Turn): number {
  if (time.kind === 'correspondence') return 12 * 3_600_000;
  return Math.min(60_000, Math.max(TENTHS, (stagesOf(time, side)[0]?.time ?? 0) / 10));
}

const two = (number: number) => String(number).padStart(2, '0');

/** A time as a clock shows it: `1:02:03`, `12:34`, `0:09.4`. */
export function formatClock(left: number): string {
  // Seconds are rounded up, so that 0:00 is never shown while there is time left.
  const tenths = left < TENTHS;
  const units = tenths ? Math.ceil(left / 100) : Math.ceil(left / 1000);
  if (tenths && units < 100) return `0:0${Math.floor(units / 10)}.${units % 10}`;
  const seconds = tenths ? 10 : units;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Milliseconds until the text of a running clock changes. */
export function nextChange(left: number): number {
  const step = left <= TENTHS ? 100 : 1000;
  const rest = left % step;
  return rest === 0 ? step : rest;
}

/** Days, hours and minutes of a time, for correspondence games. */
export function splitTime(left: number): { days: number; hours: number; minutes: number } {
  const minutes = Math.floor(left / 60_000);
  return {
    days: Math.floor(minutes / 1440),
    hours: Math.floor(minutes / 60) % 24,
    minutes: minutes % 60,
  };
}

/** A time control in figures: `5+3`, `25 d5`, `10+0`. */
export function formatStages(stages: readonly Stage[]): string {
  return stages
    .map(({ moves, time: length, bonus }) => {
      const minutes = Math.round(length / 600) / 100;
      const base = moves ? `${moves}/${minutes}` : `${minutes}`;
      if (bonus === 'none') return moves ? base : `${base}+0`;
      if ('increment' in bonus) return `${base}+${bonus.increment / 1000}`;
      if ('bronstein' in bonus) return `${base} b${bonus.bronstein / 1000}`;
      return `${base} d${bonus.delay / 1000}`;
    })
    .join(', ');
}

/** Both clocks at a ply of the game. */
export function clocksAt(
  view: Pick<GameView, 'clocks' | 'plies'>,
  ply: number,
): Sides<number> | null {
  return view.plies[ply - 1]?.clocks ?? (ply === 0 ? null : view.clocks);
}
