// Past games: list, filters, replay, export, import, notes, tags and statistics.
import { readFile } from 'node:fs/promises';
import { clock, expect, shared, sharing, test, type Person } from './people';

/** Makes names unique, so that the games of other tests are not found. */
let count = 0;
const fresh = () => `P${process.pid}x${++count}`;

async function played(me: Person, game: string): Promise<void> {
  for (const uci of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) {
    await me.command(game, { type: 'move', uci });
  }
}

test('a finished game is listed, found and replayed', async ({ alone }) => {
  const white = fresh();
  const { me, game } = await alone({ names: { white, black: 'Ben' }, time: clock(10) });
  await played(me, game);
  await expect(me.end).toBeVisible();
  await me.page.goto('/games');
  const entry = me.page.getByRole('link', { name: new RegExp(white) });
  await expect(entry).toContainText('0–1');
  await expect(entry).toContainText('checkmate');
  await expect(entry).toContainText('on one screen');
  // Filters are closed at first, narrow the list, and are part of the address.
  await expect(me.page.getByLabel('Result')).toBeHidden();
  await me.page.getByText('Search and filter').click();
  await me.page.getByLabel('Result').selectOption('White won');
  await expect(entry).toHaveCount(0);
  await expect(me.page).toHaveURL(/result=1-0/);
  await me.page.getByRole('button', { name: 'Clear all filters' }).first().click();
  await me.page.getByRole('searchbox', { name: 'Player' }).fill(white);
  await me.page.keyboard.press('Enter');
  await expect(me.page.getByText('1 game shown')).toBeVisible();
  // All games of the list in one file.
  const saved = me.page.waitForEvent('download');
  await me.button('Download these games (PGN)').click();
  const file = await readFile(await (await saved).path(), 'utf8');
  expect(file).toContain(`[White "${white}"]`);
  expect(file).toContain('Qh4#');
  await me.page.reload();
  await entry.click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(`${white} – Ben`);

  // Replay: by keys, slider, move list, and by itself.
  const where = me.page.locator('.where');
  await expect(where).toHaveText('Position 4 of 4');
  await expect(me.square('e1')).toHaveAttribute('aria-label', /checkmated/);
  await me.page.keyboard.press('ArrowLeft');
  await expect(where).toHaveText('Position 3 of 4');
  await me.page.keyboard.press('Home');
  await expect(me.square('f2')).toHaveAttribute('aria-label', 'f2, white pawn');
  await me.page.getByRole('slider', { name: 'Position in the game' }).fill('2');
  await expect(where).toHaveText('Position 2 of 4');
  await expect(me.square('e5')).toHaveAttribute('aria-label', 'e5, black pawn, last move');
  await me.plies.nth(2).click();
  await expect(where).toHaveText('Position 3 of 4');
  await expect(me.page.getByLabel('Speed')).toHaveValue('original');
  await me.page.getByLabel('Speed').selectOption('4× speed');
  await me.button('Play').click();
  await expect(where).toHaveText('Position 4 of 4');
  await me.page.getByRole('heading', { level: 1 }).press('f');
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-label', 'Chess board, Black below');
  // A link to a position.
  await me.page.goto(`/games/${game}#1`);
  await expect(where).toHaveText('Position 1 of 4');
});

test('a game is exported: link, FEN, PGN, record, pictures', async ({ alone, hansu }) => {
  const white = fresh();
  const { me, game } = await alone({ names: { white, black: 'Ben' } });
  await played(me, game);
  await me.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await me.page.goto(`/games/${game}`);
  const copied = () => me.page.evaluate(() => navigator.clipboard.readText());
  await me.button('Copy FEN').click();
  await expect(me.page.getByText('Copied.')).toBeVisible();
  expect(await copied()).toBe('rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3');
  await me.button('Copy link').click();
  await expect.poll(copied).toBe(`${hansu.url}/games/${game}`);
  async function saved(name: string): Promise<{ name: string; text: string; bytes: Buffer }> {
    const waiting = me.page.waitForEvent('download');
    await me.page
      .getByRole('link', { name, exact: true })
      .or(me.page.getByRole('button', { name, exact: true }))
      .click();
    const download = await waiting;
    const bytes = await readFile(await download.path());
    return { name: download.suggestedFilename(), text: bytes.toString('utf8'), bytes };
  }
  expect((await saved('PGN')).text).toContain('1. f3 e5 2. g4 Qh4# 0-1');
  expect((await saved('Record')).text.trim()).toBe('1. f3\te5\n2. g4\tQh4#\n0-1');
  const svg = await saved('Picture (SVG)');
  expect(svg.name).toBe(`hansu-${game}-4.svg`);
  expect(svg.text).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
  const png = await saved('Picture (PNG)');
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
});

test('a game is shared by the dialog of the device', async ({ alone }) => {
  const { me, game } = await alone();
  await played(me, game);
  await me.page.goto(`/games/${game}`);
  await expect(me.button('Copy link')).toBeVisible();
  await expect(me.button('Share')).toHaveCount(0);
  await sharing(me);
  await me.page.goto('about:blank');
  await me.page.goto(`/games/${game}#1`);
  await me.button('Share').click();
  await expect
    .poll(() => shared(me))
    .toEqual([{ title: 'Anna – Ben', url: `${me.hansu.url}/games/${game}#1` }]);
});

test('games are imported, pasted and from a file', async ({ someone }) => {
  const me = await someone();
  const white = fresh();
  const pgn = (name: string) =>
    `[Event "Club"]\n[White "${name}"]\n[Black "Cho"]\n[Result "1-0"]\n[Date "2026.11.15"]\n\n` +
    '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n';
  await me.page.goto('/games');
  await me.page.getByText('Import games').click();
  await me.button('Import').click();
  await expect(me.page.getByText('Choose a file or paste a game first.')).toBeVisible();
  await me.page.getByLabel('Or paste PGN').fill(pgn(white));
  await me.button('Import').click();
  const told = me.page.getByText(/^Added: /);
  await expect(told).toHaveText('Added: 1. Already there: 0. Could not be read: 0.');
  // The imported game is scrolled into view.
  await expect(me.page.getByRole('link', { name: new RegExp(white) })).toBeInViewport();
  const file = { name: 'club.pgn', mimeType: 'application/vnd.chess-pgn' };
  const two = `${pgn(white)}\n${pgn(`${white}b`)}\n[Event "?"]\n\n1. e4 e5 2. Ke5 *\n`;
  await me.page.getByLabel('PGN file').setInputFiles({ ...file, buffer: Buffer.from(two) });
  await me.button('Import').click();
  await expect(told).toHaveText('Added: 1. Already there: 1. Could not be read: 1.');
  await expect(me.page.getByText(/^Line \d+: /)).toBeVisible();
  await me.button('Show imported games').click();
  await expect(me.page.getByRole('link', { name: new RegExp(`${white}b`) })).toBeVisible();
  // Other players do not see the games, and the player who imported them can delete them.
  const guest = await someone();
  await guest.page.goto('/games?whose=public');
  await expect(guest.page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(guest.page.getByRole('link', { name: new RegExp(white) })).toHaveCount(0);
  await me.page.getByRole('link', { name: new RegExp(`${white}b`) }).click();
  await me.button('Delete this game').click();
  await me.button('Delete it for good').click();
  await expect(me.page).toHaveURL(/\/games$/);
  await me.page.goto('/games?source=import');
  await expect(me.page.getByRole('link', { name: new RegExp(white) })).toHaveCount(1);
});

test('notes and tags of a player', async ({ alone, someone, hansu }) => {
  const white = fresh();
  const { me, game } = await alone({ names: { white, black: 'Ben' } });
  await played(me, game);
  await me.page.goto(`/games/${game}`);
  await me.page.getByLabel('New tag').fill('lesson');
  await me.button('Add tag').click();
  await expect(me.page.getByRole('link', { name: 'lesson' })).toBeVisible();
  await me.page.getByLabel('Note', { exact: true }).fill('Never f3 and g4.');
  await me.button('Save note').click();
  await expect(me.page.getByText('Saved.')).toBeVisible();
  await me.page.reload();
  await expect(me.page.getByLabel('Note', { exact: true })).toHaveValue('Never f3 and g4.');
  await me.page.getByRole('link', { name: 'lesson' }).click();
  await expect(me.page.getByRole('link', { name: new RegExp(white) })).toBeVisible();
  // Other players do not see them.
  const guest = await someone();
  await guest.page.goto(`${hansu.url}/games/${game}`);
  await expect(guest.page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(guest.page.getByText('Never f3 and g4.')).toHaveCount(0);
  await expect(guest.page.getByText('lesson')).toHaveCount(0);
  await expect(guest.page.getByLabel('New tag')).toHaveCount(0);
});

test('statistics whose answer is lost are requested again, and then show an error', async ({
  someone,
}) => {
  const me = await someone();
  me.expected = /ERR_FAILED/;
  let lost = 1;
  await me.page.route('**/api/statistics', (route) =>
    lost-- > 0 ? route.abort() : route.continue(),
  );
  await me.page.goto('/statistics');
  const said = me.page.getByRole('main');
  await expect(said).toContainText(/All games|No finished game yet/);
  lost = Infinity;
  await me.page.reload();
  await expect(said).toContainText('The server cannot be reached.');
  lost = 0;
  await me.button('Try again').click();
  await expect(said).toContainText(/All games|No finished game yet/);
});

test('statistics as charts, each with a table behind it', async ({ alone }) => {
  const white = fresh();
  const { me, game } = await alone({ names: { white, black: `${white}b` } });
  await played(me, game);
  await expect(me.end).toBeVisible();
  await me.page.goto('/statistics');
  await expect(me.page.getByRole('heading', { name: 'How games ended' })).toBeVisible();
  // White's colour is white and Black's is black, in both themes.
  // There is one legend.
  await expect(me.page.locator('.charts .legend')).toHaveCount(1);
  for (const colorScheme of ['light', 'dark'] as const) {
    await me.page.emulateMedia({ colorScheme });
    await expect(me.page.locator('.charts rect.bad').first()).toHaveCSS('fill', 'rgb(43, 44, 50)');
  }
  await me.page.getByLabel('Player', { exact: true }).fill(`${white}b`);
  await me.button('Show').click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(`${white}b’s results`);
  for (const title of ['Results by colour', 'Months', 'Openings', 'Opponents', 'Streaks']) {
    await expect(me.page.getByRole('heading', { name: title })).toBeVisible();
  }
  await me.page.getByText('As a table').first().click();
  await expect(me.page.getByRole('table').first()).toBeVisible();
  await me.page.goto('/statistics?player=nobody-at-all');
  await expect(me.page.getByText('Nobody called “nobody-at-all”')).toBeVisible();
  me.expected = /404/;
});

test('my own results are counted together, under all names I played with', async ({
  pair,
  someone,
}) => {
  const one = fresh();
  const { white, black, game } = await pair({ names: { white: one, black: 'Ben' } });
  await black.command(game, { type: 'resign' });
  // A second game, with another name and the other colour.
  const made = await white.post<{ game: string; invitation: string }>('/api/games', {
    with: 'friend',
    name: `${one}b`,
    color: 'black',
  });
  await black.post(`/api/invitations/${made.invitation}`, { name: 'Cho' });
  await white.post(`/api/games/${made.game}/commands`, { id: 'x', command: { type: 'resign' } });
  await white.page.goto('/statistics');
  await white.button('My games').click();
  await expect(white.page).toHaveURL(/whose=mine/);
  await expect(white.page.getByRole('heading', { level: 1 })).toHaveText('My games');
  await expect(white.page.getByRole('img', { name: 'White: Won 1' })).toBeVisible();
  await expect(white.page.getByRole('img', { name: 'Black: Lost 1' })).toBeVisible();
  await expect(white.page.locator('.charts').getByRole('link', { name: 'Ben' })).toBeVisible();
  await expect(white.page.locator('.charts').getByRole('link', { name: 'Cho' })).toBeVisible();
  await expect(white.button('My games')).toHaveAttribute('aria-pressed', 'true');
  // Another player has none of these results.
  const guest = await someone();
  await guest.page.goto('/statistics?whose=mine');
  await expect(guest.page.getByText('Games that you play in this browser')).toBeVisible();
  await white.button('Everybody').click();
  await expect(white.page.getByRole('heading', { level: 1 })).toHaveText('Stats');
});

test('a game that was aborted before a move is not in the list', async ({ pair }) => {
  const { white, game } = await pair();
  await white.command(game, { type: 'abort' });
  await white.page.goto('/games');
  await expect(white.page.getByText('Games that you play in this browser')).toBeVisible();
  await white.page.goto('/games?reason=abort');
  await expect(white.page.locator('li a')).toHaveCount(1);
});

test('a game that another app shares is in the import form', async ({ someone }) => {
  const me = await someone();
  const pgn = '[White "Shared"]\n[Black "Text"]\n\n1. f3 e5 2. g4 Qh4# 0-1';
  await me.page.goto(`/games?${new URLSearchParams({ pgn })}`);
  await expect(me.page.locator('#import textarea')).toHaveValue(pgn);
  await me.page.locator('#import button.primary').click();
  await expect(me.page.getByRole('link', { name: /Shared – Text/ })).toBeVisible();
});
