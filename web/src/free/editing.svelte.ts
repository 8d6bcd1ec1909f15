// A position that is being set up: pieces, side to move, castling rights, and if it is legal.
import { errorText } from '../api';
import {
  placement,
  turnOf,
  piecesField,
  type Color,
  type Piece,
  type Placement,
} from '../game/squares';
import type { Kind, LegalMoves } from '../wire';
import { free } from './rules';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const EMPTY = '8/8/8/8/8/8/8/8 w - - 0 1';
/** Castling rights in the order of a FEN, and their names. */
export const RIGHTS = ['K', 'Q', 'k', 'q'] as const;
export const RIGHT_NAMES = {
  K: 'white_short',
  Q: 'white_long',
  k: 'black_short',
  q: 'black_long',
} as const;
export type Right = (typeof RIGHTS)[number];

export class Editing {
  pieces: Placement = $state.raw(new Map());
  turn: Color = $state('white');
  /** The castling field of the FEN. */
  castling = $state('-');
  variant: Kind = $state('standard');
  /** The other fields of the FEN (en passant, counters), as long as nothing was changed. */
  #rest = $state('- 0 1');
  /** The answer of the rules: the legal moves, or what is wrong. */
  judged: { fen: string; moves: LegalMoves | null; wrong: string } | null = $state.raw(null);

  constructor(fen: string) {
    this.set(fen);
  }

  fen = $derived.by(
    () =>
      `${piecesField(this.pieces)} ${this.turn === 'white' ? 'w' : 'b'} ${this.castling} ${this.#rest}`,
  );

  set(fen: string, variant: Kind = 'standard'): void {
    const [, , castling = '-', passing = '-', ...counts] = fen.trim().split(/\s+/);
    this.pieces = placement(fen);
    this.turn = turnOf(fen);
    this.castling = castling;
    this.variant = variant;
    this.#rest = [passing, counts[0] ?? '0', counts[1] ?? '1'].join(' ');
  }

  clear(): void {
    this.set(EMPTY);
  }

  put(square: string, piece: Piece | null): void {
    const pieces = new Map(this.pieces);
    if (piece) pieces.set(square, piece);
    else pieces.delete(square);
    this.pieces = pieces;
    this.#changed();
  }

  move(from: string, to: string): void {
    const piece = this.pieces.get(from);
    if (!piece || from === to) return;
    const pieces = new Map(this.pieces);
    pieces.delete(from);
    pieces.set(to, piece);
    this.pieces = pieces;
    this.#changed();
  }

  setTurn(turn: Color): void {
    this.turn = turn;
    this.#changed();
  }

  has(right: Right): boolean {
    return this.castling.includes(right);
  }

  toggle(right: Right): void {
    const all = RIGHTS.filter((one) => this.has(one) !== (one === right));
    this.castling = all.join('') || '-';
    this.#changed();
  }

  /** After a change the en passant square is no longer known. */
  #changed(): void {
    this.#rest = '- 0 1';
  }

  /** Asks the rules; an answer about an older position is ignored. */
  async judge(): Promise<void> {
    const { fen, variant } = this;
    let moves: LegalMoves | null = null;
    let wrong = '';
    try {
      moves = await free.moves(fen, variant);
    } catch (error) {
      wrong = errorText(error);
    }
    if (fen === this.fen) this.judged = { fen, moves, wrong };
  }
}
