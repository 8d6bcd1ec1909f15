// The analysis of a game of this browser: made by its computer, stored, continued.
import { AWAY, begin, mate, waitForCache, openWithoutServer } from './away';
import { faults, overflow } from './axe';
import { accuracies, analyse } from './lesson';
import { expect, test, type Person } from './people';

test.use({ kept: true });

/** 28 moves of each side: long enough to leave the page in the middle of the analysis. */
const MOVES = [...'abcdeg']
  .flatMap((file) => ['Nf3 Nf6', 'Ng1 Ng8', `${file}3 ${file}6`])
  .concat(
    'h3 h6',
    'h4 h5',
    [...'abcdeg'].map((file) => `${file}4 ${file}5`),
    'Na3 Na6',
    'Nb1 Nb8',
  );
const LONG = `[White "Anna"]\n[Black "Ben"]\n[Result "1-0"]\n\n${MOVES.map(
  (pair, at) => `${at + 1}. ${pair}`,
).join(' ')} 1-0\n`;

/** Records every progress that is shown. */
async function recordProgress({ context }: Person): Promise<void> {
  await context.addInitScript(() => {
    const seen: number[] = ((window as unknown as { progress: number[] }).progress = []);
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLProgressElement>('.teacher progress');
      if (bar && bar.value !== seen.at(-1)) seen.push(bar.value);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
}
const progress = ({ page }: Person): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { progress: number[] }).progress);

/** The stored state of the analysis of a game. */
const kept = ({ page }: Person, game: string): Promise<{ done: number; total: number } | null> =>
  page.evaluate(async (game) => {
    const open = indexedDB.open('hansu');
    await new Promise((done) => (open.onsuccess = done));
    const found = open.result.transaction('entries').objectStore('entries').get([game, -1]);
    await new Promise((done) => (found.onsuccess = done));
    open.result.close();
    const entry = found.result as { body: string } | undefined;
    return entry ? (JSON.parse(entry.body) as { done: number; total: number }) : null;
  }, game);

test('a game of this browser is analysed without a server, stored, and tried again', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await openWithoutServer(me);
  const game = await begin(me);
  await mate(me);
  await me.page.getByRole('link', { name: 'Review' }).click();
  await analyse(me);
  await accuracies(me);
  // It is stored: it is shown again in the current language, also with the server.
  await hansu.again();
  await me.page.goto('/settings');
  await me.page.evaluate(() => {
    const settings = JSON.parse(localStorage.getItem('hansu.settings') ?? '{}') as object;
    localStorage.setItem('hansu.settings', JSON.stringify({ ...settings, lang: 'ko' }));
  });
  await me.page.goto(`/games/${game}#3`);
  await expect(me.page.locator('.lesson')).toContainText('체크메이트예요.');
  await expect(me.button('이 게임 분석하기')).toHaveCount(0);
  // The position before the blunder, against the computer of this browser.
  await me.button('직접 둬 보기').click();
  await expect(me.page).toHaveURL(/\/game\/~\w{12}$/);
  expect(await kept(me, game)).toMatchObject({ done: 5, total: 5 });
  // Deleting the game deletes its analysis.
  await me.page.goto(`/games/${game}`);
  await me.button('이 브라우저에서 지우기').click();
  await me.page.locator('.ways button.primary').click();
  await expect(me.page).toHaveURL(/\/games$/);
  expect(await kept(me, game)).toBeNull();
});

test('an analysis that was left continues by itself, and is made once', async ({
  someone,
  hansu,
}) => {
  const me = await someone();
  await recordProgress(me);
  await openWithoutServer(me);
  await me.page.goto(`/games?${new URLSearchParams({ pgn: LONG })}`);
  await me.page.locator('#import button.primary').click();
  await me.page.locator('.here').getByRole('link').click();
  await expect(me.plies).toHaveCount(56);
  const game = new URL(me.page.url()).pathname.replace('/games/', '');
  await me.button('Analyse this game').click();
  await expect.poll(async () => (await kept(me, game))?.done ?? 0).toBeGreaterThan(0);
  await me.page.goto('/settings');
  const left = (await kept(me, game)) ?? { done: 0, total: 0 };
  expect(left.total).toBe(57);
  expect(left.done).toBeLessThan(57);
  await me.page.goto(`/games/${game}`);
  const graph = me.button(/^White’s chances through the game/);
  await expect(graph).toBeVisible({ timeout: 90_000 });
  const shown = await progress(me);
  expect(Math.min(...shown)).toBeGreaterThanOrEqual(left.done);
  expect(shown).toEqual([...shown].sort((one, other) => one - other));
  // No position is searched again.
  await me.page.reload();
  await expect(graph).toBeVisible();
  expect((await progress(me)).every((done) => done === 57)).toBe(true);
  await hansu.again();
});

test('without the computer an analysis shows an error, and is made when it can be loaded', async ({
  someone,
}) => {
  const me = await someone();
  me.expected = AWAY;
  // The service worker does not cache the computer; it comes from the server.
  await me.context.route('**/worker.js', (route) => route.abort());
  await me.context.route('**/hansu_computer-*', (route) => route.abort());
  await me.page.goto('/');
  await begin(me);
  await mate(me);
  await me.page.getByRole('link', { name: 'Review' }).click();
  await me.button('Analyse this game').click();
  await expect(me.page.getByRole('alert').filter({ hasText: 'computer' })).toHaveText(
    'The computer could not be loaded. Please try again.',
  );
  await me.context.unroute('**/hansu_computer-*');
  await me.button('Analyse this game').click();
  await expect(me.button(/^White’s chances through the game/)).toBeVisible();
});

test('two tabs make one analysis', async ({ someone }) => {
  const me = await someone();
  await me.page.goto('/');
  await waitForCache(me);
  const game = await begin(me);
  await mate(me);
  await me.page.goto(`/games/${game}`);
  const other = await me.tab();
  await other.page.goto(`/games/${game}`);
  // Both have found no analysis yet: one that was begun in another tab is not asked for again.
  await expect(other.button('Analyse this game')).toBeVisible();
  await me.button('Analyse this game').click();
  await other.button('Analyse this game').click();
  for (const one of [me, other]) {
    await expect(one.button(/^White’s chances through the game/)).toBeVisible();
  }
});

for (const { lang, theme, width } of [
  { lang: 'ko', theme: 'light', width: 390 },
  { lang: 'en', theme: 'dark', width: 1280 },
] as const) {
  test(`its page is readable and usable: ${theme}, ${lang}, ${width} wide`, async ({ someone }) => {
    const viewport = { width, height: 844 };
    const me = await someone({ lang, settings: { theme }, options: { viewport } });
    await me.page.goto('/');
    const game = await begin(me);
    await mate(me);
    await me.page.goto(`/games/${game}#3`);
    await me.button(/^(Analyse this game|이 게임 분석하기)$/).click();
    await expect(me.page.locator('.lesson')).toBeVisible();
    await expect(me.page.locator('#kept-title')).toBeVisible();
    expect(await faults(me)).toEqual([]);
    expect(await overflow(me)).toBe(0);
  });
}
