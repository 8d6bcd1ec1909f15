// The parts of an analysis without words.
import { expect, it } from 'vitest';
import { area, middle, percent, scoreText, turningPoints } from './teach';

it('writes scores for White', () => {
  const text = (score: number | null, mate: number | null = null) => scoreText({ score, mate });
  expect([text(34), text(-120), text(0), text(5)]).toEqual(['+0.34', '−1.20', '0.00', '+0.05']);
  expect([text(null, 3), text(null, -2), text(null, 0)]).toEqual(['#3', '#−2', '#']);
  expect([percent(0), percent(996), percent(545)]).toEqual([0, 100, 55]);
});

it('counts mistakes and blunders as turning points', () => {
  const move = (grade: 'fine' | 'inaccuracy' | 'mistake' | 'blunder') => ({
    grade,
    lost: 0,
    text: '',
  });
  const moves = [move('fine'), move('blunder'), move('inaccuracy'), move('mistake')];
  expect(turningPoints({ moves })).toEqual([2, 4]);
});

it('draws an area under the curve of chances', () => {
  expect(area([])).toBe('');
  expect(area([{ chance: 500 }, { chance: 1000 }])).toBe('M0 100L0 50L1 0L1 100Z');
});

it('finds squares from either side', () => {
  expect(middle('a1', true)).toEqual({ x: 0.5, y: 7.5 });
  expect(middle('a1', false)).toEqual({ x: 7.5, y: 0.5 });
});
