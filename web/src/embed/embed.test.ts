// How an embedded game reads FENs and results, compared with the code of the other pages.
import { expect, it } from 'vitest';
import { placement, squaresFrom } from '../game/squares';
import { moveNumber, orderedPieces, results, scores } from './reading';

const FENS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17',
  '8/8/8/8/8/8/8/8 w - - 0 1',
  'nonsense',
  '',
];

it('reads the same pieces as the board, from both sides', () => {
  for (const fen of FENS.slice(0, 3)) {
    for (const turned of [false, true]) {
      const pieces = placement(fen);
      const squares = squaresFrom(turned ? 'black' : 'white');
      const wanted = squares.map((square) => {
        const piece = pieces.get(square);
        return { square, piece: piece ? `${piece.color} ${piece.role}` : '' };
      });
      expect(orderedPieces(fen, turned)).toEqual(wanted);
    }
  }
  for (const fen of FENS) expect(orderedPieces(fen, false)).toHaveLength(64);
});

it('numbers moves from the first position', () => {
  const start = FENS[0] ?? '';
  expect([0, 1, 2, 3].map((index) => moveNumber(start, index, false))).toEqual([
    '1.',
    '',
    '2.',
    '',
  ]);
  expect(moveNumber(start, 3, true)).toBe('2…');
  const later = FENS[1] ?? '';
  expect(moveNumber(later, 0, true)).toBe('17…');
  expect(moveNumber(later, 1, false)).toBe('18.');
  expect(moveNumber('', 0, false)).toBe('1.');
});

it('writes results as scores and in words', () => {
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
