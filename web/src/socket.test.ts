// The websocket that reconnects by itself and reports its state.
import { describe, expect, it } from 'vitest';
import { ReconnectingSocket, SILENCE, type Link, type World } from './socket';

type Fake = ReturnType<World['socket']> & { sent: string[]; closed: boolean };

/** A test environment with a clock that the test controls. */
class TestWorld implements World {
  time = 0;
  up = true;
  chance = 1;
  sockets: Fake[] = [];
  #timers: { at: number; run: () => void }[] = [];
  #wake: (() => void)[] = [];

  socket(): Fake {
    const socket: Fake = {
      sent: [],
      closed: false,
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (text) => void socket.sent.push(String(text)),
      close: () => void (socket.closed = true),
    };
    this.sockets.push(socket);
    return socket;
  }
  now = () => this.time;
  random = () => this.chance;
  later(run: () => void, ms: number): () => void {
    const timer = { at: this.time + ms, run };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((other) => other !== timer));
  }
  online = () => this.up;
  onWake(run: () => void): () => void {
    this.#wake.push(run);
    return () => (this.#wake = this.#wake.filter((other) => other !== run));
  }
  wake(): void {
    for (const run of [...this.#wake]) run();
  }
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.time = next.at;
      next.run();
    }
    this.time = end;
  }
  get last(): Fake {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('no socket');
    return socket;
  }
}

function start() {
  const world = new TestWorld();
  const messages: unknown[] = [];
  const states: Link['state'][] = [];
  const socket = new ReconnectingSocket<unknown, unknown>({
    world,
    url: 'ws://x',
    greet: () => ({ type: 'hello' }),
    onMessage: (message) => messages.push(message),
    onLink: ({ state }) => states.push(state),
  });
  const open = () => {
    world.last.onopen?.();
    world.last.onmessage?.({ data: '{"type":"welcome"}' });
  };
  return { world, messages, states, socket, open };
}

describe('a reconnecting socket', () => {
  it('sends the greeting, and is open after the first message of the server', () => {
    const { world, socket, open, messages, states } = start();
    expect(socket.send({ a: 1 })).toBe(false);
    open();
    expect(world.last.sent).toEqual(['{"type":"hello"}']);
    expect(socket.link.state).toBe('open');
    expect(messages).toEqual([{ type: 'welcome' }]);
    expect(socket.send({ a: 1 })).toBe(true);
    expect(states).toEqual(['connecting', 'open']);
  });

  it('reconnects with growing pauses, and starts again at the shortest after it was open', () => {
    const { world, socket, open } = start();
    const waits: number[] = [];
    for (let at = 0; at < 8; at++) {
      world.last.onclose?.({ code: 1006 });
      expect(socket.link.state).toBe('waiting');
      waits.push((socket.link.retryAt ?? 0) - world.time);
      world.pass(waits.at(-1) ?? 0);
      expect(socket.link.state).toBe('connecting');
    }
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 12800, 15000, 15000]);
    expect(world.sockets).toHaveLength(9);
    open();
    world.last.onclose?.({ code: 1012 });
    expect((socket.link.retryAt ?? 0) - world.time).toBe(400);
  });

  it('half of a pause is random', () => {
    const { world, socket } = start();
    world.chance = 0;
    world.last.onclose?.({ code: 1006 });
    expect((socket.link.retryAt ?? 0) - world.time).toBe(200);
  });

  it('closes a connection that is silent too long', () => {
    const { world, socket, open } = start();
    open();
    world.pass(SILENCE - 1000);
    world.last.onmessage?.({ data: '{"type":"beat"}' });
    world.pass(SILENCE - 1000);
    expect(socket.link.state).toBe('open');
    const silent = world.last;
    world.pass(1001);
    expect(silent.closed).toBe(true);
    expect(socket.link.state).toBe('waiting');
  });

  it('a connection that never answers is given up', () => {
    const { world, socket } = start();
    world.pass(SILENCE);
    expect(socket.link.state).toBe('waiting');
  });

  it('waits for the network while the device is offline', () => {
    const { world, socket, open } = start();
    open();
    world.up = false;
    world.wake();
    expect(socket.link.state).toBe('offline');
    world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
    world.up = true;
    world.wake();
    expect(socket.link.state).toBe('connecting');
    expect(world.sockets).toHaveLength(2);
  });

  it('reconnects at once when the page is shown again', () => {
    const { world, socket } = start();
    world.last.onclose?.({ code: 1006 });
    world.wake();
    expect(socket.link.state).toBe('connecting');
  });

  it('does not reconnect after a final close code', () => {
    for (const code of [4000, 4004]) {
      const { world, socket } = start();
      world.last.onclose?.({ code });
      expect(socket.link).toMatchObject({ state: 'closed', code });
      world.pass(100_000);
      world.wake();
      expect(world.sockets).toHaveLength(1);
    }
  });

  it('waits at least five seconds after it has sent too much', () => {
    const { world, socket } = start();
    world.last.onclose?.({ code: 4002 });
    expect((socket.link.retryAt ?? 0) - world.time).toBe(5000);
  });

  it('ignores messages that are not JSON', () => {
    const { world, messages } = start();
    world.last.onmessage?.({ data: 'oops' });
    world.last.onmessage?.({ data: new ArrayBuffer(2) });
    expect(messages).toEqual([]);
  });

  it('can be told to reconnect and greet again', () => {
    const { world, socket, open } = start();
    socket.reconnect();
    expect(world.sockets).toHaveLength(1);
    open();
    socket.reconnect();
    expect(world.sockets[0]?.closed).toBe(true);
    open();
    expect(world.last.sent).toEqual(['{"type":"hello"}']);
    expect(socket.link.state).toBe('open');
  });

  it('stays closed after close()', () => {
    const { world, socket, open } = start();
    open();
    socket.close();
    expect(world.last.closed).toBe(true);
    world.pass(100_000);
    world.wake();
    expect(world.sockets).toHaveLength(1);
  });
});
