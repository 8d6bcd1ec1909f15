// What a player sees of a game, and how it follows from what the server says. Pure: no DOM, no
// socket, no clock of its own. Whatever there is to send comes back with the new view.
import type {
  Board,
  ClientMessage,
  Ending,
  Entry,
  Happened,
  Moves,
  Offered,
  Phase,
  Place,
  Ply,
  Refusal,
  Said,
  ServerMessage,
  Sides,
  Snapshot,
  Start,
  Ticking,
  Turn,
  Visibility,
  Wish,
} from '../wire';
import { placement, turnOf } from './squares';
import { isPromotion, moveBetween } from './targets';

/** A command that the server has not acknowledged yet. */
export interface Pending {
  readonly id: string;
  readonly wish: Wish;
  /** Acknowledged with this event, which has not arrived yet. */
  readonly acked?: number;
}

/** A move to be played as soon as it is one's turn. */
export interface Premove {
  readonly from: string;
  readonly to: string;
}

/** A wish that was not granted, and the position it was about. */
export interface Denied {
  readonly wish: Wish | null;
  readonly refusal: Refusal;
  /** Counts refusals, so that the same one twice is seen twice. */
  readonly count: number;
}

export interface GameView {
  /** Whether the server has told anything yet. */
  readonly known: boolean;
  readonly seat: Place | null;
  readonly seq: number;
  readonly phase: Phase;
  readonly start: Start;
  readonly started: number | null;
  readonly first: Board;
  readonly plies: readonly Ply[];
  readonly clocks: Sides<number> | null;
  readonly ticking: Ticking | null;
  readonly ending: Ending | null;
  readonly offers: readonly Offered[];
  readonly left: Sides<number | null>;
  readonly chat: readonly Said[];
  readonly next: string | null;
  readonly visibility: Visibility;
  readonly presence: {
    readonly white: boolean;
    readonly black: boolean;
    readonly spectators: number;
  };
  /** Where the side to move may go; nothing when that is not for us to know. */
  readonly moves: Moves | null;
  /** The last event that changed the board. */
  readonly boardSeq: number;
  /** The server's time minus ours. */
  readonly offset: number | null;
  readonly pending: readonly Pending[];
  readonly premoves: readonly Premove[];
  /** A premove that asks what the pawn becomes. */
  readonly promoting: Premove | null;
  readonly denied: Denied | null;
  /** An offer that was turned down last, and by whom. */
  readonly declined: {
    readonly what: Offered['what'];
    readonly by: Turn;
    readonly seq: number;
  } | null;
  /** What a player gave the other last. */
  readonly given: { readonly to: Turn; readonly time: number; readonly seq: number } | null;
  /** The event after which we have asked for what is missing. */
  readonly asked: number | null;
  /** Why the server has closed the door for good. */
  readonly bye: string | null;
  /** For names of commands: what makes ours different from anybody's, and a count. */
  readonly mark: string;
  readonly count: number;
}

export interface Outcome {
  readonly view: GameView;
  readonly send: readonly ClientMessage[];
}

const EMPTY: Board = { fen: '8/8/8/8/8/8/8/8 w - - 0 1' };

/** The view before anything was said. `mark` makes the names of commands unique. */
export function blank(mark: string): GameView {
  return {
    known: false,
    seat: null,
    seq: 0,
    phase: 'waiting',
    start: {
      names: { white: '', black: '' },
      variant: 'standard',
      time: { kind: 'unlimited' },
      source: 'online',
      spectators: 'silent',
    },
    started: null,
    first: EMPTY,
    plies: [],
    clocks: null,
    ticking: null,
    ending: null,
    offers: [],
    left: { white: null, black: null },
    chat: [],
    next: null,
    visibility: 'private',
    presence: { white: false, black: false, spectators: 0 },
    moves: null,
    boardSeq: 0,
    offset: null,
    pending: [],
    premoves: [],
    promoting: null,
    denied: null,
    declined: null,
    given: null,
    asked: null,
    bye: null,
    mark,
    count: 0,
  };
}

/** The board as it stands. */
export function boardNow(view: GameView): Board {
  return view.plies.at(-1)?.board ?? view.first;
}

/** Whose turn it is. */
export function turn(view: GameView): Turn {
  return turnOf(boardNow(view).fen);
}

/** Whether the side to move is ours. */
export function ourTurn(view: GameView): boolean {
  return view.phase === 'playing' && (view.seat === 'both' || view.seat === turn(view));
}

/** The move we have made and the server has not kept yet. */
export function pendingMove(view: GameView): string | null {
  for (const { wish } of view.pending) if (wish.type === 'move') return wish.uci;
  return null;
}

/** What the server has said, at our time. */
export function received(view: GameView, message: ServerMessage, now: number): Outcome {
  switch (message.type) {
    case 'welcome':
      return welcomed(view, message, now);
    case 'snapshot':
      return { view: whole(view, message), send: [] };
    case 'event':
      return happened(view, message);
    case 'turn':
      return turned(view, message.seq, message.moves);
    case 'ack':
      return acknowledged(view, message.id, message.seq);
    case 'refused':
      return refused(view, message.id, message.seq, message.refusal);
    case 'why':
      return explained(view, message.seq, message.uci, message.refusal);
    case 'presence': {
      const { white, black, spectators } = message;
      return { view: { ...view, presence: { white, black, spectators } }, send: [] };
    }
    case 'beat':
      return missing({ ...view, offset: nearer(view.offset, message.now - now) }, message.seq);
    case 'bye':
      return { view: final(message.reason) ? { ...view, bye: message.reason } : view, send: [] };
    default:
      // A newer server may say more than we know.
      return { view, send: [] };
  }
}

/** After `version` and `gone` there is nothing to come back for; after the rest there is. */
function final(reason: string): boolean {
  return reason === 'version' || reason === 'gone';
}

/** The way to us only makes the server's time look earlier, so the later of two answers is the
 *  nearer one; a leap means that a clock was set. */
function nearer(old: number | null, sample: number): number {
  if (old === null || Math.abs(sample - old) > 5_000) return sample;
  return Math.max(old - 1, sample);
}

function welcomed(
  view: GameView,
  { seat, seq, now: theirs }: Extract<ServerMessage, { type: 'welcome' }>,
  now: number,
): Outcome {
  const greeted: GameView = {
    ...view,
    seat,
    offset: nearer(null, theirs - now),
    asked: null,
    bye: null,
  };
  const send: ClientMessage[] = [];
  // Less than we know: another log. Everything anew.
  if (seq < view.seq) send.push({ type: 'sync', seq: 0 });
  for (const { id, wish, acked } of view.pending) {
    if (acked === undefined) send.push({ type: 'command', id, command: wish });
  }
  return { view: greeted, send };
}

function whole(view: GameView, snapshot: Snapshot): GameView {
  return settled({
    ...view,
    known: true,
    seq: snapshot.seq,
    phase: snapshot.phase,
    start: snapshot.start,
    started: snapshot.started ?? null,
    first: snapshot.first,
    plies: snapshot.plies,
    clocks: snapshot.clocks ?? null,
    ticking: snapshot.ticking ?? null,
    ending: snapshot.ending ?? null,
    offers: snapshot.offers,
    left: snapshot.left,
    chat: snapshot.chat,
    next: snapshot.next ?? null,
    visibility: snapshot.visibility,
    // The targets follow.
    moves: null,
    boardSeq: snapshot.seq,
    premoves: snapshot.phase === 'playing' ? view.premoves : [],
    promoting: null,
    asked: null,
  });
}

/** Forgets acknowledged commands whose events have arrived. */
function settled(view: GameView): GameView {
  const pending = view.pending.filter(({ acked }) => acked === undefined || acked > view.seq);
  return pending.length === view.pending.length ? view : { ...view, pending };
}

/** Asks for what is missing when the server knows more than we do; once for each state. */
function missing(view: GameView, seq: number): Outcome {
  if (seq <= view.seq || view.asked === view.seq) return { view, send: [] };
  return { view: { ...view, asked: view.seq }, send: [{ type: 'sync', seq: view.seq }] };
}

function everything(view: GameView): Outcome {
  return { view: { ...view, asked: view.seq }, send: [{ type: 'sync', seq: 0 }] };
}

function happened(view: GameView, said: Happened): Outcome {
  const { entry } = said;
  if (view.known && entry.seq <= view.seq) return { view, send: [] };
  if (!view.known || entry.seq > view.seq + 1) return missing(view, entry.seq);
  const next = applied(view, said, entry);
  if (!next) return everything(view);
  const after = settled({ ...next, seq: entry.seq, asked: null });
  // A game that goes on: where we may go is told only when we ask.
  const untold = entry.type === 'resumed' && ourTurn(after) && !after.moves;
  return { view: after, send: untold ? [{ type: 'sync', seq: after.seq }] : [] };
}

/** What a board change does to what was meant for the board before it. */
function changed(seq: number): Pick<GameView, 'moves' | 'boardSeq' | 'promoting'> {
  return { moves: null, boardSeq: seq, promoting: null };
}

/** The view after an event; nothing when the event does not fit what we know. */
function applied(view: GameView, said: Happened, entry: Entry): GameView | null {
  const ticking = said.ticking ?? null;
  const { seq, at } = entry;
  switch (entry.type) {
    case 'started': {
      if (!said.board) return null;
      const { names, variant, fen, time, source, spectators, series } = entry;
      const start: Start = { names, variant, fen, time, source, spectators, series };
      const begun: GameView = { ...view, ...changed(seq), phase: 'playing', start, ticking };
      return { ...begun, started: at, first: said.board, plies: [] };
    }
    case 'moved': {
      if (!said.board || !said.san) return null;
      const clocks = entry.clocks ?? view.clocks;
      const ply: Ply = { uci: entry.uci, san: said.san, board: said.board, clocks: entry.clocks };
      const plies = [...view.plies, ply];
      // By moving, a side turns down what the other offers; nobody's takeback outlives a move.
      const mover = turnOf(boardNow(view).fen);
      const offers = view.offers.filter(({ what, by }) => by === mover && what !== 'takeback');
      const ours = view.pending.filter(
        ({ wish }) => !(wish.type === 'move' && wish.uci === entry.uci),
      );
      return { ...view, ...changed(seq), plies, clocks, ticking, offers, pending: ours };
    }
    case 'offered': {
      const others = view.offers.filter((offer) => offer.what !== entry.what);
      const offers = [...others, { what: entry.what, by: entry.by }];
      return { ...view, offers, ticking, declined: null };
    }
    case 'declined': {
      const offers = view.offers.filter((offer) => offer.what !== entry.what);
      return { ...view, offers, ticking, declined: { what: entry.what, by: entry.by, seq } };
    }
    case 'taken_back': {
      if (entry.plies > view.plies.length) return null;
      const plies = view.plies.slice(0, view.plies.length - entry.plies);
      const clocks = entry.clocks ?? view.clocks;
      return { ...view, ...changed(seq), plies, clocks, ticking, offers: [], premoves: [] };
    }
    case 'adjourned': {
      const clocks = entry.clocks ?? view.clocks;
      const still = { ticking: null, premoves: [], promoting: null };
      return { ...view, ...still, phase: 'adjourned', clocks, offers: [] };
    }
    case 'resumed':
      return { ...view, phase: 'playing', ticking, offers: [] };
    case 'left':
      return { ...view, ticking, left: { ...view.left, [entry.side]: at } };
    case 'returned':
      return { ...view, ticking, left: { ...view.left, [entry.side]: null } };
    case 'credited': {
      const later = (since: number | null) =>
        since === null ? null : Math.min(since + entry.time, at);
      const left = { white: later(view.left.white), black: later(view.left.black) };
      return { ...view, ticking, left };
    }
    case 'time_given': {
      const { to, time } = entry;
      const clocks = view.clocks && { ...view.clocks, [to]: view.clocks[to] + time };
      return { ...view, clocks, ticking, given: { to, time, seq } };
    }
    case 'chatted': {
      const name =
        entry.from === 'white' || entry.from === 'black'
          ? view.start.names[entry.from]
          : (entry.name ?? '');
      return { ...view, chat: [...view.chat, { at, from: entry.from, name, text: entry.text }] };
    }
    case 'rematch_agreed': {
      const offers = view.offers.filter((offer) => offer.what !== 'rematch');
      return { ...view, offers, next: entry.next };
    }
    case 'ended': {
      const clocks = entry.clocks ?? view.clocks;
      const ending: Ending = { winner: entry.winner, reason: entry.reason };
      const over = { moves: null, ticking: null, premoves: [], promoting: null, offers: [] };
      return { ...view, ...over, phase: 'ended', clocks, ending };
    }
    default:
      // An event we do not know: the server's picture of the game is what counts.
      return null;
  }
}

function turned(view: GameView, seq: number, moves: Moves): Outcome {
  if (!view.known || seq > view.seq) return missing(view, seq);
  if (seq < view.boardSeq || view.phase !== 'playing') return { view, send: [] };
  return premoved({ ...view, moves });
}

/** Plays the first premove if it is legal now; else all of them are dropped, and we ask why. */
function premoved(view: GameView): Outcome {
  const [first, ...rest] = view.premoves;
  if (!first || !view.moves || !ourTurn(view) || pendingMove(view)) return { view, send: [] };
  const uci = moveBetween(view.moves, placement(boardNow(view).fen), first.from, first.to);
  if (!uci) {
    const dropped = { ...view, premoves: [], promoting: null };
    return question(dropped, first.from + first.to);
  }
  if (isPromotion(view.moves, uci)) {
    return { view: { ...view, premoves: [], promoting: first }, send: [] };
  }
  return issue({ ...view, premoves: rest }, { type: 'move', uci });
}

function acknowledged(view: GameView, id: string, seq: number): Outcome {
  if (seq <= view.seq) {
    const pending = view.pending.filter((one) => one.id !== id);
    return { view: { ...view, pending }, send: [] };
  }
  const pending = view.pending.map((one) => (one.id === id ? { ...one, acked: seq } : one));
  return missing({ ...view, pending }, seq);
}

function refused(view: GameView, id: string, seq: number, refusal: Refusal): Outcome {
  const wish = view.pending.find((one) => one.id === id)?.wish ?? null;
  const pending = view.pending.filter((one) => one.id !== id);
  const denied: Denied = { wish, refusal, count: (view.denied?.count ?? 0) + 1 };
  const premoves = wish?.type === 'move' ? [] : view.premoves;
  return missing({ ...view, pending, denied, premoves }, seq);
}

/** The answer to why a move may not be played; a move that may be played needs none. */
function explained(view: GameView, seq: number, uci: string, refusal: Refusal | null): Outcome {
  if (!refusal) return missing(view, seq);
  const denied: Denied = {
    wish: { type: 'move', uci },
    refusal,
    count: (view.denied?.count ?? 0) + 1,
  };
  return missing({ ...view, denied }, seq);
}

/** We ask why a move may not be played: nothing is pending, and nothing is sent again. */
export function question(view: GameView, uci: string): Outcome {
  return { view: { ...view, denied: null }, send: [{ type: 'why', uci }] };
}

/** We want something: it is sent, and kept until it is acknowledged or refused. */
export function issue(view: GameView, wish: Wish): Outcome {
  const count = view.count + 1;
  const id = `${view.mark}-${count}`;
  const denied = null;
  const pending = [...view.pending, { id, wish }];
  return {
    view: { ...view, count, pending, denied, promoting: null },
    send: [{ type: 'command', id, command: wish }],
  };
}

/** A premove is put behind those that wait. */
export function premove(view: GameView, from: string, to: string): GameView {
  if (view.phase !== 'playing' || view.premoves.length >= MOST_PREMOVES) return view;
  return { ...view, premoves: [...view.premoves, { from, to }] };
}

/** More than these nobody means. */
export const MOST_PREMOVES = 16;

/** All premoves are dropped. */
export function unpremove(view: GameView): GameView {
  if (view.premoves.length === 0 && !view.promoting) return view;
  return { ...view, premoves: [], promoting: null };
}
