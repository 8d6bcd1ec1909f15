// A move as somebody types it: `e2e4`, `e2 e4`, `e7e8q`, `Nf3`, `exd5`, `O-O`, `나f3`. It is looked
// up in the server's list of legal moves; what is legal is not decided here.
import type { Moves } from '../wire';
import type { Color, Placement, Role } from './squares';
import { castlings, isPromotion, moveBetween, squaresIn } from './targets';

export type Entered =
  | { kind: 'move'; uci: string }
  /** A pawn that arrives, without saying as what. */
  | { kind: 'promotion'; from: string; to: string }
  /** Two squares that are no legal move: the server knows why. */
  | { kind: 'illegal'; from: string; to: string }
  | { kind: 'ambiguous'; from: string[]; to: string }
  | { kind: 'none' };

/** The one whose turn it is: all moves are of that side. */
function mover(moves: Moves, pieces: Placement): Color | undefined {
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
    const color = mover(moves, pieces);
    const king = [...pieces].find(([, one]) => one.role === 'king' && one.color === color)?.[0];
    const to = `${direction === 'left' ? 'c' : 'g'}${king?.[1]}`;
    return king && king !== to ? { kind: 'illegal', from: king, to } : { kind: 'none' };
  }
  const squares = SQUARES.exec(said.toLowerCase());
  if (squares) {
    const [, from = '', to = '', as] = squares;
    return between(from, to, promotionLetter(as), moves, pieces);
  }
  // `bxc3` is a pawn's move as long as a pawn has it; `nf3` can only be a knight's.
  const plain = written(said, moves, pieces);
  const isMove = plain.kind !== 'none' && plain.kind !== 'illegal';
  if (isMove || !/^[kqrbn]./.test(said)) return plain;
  const capital = written(said.charAt(0).toUpperCase() + said.slice(1), moves, pieces);
  return capital.kind === 'none' ? plain : capital;
}

/** A move in algebraic notation. */
function written(said: string, moves: Moves, pieces: Placement): Entered {
  const san = SAN.exec(said);
  if (!san) return { kind: 'none' };
  const [, piece, file, rank, to = '', as] = san;
  const role: Role = piece ? (LETTERS[piece] ?? 'pawn') : 'pawn';
  const color = mover(moves, pieces);
  const meant = [...pieces]
    .filter(([square, one]) => {
      const there = (!file || square[0] === file) && (!rank || square[1] === rank);
      return one.role === role && one.color === color && there && square !== to;
    })
    .map(([square]) => square);
  const from = meant.filter((square) => squaresIn(moves.targets[square] ?? '').includes(to));
  if (from.length > 1) return { kind: 'ambiguous', from, to };
  const [only] = from;
  if (only) return between(only, to, promotionLetter(as), moves, pieces);
  // None of them can: why the likeliest cannot. A pawn stays on its file unless it takes.
  const straight = role === 'pawn' && !file ? meant.filter((one) => one[0] === to[0]) : meant;
  const near = straight.sort((a, b) => away(a, to) - away(b, to))[0];
  return near ? { kind: 'illegal', from: near, to } : { kind: 'none' };
}

/** How far two squares are from each other. */
function away(a: string, b: string): number {
  const step = (at: number) => Math.abs(a.charCodeAt(at) - b.charCodeAt(at));
  return Math.max(step(0), step(1));
}

function between(from: string, to: string, as: string, moves: Moves, pieces: Placement): Entered {
  const uci = moveBetween(moves, pieces, from, to);
  if (!uci) return { kind: 'illegal', from, to };
  if (!isPromotion(moves, uci)) return { kind: 'move', uci };
  return as ? { kind: 'move', uci: uci + as } : { kind: 'promotion', from, to };
}
