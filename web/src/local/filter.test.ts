// Filters over the games of this browser.
import { expect, it } from 'vitest';
import { NONE, type Filters } from '../log/filters';
import type { Opening, Row } from '../wire';
import { matches, needsOpenings } from './filter';

const row = {
  white: 'Kim  Min',
  black: 'Björn',
  result: '1-0',
  reason: 'checkmate',
  source: 'computer',
  date: '2026.11.15',
  event: 'Club evening',
  note: null,
  tags: [],
} as unknown as Row;
const sicilian: Opening = { eco: 'B20', name: 'Sicilian Defense' };
const left = (filters: Partial<Filters>, game: Partial<Row> = {}): boolean =>
  matches({ ...row, ...game }, sicilian, { ...NONE, ...filters });

it('without a filter keeps all games', () => {
  expect(left({})).toBe(true);
  expect(needsOpenings(NONE)).toBe(false);
});

it('compares names of players without regard to case and spaces', () => {
  expect(left({ player: ' KIM min ' })).toBe(true);
  expect(left({ player: 'bjo\u0308rn' })).toBe(true);
  expect(left({ player: 'Kim' })).toBe(false);
});

it('finds a text in names, occasion and opening', () => {
  for (const text of ['kim', 'CLUB', 'defense']) expect(left({ text }), text).toBe(true);
  expect(left({ text: 'nothing' })).toBe(false);
  expect(needsOpenings({ ...NONE, text: 'x' })).toBe(true);
});

it('finds openings by ECO code, a prefix of it, or a part of the name', () => {
  for (const opening of ['b', 'B2', 'B20', 'sicilian'])
    expect(left({ opening }), opening).toBe(true);
  for (const opening of ['B21', 'C', 'B200', 'ruy']) expect(left({ opening }), opening).toBe(false);
  expect(matches(row, null, { ...NONE, opening: 'B' })).toBe(false);
});

it('compares result, reason, source and tag exactly', () => {
  expect(left({ result: '1-0', reason: 'checkmate', source: 'computer' })).toBe(true);
  expect(left({ result: '0-1' })).toBe(false);
  expect(left({ reason: 'timeout' })).toBe(false);
  expect(left({ source: 'local' })).toBe(false);
  expect(left({ tag: 'mine' })).toBe(false);
  expect(left({ tag: 'Mine' }, { tags: ['mine'] })).toBe(true);
});

it('includes both days, and compares only the known part of a date', () => {
  expect(left({ since: '2026-11-15', until: '2026-11-15' })).toBe(true);
  expect(left({ since: '2026-11-16' })).toBe(false);
  expect(left({ until: '2026-11-14' })).toBe(false);
  expect(left({ since: '2026', until: '2026-11' })).toBe(true);
  expect(left({ since: '2026-11-20' }, { date: '2026.11.??' })).toBe(true);
  expect(left({ since: '2026-12-01' }, { date: '2026.11.??' })).toBe(false);
  expect(left({ until: '2030' }, { date: '????.??.??' })).toBe(false);
});
