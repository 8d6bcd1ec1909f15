// The static build behind the simplest web server: no Hansu, no rewriting of addresses, in a
// sub-folder, without the MIME type of WebAssembly.
import { execFile } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { club } from './away';
import { faults, overflow } from './axe';
import { expect, test, type Person } from './people';

test.use({ kept: true });

const web = resolve(import.meta.dirname, '..');
const BELOW = '/club/hansu/';
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

let folder = '';
let server: Server;
let url = '';
/** True while the web server does not answer. */
let away = false;
/** Requests for files that do not exist. */
const missing: string[] = [];

// The folder is built once.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  test.setTimeout(600_000);
  folder = process.env['HANSU_STATIC'] ?? (await mkdtemp(join(tmpdir(), 'hansu-static-')));
  if (!existsSync(join(folder, 'index.html'))) {
    const args = ['vite', 'build', '--mode', 'static', '--outDir', folder, '--logLevel', 'warn'];
    await promisify(execFile)('npx', args, { cwd: web });
  }
  server = createServer((asked, answer) => {
    if (away) {
      asked.socket.destroy();
      return;
    }
    const { pathname } = new URL(asked.url ?? '/', 'http://here');
    const name = pathname.startsWith(BELOW) ? pathname.slice(BELOW.length) || 'index.html' : '..';
    const file = join(folder, name);
    if (name.includes('..') || !existsSync(file) || !statSync(file).isFile()) {
      missing.push(pathname);
      answer.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    answer.writeHead(200, { 'content-type': type });
    createReadStream(file).pipe(answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BELOW}`;
});

test.afterAll(async () => {
  server.closeAllConnections();
  server.close();
  if (!process.env['HANSU_STATIC']) await rm(folder, { recursive: true, force: true });
});

async function opened(me: Person): Promise<void> {
  await me.page.goto(url);
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
}

test('the static build plays, stores and reviews games, and says that it has no server', async ({
  someone,
}) => {
  missing.length = 0;
  const me = await someone({ settings: { level: 1 } });
  await opened(me);
  await expect(me.page.locator('.way b')).toHaveText(['Play the computer', 'Play on this screen']);
  await expect(me.page.getByText('This copy of Hansu has no server')).toBeVisible();
  await me.button(/^Play on this screen/).click();
  await expect(me.page).toHaveURL(/\/club\/hansu\/\?\/game\/~\w{12}$/);
  for (const uci of ['f2f3', 'e7e5', 'g2g4']) await me.move(uci.slice(0, 2), uci.slice(2));
  // The address belongs to the folder: it can be loaded again.
  await me.page.reload();
  await expect(me.plies).toHaveText(['f3', 'e5', 'g4']);
  await me.move('d8', 'h4');
  await expect(me.end).toContainText('BLACK WINS!');
  await me.page.getByRole('link', { name: 'Review' }).click();
  await expect(me.plies).toHaveText(['f3', 'e5', 'g4', 'Qh4#']);
  await me.page.reload();
  await expect(me.plies).toHaveCount(4);
  await me.page.getByRole('link', { name: 'Games', exact: true }).click();
  await expect(me.page.locator('.here').getByRole('link')).toHaveCount(1);
  await expect(me.button('Put them on the server, too')).toHaveCount(0);
  await me.page.goBack();
  await expect(me.plies).toHaveCount(4);
  expect(missing).toEqual([]);
});

test('the computer of the static build answers', async ({ someone }) => {
  missing.length = 0;
  const me = await someone({ lang: 'ko', settings: { level: 1 } });
  await opened(me);
  await me.page.getByRole('link', { name: /컴퓨터와 두기/ }).click();
  await me.page.getByText('백', { exact: true }).click();
  await me.button('게임 시작하기').click();
  await expect(me.page).toHaveURL(/\?\/game\/~\w{12}$/);
  await me.move('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  expect(missing).toEqual([]);
});

test('after a first visit the static build opens without its web server', async ({ someone }) => {
  const me = await someone();
  me.expected = /ERR_|Failed to load resource|fetching the script/;
  await opened(me);
  await me.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await me.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  away = true;
  await me.page.goto('about:blank');
  await me.page.goto(`${url}?/settings`);
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await me.page.goto(url);
  await me.button(/^Play on this screen/).click();
  await me.move('e2', 'e4');
  away = false;
});

test('the static build imports, names, counts and analyses games', async ({ someone }) => {
  missing.length = 0;
  const me = await someone();
  // A share of another app has only the query string, without an address of the page.
  await me.page.goto(`${url}?${new URLSearchParams({ pgn: club('Anna') })}`);
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Games');
  await expect(me.page.locator('#import textarea')).toHaveValue(/Anna/);
  await expect(me.page.getByText('Let everybody on this server see them')).toHaveCount(0);
  await me.page.locator('#import button.primary').click();
  const told = me.page.getByText(/^Added: /);
  await expect(told).toHaveText('Added: 1. Already there: 0. Could not be read: 0.');
  await me.page.getByLabel('Or paste PGN').fill(club('Anna') + club('Ben'));
  await me.page.locator('#import button.primary').click();
  await expect(told).toHaveText('Added: 1. Already there: 1. Could not be read: 0.');
  const games = me.page.locator('.here').getByRole('link');
  await expect(games).toHaveCount(2);
  await expect(games.first()).toContainText("C20 King's Pawn Game: Wayward Queen Attack");
  await me.page.getByText('Search and filter').click();
  const player = me.page.locator('.fields').getByLabel('Player', { exact: true });
  await player.fill('ben');
  await player.press('Enter');
  await expect(games).toHaveText([/Ben – Cho/]);
  await me.page.reload();
  await expect(games).toHaveText([/Ben – Cho/]);
  await me.button('Clear all filters').click();
  await games.first().click();
  await expect(me.plies).toHaveCount(7);
  await me.page.getByRole('link', { name: 'Stats' }).click();
  await expect(me.page.getByText('The finished games in this browser.')).toBeVisible();
  const players = me.page.getByRole('region', { name: 'Players' });
  await players.getByRole('link', { name: 'Ben' }).click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Ben’s results');
  await me.page.reload();
  await expect(me.page.getByRole('heading', { name: 'Opponents' })).toBeVisible();
  await me.page.goBack();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Stats');
  await me.page.getByRole('link', { name: 'Games', exact: true }).click();
  await games.first().click();
  await me.button('Analyse this game').click();
  await expect(me.button(/^White’s chances through the game/)).toBeVisible();
  await me.page.getByRole('link', { name: 'Analyse from here' }).click();
  await expect(me.plies).toHaveCount(7);
  await me.button('Previous move').click();
  const lines = me.page.getByRole('region', { name: 'Engine lines' });
  await expect(lines.getByRole('listitem').first()).toContainText('#1');
  await expect(lines.getByRole('status')).toHaveText(/^Depth \d+$/);
  expect(missing).toEqual([]);
});

const PATHS = [
  '',
  '?/#computer',
  '?/lobby',
  '?/games#import',
  '?/statistics',
  '?/analysis',
  '?/settings',
  '?/join/abc',
];
for (const { lang, width } of [
  { lang: 'ko', width: 390 },
  { lang: 'en', width: 1280 },
] as const) {
  test(`its pages are readable and usable: ${lang}, ${width} wide`, async ({ someone }) => {
    const me = await someone({ lang, options: { viewport: { width, height: 844 } } });
    for (const path of PATHS) {
      await me.page.goto('about:blank');
      await me.page.goto(url + path);
      await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(/\S/);
      expect(await faults(me), path).toEqual([]);
      expect(await overflow(me), path).toBe(0);
    }
  });
}
