// The filters of a list of games, stored in the address, so that a list can be shared.
import type { Reason } from '../wire';

export const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'] as const;
export const SOURCES = ['terminal', 'local', 'online', 'computer', 'import'] as const;
export const REASONS: readonly Reason[] = [
  'checkmate',
  'resignation',
  'timeout',
  'stalemate',
  'agreement',
  'threefold_repetition',
  'fivefold_repetition',
  'fifty_moves',
  'seventy_five_moves',
  'dead_position',
  'locked_pawns',
  'timeout_draw',
  'abandonment',
  'abort',
];

export interface Filters {
  /** The player's own games, or all public ones. */
  readonly whose: 'mine' | 'public';
  readonly player: string;
  readonly text: string;
  readonly opening: string;
  readonly result: string;
  readonly reason: string;
  readonly source: string;
  readonly since: string;
  readonly until: string;
  readonly tag: string;
}

export const NONE: Filters = {
  whose: 'mine',
  player: '',
  text: '',
  opening: '',
  result: '',
  reason: '',
  source: '',
  since: '',
  until: '',
  tag: '',
};

/** Filters that are sent to the server unchanged. */
const WORDS = [
  'player',
  'text',
  'opening',
  'result',
  'reason',
  'source',
  'since',
  'until',
  'tag',
] as const;

const KNOWN: Partial<Record<(typeof WORDS)[number], readonly string[]>> = {
  result: RESULTS,
  reason: REASONS,
  source: SOURCES,
};
const DATE = /^\d{4}(-\d{2}){0,2}$/;

function isSound(name: (typeof WORDS)[number], value: string): boolean {
  if (name === 'since' || name === 'until') return DATE.test(value);
  return KNOWN[name]?.includes(value) ?? value.length <= 200;
}

/** Reads filters from an address, which may contain anything. */
export function readFilters(search: string): Filters {
  const from = new URLSearchParams(search);
  const found = WORDS.flatMap((name) => {
    const value = from.get(name)?.trim() ?? '';
    return value && isSound(name, value) ? [[name, value] as const] : [];
  });
  const whose = from.get('whose') === 'public' ? 'public' : 'mine';
  return { ...NONE, whose, ...Object.fromEntries(found) };
}

/** The query string of a list; empty without filters. */
export function toQuery(filters: Filters): string {
  const to = new URLSearchParams();
  if (filters.whose === 'public') to.set('whose', 'public');
  for (const name of WORDS) {
    const value = filters[name].trim();
    if (value) to.set(name, value);
  }
  const text = to.toString();
  return text ? `?${text}` : '';
}

/** True if any filter is set. */
export function isNarrow(filters: Filters): boolean {
  return WORDS.some((name) => filters[name].trim() !== '');
}

/** The query string of a request to the server. */
export function toRequest(filters: Filters, page: { after: string | null; limit: number }): string {
  const to = new URLSearchParams(toQuery({ ...filters, whose: 'mine' }));
  if (filters.whose === 'mine') to.set('mine', 'true');
  // Games that were aborted before a move are left out, unless the filter asks for them.
  if (filters.reason !== 'abort') to.set('shortest', '1');
  to.set('limit', String(page.limit));
  if (page.after) to.set('after', page.after);
  return to.toString();
}
