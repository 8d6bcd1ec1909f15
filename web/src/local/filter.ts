// Filters the games of this browser by the same fields as the server's log, as far as they have
// them.
import type { Filters } from '../log/filters';
import type { Opening, Row } from '../wire';

/** A text in a form for comparison: `KIM min` and `Kim  Min` are equal. */
const fold = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The known part of a date: of `2026.11.??` the month. */
const knownPart = (date: string): string => date.replaceAll('.', '-').replace(/-?\?.*$/, '');

/** Compares two days by their known parts; negative if the first is earlier. */
function compareDays(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  const [a, b] = [one.slice(0, most), other.slice(0, most)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An ECO code or a prefix of one: `B`, `B9`, `B90`. */
const CODE = /^[a-e]\d{0,2}$/;

function isOf(opening: Opening | null, asked: string): boolean {
  if (!opening) return false;
  if (CODE.test(asked)) return opening.eco.toLowerCase().startsWith(asked);
  return fold(opening.name).includes(asked);
}

/** True if a filter needs the names of openings. */
export const needsOpenings = ({ opening, text }: Filters): boolean =>
  opening.trim() !== '' || text.trim() !== '';

export function matches(row: Row, opening: Opening | null, filters: Filters): boolean {
  const { result, reason, source, since, until } = filters;
  const [player, text, named, tag] = [
    filters.player,
    filters.text,
    filters.opening,
    filters.tag,
  ].map(fold) as [string, string, string, string];
  const day = knownPart(row.date);
  const names = [row.white, row.black].map(fold);
  const words = [...names, fold(row.event ?? ''), fold(opening?.name ?? '')];
  words.push(fold(row.note ?? ''), ...row.tags.map(fold));
  return (
    (!player || names.includes(player)) &&
    (!text || words.some((word) => word.includes(text))) &&
    (!named || isOf(opening, named)) &&
    (!tag || row.tags.map(fold).includes(tag)) &&
    (!result || row.result === result) &&
    (!reason || row.reason === reason) &&
    (!source || row.source === source) &&
    (!since || (day !== '' && compareDays(day, since) >= 0)) &&
    (!until || (day !== '' && compareDays(day, until) <= 0))
  );
}
