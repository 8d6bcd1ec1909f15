// The page's reducer and the terminal's (`crates/client`) must give the same views for the same
// random sequences. `make sequences` writes the file from the Rust side.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ClientMessage, ServerMessage, Wish } from '../wire';
import { notices, type Notice } from './notices';
import { blank, boardNow, issue, receive, type GameView } from './view';

interface Step {
  readonly hear?: ServerMessage;
  readonly now?: number;
  readonly wish?: Wish;
  /** The fields of the view's digest that this step changes. */
  readonly view: Record<string, unknown>;
  readonly send?: readonly ClientMessage[];
  readonly notices?: readonly string[];
}

const file = new URL('./sequences.json', import.meta.url).pathname;
const sequences = JSON.parse(readFileSync(file, 'utf8')) as Step[][];

/** The same digest as in `crates/client/tests/sequences/file.rs`. */
function digest(view: GameView): Record<string, unknown> {
  const last = view.plies.at(-1);
  const said = view.chat.at(-1);
  const { start, presence, denied, declined, given } = view;
  const fields: Record<string, unknown> = {
    known: view.known,
    seat: view.seat,
    seq: view.seq,
    phase: view.phase,
    start: [start.names.white, start.time, start.fen ?? null],
    started: view.started,
    first: view.first.fen,
    plies: view.plies.map(({ uci }) => uci).join(' '),
    last: last ? [last.san, last.board.check ?? null, last.clocks ?? null] : null,
    fen: boardNow(view).fen,
    clocks: view.clocks,
    ticking: view.ticking,
    ending: view.ending,
    offers: view.offers,
    left: view.left,
    chat: view.chat.length,
    said: said ? [said.name, said.text] : null,
    next: view.next,
    visibility: view.visibility,
    presence: [presence.white, presence.black, presence.spectators],
    moves: view.moves?.targets ?? null,
    boardSeq: view.boardSeq,
    offset: view.offset,
    pending: view.pending.map(({ id, acked }) => [id, acked ?? null]),
    denied: denied ? [denied.wish, denied.refusal.code, denied.count] : null,
    declined: declined ? [declined.what, declined.by, declined.seq] : null,
    given: given ? [given.to, given.time, given.seq] : null,
    asked: view.asked,
    bye: view.bye,
    count: view.count,
  };
  return JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
}

function line(notice: Notice): string {
  const more = (): string => {
    switch (notice.kind) {
      case 'refused':
        return notice.refusal.code;
      case 'moved':
        return `${notice.ply.san} ${notice.by}`;
      case 'offered':
      case 'declined':
        return `${notice.what} ${notice.by}`;
      case 'left':
      case 'returned':
        return notice.side;
      case 'chatted':
        return notice.said.text;
      case 'ended':
        return notice.ending.reason;
      case 'rematch':
        return notice.next;
      default:
        return '';
    }
  };
  return `${notice.kind} ${more()}`.trimEnd();
}

describe('the sequences of the Rust client', () => {
  it.each(sequences.map((steps, at) => ({ at, steps })))('number $at', ({ steps }) => {
    let view = blank('m');
    let expected = digest(view);
    for (const [at, step] of steps.entries()) {
      const { hear, now = 0, wish } = step;
      if (!hear && !wish) throw new Error(`step ${at} has no input`);
      const next = hear ? receive(view, hear, now) : issue(view, wish as Wish);
      expected = { ...expected, ...step.view };
      expect({ at, ...digest(next.view) }).toEqual({ at, ...expected });
      expect({ at, send: next.send }).toEqual({ at, send: step.send ?? [] });
      const told = notices(view, next.view).map(line);
      expect({ at, told }).toEqual({ at, told: step.notices ?? [] });
      view = next.view;
    }
  });

  it('contain every kind of message, wish and notice that both sides know', () => {
    const steps = sequences.flat();
    const kinds = (all: (string | undefined)[]) => [...new Set(all)].filter(Boolean).sort();
    expect(kinds(steps.map(({ hear }) => hear?.type))).toEqual(
      'ack beat bye event presence refused snapshot turn welcome'.split(' '),
    );
    const events = steps.map(({ hear }) => (hear?.type === 'event' ? hear.entry.type : undefined));
    expect(kinds(events)).toEqual(
      (
        'adjourned chatted credited declined ended left moved offered rematch_agreed resumed ' +
        'returned started taken_back time_given'
      ).split(' '),
    );
    expect(
      kinds(steps.flatMap(({ notices }) => notices ?? []).map((one) => one.split(' ')[0])),
    ).toEqual(
      (
        'adjourned chatted declined ended left moved offered refused rematch resumed returned ' +
        'started taken_back'
      ).split(' '),
    );
  });
});
