// Squares and the pieces on them, read from a FEN. No rules of chess here.
import type { Turn } from '../wire';

export type Color = Turn;
export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';
export interface Piece {
  readonly color: Color;
  readonly role: Role;
}
export type Placement = ReadonlyMap<string, Piece>;

export const FILES = 'abcdefgh';
export const RANKS = '12345678';
const ROLES: Record<string, Role> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};
const LETTERS: Record<Role, string> = {
  pawn: 'p',
  knight: 'n',
  bishop: 'b',
  rook: 'r',
  queen: 'q',
  king: 'k',
};

/** All squares in reading order, as seen from a side. */
export function squaresFrom(side: Color): string[] {
  const all: string[] = [];
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const rank = side === 'white' ? 7 - row : row;
      const file = side === 'white' ? column : 7 - column;
      all.push(`${FILES[file]}${RANKS[rank]}`);
    }
  }
  return all;
}

export function isSquare(text: string): boolean {
  return /^[a-h][1-8]$/.test(text);
}

export function other(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}

/** The pieces of a FEN. Text that is not a FEN gives the pieces that can be read from it. */
export function placement(fen: string): Map<string, Piece> {
  const pieces = new Map<string, Piece>();
  let file = 0;
  let rank = 7;
  for (const sign of fen.split(' ', 1)[0] ?? '') {
    if (sign === '/') {
      file = 0;
      rank -= 1;
    } else if (/[1-8]/.test(sign)) {
      file += Number(sign);
    } else {
      const role = ROLES[sign.toLowerCase()];
      if (role && file < 8 && rank >= 0) {
        const color: Color = sign === sign.toLowerCase() ? 'black' : 'white';
        pieces.set(`${FILES[file]}${RANKS[rank]}`, { color, role });
      }
      file += 1;
    }
  }
  return pieces;
}

/** The first field of the FEN. */
export function piecesField(pieces: Placement): string {
  const rows: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < 8; file++) {
      const piece = pieces.get(`${FILES[file]}${RANKS[rank]}`);
      if (!piece) {
        empty += 1;
        continue;
      }
      if (empty) row += empty;
      empty = 0;
      const letter = LETTERS[piece.role];
      row += piece.color === 'white' ? letter.toUpperCase() : letter;
    }
    rows.push(empty ? row + empty : row);
  }
  return rows.join('/');
}

/** The side to move of a FEN. */
export function turnOf(fen: string): Color {
  return fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

/** The pieces after one is moved, without any rules. A piece is not moved onto a piece of its own
 *  colour (castling in Chess960): there the squares are marked instead. */
export function movePiece(pieces: Placement, from: string, to: string): Placement {
  const piece = pieces.get(from);
  if (!piece || pieces.get(to)?.color === piece.color) return pieces;
  const after = new Map(pieces);
  after.delete(from);
  after.set(to, piece);
  return after;
}

/** The two squares of a UCI move. */
export function squaresOf(uci: string): [string, string] {
  return [uci.slice(0, 2), uci.slice(2, 4)];
}
