// People in browsers of their own, and what every test begins with.
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
    /** Everything a screen reader was told, in order. */
    said: string[];
    /** The pitch of every tone and burst of noise that was begun. */
    heard: number[];
    /** How many strings the music has plucked. */
    plucked: number;
    /** What was given to other programs; see `sharing`. */
    shared: (ShareData | undefined)[];
    /** How many audio contexts were made. */
    speakers: number;
  }
}

/** As in a browser that keeps no pages for later. */
function forget(): void {
  if (!('serviceWorker' in navigator)) return;
  ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error('not kept'));
}

/** Listens to what the page says and sounds; runs before the page itself. */
function listen(stored: Partial<Settings>): void {
  // An empty page between two others has nothing to listen to.
  if (location.protocol === 'about:') return;
  if (!localStorage.getItem('hansu.settings')) {
    localStorage.setItem('hansu.settings', JSON.stringify(stored));
  }
  window.said = [];
  window.heard = [];
  window.plucked = window.speakers = 0;
  // A reader says what is added to the live region, in order.
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (!(target as Element).matches?.('[data-testid=announcer]')) continue;
      for (const node of addedNodes) {
        const plain = node.textContent?.trim();
        if (plain) window.said.push(plain);
      }
    }
  }).observe(document, { subtree: true, childList: true });
  // What a test asks of a page counts as a touch for the browser; here only a hand is one.
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

/** A rook before a row of pawns. */
export const MANY_TO_TAKE = 'n6k/8/8/8/7K/8/pppppppp/R7 w - - 0 1';

export class Person {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly hansu: Hansu;
  side: Side | null = null;
  /** What went wrong in the page; the test fails if anything did. */
  readonly problems: string[] = [];
  /** Trouble that this test brings about on purpose. */
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

  /** A second page of the same browser. */
  async tab(): Promise<Person> {
    const other = new Person(await this.context.newPage(), this.hansu);
    other.side = this.side;
    return other;
  }

  // What is on the page.

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
  /** Marks on squares; the board hides those that it will use again. */
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

  // What a hand does.

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
  /** When the board takes a move of ours. */
  async ready(): Promise<void> {
    if (this.side) {
      const turn = this.side === 'white' ? /^(WHITE'S TURN|백 차례)/ : /^(BLACK'S TURN|흑 차례)/;
      await expect(this.status).toHaveText(turn);
    }
    await expect(this.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
  }
  /** The last move, kept by the server, went there. */
  async kept(to: string): Promise<void> {
    await expect(this.square(to)).toHaveAttribute('aria-label', /(last move|마지막 수)/);
  }
  /** A move by two clicks. */
  async make(from: string, to: string): Promise<void> {
    await this.ready();
    await this.press(from);
    await this.press(to);
  }
  /** The same, until the server has kept it and nobody has answered yet. */
  async move(from: string, to: string): Promise<void> {
    await this.make(from, to);
    await this.kept(to);
  }

  /** Does something beside moving, and confirms it. */
  async deed(name: string): Promise<void> {
    await this.toolbar.getByRole('button', { name }).click();
    await this.prompt.getByRole('button').first().click();
  }

  // What goes to the server without the page.

  async post<T>(path: string, body: unknown): Promise<T> {
    const headers = { origin: this.hansu.url, 'accept-language': 'en' };
    const answer = await this.context.request.post(path, { data: body, headers });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
  /** Takes eight pawns and a knight with one rook, in a game from `MANY_TO_TAKE`. */
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
  /** Does something in a game as a program would. */
  async command(game: string, command: Wish): Promise<void> {
    const id = `by-hand-${this.side}-${++this.#count}`;
    await this.post(`/api/games/${game}/commands`, { id, command });
  }
}

/** From its next page on, a device that can pass things on; what it was given is kept. */
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

/** Minutes on the clock, and seconds for each move. */
export const clock = (minutes: number, seconds = 0): TimeControl => ({
  kind: 'clock',
  stages: [
    {
      time: Math.round(minutes * 60_000),
      bonus: seconds ? { increment: seconds * 1000 } : 'none',
    },
  ],
});

async function newcomer(
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

/** Begins a game of these two; both have it before them. */
export async function seated(
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
   * Whether browsers keep the page for when the server is away. Keeping it takes a third of the
   * processor time of a first visit, so that only tests of it do: `test.use({ kept: true })`.
   */
  kept: boolean;
  /** Somebody new, with a browser of their own. */
  someone: (manners?: Manners) => Promise<Person>;
  /** Two at one game that has begun. */
  pair: (setting?: Setting) => Promise<{ white: Person; black: Person; game: string }>;
  /** One person at a game for two on one screen. */
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
      const person = await newcomer({ browser, hansu, kept }, manners);
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
      return { white, black, game: await seated(white, black, setting) };
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
