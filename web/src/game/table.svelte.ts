// A seat at a game: what the board shows, what a hand may do, and what was asked or refused. The
// page only draws it.
import { announcer } from '../announce.svelte';
import { settings } from '../settings.svelte';
import type { Claimed, Offer, Turn, Wish } from '../wire';
import { t } from '../words/index.svelte';
import { captured, balance } from './captured';
import { clocksAt } from './clock';
import type { Notice } from './notices';
import { GameSession } from './session.svelte';
import { displaced, other, placement, squaresOf, turnOf, written, type Role } from './squares';
import { status } from './status';
import { colorName } from './words';
import { castlings, isPromotion, moveBetween, passings, seenFromBlack, targets } from './targets';
import { boardNow, ourTurn, pendingMove, turn, type GameView } from './view';

/** What a player can do beside moving, and must confirm where it cannot be undone. */
export type Deed = 'resign' | 'abort' | 'draw' | 'takeback' | 'adjournment' | 'reset';

const LETTERS: Partial<Record<Role, string>> = { queen: 'q', rook: 'r', bishop: 'b', knight: 'n' };

/** How long a player must be away before the other may claim the game. The server decides; this is
 *  only when the question is worth asking. */
const ABSENCE: Record<GameView['start']['time']['kind'], number> = {
  clock: 60_000,
  odds: 60_000,
  unlimited: 180_000,
  correspondence: Infinity,
};

/** How long something that has happened is told. */
const TELLING = 5_000;

export class Table {
  readonly session: GameSession;
  flipped = $state(false);
  /** How many moves an earlier position has; nothing when the board shows the game as it is. */
  review: number | null = $state(null);
  selected: string | null = $state(null);
  confirming: Deed | null = $state(null);
  drawing = $state(false);
  /** What has just happened, for a moment: castling, en passant, why nothing was picked up. */
  told: string | null = $state(null);
  #telling: ReturnType<typeof setTimeout> | undefined;
  /** Takes the selection off the board; the board sees to it. */
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
  /** The side we play when it is one. */
  us: Turn | null = $derived.by(() => {
    const { seat } = this.view;
    return seat === 'white' || seat === 'black' ? seat : null;
  });

  orientation: Turn = $derived.by(() => {
    const turned = this.local && settings.autoFlip && this.review === null;
    const side = this.us ?? (turned ? this.turn : 'white');
    return this.flipped ? other(side) : side;
  });

  /** How many moves the board shows. */
  at = $derived.by(() => Math.min(this.review ?? Infinity, this.view.plies.length));
  live = $derived.by(() => this.at === this.view.plies.length);
  board = $derived.by(() =>
    this.at === 0 ? this.view.first : (this.view.plies[this.at - 1]?.board ?? this.view.first),
  );
  /** The move on its way, without its promotion. */
  underway = $derived.by(() => (this.live ? pendingMove(this.view) : null));

  promoting = $derived.by(() => {
    const asked = this.#promoting ?? this.view.promoting;
    return asked && this.live && !this.underway ? { ...asked, color: this.turn } : null;
  });

  pieces = $derived.by(() => {
    let pieces = placement(this.board.fen) as ReturnType<typeof displaced>;
    if (!this.live) return pieces;
    if (this.underway) pieces = displaced(pieces, ...squaresOf(this.underway));
    else if (this.promoting) pieces = displaced(pieces, this.promoting.from, this.promoting.to);
    for (const { from, to } of this.view.premoves) pieces = displaced(pieces, from, to);
    return pieces;
  });
  placed = $derived.by(() => written(this.pieces));

  /** Whether a move that is made now is played now. */
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
    captured([this.view.first, ...this.view.plies.slice(0, this.at).map((ply) => ply.board)]),
  );
  balance = $derived.by(() => balance(this.board.fen));
  /** In a review: what the clocks showed then. */
  clocks = $derived.by(() => (this.live ? null : clocksAt(this.view, this.at)));

  castlings = $derived.by(() => {
    const { moves } = this.view;
    const all = this.toMove && moves && this.selected ? castlings(moves, this.selected) : [];
    // Left and right are as the player sees the board.
    return this.orientation === 'white' ? all : all.map(seenFromBlack).reverse();
  });
  passing = $derived.by(() => {
    const { moves } = this.view;
    return this.toMove && moves && this.selected ? passings(moves, this.selected) : [];
  });

  /** When the game may be claimed from an opponent who has left, in the server's time. */
  claimableAt = $derived.by(() => {
    const { view, us } = this;
    const left = us && view.left[other(us)];
    if (!left || view.phase !== 'playing' || view.plies.length < 2) return null;
    const at = left + ABSENCE[view.start.time.kind];
    return Number.isFinite(at) ? at : null;
  });

  close(): void {
    clearTimeout(this.#telling);
    this.session.close();
  }

  /** Stands in the place of questions for a moment. */
  tell(text: string | null): void {
    clearTimeout(this.#telling);
    this.told = text;
    if (text) this.#telling = setTimeout(() => (this.told = null), TELLING);
  }

  #noticed(notice: Notice): void {
    if (notice.kind === 'moved' || notice.kind === 'taken_back' || notice.kind === 'ended') {
      this.#promoting = null;
      this.confirming = null;
    }
    // A new move on the board that one looks at brings one back to it, unless one reviews.
    if (notice.kind === 'ended') this.review = null;
  }

  step(ply: number): void {
    const to = Math.max(0, Math.min(ply, this.view.plies.length));
    this.review = to === this.view.plies.length ? null : to;
    this.session.forgive();
  }

  select(square: string | null): void {
    this.selected = square;
    if (!square) return;
    this.session.forgive();
    this.tell(null);
  }

  /** A square was pressed that has no piece of ours, and nothing was selected. */
  touch(square: string): void {
    if (this.view.premoves.length > 0) {
      this.session.unpremove();
      return;
    }
    const piece = this.pieces.get(square);
    if (!piece || !this.toMove || piece.color === this.turn) return;
    const names = { theirs: colorName(piece.color), ours: colorName(this.turn) };
    const text = t('square.theirs', { square, ...names });
    this.tell(text);
    announcer.say(text);
  }

  /** A piece was put on one of its targets. */
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

  /** A piece was sent where it may not go: the server says why. */
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

  /** A pawn arrives, and asks what it becomes. */
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

  /** What somebody else offers to us. */
  offered = $derived.by(() => {
    const { view } = this;
    if (!this.us || view.phase === 'ended') return null;
    return view.offers.find(({ by }) => by !== this.us)?.what ?? null;
  });
  /** What we have on offer. */
  offering = $derived.by(() => {
    const { view } = this;
    if (!this.us || view.phase === 'ended') return null;
    return view.offers.find(({ by }) => by === this.us)?.what ?? null;
  });
  /** Whose turn a position of a review is. */
  shownTurn: Turn = $derived.by(() => turnOf(this.board.fen));
}
