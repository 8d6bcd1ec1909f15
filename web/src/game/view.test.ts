// The reducer: every message, gaps, resends, premoves, takebacks, and random games.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Happened, Moves, ServerMessage, Snapshot, Wish } from '../wire';
import { notices } from './notices';
import { movePiece, placement, turnOf, piecesField } from './squares';
import {
  blank,
  boardNow,
  issue,
  MOST_PREMOVES,
  ourTurn,
  pendingMove,
  question,
  premove,
  receive,
  turn,
  unpremove,
  type GameView,
  type Outcome,
} from './view';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const E5 = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';

function snapshot(change: Partial<Snapshot> = {}): ServerMessage {
  return {
    type: 'snapshot',
    seq: 1,
    phase: 'playing',
    start: {
      names: { white: 'Mina', black: 'Jun' },
      variant: 'standard',
      time: { kind: 'clock', stages: [{ time: 300_000, bonus: 'none' }] },
      source: 'online',
      spectators: 'silent',
    },
    started: 1000,
    first: { fen: START },
    plies: [],
    clocks: { white: 300_000, black: 300_000 },
    ticking: { side: 'white', left: 300_000, until: 999_999 },
    offers: [],
    left: { white: null, black: null },
    chat: [],
    visibility: 'private',
    ...change,
  };
}

const welcome = (seat: 'white' | 'black' | 'both' | null, seq = 1, now = 5000): ServerMessage => ({
  type: 'welcome',
  v: 1,
  game: 'g',
  seat,
  seq,
  now,
});

type EventBody = Happened['entry'] extends infer E
  ? E extends unknown
    ? Omit<E, 'v'>
    : never
  : never;
const event = (entry: EventBody, more: Partial<Happened> = {}): ServerMessage => ({
  type: 'event',
  entry: { v: 1, ...entry } as Happened['entry'],
  ...more,
});
const moved = (seq: number, uci: string, san: string, fen: string): ServerMessage =>
  event({ seq, at: seq * 1000, type: 'moved', uci, received: seq * 1000 }, { san, board: { fen } });

const TARGETS: Moves = { targets: { e2: 'e3e4', g1: 'f3h3', d2: 'd3d4' } };
const turnMessage = (seq: number, moves: Moves = TARGETS): ServerMessage => ({
  type: 'turn',
  seq,
  moves,
});

function run(messages: ServerMessage[], view: GameView = blank('m')): Outcome {
  let send: Outcome['send'] = [];
  for (const message of messages) {
    const next = receive(view, message, 4000);
    view = next.view;
    send = [...send, ...next.send];
  }
  return { view, send };
}

const seated = (seat: 'white' | 'black' | 'both' | null = 'white') =>
  run([welcome(seat), snapshot(), turnMessage(1)]).view;

describe('what the server says', () => {
  it('welcome and snapshot make the view', () => {
    const view = seated();
    expect(view.known).toBe(true);
    expect(view.seat).toBe('white');
    expect(view.seq).toBe(1);
    expect(view.offset).toBe(1000);
    expect(turn(view)).toBe('white');
    expect(ourTurn(view)).toBe(true);
    expect(view.moves).toEqual(TARGETS);
  });

  it('a move is added with its board and clears the targets', () => {
    const { view, send } = run([moved(2, 'e2e4', 'e4', E4)], seated());
    expect(view.plies.map((ply) => ply.san)).toEqual(['e4']);
    expect(boardNow(view).fen).toBe(E4);
    expect(view.moves).toBeNull();
    expect(ourTurn(view)).toBe(false);
    expect(send).toEqual([]);
  });

  it('an event is applied once, and never out of order', () => {
    const once = run([moved(2, 'e2e4', 'e4', E4)], seated());
    const twice = run([moved(2, 'e2e4', 'e4', E4)], once.view);
    expect(twice.view).toBe(once.view);
  });

  it('a gap is asked about once', () => {
    const gap = run([moved(3, 'e7e5', 'e5', E5)], seated());
    expect(gap.send).toEqual([{ type: 'sync', seq: 1 }]);
    expect(gap.view.plies).toEqual([]);
    const still = run([moved(4, 'g1f3', 'Nf3', E5)], gap.view);
    expect(still.send).toEqual([]);
    const filled = run([moved(2, 'e2e4', 'e4', E4), moved(3, 'e7e5', 'e5', E5)], still.view);
    expect(filled.view.plies).toHaveLength(2);
    // A later gap is asked about again.
    expect(run([moved(9, 'a2a3', 'a3', E5)], filled.view).send).toEqual([{ type: 'sync', seq: 3 }]);
  });

  it('a beat with a higher number asks for what is missing', () => {
    expect(run([{ type: 'beat', seq: 4, now: 5000 }], seated()).send).toEqual([
      { type: 'sync', seq: 1 },
    ]);
    expect(run([{ type: 'beat', seq: 1, now: 5000 }], seated()).send).toEqual([]);
  });

  it('an event without the fields of the board asks for a snapshot', () => {
    const bare = event({ seq: 2, at: 2, type: 'moved', uci: 'e2e4', received: 2 });
    expect(run([bare], seated()).send).toEqual([{ type: 'sync', seq: 0 }]);
    const unknown = { type: 'event', entry: { v: 9, seq: 2, at: 2, type: 'levitated' } };
    const after = run([unknown as unknown as ServerMessage], seated());
    expect(after.send).toEqual([{ type: 'sync', seq: 0 }]);
  });

  it('unknown messages of a newer server are ignored', () => {
    const view = seated();
    expect(run([{ type: 'weather' } as unknown as ServerMessage], view).view).toBe(view);
  });

  it('a takeback shortens the game and drops premoves and offers', () => {
    const played = run(
      [moved(2, 'e2e4', 'e4', E4), moved(3, 'e7e5', 'e5', E5)],
      seated('black'),
    ).view;
    const waiting = premove(played, 'g8', 'f6');
    const back = event(
      { seq: 4, at: 9, type: 'taken_back', plies: 2, clocks: { white: 7, black: 8 } },
      { board: { fen: START } },
    );
    const { view } = run([back], waiting);
    expect(view.plies).toEqual([]);
    expect(boardNow(view).fen).toBe(START);
    expect(view.clocks).toEqual({ white: 7, black: 8 });
    expect(view.premoves).toEqual([]);
  });

  it('a takeback of more moves than there are asks for a snapshot', () => {
    const back = event({ seq: 2, at: 9, type: 'taken_back', plies: 2 }, { board: { fen: START } });
    expect(run([back], seated()).send).toEqual([{ type: 'sync', seq: 0 }]);
  });

  it('a game that waits begins with its first event', () => {
    const waiting = run([welcome('white', 0), snapshot({ seq: 0, phase: 'waiting' })]).view;
    expect(ourTurn(waiting)).toBe(false);
    const started = event(
      {
        seq: 1,
        at: 77,
        type: 'started',
        names: { white: 'Mina', black: 'Sora' },
        variant: 'standard',
        time: { kind: 'unlimited' },
        source: 'online',
        spectators: 'silent',
      },
      { board: { fen: START } },
    );
    const { view } = run([started, turnMessage(1)], waiting);
    expect(view.phase).toBe('playing');
    expect(view.start.names.black).toBe('Sora');
    expect(view.started).toBe(77);
    expect(ourTurn(view)).toBe(true);
    expect(notices(waiting, view)).toContainEqual({ kind: 'started' });
  });

  it('offers come, are declined, and fall with a move of the other side', () => {
    const offered = event({ seq: 2, at: 2, type: 'offered', what: 'draw', by: 'black' });
    const open = run([offered], seated()).view;
    expect(open.offers).toEqual([{ what: 'draw', by: 'black' }]);
    const declined = event({ seq: 3, at: 3, type: 'declined', what: 'draw', by: 'white' });
    const closed = run([declined], open).view;
    expect(closed.offers).toEqual([]);
    expect(closed.declined).toMatchObject({ what: 'draw', by: 'white' });
    expect(run([moved(3, 'e2e4', 'e4', E4)], open).view.offers).toEqual([]);
    // The player's own draw offer stays open after a move; a takeback request does not.
    const own = event({ seq: 2, at: 2, type: 'offered', what: 'draw', by: 'white' });
    expect(run([own, moved(3, 'e2e4', 'e4', E4)], seated()).view.offers).toHaveLength(1);
    const back = event({ seq: 2, at: 2, type: 'offered', what: 'takeback', by: 'white' });
    expect(run([back, moved(3, 'e2e4', 'e4', E4)], seated()).view.offers).toEqual([]);
  });

  it('adjourned, resumed, and the targets are asked for when they are not known', () => {
    const view = { ...seated(), moves: null };
    const stop = event({ seq: 2, at: 2, type: 'adjourned', clocks: { white: 1, black: 2 } });
    const adjourned = run([stop], view);
    expect(adjourned.view.phase).toBe('adjourned');
    expect(adjourned.view.clocks).toEqual({ white: 1, black: 2 });
    expect(ourTurn(adjourned.view)).toBe(false);
    const on = run([event({ seq: 3, at: 3, type: 'resumed' })], adjourned.view);
    expect(on.view.phase).toBe('playing');
    expect(on.send).toEqual([{ type: 'sync', seq: 3 }]);
  });

  it('players leave and return', () => {
    const left = run([event({ seq: 2, at: 50, type: 'left', side: 'black' })], seated()).view;
    expect(left.left.black).toBe(50);
    const credited = run([event({ seq: 3, at: 90, type: 'credited', time: 10 })], left).view;
    expect(credited.left.black).toBe(60);
    const back = run([event({ seq: 4, at: 95, type: 'returned', side: 'black' })], credited).view;
    expect(back.left.black).toBeNull();
  });

  it('chat messages name their sender', () => {
    const said = run(
      [
        event({ seq: 2, at: 2, type: 'chatted', from: 'black', text: 'hi' }),
        event({ seq: 3, at: 3, type: 'chatted', from: 'spectator', name: 'Ara', text: 'oh' }),
      ],
      seated(),
    ).view;
    expect(said.chat.map(({ name, text }) => `${name}: ${text}`)).toEqual(['Jun: hi', 'Ara: oh']);
  });

  it('the end clears offers and pending state; a rematch has the next id', () => {
    const before = premove(run([moved(2, 'e2e4', 'e4', E4)], seated()).view, 'd2', 'd4');
    const ended = event({ seq: 3, at: 3, type: 'ended', winner: 'white', reason: 'resignation' });
    const { view } = run([ended], before);
    expect(view.phase).toBe('ended');
    expect(view.ending).toEqual({ winner: 'white', reason: 'resignation' });
    expect(view.premoves).toEqual([]);
    expect(view.ticking).toBeNull();
    const next = run([event({ seq: 4, at: 4, type: 'rematch_agreed', next: 'h' })], view).view;
    expect(next.next).toBe('h');
    expect(notices(view, next)).toEqual([{ kind: 'rematch', next: 'h' }]);
  });

  it('targets of an older position are ignored', () => {
    const later = run([moved(2, 'e2e4', 'e4', E4)], seated('both')).view;
    expect(run([turnMessage(1)], later).view.moves).toBeNull();
    expect(run([turnMessage(2)], later).view.moves).toEqual(TARGETS);
    // A chat message does not make the targets stale.
    const chat = event({ seq: 3, at: 2, type: 'chatted', from: 'black', text: 'hi' });
    expect(run([chat, turnMessage(2)], later).view.moves).toEqual(TARGETS);
  });

  it('only some reasons of a goodbye are final', () => {
    expect(run([{ type: 'bye', reason: 'restart' }], seated()).view.bye).toBeNull();
    expect(run([{ type: 'bye', reason: 'version' }], seated()).view.bye).toBe('version');
  });

  it('of two server times the later one is the more accurate', () => {
    const view = seated();
    expect(run([{ type: 'beat', seq: 1, now: 4800 }], view).view.offset).toBe(999);
    expect(run([{ type: 'beat', seq: 1, now: 5200 }], view).view.offset).toBe(1200);
    expect(run([{ type: 'beat', seq: 1, now: 90_000 }], view).view.offset).toBe(86_000);
  });
});

describe('commands', () => {
  const e4: Wish = { type: 'move', uci: 'e2e4' };

  it('a move is pending exactly until its event', () => {
    const { view, send } = issue(seated(), e4);
    expect(send).toEqual([{ type: 'command', id: 'm-1', command: e4 }]);
    expect(pendingMove(view)).toBe('e2e4');
    expect(view.plies).toEqual([]);
    const acked = run([{ type: 'ack', id: 'm-1', seq: 2 }], view);
    // Acknowledged, but its event is missing: asks for it and stays pending.
    expect(acked.send).toEqual([{ type: 'sync', seq: 1 }]);
    expect(pendingMove(acked.view)).toBe('e2e4');
    const done = run([moved(2, 'e2e4', 'e4', E4)], acked.view).view;
    expect(done.pending).toEqual([]);
    expect(done.plies).toHaveLength(1);
  });

  it('event before acknowledgement', () => {
    const { view } = issue(seated(), e4);
    const played = run([moved(2, 'e2e4', 'e4', E4), { type: 'ack', id: 'm-1', seq: 2 }], view).view;
    expect(played.pending).toEqual([]);
  });

  it('a refusal removes the pending move and has a reason', () => {
    const { view } = issue(premove(seated(), 'd2', 'd4'), e4);
    const refusal = { code: 'pinned', text: 'No.', squares: ['e2'], by: ['e8'] };
    const after = run([{ type: 'refused', id: 'm-1', seq: 1, refusal }], view).view;
    expect(after.pending).toEqual([]);
    expect(after.premoves).toEqual([]);
    expect(after.denied).toMatchObject({ refusal, wish: e4, count: 1 });
    const again = issue(after, e4).view;
    expect(again.denied).toBeNull();
  });

  it('a question is not shown as a move', () => {
    const asked = question(seated(), 'e2e5');
    expect(asked.send).toEqual([{ type: 'why', uci: 'e2e5' }]);
    expect(pendingMove(asked.view)).toBeNull();
    expect(asked.view.pending).toEqual([]);
    // The question is not repeated after a reconnection.
    expect(run([welcome('white', 1)], asked.view).send).toEqual([]);
    const refusal = { code: 'cannot_reach', text: 'No.', squares: ['e2'] };
    const why = { type: 'why', seq: 1, uci: 'e2e5', refusal } as const;
    const told = run([why], asked.view).view;
    expect(told.denied).toMatchObject({ refusal, wish: { type: 'move', uci: 'e2e5' }, count: 1 });
    expect(run([{ ...why, refusal: null }], asked.view).view.denied).toBeNull();
  });

  it('unacknowledged commands are sent again with the same ids after a reconnection', () => {
    let view = issue(seated(), e4).view;
    view = issue(view, { type: 'chat', text: 'hello' }).view;
    const back = run([welcome('white', 1)], view);
    expect(back.send).toEqual([
      { type: 'command', id: 'm-1', command: e4 },
      { type: 'command', id: 'm-2', command: { type: 'chat', text: 'hello' } },
    ]);
    expect(back.view.pending).toHaveLength(2);
  });

  it('a server with a lower number is asked for a snapshot', () => {
    const ahead = run([moved(2, 'e2e4', 'e4', E4)], seated()).view;
    expect(run([welcome('white', 1)], ahead).send).toEqual([{ type: 'sync', seq: 0 }]);
    expect(run([snapshot()], ahead).view.plies).toEqual([]);
  });
});

describe('premoves', () => {
  const TURN = { targets: { d2: 'd3d4', g1: 'f3' } };

  it('several in a row, each at its turn', () => {
    let view = run([moved(2, 'e2e4', 'e4', E4)], seated()).view;
    view = premove(premove(view, 'd2', 'd4'), 'g1', 'f3');
    const first = run([moved(3, 'e7e5', 'e5', E5), turnMessage(3, TURN)], view);
    expect(first.send).toEqual([
      { type: 'command', id: 'm-1', command: { type: 'move', uci: 'd2d4' } },
    ]);
    expect(first.view.premoves).toEqual([{ from: 'g1', to: 'f3' }]);
  });

  it('an illegal premove drops all of them', () => {
    let view = run([moved(2, 'e2e4', 'e4', E4)], seated()).view;
    view = premove(premove(view, 'd1', 'h5'), 'g1', 'f3');
    const after = run([moved(3, 'e7e5', 'e5', E5), turnMessage(3, TURN)], view);
    // Asks why it was not legal.
    expect(after.send).toEqual([{ type: 'why', uci: 'd1h5' }]);
    expect(after.view.premoves).toEqual([]);
  });

  it('a premove that promotes asks what the pawn becomes', () => {
    let view = run([moved(2, 'e2e4', 'e4', E4)], seated()).view;
    view = premove(view, 'd2', 'd4');
    const special = { ...TURN, special: { d2d4: 'promotion' as const } };
    const after = run([moved(3, 'e7e5', 'e5', E5), turnMessage(3, special)], view);
    expect(after.send).toEqual([]);
    expect(after.view.promoting).toEqual({ from: 'd2', to: 'd4' });
    expect(unpremove(after.view).promoting).toBeNull();
  });

  it('their number is limited', () => {
    let view = seated();
    for (let at = 0; at < 40; at++) view = premove(view, 'd2', 'd4');
    expect(view.premoves).toHaveLength(MOST_PREMOVES);
  });
});

describe('laws', () => {
  const squares = fc.tuple(
    fc.constantFrom(...'abcdefgh'),
    fc.constantFrom(...'12345678'),
    fc.constantFrom(...'abcdefgh'),
    fc.constantFrom(...'12345678'),
  );

  /** A random game: pieces move anywhere, because the reducer knows no rules. */
  function story(steps: readonly (readonly string[])[]): ServerMessage[] {
    let fen = START;
    let seq = 1;
    let plies = 0;
    const messages: ServerMessage[] = [];
    for (const [file, rank, to, tor] of steps) {
      seq += 1;
      if (rank === '7' && plies > 0) {
        plies -= 1;
        messages.push(event({ seq, at: seq, type: 'taken_back', plies: 1 }, { board: { fen } }));
      } else if (rank === '8') {
        messages.push(event({ seq, at: seq, type: 'chatted', from: 'white', text: `${to}${tor}` }));
      } else {
        plies += 1;
        const pieces = piecesField(movePiece(placement(fen), `${file}${rank}`, `${to}${tor}`));
        fen = `${pieces} ${turnOf(fen) === 'white' ? 'b' : 'w'} - - 0 1`;
        messages.push(moved(seq, `${file}${rank}${to}${tor}`, 'x', fen));
      }
    }
    return messages;
  }

  it('lost, repeated and reordered messages lead to the same view once the gaps are filled', () => {
    fc.assert(
      fc.property(
        fc.array(squares, { minLength: 1, maxLength: 30 }),
        fc.infiniteStream(fc.nat({ max: 9 })),
        (steps, chances) => {
          const all = story(steps);
          const straight = run(all, seated()).view;
          let view = seated();
          const asked: number[] = [];
          for (const message of all) {
            const chance = chances.next().value;
            if (chance < 3) continue;
            const once = run(chance === 9 ? [message, message] : [message], view);
            view = once.view;
            for (const sent of once.send) if (sent.type === 'sync') asked.push(sent.seq);
          }
          // The server answers with the missing events.
          view = run(
            all.filter((_, at) => at + 2 > view.seq),
            view,
          ).view;
          expect({ ...view, asked: null }).toEqual({ ...straight, asked: null });
          expect(asked.every((seq) => seq <= straight.seq)).toBe(true);
        },
      ),
    );
  });

  it('a pending command is kept until it is answered', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 }), { maxLength: 60 }), (deeds) => {
        let view = seated();
        const open = new Set<string>();
        for (const deed of deeds) {
          const [first] = open;
          if (deed <= 1) {
            const out = issue(view, { type: 'chat', text: String(deed) });
            view = out.view;
            const [sent] = out.send;
            if (sent?.type === 'command') open.add(sent.id);
          } else if (deed === 2) {
            const out = receive(view, welcome('white', view.seq), 4000);
            view = out.view;
            const sent = out.send.flatMap((one) => (one.type === 'command' ? [one.id] : []));
            expect(sent).toEqual([...open]);
          } else if (deed === 3 && first) {
            view = receive(view, { type: 'ack', id: first, seq: view.seq }, 4000).view;
            open.delete(first);
          } else if (deed === 4 && first) {
            const refusal = { code: 'busy', text: '' };
            view = receive(view, { type: 'refused', id: first, seq: view.seq, refusal }, 4000).view;
            open.delete(first);
          } else {
            view = receive(view, snapshot({ seq: view.seq }), 4000).view;
          }
          expect(view.pending.map(({ id }) => id)).toEqual([...open]);
        }
      }),
    );
  });
});
