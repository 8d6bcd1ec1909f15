// Sentences and languages.
import { expect, it, vi } from 'vitest';

vi.stubGlobal('addEventListener', () => undefined);
vi.stubGlobal('localStorage', { getItem: () => null });
const { detected, filled } = await import('./index.svelte');

it('puts values into sentences, and a word for one or for many', () => {
  expect(filled('{name} offers a draw', { name: 'Ben' })).toBe('Ben offers a draw');
  const games = '{count} {count|game|games} shown';
  expect(filled(games, { count: 1 })).toBe('1 game shown');
  expect(filled(games, { count: 0 })).toBe('0 games shown');
  expect(filled(games, { count: 21 })).toBe('21 games shown');
  expect(filled('{one} and {other}', { one: '{other}' })).toBe('{other} and {other}');
});

it('takes the first language that it has', () => {
  expect(detected(['fr-FR', 'ko-KR', 'en'])).toBe('ko');
  expect(detected(['kok', 'en-GB', 'ko'])).toBe('en');
  expect(detected(['fr'])).toBe('en');
  expect(detected([])).toBe('en');
});
