// A past game with the computer's analysis: requested, stepped through, a position tried again.
import { accuracies, analyse } from './lesson';
import { expect, test, type Person } from './people';

/** Imports fool's mate; returns the id. */
async function game(me: Person, white: string): Promise<string> {
  const pgn = `[White "${white}"]\n[Black "Ben"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`;
  const headers = { origin: me.hansu.url, 'content-type': 'application/vnd.chess-pgn' };
  await me.context.request.post('/api/import?visibility=public', { data: pgn, headers });
  const list = await me.context.request.get(`/api/games?white=${white}`);
  const { games } = (await list.json()) as { games: { id: string }[] };
  return games[0]?.id ?? '';
}

let count = 0;
const fresh = () => `R${process.pid}x${++count}`;

test('a past game is analysed, stepped through and tried again', async ({ someone }) => {
  const me = await someone();
  const id = await game(me, fresh());
  await me.page.goto(`/games/${id}`);
  const graph = await analyse(me);
  await expect(me.plies.nth(3)).toHaveText('Qh4#');
  await expect(me.page.locator('.now .line')).toHaveText('Best: Qh4#');
  await expect.poll(async () => (await me.said()).at(-1)).toContain('It is checkmate.');
  // The graph leads to any position; the last one has no move to try.
  const box = await graph.boundingBox();
  await graph.click({ position: { x: (box?.width ?? 0) - 2, y: 20 } });
  await expect(me.page.locator('.where')).toHaveText('Position 4 of 4');
  await expect(me.page.locator('svg.arrow')).toHaveCount(0);
  await expect(me.button('Try it yourself')).toBeDisabled();
  await accuracies(me);
  await expect(me.page.getByRole('columnheader', { name: 'Endgame' })).toBeVisible();
  // It is stored: after a reload it is shown at once, in the current language.
  await me.page.goto('about:blank');
  await me.page.goto(`/games/${id}#3`);
  await expect(me.page.locator('.lesson')).toContainText('It is checkmate.');
  await expect(me.button('Analyse this game')).toHaveCount(0);
  // The position before the blunder, against the computer.
  await me.button('Try it yourself').click();
  await expect(me.page).toHaveURL(/\/game\//);
  me.side = 'white';
  await me.ready();
  await expect(me.square('g2')).toHaveAttribute('aria-label', /^g2, white pawn/);
  await expect(me.square('f3')).toHaveAttribute('aria-label', /^f3, white pawn/);
});

test('the analysis goes on when its page is left', async ({ someone }) => {
  const me = await someone({ lang: 'ko', options: { viewport: { width: 390, height: 844 } } });
  const id = await game(me, fresh());
  await me.page.goto(`/games/${id}`);
  const asked = me.page.waitForResponse((answer) => answer.request().method() === 'POST');
  await me.button('이 게임 분석하기').click();
  await asked;
  await me.page.goto('/');
  await expect(async () => {
    const answer = await me.context.request.get(`/api/games/${id}/analysis`);
    expect(((await answer.json()) as { state: string }).state).toBe('finished');
  }).toPass();
  await me.page.goto(`/games/${id}#3`);
  await expect(me.page.locator('.lesson')).toContainText('체크메이트예요.');
  // Nothing is wider than the screen.
  const wide = await me.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
});

test('a running game offers no analysis', async ({ alone }) => {
  const { me, game } = await alone();
  await me.command(game, { type: 'move', uci: 'e2e4' });
  await me.page.goto(`/games/${game}`);
  await expect(me.page.getByText('This game is being played.')).toBeVisible();
  await expect(me.button('Analyse this game')).toHaveCount(0);
});
