// The pure parts of the sound: modes, rounds, tension.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blank, type GameView } from '../game/view';
import type { Ply } from '../wire';
import { BASE, modeFor, pitch, semitones } from './scales';
import { BEATS, beat, chance, closing, range, round } from './score';
import { captures, tensionOf } from './tension';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

describe('modes', () => {
  it('have five notes in an octave', () => {
    expect([0, 1, 2, 3, 4, 5].map((degree) => semitones('pyeongjo', degree))).toEqual([
      0, 2, 5, 7, 9, 12,
    ]);
    expect([0, 1, 2, 3, 4, 5].map((degree) => semitones('gyemyeonjo', degree))).toEqual([
      0, 3, 5, 7, 10, 12,
    ]);
    expect(semitones('pyeongjo', -1)).toBe(-3);
    expect(pitch('gyemyeonjo', 5)).toBeCloseTo(2 * BASE);
  });

  it('rise with their degrees', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('pyeongjo' as const, 'gyemyeonjo' as const),
        fc.integer({ min: -15, max: 15 }),
        (mode, degree) => pitch(mode, degree) < pitch(mode, degree + 1),
      ),
    );
  });

  it('switch with hysteresis in both directions', () => {
    expect(modeFor(0.6, 'pyeongjo')).toBe('gyemyeonjo');
    expect(modeFor(0.5, 'gyemyeonjo')).toBe('gyemyeonjo');
    expect(modeFor(0.5, 'pyeongjo')).toBe('pyeongjo');
    expect(modeFor(0.3, 'gyemyeonjo')).toBe('pyeongjo');
  });
});

describe('a round', () => {
  const calm = { mode: 'pyeongjo', degree: 0 } as const;

  it('is the same for the same random numbers', () => {
    expect(round(calm, 0.4, chance(7))).toEqual(round(calm, 0.4, chance(7)));
    expect(round(calm, 0.4, chance(7))).not.toEqual(round(calm, 0.4, chance(8)));
  });

  it('stays within its beats and its register', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, tension) => {
        const random = chance(seed);
        const [low, high] = range(tension);
        let melody: Parameters<typeof round>[0] = { mode: 'gyemyeonjo', degree: high };
        for (let count = 0; count < 8; count++) {
          const next = round(melody, tension, random);
          melody = next.melody;
          const sound = next.notes.every(
            ({ at, gain, degree }) =>
              at >= 0 && at < BEATS && gain > 0 && gain <= 1 && degree >= low && degree <= high,
          );
          expect(sound).toBe(true);
        }
      }),
    );
  });

  it('is denser, quicker and higher at high tension', () => {
    const strokes = (tension: number) => {
      const random = chance(1);
      let melody: Parameters<typeof round>[0] = calm;
      let count = 0;
      for (let at = 0; at < 40; at++) {
        const next = round(melody, tension, random);
        melody = next.melody;
        count += next.notes.filter(({ voice }) => voice === 'string').length;
      }
      return count;
    };
    expect(strokes(0.9)).toBeGreaterThan(1.5 * strokes(0.1));
    expect(beat(1)).toBeLessThan(beat(0));
    expect(range(1)[1]).toBeGreaterThan(range(0)[1]);
  });

  it('ends on its first note, from wherever it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2, max: 9 }), (degree) => {
        const notes = closing({ mode: 'gyemyeonjo', degree });
        expect(notes.filter(({ voice }) => voice === 'wind').map((note) => note.degree)).toEqual([
          0,
        ]);
        expect([-5, 0]).toContain(notes.filter(({ voice }) => voice === 'string').at(-1)?.degree);
      }),
    );
  });
});

describe('tension', () => {
  const view = (change: Partial<GameView>): GameView => ({
    ...blank('test'),
    phase: 'playing',
    first: { fen: START },
    ...change,
  });
  const ply = (san: string, fen: string, check: string | null = null): Ply => ({
    uci: 'e2e4',
    san,
    board: { fen, check },
  });

  it('is null where no game is played', () => {
    expect(tensionOf(view({ phase: 'ended' }), 0)).toBeNull();
    expect(tensionOf(view({ phase: 'waiting' }), 0)).toBeNull();
  });

  it('is low at the beginning and within bounds at most', () => {
    expect(tensionOf(view({}), 0)).toBeLessThan(0.1);
    const wild = view({
      plies: Array.from({ length: 6 }, (_, at) =>
        ply('Qxf7+', at % 2 ? START : START.replace('q', '1'), 'e8'),
      ),
      clocks: { white: 100, black: 100 },
      ticking: { side: 'white', left: 100, from: 0, until: 100 },
      start: {
        ...blank('').start,
        time: { kind: 'clock', stages: [{ time: 60_000, bonus: 'none' }] },
      },
    });
    expect(tensionOf(wild, 0)).toBe(1);
  });

  it('grows with possible captures, a check, a lost queen and little time', () => {
    const calm = tensionOf(view({}), 0) ?? 0;
    const fen = 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
    const hanging = view({ first: { fen }, moves: { targets: { e4: 'e5d5', g1: 'f3h3' } } });
    expect(captures(hanging)).toBe(1);
    expect(tensionOf(hanging, 0)).toBeGreaterThan(calm);
    expect(tensionOf(view({ plies: [ply('Qh5+', START, 'e8')] }), 0)).toBeGreaterThan(calm + 0.2);
    expect(tensionOf(view({ plies: [ply('d4', START.replace('q', '1'))] }), 0)).toBeGreaterThan(
      calm + 0.1,
    );
    const clock = (left: number) =>
      view({
        clocks: { white: left, black: left },
        ticking: { side: 'white', left, from: 0, until: left },
        start: {
          ...blank('').start,
          time: { kind: 'clock', stages: [{ time: 300_000, bonus: 'none' }] },
        },
      });
    expect(tensionOf(clock(200_000), 0)).toBe(calm);
    expect(tensionOf(clock(5_000), 0)).toBeGreaterThan(calm + 0.25);
  });
});
