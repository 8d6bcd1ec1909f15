// Fixtures: users with browsers of their own, and games between them.
import {
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test';
import type { Made, NewGame, TimeControl, Wish } from '../src/wire';
import type { Settings } from '../src/settings.svelte';
import { Hansu } from './hansu';

export { expect };

type Side = 'white' | 'black';

declare global {
  interface Window {
    /** All announcements for screen readers, in order. */
    said: string[];
    /** The frequency of every tone and burst of noise that was started. */
    heard: number[];
    /** The number of strings that the music has plucked. */
    plucked: number;
    /** What was passed to the share dialog; see `sharing`. */
    shared: (ShareData | undefined)[];
    /** The number of audio contexts that were created. */
    speakers: number;
  }
}

/** Disables the service worker, as in a browser without one. */
function forget(): void {
  if (!('serviceWorker' in navigator)) return;
  ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error('not kept'));
}

/** Records announcements and sounds; runs before the scripts of the page. */
function listen(stored: Partial<Settings>): void {
  // The empty page between two others has nothing to record.
  if (location.protocol === 'about:') return;
  if (!localStorage.getItem('hansu.settings')) {
    localStorage.setItem('hansu.settings', JSON.stringify(stored));
  }
  window.said = [];
  window.heard = [];
  window.plucked = window.speakers = 0;
  // Screen readers announce what is added to the live region, in order.
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (!(target as Element).matches?.('[data-testid=announcer]')) continue;
      for (const node of addedNodes) {
        const plain = node.textContent?.trim();
        if (plain) window.said.push(plain);
      }
    }
  }).observe(document, { subtree: true, childList: true });
  // The browser counts calls of a test as user activation; here only real input counts.
  let touched = false;
  const touch = ({ isTrusted }: Event) => (touched ||= isTrusted);
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, touch, true);
  Object.defineProperty(navigator, 'userActivation', {
    get: () => ({ hasBeenActive: touched, isActive: touched }),
  });
  const Context = window.AudioContext;
  window.AudioContext = class extends Context {
    constructor(options?: AudioContextOptions) {
      super(options);
      window.speakers += 1;
    }
    override createOscillator(): OscillatorNode {
      const node = super.createOscillator();
      const set = node.frequency.setValueAtTime.bind(node.frequency);
      node.frequency.setValueAtTime = (pitch, at) => {
        window.heard.push(Math.round(pitch));
        return set(pitch, at);
      };
      return node;
    }
    override createBufferSource(): AudioBufferSourceNode {
      const node = super.createBufferSource();
      const connect = node.connect.bind(node) as (to: AudioNode) => AudioNode;
      node.connect = ((to: AudioNode) => {
        if (to instanceof BiquadFilterNode) window.heard.push(Math.round(to.frequency.value));
        else window.plucked += 1;
        return connect(to);
      }) as typeof node.connect;
      return node;
    }
  };
}

/** A position with a rook before a row of pawns. */
export const MANY_TO_TAKE = 'n6k/8/8/8/7K/8/pppppppp/R7 w - - 0 1';

export class Person {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly hansu: Hansu;
  side: Side | null = null;
  /** Errors of the page; the test fails if there are any. */
  readonly problems: string[] = [];
  /** Errors that the test causes on purpose. */
  expected: RegExp | null = null;

  constructor(page: Page, hansu: Hansu) {
    this.page = page;
    this.context = page.context();
    this.hansu = hansu;
    this.watch(page);
  }

  watch(page: Page): void {
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  /** Opens a second page of the same browser. */
  async tab(): Promise<Person> {
    const other = new Person(await this.context.newPage(), this.hansu);
    other.side = this.side;
    return other;
  }

  // Elements of the page.

  square(name: string): Locator {
    return this.page.locator(`[data-square="${name}"]`);
  }
  get status(): Locator {
    return this.page.getByTestId('status');
  }
  get prompt(): Locator {
    return this.page.locator('.prompt');
  }
  get end(): Locator {
    return this.page.locator('.end');
  }
  get plies(): Locator {
    return this.page.locator('.moves button.ply');
  }
  get chat(): Locator {
    return this.page.getByRole('log');
  }
  get toolbar(): Locator {
    return this.page.getByRole('toolbar');
  }
  /** Marked squares; chessground hides marks that it will reuse. */
  mark(name: string): Locator {
    return this.page.locator(`cg-board square.${name}:visible`);
  }
  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }
  async said(): Promise<string[]> {
    return this.page.evaluate(() => window.said);
  }
  async heard(): Promise<number[]> {
    return this.page.evaluate(() => window.heard.splice(0));
  }

  // Input.

  async centre(name: string): Promise<{ x: number; y: number }> {
    const box = await this.square(name).boundingBox();
    if (!box) throw new Error(`no square ${name}`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
  async press(name: string): Promise<void> {
    const { x, y } = await this.centre(name);
    await this.page.mouse.click(x, y);
  }
  async drag(from: string, to: string): Promise<void> {
    const [a, b] = [await this.centre(from), await this.centre(to)];
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 2 });
    await this.page.mouse.move(b.x, b.y, { steps: 2 });
    await this.page.mouse.up();
  }
  /** Waits until the board accepts a move of this player. */
  async ready(): Promise<void> {
    if (this.side) {
      const turn = this.side === 'white' ? /^(WHITE'S TURN|백 차례)/ : /^(BLACK'S TURN|흑 차례)/;
      await expect(this.status).toHaveText(turn);
    }
    await expect(this.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
  }
  /** Waits until the server has stored a last move to this square. */
  async kept(to: string): Promise<void> {
    await expect(this.square(to)).toHaveAttribute('aria-label', /(last move|마지막 수)/);
  }
  /** Makes a move by two clicks. */
  async make(from: string, to: string): Promise<void> {
    await this.ready();
    await this.press(from);
    await this.press(to);
  }
  /** The same, and waits until the server has stored it; the opponent has not answered yet. */
  async move(from: string, to: string): Promise<void> {
    await this.make(from, to);
    await this.kept(to);
  }

  /** Uses a button of the toolbar, and confirms. */
  async deed(name: string): Promise<void> {
    await this.toolbar.getByRole('button', { name }).click();
    await this.prompt.getByRole('button').first().click();
  }

  // Requests to the server beside the page.

  async post<T>(path: string, body: unknown): Promise<T> {
    const headers = { origin: this.hansu.url, 'accept-language': 'en' };
    const answer = await this.context.request.post(path, { data: body, headers });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
  /** Captures eight pawns and a knight with one rook, in a game from `MANY_TO_TAKE`. */
  async takeAll(game: string): Promise<void> {
    const rook = ['a1a2', 'a2b2', 'b2c2', 'c2d2', 'd2e2', 'e2f2', 'f2g2', 'g2h2', 'h2a2', 'a2a8'];
    const king = ['h8g8', 'g8h8', 'h8g8', 'g8h8', 'h8g8', 'g8h8', 'h8h7', 'h7g7', 'g7f7'];
    for (const [at, uci] of rook.entries()) {
      await this.command(game, { type: 'move', uci });
      const answer = king[at];
      if (answer) await this.command(game, { type: 'move', uci: answer });
    }
  }
  #count = 0;
  /** Sends a command of a game over HTTP. */
  async command(game: string, command: Wish): Promise<void> {
    const id = `by-hand-${this.side}-${++this.#count}`;
    await this.post(`/api/games/${game}/commands`, { id, command });
  }
}

/** Gives later pages a share dialog; what was passed to it is recorded. */
export async function sharing({ context }: Person): Promise<void> {
  await context.addInitScript(() => {
    window.shared = [];
    navigator.share = (what) => {
      window.shared.push(what);
      return Promise.resolve();
    };
  });
}
export const shared = ({ page }: Person): Promise<unknown> => page.evaluate(() => window.shared);

export interface Manners {
  lang?: 'ko' | 'en';
  settings?: Partial<Settings>;
  options?: BrowserContextOptions;
}

export interface Setting {
  fen?: string;
  time?: TimeControl;
  visibility?: 'public' | 'private';
  white?: Manners;
  black?: Manners;
  names?: Record<Side, string>;
}

/** A time control of minutes, and seconds per move. */
export const clock = (minutes: number, seconds = 0): TimeControl => ({
  kind: 'clock',
  stages: [
    {
      time: Math.round(minutes * 60_000),
      bonus: seconds ? { increment: seconds * 1000 } : 'none',
    },
  ],
});

async function newPerson(
  { browser, hansu, kept }: { browser: Browser; hansu: Hansu; kept: boolean },
  manners: Manners = {},
): Promise<Person> {
  const { lang = 'en', settings = {}, options = {} } = manners;
  const context = await browser.newContext({
    baseURL: hansu.url,
    locale: lang === 'ko' ? 'ko-KR' : 'en-GB',
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  await context.addInitScript(listen, settings);
  if (!kept) await context.addInitScript(forget);
  const person = new Person(await context.newPage(), hansu);
  await context.request.get('/api/me');
  return person;
}

/** Starts a game of these two; both have its page open. */
export async function startGame(
  white: Person,
  black: Person,
  setting: Omit<Setting, Side>,
): Promise<string> {
  const { names = { white: 'Anna', black: 'Ben' } } = setting;
  const made = await white.post<Made>('/api/games', {
    with: 'friend',
    name: names.white,
    color: 'white',
    time: setting.time ?? { kind: 'unlimited' },
    variant: 'standard',
    visibility: setting.visibility ?? 'private',
    spectators: 'chat',
    fen: setting.fen,
  } satisfies Partial<NewGame>);
  await black.post(`/api/invitations/${made.invitation}`, { name: names.black });
  white.side = 'white';
  black.side = 'black';
  await Promise.all(
    [white, black].map(async ({ page, status }) => {
      await page.goto(`/game/${made.game}`);
      await expect(status).toHaveText(/\S/);
    }),
  );
  return made.game;
}

interface Tools {
  /**
   * True if the service worker caches the page. That takes a third of the processor time of a first
   * visit, so that only its own tests use it: `test.use({ kept: true })`.
   */
  kept: boolean;
  /** A new user with a browser of their own. */
  someone: (manners?: Manners) => Promise<Person>;
  /** Two users at a game that has begun. */
  pair: (setting?: Setting) => Promise<{ white: Person; black: Person; game: string }>;
  /** One user at a game for two on one screen. */
  alone: (setting?: Setting) => Promise<{ me: Person; game: string }>;
}

export const test = base.extend<Tools, { hansu: Hansu }>({
  hansu: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const hansu = await Hansu.start();
      await use(hansu);
      await hansu.stop();
    },
    { scope: 'worker' },
  ],
  kept: [false, { option: true }],
  someone: async ({ browser, hansu, kept }, use) => {
    const all: Person[] = [];
    await use(async (manners) => {
      const person = await newPerson({ browser, hansu, kept }, manners);
      all.push(person);
      return person;
    });
    const problems = all.flatMap(({ problems, expected }) =>
      problems.filter((problem) => !expected?.test(problem)),
    );
    await Promise.all(all.map(({ context }) => context.close()));
    expect(problems).toEqual([]);
  },
  pair: async ({ someone }, use) => {
    await use(async (setting = {}) => {
      const [white, black] = await Promise.all([someone(setting.white), someone(setting.black)]);
      return { white, black, game: await startGame(white, black, setting) };
    });
  },
  alone: async ({ someone }, use) => {
    await use(async (setting = {}) => {
      const me = await someone(setting.white);
      const made = await me.post<Made>('/api/games', {
        with: 'local',
        name: setting.names?.white ?? 'Anna',
        other: setting.names?.black ?? 'Ben',
        color: 'any',
        time: setting.time ?? { kind: 'unlimited' },
        variant: 'standard',
        spectators: 'silent',
        fen: setting.fen,
      } satisfies Partial<NewGame>);
      await me.page.goto(`/game/${made.game}`);
      await me.ready();
      return { me, game: made.game };
    });
  },
});
