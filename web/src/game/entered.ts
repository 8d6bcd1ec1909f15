// A move as somebody types it: `e2e4`, `e2 e4`, `e7e8q`, `Nf3`, `exd5`, `O-O`, `나f3`. It is looked
// up in the server's list of legal moves; what is legal is not decided here.
import type { Moves } from '../wire';
import type { Placement, Role } from './squares';
import { castlings, isPromotion, moveBetween, squaresIn } from './targets';

export type Entered =
  | { kind: 'move'; uci: string }
  /** A pawn that arrives, without saying as what. */
  | { kind: 'promotion'; from: string; to: string }
  /** Two squares that are no legal move: the server knows why. */
  | { kind: 'illegal'; from: string; to: string }
  | { kind: 'ambiguous'; from: string[]; to: string }
  | { kind: 'none' };

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

/** The UCI letter of a promotion, from either case and either alphabet. */
function promotionLetter(text: string | undefined): string {
  if (!text) return '';
  const role = LETTERS[text.toUpperCase()] ?? LETTERS[text];
  return (role && PROMOTIONS[role]) ?? '';
}

const SQUARES = /^([a-h][1-8])[-\s]?([a-h][1-8])=?([qrbnQRBN]|퀸|룩|비숍?|나이트|나)?$/;
const SAN =
  /^(K|Q|R|B|N|킹|퀸|룩|비숍?|나이트|나|폰)?\s?([a-h])?([1-8])?x?([a-h][1-8])(?:=?([QRBNqrbn]|퀸|룩|비숍?|나이트|나))?$/;

export function entered(text: string, moves: Moves, pieces: Placement): Entered {
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
    return { kind: 'none' };
  }
  const squares = SQUARES.exec(said.toLowerCase());
  if (squares) {
    const [, from = '', to = '', as] = squares;
    return between(from, to, promotionLetter(as), moves, pieces);
  }
  const san = SAN.exec(said);
  if (!san) return { kind: 'none' };
  const [, piece, file, rank, to = '', as] = san;
  const role: Role = piece ? (LETTERS[piece] ?? 'pawn') : 'pawn';
  const from = Object.entries(moves.targets)
    .filter(
      ([square, squares]) =>
        pieces.get(square)?.role === role &&
        (!file || square[0] === file) &&
        (!rank || square[1] === rank) &&
        squaresIn(squares).includes(to),
    )
    .map(([square]) => square);
  if (from.length > 1) return { kind: 'ambiguous', from, to };
  const [only] = from;
  return only ? between(only, to, promotionLetter(as), moves, pieces) : { kind: 'none' };
}

function between(from: string, to: string, as: string, moves: Moves, pieces: Placement): Entered {
  const uci = moveBetween(moves, pieces, from, to);
  if (!uci) return { kind: 'illegal', from, to };
  if (!isPromotion(moves, uci)) return { kind: 'move', uci };
  return as ? { kind: 'move', uci: uci + as } : { kind: 'promotion', from, to };
}
