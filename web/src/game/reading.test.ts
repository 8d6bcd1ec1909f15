// Pure readers: squares, targets, typed moves, clocks, captures, notation.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Moves, Stage } from '../wire';
import { materialBalance, capturedPieces } from './captured';
import {
  formatStages,
  isRunning,
  lowTime,
  nextChange,
  splitTime,
  remaining,
  formatClock,
} from './clock';
import { parseMove } from './typed-move';
import { inKorean, parseSan } from './san';
import { movePiece, isSquare, placement, squaresFrom, turnOf, piecesField } from './squares';
import { castlings, isPromotion, moveBetween, enPassants, targets } from './targets';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const CASTLE = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
const CASTLING: Moves = {
  targets: { e1: 'd1f1d2e2f2c1g1', a1: 'b1', h1: 'g1' },
  special: { e1g1: 'castling_right', e1c1: 'castling_left' },
};

describe('squares', () => {
  it('a FEN is read and written', () => {
    expect(placement(START).size).toBe(32);
    expect(placement(START).get('e1')).toEqual({ color: 'white', role: 'king' });
    expect(placement(START).get('d8')).toEqual({ color: 'black', role: 'queen' });
    expect(piecesField(placement(START))).toBe(START.split(' ')[0]);
    expect(turnOf('8/8/8/8/8/8/8/8 b - - 0 1')).toBe('black');
  });

  it('any text is read without an error', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const square of placement(text).keys()) expect(isSquare(square)).toBe(true);
      }),
    );
  });

  it('a piece that is moved is on its new square', () => {
    const after = movePiece(placement(START), 'e2', 'e4');
    expect(after.get('e4')?.role).toBe('pawn');
    expect(after.has('e2')).toBe(false);
    // A piece is not moved onto a piece of its own colour.
    expect(movePiece(placement(START), 'e1', 'h1').get('h1')?.role).toBe('rook');
  });

  it('lists squares from both sides', () => {
    expect(squaresFrom('white')[0]).toBe('a8');
    expect(squaresFrom('white')[63]).toBe('h1');
    expect(squaresFrom('black')[0]).toBe('h1');
    expect(new Set(squaresFrom('black')).size).toBe(64);
  });
});

describe('targets', () => {
  const pieces = placement(CASTLE);

  it('a king goes two squares or onto its rook', () => {
    expect(targets(CASTLING, pieces).get('e1')).toEqual(
      expect.arrayContaining(['g1', 'c1', 'h1', 'a1']),
    );
    expect(moveBetween(CASTLING, pieces, 'e1', 'h1')).toBe('e1g1');
    expect(moveBetween(CASTLING, pieces, 'e1', 'a1')).toBe('e1c1');
    expect(moveBetween(CASTLING, pieces, 'e1', 'e3')).toBeNull();
    expect(castlings(CASTLING, 'e1').map(({ direction }) => direction)).toEqual(['right', 'left']);
    expect(castlings(CASTLING, 'a1')).toEqual([]);
  });

  it('a rook is no target when castling is not legal', () => {
    const without: Moves = { targets: { e1: 'd1f1' } };
    expect(targets(without, pieces).get('e1')).toEqual(['d1', 'f1']);
  });

  it('in Chess960 the rook is the target in the server’s list', () => {
    const moves: Moves = { targets: { e1: 'f1h1' }, special: { e1h1: 'castling_right' } };
    expect(targets(moves, pieces).get('e1')).toEqual(['f1', 'h1']);
    expect(moveBetween(moves, pieces, 'e1', 'h1')).toBe('e1h1');
  });

  it('special moves are found by their squares', () => {
    const moves: Moves = {
      targets: { e5: 'e6d6', a7: 'a8' },
      special: { e5d6: 'en_passant', a7a8: 'promotion' },
    };
    expect(enPassants(moves, 'e5')).toEqual(['e5d6']);
    expect(enPassants(moves, 'a7')).toEqual([]);
    expect(isPromotion(moves, 'a7a8')).toBe(true);
    expect(isPromotion(moves, 'a7a8q')).toBe(true);
    expect(isPromotion(moves, 'e5e6')).toBe(false);
  });
});

describe('a move that is typed', () => {
  const moves: Moves = {
    targets: { e2: 'e3e4', g1: 'f3h3', b1: 'a3c3', d2: 'd3d4', a7: 'a8' },
    special: { a7a8: 'promotion' },
  };
  const pieces = placement('8/P7/8/8/8/8/3PP3/RNBQKBNR w - - 0 1');
  const typed = (text: string) => parseMove(text, moves, pieces);

  it.each(['e2e4', 'e2 e4', 'E2E4', 'e2-e4', 'e4', '폰e4', ' e4 '])('%s is e2e4', (text) => {
    expect(typed(text)).toEqual({ kind: 'move', uci: 'e2e4' });
  });
  it.each(['Nf3', 'nf3', 'ngf3', 'Ngf3', 'N1f3', 'Ng1f3', 'Nf3+', '나f3', '나이트 f3', 'g1f3'])(
    '%s is g1f3',
    (text) => {
      expect(typed(text)).toEqual({ kind: 'move', uci: 'g1f3' });
    },
  );
  it('decomposed Hangul is understood', () => {
    expect(typed('나f3'.normalize('NFD'))).toEqual({ kind: 'move', uci: 'g1f3' });
  });
  it('promotions with and without a piece', () => {
    expect(typed('a8')).toEqual({ kind: 'promotion', from: 'a7', to: 'a8' });
    for (const text of ['a8=Q', 'a8Q', 'a7a8q', 'a8=퀸', 'a7a8=Q']) {
      expect(typed(text)).toEqual({ kind: 'move', uci: 'a7a8q' });
    }
    expect(typed('a8=N')).toEqual({ kind: 'move', uci: 'a7a8n' });
  });
  it('castling', () => {
    const king = placement(CASTLE);
    expect(parseMove('O-O', CASTLING, king)).toEqual({ kind: 'move', uci: 'e1g1' });
    expect(parseMove('0-0-0', CASTLING, king)).toEqual({ kind: 'move', uci: 'e1c1' });
    expect(parseMove('e1h1', CASTLING, king)).toEqual({ kind: 'move', uci: 'e1g1' });
    // The server explains why it is not legal.
    expect(typed('O-O')).toEqual({ kind: 'illegal', from: 'e1', to: 'g1' });
  });
  it('an illegal move is left to the server, other text is not a move', () => {
    expect(typed('e2e5')).toEqual({ kind: 'illegal', from: 'e2', to: 'e5' });
    expect(typed('Qh5')).toEqual({ kind: 'illegal', from: 'd1', to: 'h5' });
    expect(typed('O-O-O')).toEqual({ kind: 'illegal', from: 'e1', to: 'c1' });
    // The nearest knight.
    expect(typed('Ng4')).toEqual({ kind: 'illegal', from: 'g1', to: 'g4' });
    expect(typed('e6')).toEqual({ kind: 'illegal', from: 'e2', to: 'e6' });
    expect(typed('hello')).toEqual({ kind: 'none' });
  });
  it('two knights are told apart', () => {
    const two: Moves = { targets: { b1: 'd2', f3: 'd2' } };
    const knights = placement('8/8/8/8/8/5N2/8/1N6 w - - 0 1');
    expect(parseMove('Nd2', two, knights)).toMatchObject({ kind: 'ambiguous', to: 'd2' });
    expect(parseMove('Nbd2', two, knights)).toEqual({ kind: 'move', uci: 'b1d2' });
    expect(parseMove('N3d2', two, knights)).toEqual({ kind: 'move', uci: 'f3d2' });
  });
});

describe('clocks', () => {
  it.each([
    [3_723_000, '1:02:03'],
    [754_000, '12:34'],
    [60_000, '1:00'],
    [59_001, '1:00'],
    [10_000, '0:10'],
    [9_999, '0:10'],
    [9_900, '0:09.9'],
    [9_450, '0:09.5'],
    [100, '0:00.1'],
    [1, '0:00.1'],
    [0, '0:00.0'],
  ])('%i ms is %s', (left, text) => {
    expect(formatClock(left)).toBe(text);
  });

  it('a clock never shows 0:00 while there is time left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90_000_000 }), (left) => {
        expect(formatClock(left)).not.toMatch(/^[0:.]+$/);
        // The text stays the same until the next change, and not longer.
        const next = nextChange(left);
        expect(next).toBeGreaterThan(0);
        expect(next).toBeLessThanOrEqual(1000);
      }),
    );
  });

  const view = {
    clocks: { white: 60_000, black: 50_000 },
    ticking: { side: 'white' as const, left: 40_000, from: 1_000_000, until: 1_040_000 },
    offset: 500,
  };
  it('only one clock runs, from its start, in the time of the server', () => {
    expect(remaining(view, 'black', 0)).toBe(50_000);
    expect(remaining(view, 'white', 999_000)).toBe(40_000);
    expect(isRunning(view, 'white', 999_000)).toBe(false);
    expect(remaining(view, 'white', 1_000_500)).toBe(39_000);
    expect(isRunning(view, 'white', 1_000_500)).toBe(true);
    expect(remaining(view, 'white', 9_000_000)).toBe(0);
  });
  it('a first move is free', () => {
    const free = { ...view, ticking: { ...view.ticking, from: null } };
    expect(remaining(free, 'white', 9_000_000)).toBe(40_000);
    expect(isRunning(free, 'white', 9_000_000)).toBe(false);
    expect(remaining({ ...view, clocks: null }, 'white', 0)).toBeNull();
  });
  it('the low-time warning depends on the length of the game', () => {
    const stages = (time: number): Stage[] => [{ time, bonus: 'none' }];
    const clock = (time: number) => lowTime({ kind: 'clock', stages: stages(time) }, 'white');
    expect(clock(60_000)).toBe(10_000);
    expect(clock(300_000)).toBe(30_000);
    expect(clock(5_400_000)).toBe(60_000);
    const odds = { kind: 'odds', white: stages(300_000), black: stages(200_000) } as const;
    expect(lowTime(odds, 'white')).toBe(30_000);
    expect(lowTime(odds, 'black')).toBe(20_000);
  });
  it('time controls in figures', () => {
    const one = (bonus: Parameters<typeof JSON.stringify>[0]) =>
      formatStages([{ time: 300_000, bonus }]);
    expect(one('none')).toBe('5+0');
    expect(one({ increment: 3000 })).toBe('5+3');
    expect(one({ delay: 5000 })).toBe('5 d5');
    expect(one({ bronstein: 5000 })).toBe('5 b5');
    expect(splitTime(90_061_000)).toEqual({ days: 1, hours: 1, minutes: 1 });
  });
});

describe('captured', () => {
  it('counts board by board; a promotion is not a capture', () => {
    const boards = [
      { fen: '3qk3/P7/8/8/8/8/8/4K2R w - - 0 1' },
      { fen: 'Q2qk3/8/8/8/8/8/8/4K2R b - - 0 1' },
      { fen: 'q3k3/8/8/8/8/8/8/4K2R w - - 0 2' },
      { fen: 'q3k2R/8/8/8/8/8/8/4K3 b - - 1 2' },
    ];
    expect(capturedPieces(boards)).toEqual({ white: [], black: ['queen'] });
    expect(materialBalance(boards[3]?.fen ?? '')).toBe(-4);
    expect(materialBalance(START)).toBe(0);
  });
});

describe('notation', () => {
  it('is read', () => {
    expect(parseSan('Nbxd7+')).toMatchObject({
      role: 'knight',
      from: 'b',
      capture: true,
      to: 'd7',
      end: 'check',
    });
    expect(parseSan('e8=Q#')).toMatchObject({
      role: 'pawn',
      to: 'e8',
      promotion: 'queen',
      end: 'mate',
    });
    expect(parseSan('O-O-O+')).toMatchObject({ castling: 'left', end: 'check' });
    expect(parseSan('O-O')).toMatchObject({ castling: 'right', end: null });
    expect(parseSan('Qa1b2')).toMatchObject({ from: 'a1', to: 'b2' });
    expect(parseSan('?')).toBeNull();
  });
  it('has Korean letters', () => {
    expect(inKorean('Nf3')).toBe('나f3');
    expect(inKorean('Bxb5+')).toBe('비xb5+');
    expect(inKorean('e8=Q')).toBe('e8=퀸');
    expect(inKorean('O-O')).toBe('O-O');
  });
});
