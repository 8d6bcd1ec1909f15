// The catalogues and the choice of a language.
import { expect, it, vi } from 'vitest';

vi.stubGlobal('addEventListener', () => undefined);
vi.stubGlobal('localStorage', { getItem: () => null });
const { detectLanguage, fill } = await import('./index.svelte');

it('puts values into sentences, and a word for one or for many', () => {
  expect(fill('{name} offers a draw', { name: 'Ben' })).toBe('Ben offers a draw');
  const games = '{count} {count|game|games} shown';
  expect(fill(games, { count: 1 })).toBe('1 game shown');
  expect(fill(games, { count: 0 })).toBe('0 games shown');
  expect(fill(games, { count: 21 })).toBe('21 games shown');
  expect(fill('{one} and {other}', { one: '{other}' })).toBe('{other} and {other}');
});

it('takes the first language that it has', () => {
  expect(detectLanguage(['fr-FR', 'ko-KR', 'en'])).toBe('ko');
  expect(detectLanguage(['kok', 'en-GB', 'ko'])).toBe('en');
  expect(detectLanguage(['fr'])).toBe('en');
  expect(detectLanguage([])).toBe('en');
});
