// Games in this browser, with and without the server: never lost, never stored twice.
import type { Page } from '@playwright/test';
import type { Game } from '../src/wire';
import { AWAY, begin, challenge, mate, openWithoutServer } from './away';
import { faults, overflow } from './axe';
import { expect, test, type Person } from './people';

test.use({ kept: true });

const here = (page: Page) => page.locator('.here');

test('a game is created, played, reviewed and downloaded while the server is away', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  const game = await begin(me);
  await expect(me.page.locator('p.caption')).toContainText('Kept in this browser');
  await me.move('f2', 'f3');
  await me.move('e7', 'e5');
  // An illegal move is explained and targets are shown without the server.
  await me.press('f3');
  await expect(me.mark('move-dest')).toHaveCount(1);
  await me.press('f5');
  await expect(me.prompt).toContainText('can step only one square forward');
  await me.move('g2', 'g4');
  // After a reload the page and the game come from what the browser has stored.
  await me.page.reload();
  await expect(me.plies).toHaveText(['f3', 'e5', 'g4']);
  await me.move('d8', 'h4');
  await expect(me.end).toContainText('BLACK WINS!');
  await expect(me.button('Share')).toHaveCount(0);
  await me.page.getByRole('link', { name: 'Review' }).click();
  await expect(me.plies).toHaveText(['f3', 'e5', 'g4', 'Qh4#']);
  await expect(me.page.getByRole('heading', { name: 'Kept in this browser' })).toBeVisible();
  const saved = me.page.waitForEvent('download');
  await me.button('Download PGN').click();
  const file = await (await saved).createReadStream();
  let pgn = '';
  for await (const part of file) pgn += String(part);
  expect(pgn).toContain('1. f3 e5 2. g4 Qh4# 0-1');
  // The list has the game without the server, and beside the server's games once it is back.
  await me.page.goto('/games');
  await expect(here(me.page).getByRole('link')).toHaveCount(1);
  await hansu.again();
  await me.page.reload();
  await expect(here(me.page).getByRole('link')).toHaveAttribute('href', `/games/${game}`);
  await here(me.page).getByRole('link').click();
  await me.button('Delete from this browser').click();
  await me.button('Delete').click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Games');
  await expect(here(me.page)).toHaveCount(0);
});

test('two on one screen play in this browser from the first click, with the server or without it', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  me.expected = AWAY;
  const asked: string[] = [];
  me.page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  me.page.on('websocket', (socket) => asked.push(`socket ${socket.url()}`));
  await me.page.goto('/');
  await begin(me);
  await me.move('e2', 'e4');
  // The page has sent no request that stores anything.
  expect(asked.filter((line) => /^(POST|PUT|socket)/.test(line))).toEqual([]);
  await hansu.kill();
  await me.move('e7', 'e5');
  await hansu.again();
  await me.page.goto('/');
  await expect(me.page.getByText('Your games in progress')).toBeVisible();
  await me.page.getByRole('link', { name: /White – Black/ }).click();
  await expect(me.plies).toHaveText(['e4', 'e5']);
  // A new game with the same players: in this browser again.
  const before = me.page.url();
  await me.button('More').click();
  await me.button('Start over').click();
  await me.prompt.getByRole('button', { name: 'Start over' }).click();
  await me.page.waitForURL((url) => url.href !== before && url.pathname.startsWith('/game/~'));
  expect(asked.filter((line) => /^(POST|PUT|socket)/.test(line))).toEqual([]);
});

for (const [without, take] of [
  ['locks', () => void delete (Navigator.prototype as { locks?: unknown }).locks],
  ['storage', () => void delete (window as { indexedDB?: unknown }).indexedDB],
  ['WebAssembly', () => (WebAssembly.compileStreaming = () => Promise.reject(new Error('none')))],
] as const) {
  test(`a browser without ${without} plays at the server`, async ({ someone }) => {
    const me = await someone();
    await me.context.addInitScript(take as () => void);
    await me.page.goto('/');
    await me.button(/^Play on this screen/).click();
    await expect(me.page).toHaveURL(/\/game\/\w{12}$/);
    await me.move('e2', 'e4');
  });
}

test('with consent a game is uploaded when it ends, and can be analysed there', async ({
  someone,
}) => {
  const me = await someone({ settings: { upload: true } });
  await me.page.goto('/');
  const game = await begin(me);
  await mate(me);
  const there = game.slice(1);
  await expect
    .poll(async () => (await me.context.request.get(`/api/games/${there}`)).status())
    .toBe(200);
  await me.page.getByRole('link', { name: 'Review' }).click();
  await me.page.getByRole('link', { name: 'Open it on the server' }).click();
  await expect(me.page).toHaveURL(new RegExp(`/games/${there}$`));
  await expect(me.button('Analyse this game')).toBeVisible();
});

test('without consent a game stays here, until the player uploads this one', async ({
  someone,
}) => {
  const me = await someone();
  await me.page.goto('/');
  const game = await begin(me);
  await mate(me);
  await me.page.getByRole('link', { name: 'Review' }).click();
  await expect(me.button('Put it on the server, too')).toBeVisible();
  const found = () => me.context.request.get(`/api/games/${game.slice(1)}`);
  expect((await found()).status()).toBe(404);
  await me.button('Put it on the server, too').click();
  await me.page.getByRole('link', { name: 'Open it on the server' }).click();
  await expect(me.plies).toHaveCount(4);
  await me.page.goto('/settings');
  await expect(
    me.page.getByLabel('Put games of this browser on the server, too'),
  ).not.toBeChecked();
});

test('the board of the home page plays without a server', async ({ someone, hansu }) => {
  const me = await someone({ lang: 'ko' });
  await openWithoutServer(me);
  await me.page.reload();
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
  await me.press('e2');
  await me.press('e5');
  await expect(me.page.locator('.hint')).toContainText('폰은 앞으로 한 칸');
  await me.press('e2');
  await me.press('e4');
  await expect(me.page).toHaveURL(/\/game\/~\w{12}$/);
  await expect(me.plies).toHaveText(['e4']);
  await hansu.again();
});

test('of two tabs one plays and the other says so', async ({ someone, hansu }) => {
  const me = await someone();
  await openWithoutServer(me);
  const game = await begin(me);
  await me.move('e2', 'e4');
  const second = await me.tab();
  await second.page.goto(`/game/${game}`);
  await expect(second.page.getByRole('heading', { level: 1 })).toHaveText(
    'This game is open in another tab',
  );
  await me.move('e7', 'e5');
  await me.page.close();
  await second.button('Continue here').click();
  await expect(second.plies).toHaveText(['e4', 'e5']);
  await second.move('g1', 'f3');
  await hansu.again();
});

test('a worker that dies is replaced by one that has the whole game', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  await begin(me);
  await me.move('e2', 'e4');
  const [worker] = me.page.workers();
  await worker?.evaluate(() => self.close()).catch(() => undefined);
  // A move without an answer is shown as pending until the next worker answers.
  await me.press('e7');
  await me.press('e5');
  await expect(me.page.locator('cg-board piece.pending')).toHaveCount(1);
  await expect(me.plies).toHaveText(['e4', 'e5']);
  await expect(me.page.locator('cg-board piece.pending')).toHaveCount(0);
  await me.move('g1', 'f3');
  await hansu.again();
});

test('a move that cannot be stored is not shown as played', async ({ someone, hansu }) => {
  const me = await someone();
  await openWithoutServer(me);
  await begin(me);
  await me.move('e2', 'e4');
  // Simulates a full disk.
  const [worker] = me.page.workers();
  await worker?.evaluate(() => {
    const { prototype } = IDBObjectStore;
    const add = prototype.add;
    prototype.add = () => {
      prototype.add = add;
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await me.press('e7');
  await me.press('e5');
  await expect(me.prompt).toContainText('This browser could not save it');
  await expect(me.plies).toHaveText(['e4']);
  await me.move('e7', 'e5');
  await me.page.reload();
  await expect(me.plies).toHaveText(['e4', 'e5']);
  await hansu.again();
});

test('targets are shown without a request', async ({ someone, hansu }) => {
  const me = await someone();
  await openWithoutServer(me);
  await begin(me);
  // Measured from the press of a button to the marks on the board.
  await me.page.evaluate(() => {
    let pressed = 0;
    const waits: number[] = ((window as unknown as { waits: number[] }).waits = []);
    addEventListener('pointerdown', (event) => (pressed = event.timeStamp), { capture: true });
    new MutationObserver(() => {
      if (!pressed || !document.querySelector('cg-board square.move-dest')) return;
      waits.push(performance.now() - pressed);
      pressed = 0;
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  const pieces = ['b1 c3', 'b8 c6', 'g1 f3', 'g8 f6', 'c3 b1', 'c6 b8', 'f3 g1', 'f6 g8'];
  for (const step of [...pieces, ...pieces.slice(0, 4)]) {
    const [from = '', to = ''] = step.split(' ');
    await me.ready();
    await me.press(from);
    await expect(me.mark('move-dest').first()).toBeVisible();
    await me.press(to);
    await me.kept(to);
  }
  const waits = await me.page.evaluate(() => (window as unknown as { waits: number[] }).waits);
  expect(waits.length).toBeGreaterThanOrEqual(12);
  const sorted = waits.sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1]?.toFixed(1);
  // The aim is 16 ms; the limit is higher, because a busy machine must not fail the test.
  console.log(
    `targets after ${at(0.5)} ms in the middle, ${at(0.99)} ms at p99 (${sorted.length})`,
  );
  await hansu.again();
});

test('the computer plays without a server, also after a reload, and plays a rematch', async ({
  someone,
  hansu,
}) => {
  const me = await someone({ settings: { level: 1 } });
  await openWithoutServer(me);
  await challenge(me);
  await me.move('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  await me.page.reload();
  await expect(me.plies).toHaveCount(2);
  await me.make('d2', 'd3');
  await expect(me.plies).toHaveCount(4);
  // A draw offer is declined so early; a takeback is granted.
  await me.deed('Draw');
  await expect(me.prompt).toContainText('The draw was declined.');
  await me.deed('Take back');
  await expect(me.plies).toHaveCount(2);
  await me.deed('Resign');
  await expect(me.end).toContainText('BLACK WINS!');
  // The colours are exchanged: the computer begins.
  await me.button('Rematch').click();
  await expect(me.plies).toHaveCount(1);
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-label', 'Chess board, Black below');
  await hansu.again();
});

test('the board answers while the computer thinks', async ({ someone, hansu }) => {
  const me = await someone({ settings: { level: 10 } });
  await openWithoutServer(me);
  await challenge(me);
  await me.make('e2', 'e4');
  // The worker of the game answers at once; the computer's reply comes too late and is dropped. It
  // takes at least a third of a second; the page itself makes the clicks in that time.
  await me.page.evaluate(async () => {
    const seen = async (find: () => HTMLElement | null | undefined): Promise<HTMLElement> => {
      for (;;) {
        const found = find();
        if (found) return found;
        await new Promise(requestAnimationFrame);
      }
    };
    const named = (text: string) => () =>
      [...document.querySelectorAll<HTMLElement>('[role=toolbar] button')].find(({ textContent }) =>
        textContent?.includes(text),
      );
    await seen(() => document.querySelector('[data-square=e4][aria-label*="last move"]'));
    (await seen(named('Take back'))).click();
    (await seen(() => document.querySelector('.prompt button.primary'))).click();
  });
  await expect(me.plies).toHaveCount(0);
  await me.move('d2', 'd4');
  await expect(me.plies).toHaveCount(2);
  await expect(me.plies.first()).toHaveText('d4');
  await hansu.again();
});

test('if the computer cannot be loaded the page says so and tries again', async ({ someone }) => {
  const me = await someone({ settings: { level: 1 } });
  await me.context.route('**/hansu_computer-*', (route) => route.abort());
  // The service worker does not cache the computer; it comes from the server.
  await me.context.route('**/worker.js', (route) => route.abort());
  me.expected = AWAY;
  await me.page.goto('/');
  await me.page.route('**/api/games', (route) => route.abort());
  await challenge(me);
  await me.move('e2', 'e4');
  const caption = me.page.locator('p.caption');
  await expect(caption).toContainText('The computer could not be loaded');
  await me.context.unroute('**/hansu_computer-*');
  await expect(me.plies).toHaveCount(2);
  await expect(caption).toContainText('Kept in this browser');
});

test('a game against the computer is uploaded as such', async ({ someone, hansu }) => {
  const me = await someone({ settings: { level: 1, upload: true } });
  await openWithoutServer(me);
  await challenge(me);
  await me.move('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  await hansu.again();
  await me.deed('Resign');
  await expect(me.end).toContainText('BLACK WINS!');
  const there = new URL(me.page.url()).pathname.replace('/game/~', '');
  const found = () => me.context.request.get(`/api/games/${there}`);
  await expect.poll(async () => (await found()).status()).toBe(200);
  const { game, seat } = (await (await found()).json()) as Game;
  expect([game.source, seat]).toEqual(['computer', 'white']);
});

for (const { lang, theme, width } of [
  { lang: 'ko', theme: 'light', width: 390 },
  { lang: 'en', theme: 'dark', width: 1280 },
] as const) {
  test(`its pages are readable and usable: ${theme}, ${lang}, ${width} wide`, async ({
    someone,
    hansu,
  }) => {
    const viewport = { width, height: 844 };
    const me = await someone({ lang, settings: { theme }, options: { viewport } });
    const fine = async (person: Person): Promise<void> => {
      expect(await faults(person)).toEqual([]);
      expect(await overflow(person)).toBe(0);
    };
    await openWithoutServer(me);
    const game = await begin(me);
    await me.move('f2', 'f3');
    await expect(me.page.locator('p.caption')).toContainText(/Kept in|저장돼 있어요/);
    await fine(me);
    const second = await me.tab();
    await second.page.goto(`/game/${game}`);
    await expect(second.page.getByRole('heading', { level: 1 })).toBeVisible();
    await fine(second);
    await second.page.close();
    await me.page.goto(`/games/${game}`);
    await expect(me.page.locator('#kept-title')).toBeVisible();
    await fine(me);
    await me.page.goto('/games');
    await expect(here(me.page).getByRole('link')).toHaveCount(1);
    await fine(me);
    await hansu.again();
  });
}

test('games of this browser are uploaded once, however often the server goes away', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  const game = await begin(me);
  await mate(me);
  await me.page.goto('/games');
  await me.button('Put them on the server, too').click();
  await expect(here(me.page).getByRole('alert')).toBeVisible();
  await hansu.again();
  await me.button('Put them on the server, too').click();
  await expect(here(me.page).getByText('Also on the server')).toBeVisible();
  await expect(me.button('Put them on the server, too')).toHaveCount(0);

  // The next game is uploaded by itself; the server is killed before and after, and has it once.
  await hansu.kill();
  await me.page.goto('/');
  await begin(me);
  await me.move('e2', 'e4');
  await me.move('f7', 'f6');
  await me.move('d2', 'd4');
  await me.move('g7', 'g5');
  await me.move('d1', 'h5');
  await expect(me.end).toContainText('WHITE WINS!');
  await hansu.again();
  await me.page.goto('/games');
  await expect(here(me.page).getByText('Also on the server')).toHaveCount(2);
  await hansu.kill();
  await hansu.again();
  await me.page.reload();
  await expect(here(me.page).getByText('Also on the server')).toHaveCount(2);
  const answer = await me.context.request.get('/api/games?mine=true');
  const { games } = (await answer.json()) as { games: { id: string; visibility: string }[] };
  expect(games.map(({ visibility }) => visibility)).toEqual(['private', 'private']);
  expect(games.map(({ id }) => `~${id}`)).toContain(game);
});
