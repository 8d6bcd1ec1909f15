// Which games of this browser a filter leaves: by the same marks as the log of a server, as far as a
// browser's games have them.
import type { Filters } from '../log/filters';
import type { Opening, Row } from '../wire';

/** Names and words however they are spelled: `KIM min` and `Kim  Min` are one. */
const folded = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** A day as far as it is known: of `2026.11.??` the month. */
const known = (date: string): string => date.replaceAll('.', '-').replace(/-?\?.*$/, '');

/** One day before, at or after another, as far as both are known. */
function compared(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  const [a, b] = [one.slice(0, most), other.slice(0, most)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An ECO code or the beginning of one: `B`, `B9`, `B90`. */
const CODE = /^[a-e]\d{0,2}$/;

function isOf(opening: Opening | null, asked: string): boolean {
  if (!opening) return false;
  if (CODE.test(asked)) return opening.eco.toLowerCase().startsWith(asked);
  return folded(opening.name).includes(asked);
}

/** Whether names of openings are needed to decide. */
export const needsOpenings = ({ opening, text }: Filters): boolean =>
  opening.trim() !== '' || text.trim() !== '';

export function fits(row: Row, opening: Opening | null, filters: Filters): boolean {
  const { result, reason, source, since, until } = filters;
  const [player, text, named, tag] = [
    filters.player,
    filters.text,
    filters.opening,
    filters.tag,
  ].map(folded) as [string, string, string, string];
  const day = known(row.date);
  const names = [row.white, row.black].map(folded);
  const words = [...names, folded(row.event ?? ''), folded(opening?.name ?? '')];
  words.push(folded(row.note ?? ''), ...row.tags.map(folded));
  return (
    (!player || names.includes(player)) &&
    (!text || words.some((word) => word.includes(text))) &&
    (!named || isOf(opening, named)) &&
    (!tag || row.tags.map(folded).includes(tag)) &&
    (!result || row.result === result) &&
    (!reason || row.reason === reason) &&
    (!source || row.source === source) &&
    (!since || (day !== '' && compared(day, since) >= 0)) &&
    (!until || (day !== '' && compared(day, until) <= 0))
  );
}
