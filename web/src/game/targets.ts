// Prepares the server's list of legal moves for the board: targets by square, and castling by
// moving the king onto its rook. Legality is decided by the server, not here.
import type { Moves, Special } from '../wire';
import { FILES, type Placement } from './squares';

export type Direction = 'left' | 'right';

const CASTLING: Partial<Record<Special, Direction>> = {
  castling_left: 'left',
  castling_right: 'right',
};

/** The squares in a text such as `e3e4`. */
export function squaresIn(text: string): string[] {
  return text.match(/../g) ?? [];
}

/** The castling moves of a king, with their directions. */
export function castlings(moves: Moves, from: string): { direction: Direction; uci: string }[] {
  return Object.entries(moves.special ?? {}).flatMap(([uci, special]) => {
    const direction = CASTLING[special];
    return direction && uci.startsWith(from) ? [{ direction, uci }] : [];
  });
}

/** The en passant captures of a pawn, in UCI. */
export function enPassants(moves: Moves, from: string): string[] {
  return Object.entries(moves.special ?? {}).flatMap(([uci, special]) =>
    special === 'en_passant' && uci.startsWith(from) ? [uci] : [],
  );
}

/** The same castling seen from Black's side: left and right are exchanged. */
export function seenFromBlack<T extends { direction: Direction }>(castling: T): T {
  return { ...castling, direction: castling.direction === 'left' ? 'right' : 'left' };
}

/** The nearest own rook of a castling king in a direction. */
function rookBeside(pieces: Placement, king: string, direction: Direction): string | null {
  const color = pieces.get(king)?.color;
  const step = direction === 'left' ? -1 : 1;
  for (let file = FILES.indexOf(king[0] ?? '') + step; file >= 0 && file < 8; file += step) {
    const square = `${FILES[file]}${king[1]}`;
    const piece = pieces.get(square);
    if (piece?.role === 'rook' && piece.color === color) return square;
  }
  return null;
}

/** The targets of each piece; a king that may castle also has its rook's square as a target. */
export function targets(moves: Moves, pieces: Placement): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const [from, squares] of Object.entries(moves.targets)) {
    const to = squaresIn(squares);
    for (const { direction } of castlings(moves, from)) {
      const rook = rookBeside(pieces, from, direction);
      if (rook && !to.includes(rook)) to.push(rook);
    }
    all.set(from, to);
  }
  return all;
}

/** The UCI move from one square to another; null if there is none. */
export function moveBetween(
  moves: Moves,
  pieces: Placement,
  from: string,
  to: string,
): string | null {
  if (squaresIn(moves.targets[from] ?? '').includes(to)) return from + to;
  for (const { direction, uci } of castlings(moves, from)) {
    if (rookBeside(pieces, from, direction) === to) return uci;
  }
  return null;
}

/** True if the move needs a promotion piece. */
export function isPromotion(moves: Moves, uci: string): boolean {
  return moves.special?.[uci.slice(0, 4)] === 'promotion';
}
