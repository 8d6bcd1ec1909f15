// A position that is being set up: pieces, whose turn, castling, and what the rules say of it.
import { sentence } from '../api';
import {
  placement,
  turnOf,
  written,
  type Color,
  type Piece,
  type Placement,
} from '../game/squares';
import type { Kind, LegalMoves } from '../wire';
import { free } from './rules';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const EMPTY = '8/8/8/8/8/8/8/8 w - - 0 1';
/** As a FEN orders them, and what they are called. */
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
  /** The third field of a FEN. */
  castling = $state('-');
  variant: Kind = $state('standard');
  /** What a FEN says besides, as long as nothing was changed: en passant and counts. */
  #rest = $state('- 0 1');
  /** What the rules say: where one may go, or what is wrong. */
  judged: { fen: string; moves: LegalMoves | null; wrong: string } | null = $state.raw(null);

  constructor(fen: string) {
    this.set(fen);
  }

  fen = $derived.by(
    () =>
      `${written(this.pieces)} ${this.turn === 'white' ? 'w' : 'b'} ${this.castling} ${this.#rest}`,
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

  /** A pawn that has just stepped two squares is no longer known. */
  #changed(): void {
    this.#rest = '- 0 1';
  }

  /** Asks the rules; an answer about an older position is dropped. */
  async judge(): Promise<void> {
    const { fen, variant } = this;
    let moves: LegalMoves | null = null;
    let wrong = '';
    try {
      moves = await free.moves(fen, variant);
    } catch (error) {
      wrong = sentence(error);
    }
    if (fen === this.fen) this.judged = { fen, moves, wrong };
  }
}
