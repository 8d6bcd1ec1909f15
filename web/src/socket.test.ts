// The line: it comes back by itself, and says how it is.
import { describe, expect, it } from 'vitest';
import { Line, SILENCE, type Link, type World } from './socket';

type Fake = ReturnType<World['socket']> & { sent: string[]; closed: boolean };

/** A world in which time passes when we say so. */
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
  const heard: unknown[] = [];
  const states: Link['state'][] = [];
  const line = new Line<unknown, unknown>({
    world,
    url: 'ws://x',
    greet: () => ({ type: 'hello' }),
    heard: (message) => heard.push(message),
    changed: ({ state }) => states.push(state),
  });
  const open = () => {
    world.last.onopen?.();
    world.last.onmessage?.({ data: '{"type":"welcome"}' });
  };
  return { world, heard, states, line, open };
}

describe('a line', () => {
  it('greets, and is open when the server has spoken', () => {
    const { world, line, open, heard, states } = start();
    expect(line.send({ a: 1 })).toBe(false);
    open();
    expect(world.last.sent).toEqual(['{"type":"hello"}']);
    expect(line.link.state).toBe('open');
    expect(heard).toEqual([{ type: 'welcome' }]);
    expect(line.send({ a: 1 })).toBe(true);
    expect(states).toEqual(['connecting', 'open']);
  });

  it('comes back with growing pauses, and starts anew once it was open', () => {
    const { world, line, open } = start();
    const waits: number[] = [];
    for (let at = 0; at < 8; at++) {
      world.last.onclose?.({ code: 1006 });
      expect(line.link.state).toBe('waiting');
      waits.push((line.link.retryAt ?? 0) - world.time);
      world.pass(waits.at(-1) ?? 0);
      expect(line.link.state).toBe('connecting');
    }
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 12800, 15000, 15000]);
    expect(world.sockets).toHaveLength(9);
    open();
    world.last.onclose?.({ code: 1012 });
    expect((line.link.retryAt ?? 0) - world.time).toBe(400);
  });

  it('half of a pause is chance', () => {
    const { world, line } = start();
    world.chance = 0;
    world.last.onclose?.({ code: 1006 });
    expect((line.link.retryAt ?? 0) - world.time).toBe(200);
  });

  it('silence is noticed', () => {
    const { world, line, open } = start();
    open();
    world.pass(SILENCE - 1000);
    world.last.onmessage?.({ data: '{"type":"beat"}' });
    world.pass(SILENCE - 1000);
    expect(line.link.state).toBe('open');
    const silent = world.last;
    world.pass(1001);
    expect(silent.closed).toBe(true);
    expect(line.link.state).toBe('waiting');
  });

  it('a connection that never answers is given up', () => {
    const { world, line } = start();
    world.pass(SILENCE);
    expect(line.link.state).toBe('waiting');
  });

  it('without a network it waits for one', () => {
    const { world, line, open } = start();
    open();
    world.up = false;
    world.wake();
    expect(line.link.state).toBe('offline');
    world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
    world.up = true;
    world.wake();
    expect(line.link.state).toBe('connecting');
    expect(world.sockets).toHaveLength(2);
  });

  it('a page that is shown again does not wait', () => {
    const { world, line } = start();
    world.last.onclose?.({ code: 1006 });
    world.wake();
    expect(line.link.state).toBe('connecting');
  });

  it('some doors stay closed', () => {
    for (const code of [4000, 4004]) {
      const { world, line } = start();
      world.last.onclose?.({ code });
      expect(line.link).toMatchObject({ state: 'closed', code });
      world.pass(100_000);
      world.wake();
      expect(world.sockets).toHaveLength(1);
    }
  });

  it('who sent too much waits longer', () => {
    const { world, line } = start();
    world.last.onclose?.({ code: 4002 });
    expect((line.link.retryAt ?? 0) - world.time).toBe(5000);
  });

  it('what is no JSON is passed over', () => {
    const { world, heard } = start();
    world.last.onmessage?.({ data: 'oops' });
    world.last.onmessage?.({ data: new ArrayBuffer(2) });
    expect(heard).toEqual([]);
  });

  it('greets anew when it is told to', () => {
    const { world, line, open } = start();
    line.again();
    expect(world.sockets).toHaveLength(1);
    open();
    line.again();
    expect(world.sockets[0]?.closed).toBe(true);
    open();
    expect(world.last.sent).toEqual(['{"type":"hello"}']);
    expect(line.link.state).toBe('open');
  });

  it('closed is closed', () => {
    const { world, line, open } = start();
    open();
    line.close();
    expect(world.last.closed).toBe(true);
    world.pass(100_000);
    world.wake();
    expect(world.sockets).toHaveLength(1);
  });
});
