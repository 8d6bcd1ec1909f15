// What the player knows of a game: a reducer over the server's messages. Pure: no DOM, no socket,
// no clock. Messages that must be sent are returned with the new view.
import type {
  Board,
  ChatMessage,
  ClientMessage,
  Ending,
  Entry,
  Happened,
  Moves,
  Offered,
  Phase,
  Ply,
  Refusal,
  Seat,
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
  /** Acknowledged by the server with this event's number; the event has not arrived yet. */
  readonly acked?: number;
}

/** A move that is played as soon as it is the player's turn. */
export interface Premove {
  readonly from: string;
  readonly to: string;
}

/** A refused wish with the refusal. */
export interface Denied {
  readonly wish: Wish | null;
  readonly refusal: Refusal;
  /** Counts refusals, so that a repeated one is noticed. */
  readonly count: number;
}

export interface GameView {
  /** True once a snapshot has arrived. */
  readonly known: boolean;
  readonly seat: Seat | null;
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
  readonly chat: readonly ChatMessage[];
  readonly next: string | null;
  readonly visibility: Visibility;
  readonly presence: {
    readonly white: boolean;
    readonly black: boolean;
    readonly spectators: number;
  };
  /** The legal moves of the side to move; null if the server has not sent them to this client. */
  readonly moves: Moves | null;
  /** The number of the last event that changed the board. */
  readonly boardSeq: number;
  /** The server's time minus ours, in milliseconds. */
  readonly offset: number | null;
  readonly pending: readonly Pending[];
  readonly premoves: readonly Premove[];
  /** A premove that waits for its promotion piece. */
  readonly promoting: Premove | null;
  readonly denied: Denied | null;
  /** The last declined offer, and who declined it. */
  readonly declined: {
    readonly what: Offered['what'];
    readonly by: Turn;
    readonly seq: number;
  } | null;
  /** The last gift of time. */
  readonly given: { readonly to: Turn; readonly time: number; readonly seq: number } | null;
  /** The number of the last known event when missing events were asked for; null if not asked. */
  readonly asked: number | null;
  /** The reason with which the server closed the connection for good. */
  readonly bye: string | null;
  /** The prefix of command ids, which makes them unique, and a counter. */
  readonly mark: string;
  readonly count: number;
}

export interface Outcome {
  readonly view: GameView;
  readonly send: readonly ClientMessage[];
}

const EMPTY: Board = { fen: '8/8/8/8/8/8/8/8 w - - 0 1' };

/** The view before the first message. `mark` makes command ids unique. */
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

/** The current board. */
export function boardNow(view: GameView): Board {
  return view.plies.at(-1)?.board ?? view.first;
}

/** The side to move. */
export function turn(view: GameView): Turn {
  return turnOf(boardNow(view).fen);
}

/** True if it is the player's turn. */
export function ourTurn(view: GameView): boolean {
  return view.phase === 'playing' && (view.seat === 'both' || view.seat === turn(view));
}

/** The player's move that the server has not accepted yet. */
export function pendingMove(view: GameView): string | null {
  for (const { wish } of view.pending) if (wish.type === 'move') return wish.uci;
  return null;
}

/** Applies a message of the server; `now` is our time. */
export function receive(view: GameView, message: ServerMessage, now: number): Outcome {
  switch (message.type) {
    case 'welcome':
      return onWelcome(view, message, now);
    case 'snapshot':
      return { view: fromSnapshot(view, message), send: [] };
    case 'event':
      return onHappened(view, message);
    case 'turn':
      return onTurn(view, message.seq, message.moves);
    case 'ack':
      return onAck(view, message.id, message.seq);
    case 'refused':
      return onRefused(view, message.id, message.seq, message.refusal);
    case 'why':
      return onWhy(view, message.seq, message.uci, message.refusal);
    case 'presence': {
      const { white, black, spectators } = message;
      return { view: { ...view, presence: { white, black, spectators } }, send: [] };
    }
    case 'beat':
      return askForMissing(
        { ...view, offset: betterOffset(view.offset, message.now - now) },
        message.seq,
      );
    case 'bye':
      return { view: isFinal(message.reason) ? { ...view, bye: message.reason } : view, send: [] };
    default:
      // A newer server may send message types that this page does not know.
      return { view, send: [] };
  }
}

/** After `version` and `gone` reconnecting is useless; after all other reasons it is not. */
function isFinal(reason: string): boolean {
  return reason === 'version' || reason === 'gone';
}

/** Network delay only makes the server's time look earlier, so of two samples the later one is the
 *  more accurate; a jump means that a clock was set. */
function betterOffset(old: number | null, sample: number): number {
  if (old === null || Math.abs(sample - old) > 5_000) return sample;
  return Math.max(old - 1, sample);
}

function onWelcome(
  view: GameView,
  { seat, seq, now: theirs }: Extract<ServerMessage, { type: 'welcome' }>,
  now: number,
): Outcome {
  const greeted: GameView = {
    ...view,
    seat,
    offset: betterOffset(null, theirs - now),
    asked: null,
    bye: null,
  };
  const send: ClientMessage[] = [];
  // The server has fewer events than we know: another log. Asks for a snapshot.
  if (seq < view.seq) send.push({ type: 'sync', seq: 0 });
  for (const { id, wish, acked } of view.pending) {
    if (acked === undefined) send.push({ type: 'command', id, command: wish });
  }
  return { view: greeted, send };
}

function fromSnapshot(view: GameView, snapshot: Snapshot): GameView {
  return dropSettled({
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
    // The legal moves follow in a message of their own.
    moves: null,
    boardSeq: snapshot.seq,
    premoves: snapshot.phase === 'playing' ? view.premoves : [],
    promoting: null,
    asked: null,
  });
}

/** Drops acknowledged commands whose events have arrived. */
function dropSettled(view: GameView): GameView {
  const pending = view.pending.filter(({ acked }) => acked === undefined || acked > view.seq);
  return pending.length === view.pending.length ? view : { ...view, pending };
}

/** Asks for the missing events if the server has newer ones; once for each known number. */
function askForMissing(view: GameView, seq: number): Outcome {
  if (seq <= view.seq || view.asked === view.seq) return { view, send: [] };
  return { view: { ...view, asked: view.seq }, send: [{ type: 'sync', seq: view.seq }] };
}

function askForSnapshot(view: GameView): Outcome {
  return { view: { ...view, asked: view.seq }, send: [{ type: 'sync', seq: 0 }] };
}

function onHappened(view: GameView, said: Happened): Outcome {
  const { entry } = said;
  if (view.known && entry.seq <= view.seq) return { view, send: [] };
  if (!view.known || entry.seq > view.seq + 1) return askForMissing(view, entry.seq);
  const next = applyEvent(view, said, entry);
  if (!next) return askForSnapshot(view);
  const after = dropSettled({ ...next, seq: entry.seq, asked: null });
  // After a resume the server sends the legal moves only on request.
  const untold = entry.type === 'resumed' && ourTurn(after) && !after.moves;
  return { view: after, send: untold ? [{ type: 'sync', seq: after.seq }] : [] };
}

/** The fields to reset when the board changes. */
function boardChange(seq: number): Pick<GameView, 'moves' | 'boardSeq' | 'promoting'> {
  return { moves: null, boardSeq: seq, promoting: null };
}

/** The view after an event; null if the event does not fit the view. */
function applyEvent(view: GameView, said: Happened, entry: Entry): GameView | null {
  const ticking = said.ticking ?? null;
  const { seq, at } = entry;
  switch (entry.type) {
    case 'started': {
      if (!said.board) return null;
      const { names, variant, fen, time, source, spectators, series } = entry;
      const start: Start = { names, variant, fen, time, source, spectators, series };
      const begun: GameView = { ...view, ...boardChange(seq), phase: 'playing', start, ticking };
      return { ...begun, started: at, first: said.board, plies: [] };
    }
    case 'moved': {
      if (!said.board || !said.san) return null;
      const clocks = entry.clocks ?? view.clocks;
      const ply: Ply = { uci: entry.uci, san: said.san, board: said.board, clocks: entry.clocks };
      const plies = [...view.plies, ply];
      // A move declines the opponent's offer, and withdraws takeback requests of both sides.
      const mover = turnOf(boardNow(view).fen);
      const offers = view.offers.filter(({ what, by }) => by === mover && what !== 'takeback');
      const ours = view.pending.filter(
        ({ wish }) => !(wish.type === 'move' && wish.uci === entry.uci),
      );
      return { ...view, ...boardChange(seq), plies, clocks, ticking, offers, pending: ours };
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
      return { ...view, ...boardChange(seq), plies, clocks, ticking, offers: [], premoves: [] };
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
      // Unknown event: the snapshot of the server replaces the view.
      return null;
  }
}

function onTurn(view: GameView, seq: number, moves: Moves): Outcome {
  if (!view.known || seq > view.seq) return askForMissing(view, seq);
  if (seq < view.boardSeq || view.phase !== 'playing') return { view, send: [] };
  return playPremove({ ...view, moves });
}

/** Plays the first premove if it is legal; else drops all of them and asks why. */
function playPremove(view: GameView): Outcome {
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

function onAck(view: GameView, id: string, seq: number): Outcome {
  if (seq <= view.seq) {
    const pending = view.pending.filter((one) => one.id !== id);
    return { view: { ...view, pending }, send: [] };
  }
  const pending = view.pending.map((one) => (one.id === id ? { ...one, acked: seq } : one));
  return askForMissing({ ...view, pending }, seq);
}

function onRefused(view: GameView, id: string, seq: number, refusal: Refusal): Outcome {
  const wish = view.pending.find((one) => one.id === id)?.wish ?? null;
  const pending = view.pending.filter((one) => one.id !== id);
  const denied: Denied = { wish, refusal, count: (view.denied?.count ?? 0) + 1 };
  const premoves = wish?.type === 'move' ? [] : view.premoves;
  return askForMissing({ ...view, pending, denied, premoves }, seq);
}

/** Applies the answer to a question; without a refusal there is nothing to show. */
function onWhy(view: GameView, seq: number, uci: string, refusal: Refusal | null): Outcome {
  if (!refusal) return askForMissing(view, seq);
  const denied: Denied = {
    wish: { type: 'move', uci },
    refusal,
    count: (view.denied?.count ?? 0) + 1,
  };
  return askForMissing({ ...view, denied }, seq);
}

/** Asks why a move is not legal: nothing is pending, and nothing is sent again. */
export function question(view: GameView, uci: string): Outcome {
  return { view: { ...view, denied: null }, send: [{ type: 'why', uci }] };
}

/** Sends a command and keeps it until it is acknowledged or refused. */
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

/** Adds a premove after the others. */
export function premove(view: GameView, from: string, to: string): GameView {
  if (view.phase !== 'playing' || view.premoves.length >= MOST_PREMOVES) return view;
  return { ...view, premoves: [...view.premoves, { from, to }] };
}

/** The largest number of premoves. */
export const MOST_PREMOVES = 16;

/** Drops all premoves. */
export function unpremove(view: GameView): GameView {
  if (view.premoves.length === 0 && !view.promoting) return view;
  return { ...view, premoves: [], promoting: null };
}
