// The computer in this browser, from the first click, with the server or without it.
import type { Game, GameList, Made, PlayerPage } from '../src/wire';
import { AWAY, begun, challenge, waitForCache } from './away';
import { expect, test } from './people';

test.use({ kept: true });

test('the computer plays in this browser from the first click, with the server or without it', async ({
  someone,
  hansu,
}) => {
  const me = await someone({ settings: { level: 2, name: 'Mina' } });
  me.expected = AWAY;
  const asked: string[] = [];
  me.page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  me.page.on('websocket', (socket) => asked.push(`socket ${socket.url()}`));
  await me.page.goto('/');
  await waitForCache(me);
  const game = await challenge(me);
  await expect(me.page.locator('p.caption')).toContainText('Kept in this browser');
  await expect(me.page.getByText('Rabbit').first()).toBeVisible();
  await me.make('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  // The page has sent no request that stores anything or asks the server's computer.
  expect(asked.filter((line) => /^(POST|PUT|socket)/.test(line))).toEqual([]);
  await hansu.kill();
  await me.make('d2', 'd3');
  await expect(me.plies).toHaveCount(4);
  await me.deed('Draw');
  await expect(me.prompt).toContainText('The draw was declined.');
  await me.deed('Take back');
  await expect(me.plies).toHaveCount(2);
  // An adjournment is granted at once, and the player ends it.
  await me.toolbar.getByRole('button', { name: 'More' }).click();
  await me.button('Adjourn').click();
  await me.prompt.getByRole('button').first().click();
  await expect(me.status).toHaveText('ADJOURNED');
  await me.page.reload();
  await me.prompt.getByRole('button', { name: 'Resume' }).click();
  await me.make('d2', 'd4');
  await expect(me.plies).toHaveCount(4);
  await hansu.again();
  // The game is listed as under way, and continues.
  await me.page.goto('/');
  await me.page.getByRole('link', { name: /Mina – .*Rabbit/ }).click();
  await expect(me.page).toHaveURL(new RegExp(`/game/${game}$`));
  await expect(me.plies).toHaveCount(4);
  await me.deed('Resign');
  await expect(me.end).toContainText('BLACK WINS!');
  // A rematch: colours are exchanged, the computer begins, and the score continues.
  await me.button('Rematch').click();
  await expect(me.page).not.toHaveURL(new RegExp(game));
  await expect(me.plies).toHaveCount(1);
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-label', 'Chess board, Black below');
  await expect(me.page.locator('p.caption')).toContainText('Rabbit 1 : 0 Mina');
  me.side = 'black';
  await me.make('e7', 'e6');
  await expect(me.plies).toHaveCount(3);
  await me.deed('Resign');
  await expect(me.end).toContainText(/Rabbit 2 : 0 Mina/);
  expect(asked.filter((line) => /^(POST|PUT|socket)/.test(line))).toEqual([]);
  // Both are in the list of past games, and can be reviewed.
  await me.page.goto('/games');
  await expect(me.page.locator('.here').getByRole('link')).toHaveCount(2);
  await expect(me.page.locator('.here').getByRole('link').first()).toContainText('computer');
  await me.page.goto(`/games/${game}`);
  await expect(me.plies).toHaveCount(4);
});

test('games of this browser have statistics of their own while there is a server', async ({
  someone,
}) => {
  const me = await someone({ settings: { level: 1, name: 'Mina' } });
  await challenge(me);
  await me.make('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  await me.deed('Resign');
  await expect(me.end).toContainText('BLACK WINS!');
  await me.page.goto('/statistics');
  await me.button('In this browser').click();
  await expect(me.page.getByText('The finished games in this browser.')).toBeVisible();
  await me.page.getByText('As a table').first().click();
  await expect(me.page.getByRole('table').first()).toContainText(/Black won.*All games\s*1/);
  // The computer is not counted as a player.
  const players = me.page.getByRole('region', { name: 'Players' });
  await expect(players.getByRole('rowheader')).toHaveText([/Mina/]);
  await players.getByRole('link', { name: 'Mina' }).click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Mina’s results');
  // The server has counted none of these games.
  await me.button('My games').click();
  await expect(me.page.getByText('The finished games in this browser.')).toHaveCount(0);
  const own = await me.context.request.get('/api/me/statistics');
  expect(((await own.json()) as PlayerPage).player.games).toBe(0);
});

test('a game that was created at the server is played there, and its rematch as well', async ({
  someone,
}) => {
  const me = await someone();
  const asked = { with: 'computer', name: 'Mina', color: 'white', level: 2 };
  const { game } = await me.post<Made>('/api/games', asked);
  await me.page.goto(`/game/${game}`);
  me.side = 'white';
  await me.make('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  await me.make('d2', 'd3');
  await expect(me.plies).toHaveCount(4);
  await me.deed('Draw');
  await expect(me.prompt).toContainText('The draw was declined.');
  await me.deed('Take back');
  await expect(me.plies).toHaveCount(2);
  await me.deed('Resign');
  await me.button('Rematch').click();
  await expect(me.page).toHaveURL(new RegExp(`/game/(?!${game})\\w{12}$`));
  await expect(me.plies).toHaveCount(1);
  await expect(me.page.locator('p.caption')).toContainText('Rabbit 1 : 0 Mina');
});

for (const [without, take] of [
  ['locks', () => void delete (Navigator.prototype as { locks?: unknown }).locks],
  ['storage', () => void delete (window as { indexedDB?: unknown }).indexedDB],
  ['SIMD', () => (WebAssembly.validate = () => false)],
] as const) {
  test(`a browser without ${without} plays the computer at the server`, async ({ someone }) => {
    const me = await someone({ settings: { level: 1 } });
    await me.context.addInitScript(take as () => void);
    await me.page.goto('/#computer');
    await me.page.getByText('White', { exact: true }).click();
    await me.button('Start the game').click();
    await expect(me.page).toHaveURL(/\/game\/\w{12}$/);
    me.side = 'white';
    await me.make('e2', 'e4');
    await expect(me.plies).toHaveCount(2);
  });
}

test('with consent these games are uploaded as games against the computer', async ({ someone }) => {
  const me = await someone({ settings: { level: 3, resigns: true, upload: true, name: 'Mina' } });
  const first = await challenge(me);
  await me.make('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  await me.deed('Resign');
  const found = (id: string) => me.context.request.get(`/api/games/${id.slice(1)}`);
  await expect.poll(async () => (await found(first)).status()).toBe(200);
  await me.button('Rematch').click();
  await expect(me.page).not.toHaveURL(new RegExp(first));
  await expect(me.plies).toHaveCount(1);
  me.side = 'black';
  await me.make('e7', 'e6');
  await expect(me.plies).toHaveCount(3);
  const second = await begun(me);
  await me.deed('Resign');
  await expect.poll(async () => (await found(second)).status()).toBe(200);
  const { game, seat } = (await (await found(second)).json()) as Game;
  const level = (await (await found(first)).json()) as Game;
  expect([game.source, seat, game.black]).toEqual(['computer', 'black', 'Mina']);
  expect(game.white).toBe(level.game.black);
  const state = await me.context.request.get(`/api/games/${second.slice(1)}/state`);
  const { start } = (await state.json()) as { start: { computer: unknown } };
  expect(start.computer).toEqual({ side: 'white', level: 3, resigns: true });
  // They are counted as games against the computer, not as games between people.
  const own = await me.context.request.get('/api/me/statistics');
  const { sources } = (await own.json()) as PlayerPage;
  expect(sources.map(({ label }) => label)).toEqual(['computer']);
  const people = await me.context.request.get('/api/games?mine=true&source=local');
  expect(((await people.json()) as GameList).games).toEqual([]);
});
