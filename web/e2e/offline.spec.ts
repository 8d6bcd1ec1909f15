// Other features of this browser while the server is away: import of PGN, names of openings,
// statistics, the computer's lines.
import type { Page } from '@playwright/test';
import { AWAY, begin, club, mate, waitForCache, openWithoutServer } from './away';
import { faults, overflow } from './axe';
import { expect, test, type Person } from './people';

test.use({ kept: true });

const here = (page: Page) => page.locator('.here');
const told = (page: Page) => page.getByText(/^Added: /);

/** Imports a pasted text. */
async function paste({ page }: Person, pgn: string): Promise<void> {
  await page.getByLabel('Or paste PGN').fill(pgn);
  await page.locator('#import button.primary').click();
}

const file = (text: string | Buffer) => ({
  name: 'club.pgn',
  mimeType: 'application/vnd.chess-pgn',
  buffer: Buffer.from(text as string),
});

test('games are imported into this browser while the server is away, each once', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  await me.page.goto('/games');
  await me.page.getByText('Import games').click();
  await paste(me, club('Anna'));
  await expect(told(me.page)).toContainText('Added: 1. Already there: 0. Could not be read: 0.');
  await expect(told(me.page)).toContainText('kept in this browser');
  await expect(here(me.page).getByRole('link', { name: /Anna – Cho/ })).toBeInViewport();
  await expect(here(me.page).getByRole('link')).toContainText(
    "C20 King's Pawn Game: Wayward Queen Attack",
  );
  // The same game again, a new one, an invalid one; in the old encoding of many files.
  const rest = `${club('Anna')}${club('Bj\u00f6rn')}[White "X"]\n\n1. e4 e5 2. Ke5 *\n`;
  await me.page.getByLabel('PGN file').setInputFiles(file(Buffer.from(rest, 'latin1')));
  await me.button('Import').click();
  await expect(told(me.page)).toContainText('Added: 1. Already there: 1. Could not be read: 1.');
  await expect(me.page.getByText(/^Line \d+: Ke5 is not a legal move\.$/)).toBeVisible();
  await expect(here(me.page).getByRole('link')).toHaveCount(2);
  // They are on the disk: after a reload they are listed, with comments and variations.
  await me.page.reload();
  await expect(here(me.page).getByRole('link')).toHaveCount(2);
  await here(me.page)
    .getByRole('link', { name: /Bj\u00f6rn – Cho/ })
    .click();
  await expect(me.plies).toHaveText(['e4', 'e5', 'Qh5', 'Nc6', 'Bc4', 'Nf6', 'Qxf7#']);
  await expect(me.page.getByRole('definition').filter({ hasText: 'Club' })).toBeVisible();
  const saved = me.page.waitForEvent('download');
  await me.button('Download PGN').click();
  let pgn = '';
  for await (const part of await (await saved).createReadStream()) pgn += String(part);
  expect(pgn).toContain('{Watch f7.}');
  await me.page.getByRole('link', { name: 'Analyse from here' }).click();
  await expect(me.plies).toHaveCount(7);
  // When the server is back they are uploaded, and recognised when they come again.
  await hansu.again();
  await me.page.goto('/games');
  await me.button('Put them on the server, too').click();
  await expect(here(me.page).getByText('Also on the server')).toHaveCount(2);
  const list = await me.context.request.get('/api/games?mine=true&source=import');
  expect(((await list.json()) as { games: unknown[] }).games).toHaveLength(2);
  // The server takes the next import.
  await me.page.getByText('Import games').click();
  await paste(me, club('Anna'));
  await expect(told(me.page)).toHaveText('Added: 0. Already there: 1. Could not be read: 0.');
});

test('the games of this browser have the same filters as those of the server', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  await begin(me);
  await mate(me);
  const french = club('Ben', '1/2-1/2')
    .replace('2026.11.15', '2025.03.01')
    .replace(/1\. e4.*/, '1. e4 e6 2. d4 d5 1/2-1/2');
  await me.page.goto(`/games?${new URLSearchParams({ pgn: club('Anna') + french })}`);
  await me.page.locator('#import button.primary').click();
  const games = here(me.page).getByRole('link');
  await expect(games).toHaveCount(3);
  const fields = me.page.locator('.fields');
  await me.page.getByText('Search and filter').click();
  const asked: [string, string, RegExp][] = [
    ['Player', 'ANNA', /Anna – Cho/],
    ['Opening', 'French', /Ben – Cho/],
    ['Opening', 'C0', /Ben – Cho/],
    ['Text', 'french', /Ben – Cho/],
    ['Until', '2025-12-31', /Ben – Cho/],
  ];
  for (const [name, value, left] of asked) {
    const field = fields.getByLabel(name, { exact: true });
    await field.fill(value);
    await field.press('Enter');
    await expect(games, `${name} ${value}`).toHaveText([left]);
    await expect(here(me.page)).toContainText('1 of 3 games match.');
    await me.button('Clear all filters').first().click();
    await expect(games).toHaveCount(3);
  }
  await fields.getByLabel('Result').selectOption('0-1');
  await expect(games).toHaveText([/White – Black/]);
  await fields.getByLabel('Source').selectOption('import');
  await expect(here(me.page)).toContainText('No game in this browser matches.');
  // Filters are part of the address, and only the games found are saved.
  await me.page.goto('/games?reason=checkmate&source=import');
  await expect(games).toHaveText([/Anna – Cho/]);
  await me.page.goto('/games?result=1/2-1/2');
  await expect(games).toHaveText([/Ben – Cho/]);
  const saved = me.page.waitForEvent('download');
  await me.button('Download these as PGN').click();
  let pgn = '';
  for await (const part of await (await saved).createReadStream()) pgn += String(part);
  expect(pgn.match(/\[White "/g)).toHaveLength(1);
  // The same with the server.
  await hansu.again();
  await me.page.goto('/games?player=ben');
  await expect(games).toHaveText([/Ben – Cho/]);
});

test('an exported game is recognised when it is imported again', async ({ someone, hansu }) => {
  const me = await someone();
  await openWithoutServer(me);
  await begin(me);
  await mate(me);
  await me.page.goto('/games');
  const saved = me.page.waitForEvent('download');
  await me.button('Download all as PGN').click();
  let pgn = '';
  for await (const part of await (await saved).createReadStream()) pgn += String(part);
  await me.page.getByText('Import games').click();
  await paste(me, pgn);
  await expect(told(me.page)).toHaveText('Added: 0. Already there: 1. Could not be read: 0.');
  await expect(here(me.page).getByRole('link')).toHaveCount(1);
  await hansu.again();
});

test('the import of a long file shows its progress; games that cannot be stored are not counted', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  // From the third batch on the disk is full.
  await me.context.addInitScript(() => {
    const add = IDBObjectStore.prototype.add;
    let count = 0;
    IDBObjectStore.prototype.add = function (...given) {
      if (this.name === 'games' && ++count > 120 && !window.name) {
        throw new DOMException('full', 'QuotaExceededError');
      }
      return add.apply(this, given);
    };
    const seen: string[] = ((window as unknown as { progress: string[] }).progress = []);
    new MutationObserver(() => {
      const text = document.querySelector('#import [role=status]')?.textContent?.trim();
      if (text && text !== seen.at(-1)) seen.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await openWithoutServer(me);
  await me.page.goto('/games');
  await me.page.getByText('Import games').click();
  const many = Array.from({ length: 300 }, (_, at) => club(`Player ${at}`)).join('');
  await me.page.getByLabel('PGN file').setInputFiles(file(many));
  await me.button('Import').click();
  await expect(me.page.locator('#import [role=alert]')).toContainText('after 100 games');
  // The counted games are stored, and the list shows some of them.
  await expect(here(me.page).getByText('24 of 100 shown')).toBeVisible();
  await expect(here(me.page).getByRole('link')).toHaveCount(24);
  await me.page.evaluate(() => (window.name = 'room again'));
  await me.button('Import').click();
  await expect(told(me.page)).toContainText('Added: 200. Already there: 100.');
  const progress = await me.page.evaluate(
    () => (window as unknown as { progress: string[] }).progress,
  );
  const saved = progress.flatMap((text) => /Saved: (\d+) games/.exec(text)?.[1] ?? []).map(Number);
  expect(saved.length).toBeGreaterThan(4);
  await me.button('Show more games').first().click();
  await expect(here(me.page).getByRole('link')).toHaveCount(48);
  await hansu.again();
});

test('a game that another app shares is imported while the server is away', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  await me.page.goto(`/games?${new URLSearchParams({ pgn: club('Shared') })}`);
  await expect(me.page.locator('#import textarea')).toHaveValue(/Shared/);
  await me.page.locator('#import button.primary').click();
  await expect(here(me.page).getByRole('link', { name: /Shared – Cho/ })).toBeVisible();
  await hansu.again();
});

test('the name of an opening is in the game, in the list and in the review', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  const game = await begin(me);
  const caption = me.page.locator('p.caption .opening');
  await me.move('e2', 'e4');
  await expect(caption).toHaveText("King's Pawn Game");
  await me.move('c7', 'c5');
  await expect(caption).toHaveText('Sicilian Defense');
  await expect(caption).toHaveAttribute('title', 'B20 Sicilian Defense');
  await me.page.goto('/games');
  await expect(here(me.page).getByRole('link')).toContainText('B20 Sicilian Defense');
  await me.page.goto(`/games/${game}`);
  await expect(me.page.getByRole('definition').filter({ hasText: 'B20 Sicilian' })).toBeVisible();
  await hansu.again();
});

test('statistics of the games of this browser while the server is away', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  await begin(me);
  await mate(me);
  await me.page.goto('/games#import');
  await paste(me, club('Anna') + club('Ben') + club('ANNA', '1/2-1/2').replace('Date', 'Round'));
  await expect(told(me.page)).toContainText('Added: 3.');
  await me.page.getByRole('link', { name: 'Stats' }).click();
  await expect(me.page.getByText('These are the finished games in this browser.')).toBeVisible();
  for (const title of ['Results by colour', 'Months', 'Openings', 'How games ended']) {
    await expect(me.page.getByRole('heading', { name: title })).toBeVisible();
  }
  await me.page.getByText('As a table').first().click();
  await expect(me.page.getByRole('table').first()).toContainText(/All games\s*2\s*1\s*1/);
  // The default names White and Black are not players; Anna is one, in both spellings.
  const players = me.page.getByRole('region', { name: 'Players' });
  await expect(players.getByRole('rowheader')).toHaveText([/Cho/, /Anna/i, /Ben/]);
  await players.getByRole('link', { name: /Anna/i }).click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(/Anna’s results/i);
  await expect(me.page.getByRole('heading', { name: 'Opponents' })).toBeVisible();
  await expect(me.page.getByRole('img', { name: /1½ : ½ Cho$/ })).toBeVisible();
  await me.page.goto('/statistics?player=nobody-at-all');
  await expect(me.page.getByText('Nobody called “nobody-at-all”')).toBeVisible();
  // When the server is back its statistics are shown.
  await hansu.again();
  await me.page.goto('/statistics');
  await expect(me.page.getByRole('main')).toContainText(/All games|No finished game yet/);
  await expect(me.page.getByText('finished games in this browser')).toHaveCount(0);
});

test('the computer finds lines without a server, and stops when the position is left', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  me.expected = AWAY;
  await me.page.goto('/analysis');
  const lines = me.page.getByRole('region', { name: 'Engine lines' });
  await expect(lines.getByRole('status')).toHaveText(/^Depth \d+$/);
  await waitForCache(me);
  await hansu.kill();
  await me.move('e2', 'e4');
  await expect(lines.getByRole('listitem')).toHaveCount(3);
  await expect(lines.getByRole('status')).toHaveText(/^Depth \d+$/);
  await expect(me.page.locator('svg.arrow')).toHaveAttribute('data-best', /^[a-h]\d[a-h]\d$/);
  // Quick steps: the lines belong to the position that is shown.
  await me.move('f7', 'f6');
  await me.move('d2', 'd4');
  await me.move('g7', 'g5');
  await expect(lines.getByRole('listitem').first()).toContainText('#1');
  await expect(lines.getByRole('listitem').first().getByRole('button').first()).toHaveText(
    /^[Q♕♛]h5#$/,
  );
  await lines.getByRole('listitem').first().getByRole('button').first().click();
  await expect(lines.getByRole('status')).toHaveText('The game is over here.');
  await me.button('Hide lines').click();
  await me.button('Previous move').click();
  await expect(lines.getByRole('status')).toHaveText('Lines are off.');
  // After a reload, without the server.
  await me.page.reload();
  await expect(lines.getByRole('listitem')).toHaveCount(3);
  await hansu.again();
});

for (const { lang, theme, width } of [
  { lang: 'ko', theme: 'light', width: 390 },
  { lang: 'en', theme: 'dark', width: 1280 },
] as const) {
  test(`all pages are readable and usable: ${theme}, ${lang}, ${width} wide`, async ({
    someone,
    hansu,
  }) => {
    const viewport = { width, height: 844 };
    const me = await someone({ lang, settings: { theme }, options: { viewport } });
    const fine = async (): Promise<void> => {
      expect(await faults(me)).toEqual([]);
      expect(await overflow(me)).toBe(0);
    };
    await openWithoutServer(me);
    await me.page.goto(`/games?${new URLSearchParams({ pgn: `${club('Anna')}1. e5 *` })}`);
    await me.page.locator('#import button.primary').click();
    await expect(me.page.locator('#import li')).toHaveCount(1);
    await fine();
    await me.page.goto('/statistics');
    await expect(me.page.locator('.charts')).toBeVisible();
    await fine();
    await me.page.goto('/analysis');
    await expect(me.page.locator('.found li')).toHaveCount(3);
    await fine();
    await hansu.again();
  });
}
