// The connection of one game: its view, the socket to the server (or to a worker of this browser),
// and the commands that are sent.
import { here, isLocal } from '../local/here';
import { browser, ReconnectingSocket, socketUrl, type Link, type World } from '../socket';
import { VERSION, type ClientMessage, type ServerMessage, type Wish } from '../wire';
import { language } from '../words/index.svelte';
import { notices, type Notice } from './notices';
import {
  blank,
  issue,
  premove,
  question,
  receive,
  unpremove,
  type GameView,
  type Outcome,
  type Pending,
} from './view';

const PENDING = 'hansu.pending.';

/** A random mark for the ids of commands. */
function randomMark(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('');
}

/** The commands that were not acknowledged before a reload. */
function loadUnsent(game: string): Pending[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PENDING + game) ?? '[]');
    return Array.isArray(stored) ? (stored as Pending[]).slice(0, 8) : [];
  } catch {
    return [];
  }
}

export class GameSession {
  readonly id: string;
  view: GameView = $state.raw(blank(''));
  link: Link = $state.raw({ state: 'connecting', retryAt: null, code: null });
  #socket: ReconnectingSocket<ServerMessage, ClientMessage>;
  #noticed: (notice: Notice) => void;

  constructor(
    id: string,
    options: { noticed: (notice: Notice) => void; first?: Wish | undefined; world?: World },
  ) {
    this.id = id;
    this.#noticed = options.noticed;
    let view: GameView = { ...blank(randomMark()), pending: loadUnsent(id) };
    if (options.first) view = issue(view, options.first).view;
    this.view = view;
    this.#socket = new ReconnectingSocket({
      world: options.world ?? (isLocal(id) ? here(id) : browser),
      url: socketUrl(`/api/games/${encodeURIComponent(id)}/socket`),
      greet: () => ({
        type: 'hello',
        v: VERSION,
        seq: this.view.known ? this.view.seq : 0,
        lang: language(),
      }),
      onMessage: (message) => this.#take(receive(this.view, message, Date.now())),
      onLink: (link) => (this.link = link),
    });
  }

  /** Sends a command. */
  wish(wish: Wish): void {
    this.#take(issue(this.view, wish));
  }

  /** Asks why a move is not legal. */
  why(uci: string): void {
    this.#take(question(this.view, uci));
  }

  premove(from: string, to: string): void {
    this.#take({ view: premove(this.view, from, to), send: [] });
  }

  unpremove(): void {
    this.#take({ view: unpremove(this.view), send: [] });
  }

  /** Removes the refusal after it was read. */
  dismissRefusal(): void {
    if (this.view.denied) this.view = { ...this.view, denied: null };
  }

  retry(): void {
    this.#socket.retry();
  }

  /** Reconnects with a new greeting: the language has changed. */
  greetAgain(): void {
    this.#socket.reconnect();
  }

  close(): void {
    this.#socket.close();
  }

  #take({ view, send }: Outcome): void {
    const before = this.view;
    this.view = view;
    for (const message of send) this.#socket.send(message);
    if (before.pending !== view.pending) this.#keep(view.pending);
    for (const notice of notices(before, view)) this.#noticed(notice);
  }

  #keep(pending: readonly Pending[]): void {
    try {
      if (pending.length) sessionStorage.setItem(PENDING + this.id, JSON.stringify(pending));
      else sessionStorage.removeItem(PENDING + this.id);
    } catch {
      // Without storage a reload loses the commands that were not acknowledged.
    }
  }
}
