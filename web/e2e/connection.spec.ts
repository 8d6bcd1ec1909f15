// Lost connections, reloads, two tabs: nothing is lost, nothing is done twice, and no move is shown
// as played before the server has stored it.
import type { Page } from '@playwright/test';
import { clock, expect, test } from './people';

test.use({ kept: true });

/** The ids of all commands that a page sends. */
function commands(page: Page): string[] {
  const ids: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const said = JSON.parse(String(payload)) as { type: string; id?: string };
      if (said.type === 'command' && said.id) ids.push(said.id);
    }),
  );
  return ids;
}

const BROKEN =
  /WebSocket connection|ERR_CONNECTION_REFUSED|Failed to load resource|fetching the script/;

test('the server is killed in the middle of a game and comes back', async ({ pair, hansu }) => {
  const { white, black } = await pair({ time: clock(10, 5) });
  white.expected = black.expected = BROKEN;
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  await white.ready();
  await hansu.kill();
  await expect(white.page.locator('.connection')).toContainText('Connection lost');
  // A move made meanwhile is shown as pending, not as played.
  await white.press('g1');
  await white.press('f3');
  await expect(white.page.locator('.connection')).toContainText(
    'Your move is kept and will be sent.',
  );
  await expect(white.page.locator('cg-board piece.pending')).toHaveCount(1);
  await expect(white.plies).toHaveText(['e4', 'e5']);
  await expect(white.status).toHaveText("WHITE'S TURN");
  await hansu.again();
  await expect(white.plies).toHaveText(['e4', 'e5', 'Nf3']);
  await expect(black.plies).toHaveText(['e4', 'e5', 'Nf3']);
  await expect(white.page.locator('.connection')).toHaveCount(0);
  await expect(white.page.locator('cg-board piece.pending')).toHaveCount(0);
  await black.move('b8', 'c6');
  await expect(white.plies).toHaveText(['e4', 'e5', 'Nf3', 'Nc6']);
});

test('a move made while the server was away survives a reload', async ({ pair, hansu }) => {
  const { white, black, game } = await pair();
  white.expected = black.expected = BROKEN;
  const ids = commands(white.page);
  await white.page.reload();
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  await white.ready();
  await hansu.kill();
  await expect(white.page.locator('.connection')).toBeVisible();
  await white.press('g1');
  await white.press('f3');
  await expect(white.page.locator('cg-board piece.pending')).toHaveCount(1);
  await hansu.again();
  await white.page.goto(`/game/${game}`);
  await expect(white.plies).toHaveText(['e4', 'e5', 'Nf3']);
  await expect(black.plies).toHaveText(['e4', 'e5', 'Nf3']);
  // A command that is sent again keeps its id; every other one has a new id.
  await black.move('b8', 'c6');
  await white.move('f1', 'b5');
  expect(new Set(ids).size).toBe(3);
  await expect(black.plies).toHaveText(['e4', 'e5', 'Nf3', 'Nc6', 'Bb5']);
});

test('after a reload in the middle of a game no command reuses an id', async ({ pair }) => {
  const { white, black } = await pair({ time: clock(10) });
  const ids = commands(white.page);
  await white.page.reload();
  const moves = [
    ['g1', 'f3'],
    ['f3', 'g1'],
    ['g1', 'f3'],
  ] as const;
  const answers = [
    ['g8', 'f6'],
    ['f6', 'g8'],
  ] as const;
  for (const [at, [from, to]] of moves.entries()) {
    await white.move(from, to);
    const answer = answers[at];
    if (answer) await black.move(answer[0], answer[1]);
    await white.page.reload();
    await expect(white.plies).toHaveCount(at * 2 + (answer ? 2 : 1));
  }
  await expect(black.plies).toHaveText(['Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3']);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
});

test('two tabs on one seat show the same game and both may move', async ({ pair }) => {
  const { white, black, game } = await pair();
  const second = await white.tab();
  await second.page.goto(`/game/${game}`);
  await white.move('e2', 'e4');
  await expect(second.plies).toHaveText(['e4']);
  await black.move('e7', 'e5');
  await second.move('g1', 'f3');
  await expect(white.plies).toHaveText(['e4', 'e5', 'Nf3']);
  await second.page.close();
  await black.move('b8', 'c6');
  await white.move('f1', 'c4');
  await expect(black.plies).toHaveText(['e4', 'e5', 'Nf3', 'Nc6', 'Bc4']);
  expect(second.problems).toEqual([]);
});

test('presence is shown, and a player who leaves is announced', async ({ pair }) => {
  const { white, black, game } = await pair();
  const dot = white.page.getByRole('img', { name: 'connected' });
  await expect(dot).toHaveCount(2);
  await black.page.close();
  await expect(white.page.getByRole('img', { name: 'away' })).toHaveCount(1);
  // After eight seconds without a connection.
  await expect.poll(() => white.said(), { timeout: 40_000 }).toContain('Ben has left.');
  const again = await black.context.newPage();
  await again.goto(`/game/${game}`);
  await expect(dot).toHaveCount(2);
  await expect.poll(() => white.said()).toContain('Ben is back.');
});

test('an opponent stays away: the time is counted, then the game is claimed', async ({ pair }) => {
  test.setTimeout(240_000);
  const { white, black } = await pair({ time: clock(10) });
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  await black.page.close();
  await expect(white.prompt).toContainText('Ben has left. You may claim the win in', {
    timeout: 40_000,
  });
  const left = async () => /in 0:(\d\d)/.exec((await white.prompt.textContent()) ?? '')?.[1];
  await expect.poll(left).toBeTruthy();
  await expect(white.button('Claim the win')).toHaveCount(0);
  // One minute, in a game with a clock.
  await expect(white.button('Claim the win')).toBeVisible({ timeout: 120_000 });
  await expect(white.button('Call it a draw')).toBeVisible();
  await white.button('Claim the win').click();
  await expect(white.end).toContainText('WHITE WINS!');
  await expect(white.end).toContainText(/left/i);
});

test('back and forward', async ({ alone }) => {
  const { me, game } = await alone();
  await me.move('e2', 'e4');
  await me.page.getByRole('link', { name: 'Settings' }).click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await me.page.goBack();
  await expect(me.page).toHaveURL(new RegExp(`/game/${game}$`));
  await expect(me.plies).toHaveText(['e4']);
  await me.move('e7', 'e5');
  await me.page.goForward();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await me.page.goBack();
  await expect(me.plies).toHaveText(['e4', 'e5']);
});

test('a page without a network says so, and continues by itself', async ({
  pair,
  someone,
  hansu,
}) => {
  const { white, black, game } = await pair({ visibility: 'public' });
  // By another host name: for a server on the same machine no network is needed.
  const guest = await someone();
  // Without TLS the browser reports that it ignores a header. Parts that are loaded after the board
  // may fail; they are loaded again when they are needed.
  guest.expected = /Cross-Origin-Opener-Policy|WebSocket connection|ERR_INTERNET_DISCONNECTED/;
  await guest.page.goto(`http://hansu.local:${hansu.port}/game/${game}`);
  await expect(guest.prompt).toHaveText('You are watching this game.');
  await guest.context.setOffline(true);
  await expect(guest.page.locator('.connection')).toContainText('You are offline.');
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  await expect(guest.plies).toHaveCount(0);
  await guest.context.setOffline(false);
  await expect(guest.plies).toHaveText(['e4', 'e5']);
  await expect(guest.page.locator('.connection')).toHaveCount(0);
});

test('unknown game, unknown invitation, unknown page', async ({ someone }) => {
  const me = await someone();
  me.expected = /WebSocket connection|404/;
  await me.page.goto('/game/0aBcDeFgHiJk');
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('There is no such game');
  await me.page.goto('/games/0aBcDeFgHiJk');
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('There is no such game');
  await me.page.goto('/join/0aBcDeFgHiJkLmNoPqRsTu');
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(
    'This invitation can’t be used',
  );
  await me.page.goto('/nowhere');
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
});

test('the page can be installed, and says when the server is away', async ({ someone, hansu }) => {
  const me = await someone();
  me.expected = BROKEN;
  await me.page.goto('/');
  const href = await me.page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = (await (await me.context.request.get(String(href))).json()) as {
    name: string;
    display: string;
    icons: { src: string; sizes: string; purpose?: string }[];
  };
  expect(manifest.display).toBe('standalone');
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(
    expect.arrayContaining(['192x192', '512x512']),
  );
  for (const { src } of manifest.icons) {
    expect((await me.context.request.get(src)).status()).toBe(200);
  }
  await me.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  // The worker answers only after it controls the page.
  await me.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await hansu.kill();
  await me.page.goto('/games');
  // The page comes from the cache; the data of the server is reported as missing.
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Games');
  await expect(me.page.getByRole('alert')).toContainText('The server cannot be reached');
  await hansu.again();
  await me.page.goto('/games');
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Games');
});
