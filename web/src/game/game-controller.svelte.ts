// The controller of one game page: what the board shows, what the player may do, open questions and
// refusals. The components only draw its state.
import { announcer } from '../announce.svelte';
import { settings } from '../settings.svelte';
import type { Claimed, Offer, Turn, Wish } from '../wire';
import { t } from '../words/index.svelte';
import { capturedPieces, materialBalance } from './captured';
import { clocksAt } from './clock';
import type { Notice } from './notices';
import { GameSession } from './session.svelte';
import { movePiece, other, placement, squaresOf, turnOf, piecesField, type Role } from './squares';
import { status } from './status';
import { colorName } from './words';
import { castlings, isPromotion, moveBetween, enPassants, seenFromBlack, targets } from './targets';
import { boardNow, ourTurn, pendingMove, turn, type GameView } from './view';

/** Actions beside moving; those that cannot be undone must be confirmed. */
export type Deed = 'resign' | 'abort' | 'draw' | 'takeback' | 'adjournment' | 'reset';

const LETTERS: Partial<Record<Role, string>> = { queen: 'q', rook: 'r', bishop: 'b', knight: 'n' };

/** Milliseconds that a player must be away before the opponent may claim the game. The server
 *  decides; this only says when to offer the claim. */
const ABSENCE: Record<GameView['start']['time']['kind'], number> = {
  clock: 60_000,
  odds: 60_000,
  unlimited: 180_000,
  correspondence: Infinity,
};

/** Milliseconds for which a message is shown. */
const MESSAGE_TIME = 5_000;

export class GameController {
  readonly session: GameSession;
  flipped = $state(false);
  /** The ply that a review shows; null when the board shows the current position. */
  review: number | null = $state(null);
  selected: string | null = $state(null);
  confirming: Deed | null = $state(null);
  drawing = $state(false);
  /** A short-lived message: castling, en passant, why a piece cannot be picked up. */
  message: string | null = $state(null);
  #messageTimer: ReturnType<typeof setTimeout> | undefined;
  /** Clears the selection; set by the board. */
  unselect: () => void = () => undefined;
  #promoting: { from: string; to: string } | null = $state(null);

  constructor(
    id: string,
    options: { noticed: (notice: Notice) => void; first?: Wish | undefined },
  ) {
    this.session = new GameSession(id, {
      first: options.first,
      noticed: (notice) => {
        this.#noticed(notice);
        options.noticed(notice);
      },
    });
  }

  view = $derived.by(() => this.session.view);
  status = $derived.by(() => status(this.view));
  turn: Turn = $derived.by(() => turn(this.view));
  local = $derived.by(() => this.view.seat === 'both');
  seated = $derived.by(() => this.view.seat !== null);
  /** The player's side; null for spectators and for players of both sides. */
  us: Turn | null = $derived.by(() => {
    const { seat } = this.view;
    return seat === 'white' || seat === 'black' ? seat : null;
  });

  orientation: Turn = $derived.by(() => {
    const turned = this.local && settings.autoFlip && this.review === null;
    const side = this.us ?? (turned ? this.turn : 'white');
    return this.flipped ? other(side) : side;
  });

  /** The ply that the board shows. */
  at = $derived.by(() => Math.min(this.review ?? Infinity, this.view.plies.length));
  live = $derived.by(() => this.at === this.view.plies.length);
  board = $derived.by(() =>
    this.at === 0 ? this.view.first : (this.view.plies[this.at - 1]?.board ?? this.view.first),
  );
  /** The pending move, without its promotion. */
  underway = $derived.by(() => (this.live ? pendingMove(this.view) : null));

  promoting = $derived.by(() => {
    const asked = this.#promoting ?? this.view.promoting;
    return asked && this.live && !this.underway ? { ...asked, color: this.turn } : null;
  });

  pieces = $derived.by(() => {
    let pieces = placement(this.board.fen) as ReturnType<typeof movePiece>;
    if (!this.live) return pieces;
    if (this.underway) pieces = movePiece(pieces, ...squaresOf(this.underway));
    else if (this.promoting) pieces = movePiece(pieces, this.promoting.from, this.promoting.to);
    for (const { from, to } of this.view.premoves) pieces = movePiece(pieces, from, to);
    return pieces;
  });
  placed = $derived.by(() => piecesField(this.pieces));

  /** True if a move that is made now is played at once (and is not a premove). */
  toMove = $derived.by(
    () => this.live && ourTurn(this.view) && !this.underway && !!this.view.moves,
  );
  premoving = $derived.by(
    () =>
      this.live &&
      this.us !== null &&
      this.view.phase === 'playing' &&
      (this.underway !== null || this.turn !== this.us),
  );
  movable: Turn | null = $derived.by(() => {
    if (this.promoting) return null;
    if (this.toMove) return this.turn;
    return this.premoving ? this.us : null;
  });
  targets = $derived.by(() => {
    if (this.premoving) return 'premove' as const;
    const { moves } = this.view;
    return this.toMove && moves ? targets(moves, this.pieces) : new Map<string, string[]>();
  });

  lastMove = $derived.by((): [string, string] | null => {
    const ply = this.view.plies[this.at - 1];
    return ply ? squaresOf(ply.uci) : null;
  });
  mated = $derived.by(() => this.live && this.view.ending?.reason === 'checkmate');

  captured = $derived.by(() =>
    capturedPieces([this.view.first, ...this.view.plies.slice(0, this.at).map((ply) => ply.board)]),
  );
  balance = $derived.by(() => materialBalance(this.board.fen));
  /** What the clocks showed at the ply of a review; null if the position is current. */
  clocks = $derived.by(() => (this.live ? null : clocksAt(this.view, this.at)));

  castlings = $derived.by(() => {
    const { moves } = this.view;
    const all = this.toMove && moves && this.selected ? castlings(moves, this.selected) : [];
    // Left and right are as the player sees the board.
    return this.orientation === 'white' ? all : all.map(seenFromBlack).reverse();
  });
  passing = $derived.by(() => {
    const { moves } = this.view;
    return this.toMove && moves && this.selected ? enPassants(moves, this.selected) : [];
  });

  /** When the player may claim the game from an absent opponent, in the server's time. */
  claimableAt = $derived.by(() => {
    const { view, us } = this;
    const left = us && view.left[other(us)];
    if (!left || view.phase !== 'playing' || view.plies.length < 2) return null;
    const at = left + ABSENCE[view.start.time.kind];
    return Number.isFinite(at) ? at : null;
  });

  close(): void {
    clearTimeout(this.#messageTimer);
    this.session.close();
  }

  /** Shows a message for a moment, in the area of questions. */
  showMessage(text: string | null): void {
    clearTimeout(this.#messageTimer);
    this.message = text;
    if (text) this.#messageTimer = setTimeout(() => (this.message = null), MESSAGE_TIME);
  }

  #noticed(notice: Notice): void {
    const changed =
      notice.kind === 'moved' || notice.kind === 'taken_back' || notice.kind === 'ended';
    if (!changed) return;
    this.#promoting = null;
    // The opponent's move leaves a confirmation open, unless it ends the time for aborting.
    const theirs = notice.kind === 'moved' && this.us !== null && notice.by !== this.us;
    const late = this.confirming === 'abort' && this.view.plies.length >= 2;
    if (!theirs || late) this.confirming = null;
    // A new move does not end a review; the end of the game does.
    if (notice.kind === 'ended') this.review = null;
  }

  step(ply: number): void {
    const to = Math.max(0, Math.min(ply, this.view.plies.length));
    this.review = to === this.view.plies.length ? null : to;
    this.session.dismissRefusal();
  }

  select(square: string | null): void {
    this.selected = square;
    if (!square) return;
    this.session.dismissRefusal();
    this.showMessage(null);
  }

  /** A square was pressed that has no piece of the player, and nothing was selected. */
  touch(square: string): void {
    if (this.view.premoves.length > 0) {
      this.session.unpremove();
      return;
    }
    const piece = this.pieces.get(square);
    if (!piece || !this.toMove || piece.color === this.turn) return;
    const names = { theirs: colorName(piece.color), ours: colorName(this.turn) };
    const text = t('square.theirs', { square, ...names });
    this.showMessage(text);
    announcer.say(text);
  }

  /** A piece was moved to one of its targets. */
  move(from: string, to: string): void {
    this.selected = null;
    if (this.premoving) {
      this.session.premove(from, to);
      return;
    }
    const { moves } = this.view;
    const uci = moves && moveBetween(moves, placement(boardNow(this.view).fen), from, to);
    if (!moves || !uci) return;
    if (!isPromotion(moves, uci)) this.session.wish({ type: 'move', uci });
    else if (settings.autoQueen) this.session.wish({ type: 'move', uci: `${uci}q` });
    else this.#promoting = { from, to };
  }

  /** A piece was moved to a square that is not a target: asks the server for the reason. */
  attempt(from: string, to: string): void {
    if (this.premoving) this.session.unpremove();
    else if (this.toMove) this.session.why(from + to);
  }

  promote(role: Role | null): void {
    const asked = this.promoting;
    this.#promoting = null;
    const letter = role && LETTERS[role];
    if (asked && letter) {
      this.session.wish({ type: 'move', uci: asked.from + asked.to + letter });
    } else {
      this.session.unpremove();
    }
  }

  /** Asks for the piece of a promotion. */
  askPromotion(from: string, to: string): void {
    this.#promoting = { from, to };
  }

  offer(what: Offer): void {
    this.confirming = null;
    this.session.wish({ type: 'offer', what });
  }

  answer(what: Offer, yes: boolean): void {
    this.session.wish({ type: yes ? 'accept' : 'decline', what });
  }

  claimAbsence(result: Claimed): void {
    this.session.wish({ type: 'claim_absence', result });
  }

  wish(wish: Wish): void {
    this.confirming = null;
    this.session.wish(wish);
  }

  /** The open offer of the opponent. */
  offered = $derived.by(() => {
    const { view } = this;
    if (!this.us || view.phase === 'ended') return null;
    return view.offers.find(({ by }) => by !== this.us)?.what ?? null;
  });
  /** The player's own open offer. */
  offering = $derived.by(() => {
    const { view } = this;
    if (!this.us || view.phase === 'ended') return null;
    return view.offers.find(({ by }) => by === this.us)?.what ?? null;
  });
  /** The side to move in the position that is shown. */
  shownTurn: Turn = $derived.by(() => turnOf(this.board.fen));
}
