// Help against the computer, by the server and by this browser: a hint in two steps, the opponent's
// threat, a warning before a blunder.
import type { Made } from '../src/wire';
import { AWAY, waitForCache } from './away';
import { expect, test, type Person } from './people';

test.use({ kept: true });

/** White's rook and Black's queen attack each other; White is to move. */
const FEN = '6k1/5ppp/8/8/8/8/q7/R5K1 w - - 0 1';

async function begin(
  me: Person,
  where: 'server' | 'browser' = 'server',
  white = 'White',
): Promise<void> {
  me.side = 'white';
  if (where === 'browser') {
    await me.page.goto(`/setup?${new URLSearchParams({ fen: FEN })}`);
    await me.button(/^(Against the computer|컴퓨터와 두기)$/).click();
    await me.page.getByText(white, { exact: true }).click();
    await me.button(/^(Start the game|게임 시작하기)$/).click();
    await expect(me.page).toHaveURL(/\/game\/~\w{12}$/);
  } else {
    const asked = { with: 'computer', name: 'Mina', color: 'white', level: 1, fen: FEN };
    const made = await me.post<Made>('/api/games', asked);
    await me.page.goto(`/game/${made.game}`);
  }
  await me.ready();
}
/** Requests for help; there must be none if the browser answers. */
function watched(me: Person): string[] {
  const asked: string[] = [];
  me.page.on('request', (request) => {
    if (/\/hint$/.test(request.url()) || request.method() !== 'GET') asked.push(request.url());
  });
  return asked;
}
async function choose(me: Person, name: string): Promise<void> {
  await me.toolbar.getByRole('button', { name: /More|더 보기/ }).click();
  await me.button(name).click();
}

for (const where of ['server', 'browser'] as const) {
  test(`a hint names the piece, then the move: ${where}`, async ({ someone }) => {
    const me = await someone({ settings: { level: 1 } });
    const asked = watched(me);
    await begin(me, where);
    await choose(me, 'Hint');
    await expect(me.prompt).toContainText('Look at the rook on a1.');
    // A ring around the piece, no arrow yet.
    await expect(me.page.locator('svg.arrow.ours')).toHaveAttribute('data-best', 'a1');
    await expect(me.page.locator('svg.arrow circle')).toHaveCount(1);
    await expect(me.page.locator('svg.arrow polygon')).toHaveCount(0);
    await choose(me, 'Hint');
    await expect(me.prompt).toContainText('A good move: Rxa2');
    await expect(me.page.locator('svg.arrow.ours')).toHaveAttribute('data-best', 'a1a2');
    expect((await me.said()).join(' ')).toContain('Look at the rook on a1.');
    // A move removes the arrow.
    await me.make('a1', 'a2');
    await expect(me.plies).toHaveCount(2);
    await expect(me.page.locator('svg.arrow')).toHaveCount(0);
    expect(asked.length > 0).toBe(where === 'server');
  });

  test(`a threat is drawn in red: ${where}`, async ({ someone }) => {
    const me = await someone({ lang: 'ko', options: { viewport: { width: 390, height: 844 } } });
    const asked = watched(me);
    await begin(me, where, '백');
    await choose(me, '어떤 위협이 있나요?');
    await expect(me.prompt).toContainText('컴퓨터가 노리는 수: Qxa1+');
    await expect(me.page.locator('svg.arrow.theirs')).toHaveAttribute('data-best', 'a2a1');
    if (process.env['PICTURES']) {
      await me.page.screenshot({ path: `${process.env['PICTURES']}/threat-ko-390.png` });
    }
    expect(asked.length > 0).toBe(where === 'server');
  });

  test(`the player is warned of a blunder if switched on, and can play it: ${where}`, async ({
    someone,
  }) => {
    const me = await someone({ settings: { level: 1 } });
    const asked = watched(me);
    await begin(me, where);
    // Off by default.
    await me.toolbar.getByRole('button', { name: 'More' }).click();
    const warn = me.page.getByLabel('Warn me before a blunder');
    await expect(warn).not.toBeChecked();
    await warn.check();
    if (process.env['PICTURES']) {
      await me.page.screenshot({ path: `${process.env['PICTURES']}/menu-en-1280.png` });
    }
    await me.page.locator('body').click({ position: { x: 5, y: 300 } });
    await me.make('g1', 'f1');
    await expect(me.prompt).toContainText('Make the same move again to play it anyway.');
    await expect(me.prompt).toContainText('Qxa1');
    await expect(me.plies).toHaveCount(0);
    await expect(me.square('g1')).toHaveAttribute('aria-label', /white king/);
    await expect(me.page.locator('svg.arrow.theirs')).toHaveAttribute('data-best', 'a2a1');
    if (process.env['PICTURES']) {
      await me.page.screenshot({ path: `${process.env['PICTURES']}/warning-en-1280.png` });
    }
    await me.make('g1', 'f1');
    await expect(me.plies.first()).toHaveText('Kf1');
    expect(asked.length > 0).toBe(where === 'server');
  });
}

test('help comes from this browser while the server is away', async ({ someone, hansu }) => {
  const me = await someone({ settings: { level: 1 } });
  me.expected = AWAY;
  await me.page.goto('/');
  await waitForCache(me);
  await begin(me, 'browser');
  await hansu.kill();
  await choose(me, 'What is threatened?');
  await expect(me.prompt).toContainText('The computer threatens Qxa1+');
  await choose(me, 'Hint');
  await expect(me.prompt).toContainText('Look at the rook on a1.');
  await expect(me.page.locator('svg.arrow.ours')).toHaveAttribute('data-best', 'a1');
  await me.toolbar.getByRole('button', { name: 'More' }).click();
  await me.page.getByLabel('Warn me before a blunder').check();
  await me.page.keyboard.press('Escape');
  await me.make('g1', 'h1');
  await expect(me.prompt).toContainText('Make the same move again to play it anyway.');
  await expect(me.plies).toHaveCount(0);
  // A good move is played at once.
  await me.make('a1', 'a2');
  await expect(me.plies.first()).toHaveText('Rxa2');
  await hansu.again();
});

test('if the computer cannot be loaded a hint shows an error, and moves are still played', async ({
  someone,
}) => {
  const me = await someone({ settings: { level: 1 } });
  me.expected = AWAY;
  // The service worker does not cache the computer; it comes from the server.
  await me.context.route('**/worker.js', (route) => route.abort());
  await me.context.route('**/hansu_computer-*', (route) => route.abort());
  await begin(me, 'browser');
  await choose(me, 'Hint');
  await expect(me.prompt).toContainText('The computer could not be loaded. Please try again.');
  await me.toolbar.getByRole('button', { name: 'More' }).click();
  await me.page.getByLabel('Warn me before a blunder').check();
  await me.page.keyboard.press('Escape');
  await me.move('g1', 'h1');
  await me.context.unroute('**/hansu_computer-*');
  await expect(me.plies).toHaveCount(2);
});

test('in games between people there is no help', async ({ pair }) => {
  const { white } = await pair();
  await white.toolbar.getByRole('button', { name: 'More' }).click();
  await expect(white.page.getByLabel('Mute everything')).toBeVisible();
  await expect(white.button('Hint')).toHaveCount(0);
});

test('a move is played while a hint is being asked for', async ({ someone }) => {
  const me = await someone();
  await begin(me);
  await me.toolbar.getByRole('button', { name: 'More' }).click();
  await me.page.getByLabel('Warn me before a blunder').check();
  await me.page.keyboard.press('Escape');
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await me.page.route('**/hint', async (route) => {
    await held;
    await route.continue();
  });
  await choose(me, 'Hint');
  await me.make('a1', 'a2');
  await expect(me.plies).toHaveCount(2);
  answer();
  // The late answer belongs to another position, and is not shown.
  await expect(me.prompt).not.toContainText('Look at');
});
