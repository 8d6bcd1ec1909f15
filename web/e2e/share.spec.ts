// Sharing a game: as an animated picture, and embedded in another site.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test, type Person } from './people';

let count = 0;
const fresh = () => `S${process.pid}x${++count}`;
const MATE = '1. f3 e5 2. g4 Qh4# 0-1';

/** Imports a public game; returns its id. */
async function importGame(me: Person, white: string, moves = MATE): Promise<string> {
  const pgn = `[White "${white}"]\n[Black "Ben & Co"]\n[Result "0-1"]\n\n${moves}\n`;
  const headers = { origin: me.hansu.url, 'content-type': 'application/vnd.chess-pgn' };
  await me.context.request.post('/api/import?visibility=public', { data: pgn, headers });
  const list = await me.context.request.get(`/api/games?white=${white}`);
  const { games } = (await list.json()) as { games: { id: string }[] };
  return games[0]?.id ?? '';
}

interface Seen {
  frames: number;
  width: number;
  height: number;
  /** The colours in the middle of f2, f3 and in the corner of e1, for each frame. */
  colors: Record<string, string>[];
}

/** What the browser decodes from the file. */
async function decodeGif(page: Page, bytes: Buffer): Promise<Seen> {
  return page.evaluate(async (text) => {
    const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: 'image/gif' });
    await decoder.tracks.ready;
    await decoder.completed;
    const frames = decoder.tracks.selectedTrack?.frameCount ?? 0;
    const canvas = document.createElement('canvas');
    const found: Seen = { frames, width: 0, height: 0, colors: [] };
    for (let frameIndex = 0; frameIndex < frames; frameIndex++) {
      const { image } = await decoder.decode({ frameIndex });
      found.width = canvas.width = image.displayWidth;
      found.height = canvas.height = image.displayHeight;
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const at = (x: number, y: number) =>
        [...(context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3).join(' ');
      const tile = (file: number, rank: number, x: number, y: number) =>
        at(56 * file + x, 40 + 56 * (8 - rank) + y);
      found.colors.push({
        f2: tile(5, 2, 28, 34),
        f3: tile(5, 3, 28, 34),
        e1: tile(4, 1, 3, 3),
        e4: tile(4, 4, 28, 28),
      });
    }
    return found;
  }, bytes.toString('base64'));
}

async function film(me: Person): Promise<{ name: string; seen: Seen; bytes: Buffer }> {
  const waiting = me.page.waitForEvent('download');
  await me.button('Animation (GIF)').click();
  const file = await waiting;
  const bytes = await readFile(await file.path());
  await expect(me.page.getByText(/^Saved: \d+ kB\.$/)).toBeVisible();
  return { name: file.suggestedFilename(), seen: await decodeGif(me.page, bytes), bytes };
}

test('a game is exported as an animated picture', async ({ someone }) => {
  const me = await someone({ options: { colorScheme: 'light' } });
  const game = await importGame(me, fresh());
  await me.page.goto(`/games/${game}`);
  const { name, seen: shown, bytes } = await film(me);
  expect(name).toBe(`hansu-${game}.gif`);
  expect(bytes.subarray(0, 6).toString()).toBe('GIF89a');
  expect(bytes.length).toBeLessThan(60_000);
  expect([shown.frames, shown.width, shown.height]).toEqual([5, 448, 528]);
  // The pawn moves from f2 to f3; at the end the mated king is on a red tile.
  const [start, one, , , end] = shown.colors;
  expect(start?.['f2']).not.toBe(one?.['f2']);
  expect(start?.['f3']).toBe('236 227 208');
  expect(one?.['f3']).not.toBe(start?.['f3']);
  expect(start?.['e4']).toBe('236 227 208');
  expect(start?.['e1']).toBe('169 138 102');
  expect(end?.['e1']).toBe('214 69 69');
});

test('an animated picture uses the current pieces and board, and can be stopped', async ({
  someone,
}) => {
  const settings = { board: 'contrast', pieces: 'letter' } as const;
  const me = await someone({ settings });
  const game = await importGame(me, fresh());
  let go = (): void => undefined;
  const released = new Promise<void>((done) => (go = done));
  await me.page.route('**/assets/animated-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await me.page.goto(`/games/${game}`);
  const saved: string[] = [];
  me.page.on('download', (file) => saved.push(file.suggestedFilename()));
  await me.button('Animation (GIF)').click();
  await expect(me.page.getByRole('progressbar', { name: 'Making the animation' })).toBeVisible();
  await me.button('Stop making it').click();
  go();
  await expect(me.page.getByText('Stopped.')).toBeVisible();
  expect(saved).toEqual([]);
  const { seen: shown } = await film(me);
  expect(shown.colors[0]?.['e4']).toBe('255 255 255');
  expect(shown.colors[0]?.['e1']).toBe('122 122 122');
});

test('a game of this browser becomes an animated picture as well', async ({ someone }) => {
  const me = await someone();
  await me.page.goto('/');
  for (const [from, to] of [
    ['f2', 'f3'],
    ['e7', 'e5'],
    ['g2', 'g4'],
    ['d8', 'h4'],
  ] as const) {
    await me.move(from, to);
  }
  await expect(me.end).toBeVisible();
  const id = /\/game\/(~\w+)/.exec(me.page.url())?.[1] ?? '';
  expect(id).not.toBe('');
  await me.page.goto(`/games/${id}`);
  const { name, seen: shown } = await film(me);
  expect(name).toBe(`hansu-${id.slice(1)}.gif`);
  expect(shown.frames).toBe(5);
});

/** Serves a page of another site. */
async function site(html: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    answer.end(`<!doctype html><title>Blog</title><h1>Blog</h1>${html}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('a public game is embedded in another site, and no other page of ours can be', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  const white = fresh();
  const id = await importGame(me, white);
  await me.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await me.page.goto(`/games/${id}`);
  await me.button('Copy code to embed').click();
  await expect(me.page.getByText('Copied.')).toBeVisible();
  const code = await me.page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain(`src="${hansu.url}/embed/${id}"`);
  expect(code).toContain('Ben &#38; Co');

  const blog = await site(`${code}<iframe name="whole" src="${hansu.url}/games/${id}"></iframe>`);
  // The visitor has a key, and the iframe does not send it.
  const cookies: (string | undefined)[] = [];
  me.page.on('request', async (request) => {
    if (request.url().includes('/api/')) cookies.push((await request.allHeaders())['cookie']);
  });
  me.expected = /frame-ancestors|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE|favicon|404|localStorage/;
  await me.page.goto(blog.url);
  const frame = me.page.frameLocator('iframe').first();
  await expect(frame.getByText('0–1 Black won')).toBeVisible();
  await expect(frame.getByText('Ben & Co')).toBeVisible();
  const board = frame.getByRole('img', { name: /^Chess board/ });
  await expect(board).toHaveAttribute('aria-label', 'Chess board: 2… Qh4#');
  await expect(frame.locator('piece')).toHaveCount(32);
  await expect(frame.getByRole('button', { name: 'One move on' })).toBeDisabled();
  await frame.getByRole('button', { name: 'First position' }).click();
  await expect(board).toHaveAttribute('aria-label', 'Chess board: start of the game');
  await frame.getByRole('button', { name: 'One move on' }).click();
  await expect(board).toHaveAttribute('aria-label', 'Chess board: 1. f3');
  await expect(frame.locator('.tiles .last')).toHaveCount(2);
  await frame.getByRole('button', { name: 'e5' }).press('ArrowRight');
  await expect(board).toHaveAttribute('aria-label', 'Chess board: 1… e5');
  await expect(frame.getByRole('button', { name: 'e5' })).toHaveAttribute('aria-current', 'true');
  const whole = frame.getByRole('link', { name: 'See the whole game on Hansu' });
  await expect(whole).toHaveAttribute('href', `/games/${id}`);
  await expect(whole).toHaveAttribute('target', '_blank');
  expect(cookies.length).toBeGreaterThan(0);
  expect(cookies.filter(Boolean)).toEqual([]);
  // The full page is refused.
  await expect(me.page.frameLocator('iframe[name=whole]').getByRole('heading')).toHaveCount(0);
  blog.close();
});

test('embedded, private and missing games show a message, a running one shows its moves', async ({
  pair,
  someone,
}) => {
  const { white, game } = await pair({ visibility: 'private' });
  white.expected = /404/;
  await white.page.goto(`/embed/${game}`);
  await expect(white.page.getByText('This game is private')).toBeVisible();
  await expect(white.page.locator('piece')).toHaveCount(0);
  await white.page.goto('/embed/AAAAAAAAAAAA');
  await expect(white.page.getByText('There is no such game.')).toBeVisible();

  const open = await pair({ visibility: 'public' });
  await open.white.command(open.game, { type: 'move', uci: 'e2e4' });
  const korean = { lang: 'ko', options: { viewport: { width: 320, height: 480 } } } as const;
  const guest = await someone(korean);
  await guest.page.goto(`/embed/${open.game}`);
  await expect(guest.page.getByText('두고 있는 게임이에요.')).toBeVisible();
  await expect(guest.page.getByRole('button', { name: 'e4' })).toBeVisible();
  await expect(guest.page.getByRole('link', { name: '한수에서 관전하기' })).toBeVisible();
  // Flipped, Black is at the bottom.
  const below = () =>
    guest.page.evaluate(() => {
      const all = [...document.querySelectorAll('.player')];
      all.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
      return all.at(-1)?.textContent;
    });
  expect(await below()).toBe('Anna');
  await guest.page.getByRole('button', { name: '판 돌리기' }).click();
  expect(await below()).toBe('Ben');
  // A small iframe shows everything, and in a dark page the iframe is dark.
  for (const viewport of [
    { width: 320, height: 480 },
    { width: 420, height: 640 },
    { width: 900, height: 420 },
  ]) {
    await guest.page.setViewportSize(viewport);
    for (const part of ['.tiles', '.ways', '.foot a', '.player:first-of-type']) {
      await expect(guest.page.locator(part)).toBeInViewport({ ratio: 1 });
    }
    const board = await guest.page.locator('.tiles').boundingBox();
    expect(Math.round(board?.width ?? 0)).toBe(Math.round(board?.height ?? 1));
  }
  await guest.page.goto(`/embed/${open.game}?theme=dark&lang=en#0`);
  await expect(guest.page.getByText('In progress: the moves so far')).toBeVisible();
  await expect(guest.page.getByRole('img')).toHaveAttribute('aria-label', /start of the game/);
  await expect(guest.page.locator('body')).toHaveCSS('background-color', 'rgb(21, 24, 31)');
});
