// Every size of screen: questions, offers and refusals are visible and can be pressed where they
// are; clocks and captured pieces are complete; nothing covers anything else.
import type { Locator } from '@playwright/test';
import { MANY_TO_TAKE, clock, expect, startGame, test, type Person } from './people';

const SIZES = [
  [320, 568],
  [568, 320],
  [360, 640],
  [640, 360],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1024, 768],
  [820, 1180],
  [1180, 820],
  [912, 1368],
  [1368, 912],
  [1280, 800],
  [1440, 900],
  [1080, 1920],
  [1920, 1080],
  [2560, 1440],
] as const;

/** Elements that are not completely on the screen, or are covered by another one. */
async function hidden(all: Locator): Promise<string[]> {
  return all.evaluateAll((nodes) =>
    nodes.flatMap((node) => {
      const { left, top, right, bottom } = node.getBoundingClientRect();
      const name = `${node.className} ${node.textContent.trim().slice(0, 40)}`;
      if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) {
        return [`${name}: off the screen (${[left, top, right, bottom].map(Math.round)})`];
      }
      const spots = [
        [left + 3, top + 3],
        [right - 3, top + 3],
        [left + 3, bottom - 3],
        [right - 3, bottom - 3],
        [(left + right) / 2, (top + bottom) / 2],
      ] as const;
      const over = spots
        .map(([x, y]) => document.elementFromPoint(x, y))
        .filter((one) => one && !node.contains(one) && !one.contains(node));
      return over.map((one) => `${name}: under ${one?.className} ${one?.textContent.slice(0, 30)}`);
    }),
  );
}

/** Elements whose content is wider than they are. */
async function clipped(all: Locator): Promise<string[]> {
  return all.evaluateAll((nodes) =>
    nodes
      .filter((node) => node.scrollWidth > node.clientWidth + 1)
      .map((node) => `${node.className}: ${node.scrollWidth} in ${node.clientWidth}`),
  );
}

/** Waits until the board has followed a change of size. */
async function waitForLayout({ page }: Person): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Clicks at the centre of a visible button. */
async function hit(me: Person, button: Locator): Promise<void> {
  await expect(button).toBeVisible();
  const box = await button.boundingBox();
  if (!box) throw new Error('no such button');
  await me.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

const CASTLING = 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1';

/** Plays a game at one size: each question, offer and refusal, the end and a rematch. */
async function played(white: Person, black: Person, size: string): Promise<void> {
  const game = await startGame(white, black, {
    fen: CASTLING,
    time: clock(90, 30),
    names: { white: 'Alexandra Kim', black: 'Benjamin' },
  });
  const seen = async (what: string) => {
    expect.soft(await hidden(white.prompt.locator('p, button')), `${size}: ${what}`).toEqual([]);
    expect.soft(await hidden(white.toolbar.locator('> button')), `${size}: ${what}`).toEqual([]);
  };
  const { prompt, toolbar } = white;
  await white.ready();
  const board = await white.page.getByRole('grid').boundingBox();

  // Castling.
  await white.press('e1');
  await expect(prompt.getByRole('button')).toHaveCount(3);
  await seen('castling');
  await hit(white, prompt.getByRole('button').last());
  await expect(prompt).toHaveText('');
  // A refusal with its reason.
  await white.press('a1');
  await white.press('a5');
  await expect(prompt.locator('.wrong')).toContainText('a2');
  await seen('a refusal');
  // A confirmation, answered with no and with yes.
  await hit(white, toolbar.getByRole('button').nth(1));
  await expect(prompt.getByRole('button')).toHaveCount(2);
  await seen('a confirmation');
  await hit(white, prompt.getByRole('button').last());
  await expect(prompt.getByRole('button')).toHaveCount(0);
  // An offer.
  await black.command(game, { type: 'offer', what: 'draw' });
  await expect(prompt).toContainText('Benjamin');
  await expect(prompt.getByRole('button')).toHaveCount(2);
  await seen('an offer');
  await hit(white, prompt.getByRole('button').last());
  await expect(prompt.getByRole('button')).toHaveCount(0);
  // Castling, by the button.
  await white.press('e1');
  await hit(white, prompt.getByRole('button').first());
  await white.kept('c1');
  await expect(prompt).toContainText(/castles to the left|왼쪽 캐슬링/);
  await seen('what has happened');

  // Many captured pieces and an hour on the clock are not clipped.
  expect
    .soft(await white.page.getByRole('grid').boundingBox(), `${size}: the board moved`)
    .toEqual(board);
  expect.soft(await hidden(white.page.locator('.strip .clock')), `${size}: clocks`).toEqual([]);
  expect.soft(await hidden(white.page.locator('.strip .name')), `${size}: names`).toEqual([]);
  const name = white.page.locator('.us .name');
  expect.soft((await name.boundingBox())?.width, `${size}: the name`).toBeGreaterThan(60);

  // The result card is complete, and so is the board.
  await black.command(game, { type: 'resign' });
  await expect(white.end).toBeVisible();
  const ways = white.end.locator('.ways > *');
  await expect(ways).toHaveCount(4);
  expect.soft(await hidden(ways), `${size}: the end`).toEqual([]);
  expect
    .soft(await hidden(white.end.locator('.words > p:not(:empty)')), `${size}: words`)
    .toEqual([]);
  expect
    .soft(await hidden(white.toolbar.locator('> button')), `${size}: after the end`)
    .toEqual([]);
  expect
    .soft(await hidden(white.page.locator('.place .board')), `${size}: the last position`)
    .toEqual([]);
  // A rematch is offered and declined.
  await black.command(game, { type: 'offer', what: 'rematch' });
  await expect(ways).toHaveCount(5);
  expect.soft(await hidden(ways), `${size}: a rematch`).toEqual([]);
  expect.soft(await hidden(white.page.locator('.place .board')), `${size}: the board`).toEqual([]);
  await hit(white, ways.nth(1));
  await expect(ways).toHaveCount(4);
  // Closed, the card uncovers the board; and it can be opened again.
  await hit(white, white.end.locator('.close'));
  await expect(white.end).toHaveCount(0);
  await hit(white, white.toolbar.getByRole('button').first());
  await expect(white.end).toBeVisible();
  const wide = await white.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(wide, `${size}: too wide`).toBeLessThanOrEqual(0);
}

/** A page is loaded once per combination: the first visit of a browser takes the longest. */
const WAYS = [
  { lang: 'en', colorScheme: 'light' },
  { lang: 'ko', colorScheme: 'dark' },
  { lang: 'en', colorScheme: 'dark' },
  { lang: 'ko', colorScheme: 'light' },
] as const;

for (const [at, { lang, colorScheme }] of WAYS.entries()) {
  // Portrait and landscape of a device together.
  const sizes = SIZES.filter((_, size) => Math.floor(size / 2) % WAYS.length === at);
  const all = sizes.map((size) => size.join('×')).join(', ');
  test(`questions, offers and refusals are visible and can be pressed: ${lang}, ${colorScheme}, ${all}`, async ({
    someone,
  }) => {
    test.setTimeout(480_000);
    const white = await someone({ lang, options: { colorScheme, reducedMotion: 'reduce' } });
    const black = await someone();
    for (const [width, height] of sizes) {
      await white.page.setViewportSize({ width, height });
      await played(white, black, `${width}×${height}`);
    }
  });
}

test('captured pieces and clocks are complete, the board is large', async ({ alone }) => {
  test.setTimeout(480_000);
  const { me, game } = await alone({
    fen: MANY_TO_TAKE,
    white: { options: { reducedMotion: 'reduce' } },
    time: clock(90, 30),
  });
  await me.takeAll(game);
  const lead = me.page.locator('.us .lead');
  await expect(lead).toHaveText('+5');
  const strip = me.page.locator('.us');
  for (const [width, height] of SIZES) {
    const size = `${width}×${height}`;
    await me.page.setViewportSize({ width, height });
    await waitForLayout(me);
    expect
      .soft(await hidden(strip.locator('piece, .lead, .clock')), `${size}: captured`)
      .toEqual([]);
    expect
      .soft(await clipped(strip.locator('.taken, .captured, .strip')), `${size}: clipped`)
      .toEqual([]);
    const lines = await lead.evaluate((one) => one.getClientRects().length);
    expect.soft(lines, `${size}: +5 in one line`).toBe(1);
    // As large as the window allows: in portrait its width or, on tablets, two thirds of its
    // height; else the room beside the column.
    const box = await me.page.getByRole('grid').boundingBox();
    const most = width < height ? Math.min(width, height * 0.62) : Math.min(height, width - 240);
    expect
      .soft(box?.width, `${size}: the board`)
      .toBeGreaterThan(most * (height < 500 ? 0.9 : 0.84));
  }
});
