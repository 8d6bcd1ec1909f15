// The numbers behind the charts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bucket } from '../wire';
import {
  calendar,
  half,
  largest,
  lean,
  percent,
  points,
  segments,
  standingParts,
  total,
} from './shape';

const bucket = (label: string, games: number): Bucket => ({
  label,
  tally: { white: games, draws: 0, black: 0, open: 0 },
  standing: null,
});

describe('bars', () => {
  it('have parts that follow each other and fill their share', () => {
    fc.assert(
      fc.property(
        fc.record({ wins: fc.nat(99), draws: fc.nat(99), losses: fc.nat(99), open: fc.nat(99) }),
        (standing) => {
          const parts = standingParts(standing);
          const most = Math.max(1, 2 * total(parts));
          let from = 0;
          for (const segment of segments(parts, most)) {
            expect(segment.from).toBeCloseTo(from);
            from += segment.size;
          }
          expect(from).toBeCloseTo((100 * total(parts)) / most);
        },
      ),
      { numRuns: 50 },
    );
    expect(segments(standingParts({ wins: 0, draws: 0, losses: 0, open: 0 }), 0)).toEqual([]);
  });

  it('put small groups together, and no game is lost', () => {
    const lines = Array.from({ length: 20 }, (_, at) => ({
      label: `${at}`,
      parts: standingParts({ wins: at, draws: 1, losses: 0, open: 0 }),
    }));
    const shown = largest(lines, 5, 'rest');
    expect(shown.map(({ label }) => label)).toEqual(['19', '18', '17', '16', 'rest']);
    const all = (some: typeof lines) => some.reduce((sum, { parts }) => sum + total(parts), 0);
    expect(all(shown as typeof lines)).toBe(all(lines));
    expect(largest(lines.slice(0, 3), 5, 'rest')).toHaveLength(3);
  });
});

describe('months', () => {
  it('stand in whole years, shaded by quarters of the most', () => {
    const rows = calendar([bucket('2025-11', 1), bucket('2026-02', 8), bucket('-', 5)]);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.[10]).toEqual({ year: 2025, month: 11, count: 1, shade: 1 });
    expect(rows[1]?.[1]).toEqual({ year: 2026, month: 2, count: 8, shade: 4 });
    expect(rows.flat().filter(({ shade }) => shade > 0)).toHaveLength(2);
  });

  it('show the last years when there are many, and nothing when there is none', () => {
    const rows = calendar([bucket('1851-06', 1), bucket('2026-01', 1)], 10);
    expect(rows.map((months) => months[0]?.year)).toEqual([
      2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026,
    ]);
    expect(calendar([])).toEqual([]);
    expect(calendar([bucket('????-??', 3)])).toEqual([]);
  });
});

describe('a balance', () => {
  it('leans to the player with more points', () => {
    expect(lean({ wins: 2, draws: 0, losses: 0, open: 0 })).toBe(1);
    expect(lean({ wins: 1, draws: 4, losses: 1, open: 9 })).toBe(0);
    expect(lean({ wins: 0, draws: 0, losses: 0, open: 3 })).toBe(0);
    expect(lean({ wins: 0, draws: 1, losses: 1, open: 0 })).toBe(-0.5);
  });

  it('writes half points', () => {
    expect(points({ wins: 2, draws: 1, losses: 0, open: 0 })).toEqual({ ours: 2.5, theirs: 0.5 });
    expect([0, 0.5, 1, 2.5].map(half)).toEqual(['0', '½', '1', '2½']);
    expect(percent({ wins: 1, draws: 1, losses: 0, open: 2 })).toBe(75);
    expect(percent({ wins: 0, draws: 0, losses: 0, open: 2 })).toBeNull();
  });
});
