// A websocket that comes back by itself: backoff with jitter, silence noticed, offline known. What
// is said over it is none of its business.

/** How the line is, as a player may see it. */
export type LinkState =
  /** On the way, for the first time or again. */
  | 'connecting'
  /** The server has spoken. */
  | 'open'
  /** Lost; the next try is at `retryAt`. */
  | 'waiting'
  /** The device has no network. */
  | 'offline'
  /** The server will not have us, or we have left. */
  | 'closed';

export interface Link {
  readonly state: LinkState;
  readonly retryAt: number | null;
  /** The code with which the server closed the door for good. */
  readonly code: number | null;
}

/** What of a browser a line needs; tests bring their own. */
export interface World {
  socket(url: string): Pick<WebSocket, 'send' | 'close'> & {
    onopen: (() => void) | null;
    onmessage: ((event: { data: unknown }) => void) | null;
    onclose: ((event: { code: number }) => void) | null;
  };
  now(): number;
  random(): number;
  later(run: () => void, ms: number): () => void;
  online(): boolean;
  /** The network came or went, or the page was shown again. */
  onWake(run: () => void): () => void;
}

/** No message for so long: the line is dead, whatever the socket believes. */
export const SILENCE = 12_000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
/** Another version, no such game, or open in another tab: to come back would not help. */
const FINAL = [4000, 4004, 4010];
/** The server found that we send too much. */
const FLOOD = 4002;

export class Line<In, Out> {
  #world: World;
  #url: string;
  #greet: () => Out;
  #heard: (message: In) => void;
  #changed: (link: Link) => void;
  #socket: ReturnType<World['socket']> | null = null;
  #link: Link = { state: 'connecting', retryAt: null, code: null };
  #failures = 0;
  #lastHeard = 0;
  #cancelRetry: (() => void) | null = null;
  #cancelWatch: (() => void) | null = null;
  #unwake: () => void;

  constructor(options: {
    world: World;
    url: string;
    greet: () => Out;
    heard: (message: In) => void;
    changed: (link: Link) => void;
  }) {
    this.#world = options.world;
    this.#url = options.url;
    this.#greet = options.greet;
    this.#heard = options.heard;
    this.#changed = options.changed;
    this.#unwake = this.#world.onWake(() => this.#woken());
    this.#connect();
  }

  get link(): Link {
    return this.#link;
  }

  /** Sends if the line is open. What must not be lost is sent again by whoever said it. */
  send(message: Out): boolean {
    if (!this.#socket || this.#link.state !== 'open') return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** For good. */
  close(): void {
    this.#unwake();
    this.#drop();
    this.#set('closed');
  }

  /** Now, not later. */
  retry(): void {
    if (this.#link.state === 'waiting' || this.#link.state === 'offline') this.#connect();
  }

  /** Hangs up and greets anew. */
  again(): void {
    if (this.#link.state === 'open') this.#connect();
  }

  #set(state: LinkState, retryAt: number | null = null, code: number | null = null): void {
    this.#link = { state, retryAt, code };
    this.#changed(this.#link);
  }

  #drop(): void {
    this.#cancelRetry?.();
    this.#cancelWatch?.();
    this.#cancelRetry = this.#cancelWatch = null;
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  #connect(): void {
    this.#drop();
    if (!this.#world.online()) {
      this.#set('offline');
      return;
    }
    this.#set('connecting');
    const socket = this.#world.socket(this.#url);
    this.#socket = socket;
    this.#lastHeard = this.#world.now();
    this.#watch();
    socket.onopen = () => socket.send(JSON.stringify(this.#greet()));
    socket.onmessage = ({ data }) => this.#message(data);
    socket.onclose = ({ code }) => this.#lost(code);
  }

  #message(data: unknown): void {
    this.#lastHeard = this.#world.now();
    if (typeof data !== 'string') return;
    let message: In;
    try {
      message = JSON.parse(data) as In;
    } catch {
      return;
    }
    if (this.#link.state !== 'open') {
      this.#failures = 0;
      this.#set('open');
    }
    this.#heard(message);
  }

  #watch(): void {
    const quiet = this.#world.now() - this.#lastHeard;
    if (quiet >= SILENCE) {
      this.#lost(1006);
      return;
    }
    this.#cancelWatch = this.#world.later(() => this.#watch(), SILENCE - quiet);
  }

  #lost(code: number): void {
    this.#drop();
    if (FINAL.includes(code)) {
      this.#unwake();
      this.#set('closed', null, code);
      return;
    }
    if (!this.#world.online()) {
      this.#set('offline');
      return;
    }
    const base = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    const least = code === FLOOD ? 5_000 : 0;
    // Half of it is chance: a server that comes back is not met by everybody at once.
    const wait = Math.max(least, base * (0.5 + this.#world.random() / 2));
    this.#failures += 1;
    this.#set('waiting', this.#world.now() + wait);
    this.#cancelRetry = this.#world.later(() => this.#connect(), wait);
  }

  #woken(): void {
    const { state } = this.#link;
    if (state === 'closed') return;
    if (!this.#world.online()) {
      this.#drop();
      this.#set('offline');
      return;
    }
    const quiet = this.#world.now() - this.#lastHeard;
    const doubtful = state === 'open' && quiet > SILENCE / 2;
    if (state === 'offline' || state === 'waiting' || doubtful) {
      this.#failures = 0;
      this.#connect();
    }
  }
}

/** The browser's own. */
export const browser: World = {
  socket: (url) => new WebSocket(url) as ReturnType<World['socket']>,
  now: () => Date.now(),
  random: () => Math.random(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  // A server on this very machine needs no network.
  online: () => navigator.onLine || /^(localhost|127\.|\[::1\])/.test(location.hostname),
  onWake: (run) => {
    const shown = () => document.visibilityState === 'visible' && run();
    addEventListener('online', run);
    addEventListener('offline', run);
    addEventListener('pageshow', run);
    document.addEventListener('visibilitychange', shown);
    return () => {
      removeEventListener('online', run);
      removeEventListener('offline', run);
      removeEventListener('pageshow', run);
      document.removeEventListener('visibilitychange', shown);
    };
  },
};

/** The address of a socket on the server this page came from. */
export function socketUrl(path: string): string {
  const { protocol, host } = location;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${path}`;
}
