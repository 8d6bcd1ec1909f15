// Reads a typed move: `e2e4`, `e2 e4`, `e7e8q`, `Nf3`, `exd5`, `O-O`, `나f3`. The move is looked up
// in the server's list of legal moves; legality is not decided here.
import type { Moves } from '../wire';
import type { Color, Placement, Role } from './squares';
import { castlings, isPromotion, moveBetween, squaresIn } from './targets';

export type ParsedMove =
  | { kind: 'move'; uci: string }
  /** A promotion that does not name the piece. */
  | { kind: 'promotion'; from: string; to: string }
  /** Two squares that are not a legal move: the server knows the reason. */
  | { kind: 'illegal'; from: string; to: string }
  | { kind: 'ambiguous'; from: string[]; to: string }
  | { kind: 'none' };

/** The side to move; all moves in the list belong to it. */
function sideToMove(moves: Moves, pieces: Placement): Color | undefined {
  return pieces.get(Object.keys(moves.targets)[0] ?? '')?.color;
}

const LETTERS: Record<string, Role> = {
  K: 'king',
  Q: 'queen',
  R: 'rook',
  B: 'bishop',
  N: 'knight',
  킹: 'king',
  퀸: 'queen',
  룩: 'rook',
  비: 'bishop',
  비숍: 'bishop',
  나: 'knight',
  나이트: 'knight',
  폰: 'pawn',
};
const PROMOTIONS: Partial<Record<Role, string>> = {
  queen: 'q',
  rook: 'r',
  bishop: 'b',
  knight: 'n',
};

/** The UCI letter of a promotion; accepts both cases and both alphabets. */
function promotionLetter(text: string | undefined): string {
  if (!text) return '';
  const role = LETTERS[text.toUpperCase()] ?? LETTERS[text];
  return (role && PROMOTIONS[role]) ?? '';
}

const SQUARES = /^([a-h][1-8])[-\s]?([a-h][1-8])=?([qrbnQRBN]|퀸|룩|비숍?|나이트|나)?$/;
const SAN =
  /^(K|Q|R|B|N|킹|퀸|룩|비숍?|나이트|나|폰)?\s?([a-h])?([1-8])?x?([a-h][1-8])(?:=?([QRBNqrbn]|퀸|룩|비숍?|나이트|나))?$/;

export function parseMove(text: string, moves: Moves, pieces: Placement): ParsedMove {
  const said = text
    .normalize('NFC')
    .trim()
    .replace(/[+#!?]+$/, '');
  if (/^[o0]-[o0](-[o0])?$/i.test(said)) {
    const direction = said.length > 3 ? 'left' : 'right';
    for (const from of Object.keys(moves.targets)) {
      const castling = castlings(moves, from).find((one) => one.direction === direction);
      if (castling) return { kind: 'move', uci: castling.uci };
    }
    const color = sideToMove(moves, pieces);
    const king = [...pieces].find(([, one]) => one.role === 'king' && one.color === color)?.[0];
    const to = `${direction === 'left' ? 'c' : 'g'}${king?.[1]}`;
    return king && king !== to ? { kind: 'illegal', from: king, to } : { kind: 'none' };
  }
  const squares = SQUARES.exec(said.toLowerCase());
  if (squares) {
    const [, from = '', to = '', as] = squares;
    return resolveSquares(from, to, promotionLetter(as), moves, pieces);
  }
  // `bxc3` is a pawn's move if a pawn can play it; `nf3` can only be a knight's.
  const plain = parseAlgebraic(said, moves, pieces);
  const isMove = plain.kind !== 'none' && plain.kind !== 'illegal';
  if (isMove || !/^[kqrbn]./.test(said)) return plain;
  const capital = parseAlgebraic(said.charAt(0).toUpperCase() + said.slice(1), moves, pieces);
  return capital.kind === 'none' ? plain : capital;
}

/** Reads a move in algebraic notation. */
function parseAlgebraic(said: string, moves: Moves, pieces: Placement): ParsedMove {
  const san = SAN.exec(said);
  if (!san) return { kind: 'none' };
  const [, piece, file, rank, to = '', as] = san;
  const role: Role = piece ? (LETTERS[piece] ?? 'pawn') : 'pawn';
  const color = sideToMove(moves, pieces);
  const meant = [...pieces]
    .filter(([square, one]) => {
      const there = (!file || square[0] === file) && (!rank || square[1] === rank);
      return one.role === role && one.color === color && there && square !== to;
    })
    .map(([square]) => square);
  const from = meant.filter((square) => squaresIn(moves.targets[square] ?? '').includes(to));
  if (from.length > 1) return { kind: 'ambiguous', from, to };
  const [only] = from;
  if (only) return resolveSquares(only, to, promotionLetter(as), moves, pieces);
  // No piece can: returns the likeliest one, so that the refusal explains that. Without a file in
  // the text a pawn stays on its file.
  const straight = role === 'pawn' && !file ? meant.filter((one) => one[0] === to[0]) : meant;
  const near = straight.sort((a, b) => distance(a, to) - distance(b, to))[0];
  return near ? { kind: 'illegal', from: near, to } : { kind: 'none' };
}

/** The distance of two squares in king's moves. */
function distance(a: string, b: string): number {
  const step = (at: number) => Math.abs(a.charCodeAt(at) - b.charCodeAt(at));
  return Math.max(step(0), step(1));
}

function resolveSquares(
  from: string,
  to: string,
  as: string,
  moves: Moves,
  pieces: Placement,
): ParsedMove {
  const uci = moveBetween(moves, pieces, from, to);
  if (!uci) return { kind: 'illegal', from, to };
  if (!isPromotion(moves, uci)) return { kind: 'move', uci };
  return as ? { kind: 'move', uci: uci + as } : { kind: 'promotion', from, to };
}
