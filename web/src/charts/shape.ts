// The numbers behind the charts: shares, a calendar of months, a balance. Pure.
import type { Bucket, Standing, Tally } from '../wire';

/** One kind of result and its number of games. */
export interface Part {
  readonly kind: 'good' | 'even' | 'bad' | 'open';
  readonly count: number;
}

/** A bar of a chart: its label and its parts. */
export interface Series {
  readonly label: string;
  readonly parts: readonly Part[];
}

/** Results from the view of one player. */
export function standingParts({ wins, draws, losses, open }: Standing): Part[] {
  return [
    { kind: 'good', count: wins },
    { kind: 'even', count: draws },
    { kind: 'bad', count: losses },
    { kind: 'open', count: open },
  ];
}

/** Results by colour. White's wins are the `good` part only because they are drawn at the left. */
export function tallyParts({ white, draws, black, open }: Tally): Part[] {
  return [
    { kind: 'good', count: white },
    { kind: 'even', count: draws },
    { kind: 'bad', count: black },
    { kind: 'open', count: open },
  ];
}

/** The parts of a group: from the player's view if there is one. */
export function bucketParts({ standing, tally }: Bucket): Part[] {
  return standing ? standingParts(standing) : tallyParts(tally);
}

export function total(parts: readonly Part[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/** The offset and the length of each part, in hundredths of the longest bar. */
export function segments(
  parts: readonly Part[],
  most: number,
): { kind: Part['kind']; count: number; from: number; size: number }[] {
  let from = 0;
  return parts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => {
      const size = most > 0 ? (100 * count) / most : 0;
      const piece = { kind, count, from, size };
      from += size;
      return piece;
    });
}

/** The largest groups, at most `most` of them; the last one sums the others under the label
 *  `rest`. */
export function largest(series: readonly Series[], most: number, rest: string): Series[] {
  const sorted = [...series].sort((one, other) => total(other.parts) - total(one.parts));
  if (sorted.length <= most) return sorted;
  const over = sorted.slice(most - 1);
  const kinds: Part['kind'][] = ['good', 'even', 'bad', 'open'];
  const parts = kinds.map((kind) => ({
    kind,
    count: over
      .flatMap(({ parts }) => parts)
      .filter((part) => part.kind === kind)
      .reduce((sum, { count }) => sum + count, 0),
  }));
  return [...sorted.slice(0, most - 1), { label: rest, parts }];
}

export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly count: number;
  /** 0 for no games, 1 to 4 by quarters of the largest month. */
  readonly shade: number;
}

/** Years of twelve months, from the first with a game to the last; at most the last `most` years.
 *  A label that is not a month (a game without a date) is left out. */
export function calendar(buckets: readonly Bucket[], most = 10): Month[][] {
  const counts = new Map<string, number>();
  for (const bucket of buckets) {
    if (/^\d{4}-(0[1-9]|1[0-2])$/.test(bucket.label)) {
      counts.set(bucket.label, total(bucketParts(bucket)));
    }
  }
  const years = [...counts.keys()].map((label) => Number(label.slice(0, 4)));
  if (years.length === 0) return [];
  const last = Math.max(...years);
  const first = Math.max(Math.min(...years), last - most + 1);
  const peak = Math.max(...counts.values());
  const rows: Month[][] = [];
  for (let year = first; year <= last; year++) {
    rows.push(
      Array.from({ length: 12 }, (_, at) => {
        const name = `${String(year).padStart(4, '0')}-${String(at + 1).padStart(2, '0')}`;
        const count = counts.get(name) ?? 0;
        return { year, month: at + 1, count, shade: Math.ceil((4 * count) / peak) };
      }),
    );
  }
  return rows;
}

/** The points of both players: a win is one, a draw a half. */
export function points({ wins, draws, losses }: Standing): { ours: number; theirs: number } {
  return { ours: wins + draws / 2, theirs: losses + draws / 2 };
}

/** The slope of the balance: -1 if all points are theirs, 1 if all are ours. */
export function lean(standing: Standing): number {
  const { ours, theirs } = points(standing);
  return ours + theirs === 0 ? 0 : (ours - theirs) / (ours + theirs);
}

/** Points with a half as a sign: `2½`. */
export function half(points: number): string {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return whole === 0 ? '½' : `${whole}½`;
}

/** The score in percent; null without a result. */
export function percent(standing: Standing): number | null {
  const { ours, theirs } = points(standing);
  return ours + theirs === 0 ? null : Math.round((100 * ours) / (ours + theirs));
}
