// The link back to the game under way, from every other page and at every size.
import { expect, test } from './people';
import type { Made, NewGame } from '../src/wire';

const SIZES = [
  [320, 568],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1024, 768],
  [1440, 900],
  [2560, 1440],
] as const;

for (const path of ['/settings', '/statistics', '/games']) {
  test(`${path} has a link back to the game under way`, async ({ pair }) => {
    const { white } = await pair({ white: { lang: 'ko' } });
    const game = white.page.url();
    await white.page.goto(path);
    const back = white.page.getByRole('link', { name: '내 차례예요 · 게임으로' });
    await expect(back).toBeVisible();
    await expect(white.page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const [width, height] of SIZES) {
      await white.page.setViewportSize({ width, height });
      for (const to of ['top', 'bottom'] as const) {
        await white.page.evaluate((to) => {
          scrollTo(0, to === 'top' ? 0 : document.documentElement.scrollHeight);
        }, to);
        await expect(back).toBeInViewport({ ratio: 1 });
        const covered = await back.evaluate((link) => {
          const { left, top, width, height } = link.getBoundingClientRect();
          const there = document.elementFromPoint(left + width / 2, top + height / 2);
          return there !== link && !link.contains(there);
        });
        expect({ path, width, height, to, covered }).toEqual({
          path,
          width,
          height,
          to,
          covered: false,
        });
      }
      // At the end of the page the link covers nothing that can be used.
      const under = await back.evaluate((link) => {
        const own = link.getBoundingClientRect();
        const all = document.querySelectorAll('main a, main button, main input, main select');
        return [...all].flatMap((one) => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          const [x, y] = [(left + right) / 2, (top + bottom) / 2];
          const within = x >= own.left && x <= own.right && y >= own.top && y <= own.bottom;
          return within && one.checkVisibility() ? [one.outerHTML.slice(0, 80)] : [];
        });
      });
      expect({ path, width, height, under }).toEqual({ path, width, height, under: [] });
    }
    // By keyboard: the link comes soon after those of the header, and Enter follows it.
    await white.page.setViewportSize({ width: 1280, height: 800 });
    await white.page.evaluate(() => {
      scrollTo(0, 0);
      (document.activeElement as HTMLElement | null)?.blur();
    });
    for (let presses = 0; presses < 9; presses++) {
      await white.page.keyboard.press('Tab');
      if (await back.evaluate((link) => link === document.activeElement)) break;
    }
    await expect(back).toBeFocused();
    await white.page.keyboard.press('Enter');
    await expect(white.page).toHaveURL(game);
    await white.ready();
  });
}

test('the link back says whose turn it is, and disappears when the game is over', async ({
  pair,
}) => {
  const { white, black, game } = await pair();
  await black.page.goto('/games');
  await expect(black.page.getByRole('link', { name: 'Back to your game' })).toBeVisible();
  await white.command(game, { type: 'move', uci: 'e2e4' });
  await expect(black.page.getByRole('link', { name: 'Your turn: back to the game' })).toBeVisible();
  await white.command(game, { type: 'resign' });
  await expect(black.page.locator('a.back')).toHaveCount(0);
});

test('a game of this browser has a link back as well', async ({ someone }) => {
  const me = await someone();
  await me.page.goto('/');
  await me.move('e2', 'e4');
  const game = me.page.url();
  expect(game).toContain('/game/~');
  await me.page.goto('/statistics');
  await me.page.getByRole('link', { name: 'Back to your game' }).click();
  await expect(me.page).toHaveURL(game);
  await expect(me.square('e4')).toHaveAttribute('aria-label', /white pawn/);
});

test('home lists the player’s own turns first, and of those the game with the least time', async ({
  someone,
}) => {
  const [me, friend] = [await someone(), await someone()];
  const begin = async (days: number, color: 'white' | 'black'): Promise<string> => {
    const made = await me.post<Made>('/api/games', {
      with: 'friend',
      name: 'Mina',
      color,
      time: { kind: 'correspondence', days },
      variant: 'standard',
      visibility: 'private',
      spectators: 'chat',
    } satisfies Partial<NewGame>);
    await friend.post(`/api/invitations/${made.invitation}`, { name: `Ben ${days}` });
    return made.game;
  };
  await begin(3, 'white');
  const short = await begin(1, 'white');
  await begin(7, 'white');
  await begin(2, 'black');
  await me.page.goto('/');
  const names = me.page.locator('.running b');
  const times = me.page.locator('.running small');
  await expect(names).toHaveText(['Mina – Ben 1', 'Mina – Ben 3', 'Mina – Ben 7', 'Ben 2 – Mina']);
  await expect(times).toHaveText([
    /^Your turn · 2[34] h \d+ min left$|^Your turn · 1 d 0 h left$/,
    /^Your turn · (2 d 23 h|3 d 0 h) left$/,
    /^Your turn · (6 d 23 h|7 d 0 h) left$/,
    /^White to move · (1 d 23 h|2 d 0 h) left$/,
  ]);
  // After the move the game comes behind those in which it is the player's turn.
  await me.command(short, { type: 'move', uci: 'e2e4' });
  await me.page.reload();
  await expect(names).toHaveText(['Mina – Ben 3', 'Mina – Ben 7', 'Mina – Ben 1', 'Ben 2 – Mina']);
});
