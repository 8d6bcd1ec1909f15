// Captured pieces and the material balance, derived from the boards of the game.
import type { Board, Sides } from '../wire';
import { other, placement, turnOf, type Color, type Role } from './squares';

const ORDER: Role[] = ['queen', 'rook', 'bishop', 'knight', 'pawn'];
const WORTH: Record<Role, number> = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };

function count(fen: string, color: Color): Record<Role, number> {
  const counts: Record<Role, number> = {
    pawn: 0,
    knight: 0,
    bishop: 0,
    rook: 0,
    queen: 0,
    king: 0,
  };
  for (const piece of placement(fen).values()) {
    if (piece.color === color) counts[piece.role] += 1;
  }
  return counts;
}

/** The pieces that each side has captured, the most valuable first. Compares each board with the
 *  next: only pieces that the other side loses count, so that promotions do not. */
export function capturedPieces(boards: readonly Board[]): Sides<Role[]> {
  const taken: Sides<Role[]> = { white: [], black: [] };
  for (let at = 1; at < boards.length; at++) {
    const before = boards[at - 1]?.fen ?? '';
    const mover = turnOf(before);
    const had = count(before, other(mover));
    const has = count(boards[at]?.fen ?? '', other(mover));
    for (const role of ORDER) {
      if (had[role] > has[role]) taken[mover].push(role);
    }
  }
  const strongest = (a: Role, b: Role) => ORDER.indexOf(a) - ORDER.indexOf(b);
  return { white: taken.white.sort(strongest), black: taken.black.sort(strongest) };
}

/** White's material minus Black's, in pawns. */
export function materialBalance(fen: string): number {
  let sum = 0;
  for (const { color, role } of placement(fen).values()) {
    sum += color === 'white' ? WORTH[role] : -WORTH[role];
  }
  return sum;
}
