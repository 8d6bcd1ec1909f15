// Composes the music: one round of twelve beats at a time, from the tension, the mode and a random
// source. Pure: the same random numbers give the same music.
import type { Mode } from './scales';

export type Voice = 'string' | 'wind';

/** How a note is played: plain, with a wide vibrato, or bent down to its pitch. */
export type Ornament = 'plain' | 'shake' | 'bend';

export interface Note {
  readonly voice: Voice;
  /** Beats from the start of the round. */
  readonly at: number;
  /** Length in beats. */
  readonly length: number;
  readonly degree: number;
  /** Volume, 0 to 1. */
  readonly gain: number;
  readonly ornament: Ornament;
}

/** Beats in a round: those of 중모리, a slow Korean rhythm. */
export const BEATS = 12;

/** The accents of 중모리: its first beat, and the ninth, which is struck hardest. */
const LEAN: Record<number, number> = { 0: 1, 3: 0.5, 6: 0.6, 8: 1, 10: 0.4 };

/** The state of the melody between two rounds. */
export interface Melody {
  readonly mode: Mode;
  readonly degree: number;
}

/** A source of numbers from 0 up to 1. */
export type Chance = () => number;

/** A seeded random source (mulberry32). */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Seconds of a beat: slow at low tension, a walking pace at high tension. */
export function beat(tension: number): number {
  return 1.15 - 0.55 * tension;
}

/** The lowest and highest degree of the melody; tension extends it upwards. */
export function range(tension: number): [number, number] {
  return [-2, Math.round(5 + 4 * tension)];
}

function within([low, high]: [number, number], degree: number): number {
  if (degree < low) return low + (low - degree);
  if (degree > high) return high - (degree - high);
  return degree;
}

function ornamentFor(mode: Mode, degree: number, random: Chance): Ornament {
  const place = ((degree % 5) + 5) % 5;
  // In 계면조 the first note has a vibrato and the second falls to its pitch; 평조 shakes its first
  // less.
  if (mode === 'gyemyeonjo' && place === 0) return 'shake';
  if (mode === 'gyemyeonjo' && place === 1) return 'bend';
  return place === 0 && random() < 0.4 ? 'shake' : 'plain';
}

/** The next round, and the state of the melody after it. */
export function round(
  { mode, degree }: Melody,
  tension: number,
  random: Chance,
): { notes: Note[]; melody: Melody } {
  const notes: Note[] = [];
  const limits = range(tension);
  let now = degree;
  for (let at = 0; at < BEATS; at++) {
    const lean = LEAN[at] ?? 0;
    if (random() > 0.16 + 0.5 * lean + 0.4 * tension) continue;
    // Mostly a step to a neighbour, seldom a leap; more leaps at high tension.
    const leap = random() < 0.12 + 0.2 * tension ? 3 : random() < 0.4 ? 2 : 1;
    const up = random() < (now < (limits[0] + limits[1]) / 2 ? 0.62 : 0.38);
    now = within(limits, up ? now + leap : now - leap);
    const gain = 0.45 + 0.3 * lean + 0.2 * random();
    const note = {
      voice: 'string',
      length: 3,
      degree: now,
      ornament: ornamentFor(mode, now, random),
    } as const;
    notes.push({ ...note, at, gain });
    // A quick second stroke, more likely at high tension.
    if (random() < tension * 0.45) {
      const echo = within(limits, now + (random() < 0.5 ? 1 : -1));
      notes.push({ ...note, at: at + 0.5, degree: echo, ornament: 'plain', gain: gain * 0.7 });
      now = echo;
    }
  }
  // A long wind note under it; two at high tension, the second a fifth above.
  const ground = mode === 'gyemyeonjo' ? 0 : random() < 0.5 ? 0 : 2;
  notes.push(breath(0, 7, ground, 0.3 + 0.2 * tension, mode));
  if (random() < 0.25 + 0.6 * tension) {
    notes.push(breath(6, 5.5, ground + 3, 0.22 + 0.25 * tension, mode));
  }
  return { notes: notes.sort((one, other) => one.at - other.at), melody: { mode, degree: now } };
}

function breath(at: number, length: number, degree: number, gain: number, mode: Mode): Note {
  const ornament = mode === 'gyemyeonjo' ? 'shake' : 'plain';
  return { voice: 'wind', at, length, degree, gain, ornament };
}

/** The ending: by steps down to the first note, in the bright mode. */
export function closing({ degree }: Melody): Note[] {
  const notes: Note[] = [];
  let now = Math.min(degree, 5);
  let at = 0;
  while (now > 0) {
    notes.push({ voice: 'string', at, length: 3, degree: now, gain: 0.6, ornament: 'plain' });
    now -= now > 2 ? 2 : 1;
    at += 1;
  }
  notes.push({ voice: 'string', at, length: 5, degree: 0, gain: 0.8, ornament: 'shake' });
  notes.push({
    voice: 'string',
    at: at + 0.06,
    length: 5,
    degree: -5,
    gain: 0.5,
    ornament: 'plain',
  });
  notes.push({ voice: 'wind', at, length: 5, degree: 0, gain: 0.35, ornament: 'plain' });
  return notes;
}
