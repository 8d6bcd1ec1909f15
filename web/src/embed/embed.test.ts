// What a game in a frame reads of FENs and results, beside what the rest of the page reads.
import { expect, it } from 'vitest';
import { placement, squaresFrom } from '../game/squares';
import { numbered, placed, results, scores } from './reading';

const FENS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17',
  '8/8/8/8/8/8/8/8 w - - 0 1',
  'nonsense',
  '',
];

it('sees the pieces where the board sees them, from both sides', () => {
  for (const fen of FENS.slice(0, 3)) {
    for (const turned of [false, true]) {
      const pieces = placement(fen);
      const squares = squaresFrom(turned ? 'black' : 'white');
      const wanted = squares.map((square) => {
        const piece = pieces.get(square);
        return { square, piece: piece ? `${piece.color} ${piece.role}` : '' };
      });
      expect(placed(fen, turned)).toEqual(wanted);
    }
  }
  for (const fen of FENS) expect(placed(fen, false)).toHaveLength(64);
});

it('numbers moves from where the game began', () => {
  const start = FENS[0] ?? '';
  expect([0, 1, 2, 3].map((index) => numbered(start, index, false))).toEqual(['1.', '', '2.', '']);
  expect(numbered(start, 3, true)).toBe('2…');
  const later = FENS[1] ?? '';
  expect(numbered(later, 0, true)).toBe('17…');
  expect(numbered(later, 1, false)).toBe('18.');
  expect(numbered('', 0, false)).toBe('1.');
});

it('says results in signs and words', () => {
  const said = ['1-0', '0-1', '1/2-1/2', '*', 'x'].map((result) => results(result, (key) => key));
  expect(said).toEqual([
    '1–0 embed.white',
    '0–1 embed.black',
    '½–½ embed.draw',
    'embed.open',
    'embed.open',
  ]);
  expect(scores('0-1')).toEqual({ white: '0', black: '1' });
  expect(scores('*')).toEqual({});
});
