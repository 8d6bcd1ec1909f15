// A websocket that reconnects by itself: exponential backoff with jitter, a timeout for silence,
// and the offline state of the device. It knows nothing of the messages.

/** The state of the connection, as a player may see it. */
export type LinkState =
  /** Connecting, for the first time or again. */
  | 'connecting'
  /** The server has sent a message. */
  | 'open'
  /** Lost; the next attempt is at `retryAt`. */
  | 'waiting'
  /** The device has no network. */
  | 'offline'
  /** Closed for good: by the server with a final code, or by this page. */
  | 'closed';

export interface Link {
  readonly state: LinkState;
  readonly retryAt: number | null;
  /** The final code with which the server closed the connection. */
  readonly code: number | null;
}

/** What the socket needs of a browser; tests have their own. */
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
  /** Calls `run` when the network comes or goes and when the page is shown again. */
  onWake(run: () => void): () => void;
}

/** Milliseconds without a message after which the connection counts as lost. */
export const SILENCE = 12_000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
/** Wrong version, no such game, or open in another tab: reconnecting would not help. */
const FINAL = [4000, 4004, 4010];
/** The server closed because the page sent too much. */
const FLOOD = 4002;

export class ReconnectingSocket<In, Out> {
  #world: World;
  #url: string;
  #greet: () => Out;
  #onMessage: (message: In) => void;
  #onLink: (link: Link) => void;
  #socket: ReturnType<World['socket']> | null = null;
  #link: Link = { state: 'connecting', retryAt: null, code: null };
  #failures = 0;
  #lastMessage = 0;
  #cancelRetry: (() => void) | null = null;
  #cancelWatch: (() => void) | null = null;
  #stopListening: () => void;

  constructor(options: {
    world: World;
    url: string;
    greet: () => Out;
    onMessage: (message: In) => void;
    onLink: (link: Link) => void;
  }) {
    this.#world = options.world;
    this.#url = options.url;
    this.#greet = options.greet;
    this.#onMessage = options.onMessage;
    this.#onLink = options.onLink;
    this.#stopListening = this.#world.onWake(() => this.#wake());
    this.#connect();
  }

  get link(): Link {
    return this.#link;
  }

  /** Sends if the connection is open. The caller sends again what must not be lost. */
  send(message: Out): boolean {
    if (!this.#socket || this.#link.state !== 'open') return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Closes for good. */
  close(): void {
    this.#stopListening();
    this.#drop();
    this.#set('closed');
  }

  /** Connects now instead of waiting. */
  retry(): void {
    if (this.#link.state === 'waiting' || this.#link.state === 'offline') this.#connect();
  }

  /** Closes an open connection and connects again with a new greeting. */
  reconnect(): void {
    if (this.#link.state === 'open') this.#connect();
  }

  #set(state: LinkState, retryAt: number | null = null, code: number | null = null): void {
    this.#link = { state, retryAt, code };
    this.#onLink(this.#link);
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
    this.#lastMessage = this.#world.now();
    this.#watch();
    socket.onopen = () => socket.send(JSON.stringify(this.#greet()));
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code }) => this.#handleClose(code);
  }

  #receive(data: unknown): void {
    this.#lastMessage = this.#world.now();
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
    this.#onMessage(message);
  }

  #watch(): void {
    const quiet = this.#world.now() - this.#lastMessage;
    if (quiet >= SILENCE) {
      this.#handleClose(1006);
      return;
    }
    this.#cancelWatch = this.#world.later(() => this.#watch(), SILENCE - quiet);
  }

  #handleClose(code: number): void {
    this.#drop();
    if (FINAL.includes(code)) {
      this.#stopListening();
      this.#set('closed', null, code);
      return;
    }
    if (!this.#world.online()) {
      this.#set('offline');
      return;
    }
    const base = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    const least = code === FLOOD ? 5_000 : 0;
    // Half of the pause is random, so that not all clients reconnect to a restarted server at once.
    const wait = Math.max(least, base * (0.5 + this.#world.random() / 2));
    this.#failures += 1;
    this.#set('waiting', this.#world.now() + wait);
    this.#cancelRetry = this.#world.later(() => this.#connect(), wait);
  }

  #wake(): void {
    const { state } = this.#link;
    if (state === 'closed') return;
    if (!this.#world.online()) {
      this.#drop();
      this.#set('offline');
      return;
    }
    const quiet = this.#world.now() - this.#lastMessage;
    const doubtful = state === 'open' && quiet > SILENCE / 2;
    if (state === 'offline' || state === 'waiting' || doubtful) {
      this.#failures = 0;
      this.#connect();
    }
  }
}

/** The real browser. */
export const browser: World = {
  socket: (url) => new WebSocket(url) as ReturnType<World['socket']>,
  now: () => Date.now(),
  random: () => Math.random(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  // A server on this machine can be reached without a network.
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

/** The websocket address of a path on the server of this page. */
export function socketUrl(path: string): string {
  const { protocol, host } = location;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${path}`;
}
