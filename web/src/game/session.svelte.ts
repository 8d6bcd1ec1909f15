// A game on this page: the view, the line to the server or to a worker of this browser, and what is
// said over it.
import { here, isLocal } from '../local/here';
import { browser, Line, socketUrl, type Link, type World } from '../socket';
import { VERSION, type ClientMessage, type ServerMessage, type Wish } from '../wire';
import { language } from '../words/index.svelte';
import { notices, type Notice } from './notices';
import {
  blank,
  issue,
  premove,
  question,
  received,
  unpremove,
  type GameView,
  type Outcome,
  type Pending,
} from './view';

const PENDING = 'hansu.pending.';

/** Something nobody else has. */
function fresh(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('');
}

/** A move that was made just before a reload is not forgotten. */
function unsent(game: string): Pending[] {
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
  #line: Line<ServerMessage, ClientMessage>;
  #noticed: (notice: Notice) => void;

  constructor(
    id: string,
    options: { noticed: (notice: Notice) => void; first?: Wish | undefined; world?: World },
  ) {
    this.id = id;
    this.#noticed = options.noticed;
    let view: GameView = { ...blank(fresh()), pending: unsent(id) };
    if (options.first) view = issue(view, options.first).view;
    this.view = view;
    this.#line = new Line({
      world: options.world ?? (isLocal(id) ? here(id) : browser),
      url: socketUrl(`/api/games/${encodeURIComponent(id)}/socket`),
      greet: () => ({
        type: 'hello',
        v: VERSION,
        seq: this.view.known ? this.view.seq : 0,
        lang: language(),
      }),
      heard: (message) => this.#take(received(this.view, message, Date.now())),
      changed: (link) => (this.link = link),
    });
  }

  /** Wants something of the game. */
  wish(wish: Wish): void {
    this.#take(issue(this.view, wish));
  }

  /** Asks why a move may not be played. */
  why(uci: string): void {
    this.#take(question(this.view, uci));
  }

  premove(from: string, to: string): void {
    this.#take({ view: premove(this.view, from, to), send: [] });
  }

  unpremove(): void {
    this.#take({ view: unpremove(this.view), send: [] });
  }

  /** A refusal that was read. */
  forgive(): void {
    if (this.view.denied) this.view = { ...this.view, denied: null };
  }

  retry(): void {
    this.#line.retry();
  }

  /** The language has changed. */
  greetAgain(): void {
    this.#line.again();
  }

  close(): void {
    this.#line.close();
  }

  #take({ view, send }: Outcome): void {
    const before = this.view;
    this.view = view;
    for (const message of send) this.#line.send(message);
    if (before.pending !== view.pending) this.#keep(view.pending);
    for (const notice of notices(before, view)) this.#noticed(notice);
  }

  #keep(pending: readonly Pending[]): void {
    try {
      if (pending.length) sessionStorage.setItem(PENDING + this.id, JSON.stringify(pending));
      else sessionStorage.removeItem(PENDING + this.id);
    } catch {
      // Without storage a reload forgets what was not sent.
    }
  }
}
