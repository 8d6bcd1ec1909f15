// Screens of every size: no overflow, no layout shifts, large touch targets, and no axe-core
// violations on any page, in both languages, light and dark, on a phone and on a desktop.
import { faults, overflow } from './axe';
import { clock, expect, test, type Manners, type Person } from './people';

declare global {
  interface Window {
    /** The sum of layout shifts. */
    jumped: number;
  }
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

/** Themes, languages and sizes, so that each pair of values occurs once. */
const WAYS = [
  { theme: 'light', lang: 'en', size: PHONE },
  { theme: 'light', lang: 'ko', size: DESK },
  { theme: 'dark', lang: 'en', size: DESK },
  { theme: 'dark', lang: 'ko', size: PHONE },
] as const;

for (const { theme, lang, size } of WAYS) {
  test(`axe-core finds nothing: ${theme}, ${lang}, ${size.width} wide`, async ({
    someone,
    alone,
    pair,
  }) => {
    test.setTimeout(480_000);
    const manners: Manners = {
      lang,
      options: {
        viewport: size,
        colorScheme: theme,
        reducedMotion: 'reduce',
        hasTouch: size === PHONE,
      },
    };
    const me = await someone(manners);
    me.expected = /404|WebSocket/;
    const sound = async (who: Person, what: string) => {
      expect.soft(await faults(who), what).toEqual([]);
      expect.soft(await overflow(who), `${what} is too wide`).toBeLessThanOrEqual(0);
    };
    const heading = me.page.getByRole('heading', { level: 1 });
    for (const path of [
      '/',
      '/#friend',
      '/#local',
      '/lobby',
      '/games',
      '/statistics',
      '/settings',
      '/nowhere',
      '/game/0aBcDeFgHiJk',
      '/join/0aBcDeFgHiJkLmNoPqRsTu',
    ]) {
      await me.page.goto('about:blank');
      await me.page.goto(path);
      await expect(heading).toHaveText(/\S/);
      // A button that is being enabled is between two colours.
      if (path === '/lobby') await expect(me.page.locator('button.primary')).toBeEnabled();
      await sound(me, path);
    }

    await me.page.goto('/#friend');
    await me.page.getByRole('main').locator('button.primary').click();
    await expect(me.page.locator('input.link')).toHaveValue(/join/);
    await sound(me, 'an invitation');
    const friend = await someone(manners);
    await friend.page.goto(await me.page.locator('input.link').inputValue());
    await expect(friend.page.locator('form')).toBeVisible();
    await sound(friend, 'who was invited');

    const local = await alone({ white: manners, time: clock(10) });
    await local.me.press('e2');
    await sound(local.me, 'a piece selected');
    await local.me.press('e5');
    await expect(local.me.prompt.locator('.wrong')).toBeVisible();
    await sound(local.me, 'a refusal');
    for (const uci of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) {
      await local.me.command(local.game, { type: 'move', uci });
    }
    await expect(local.me.end).toBeVisible();
    await sound(local.me, 'the end');
    await local.me.page.goto(`/games/${local.game}`);
    await expect(local.me.plies).toHaveCount(4);
    await sound(local.me, 'a past game');
    await local.me.page.locator('.teacher button.ask').click();
    await expect(local.me.page.locator('button.graph')).toBeVisible();
    await local.me.plies.nth(2).click();
    await expect(local.me.page.locator('.lesson')).toBeVisible();
    await local.me.page.locator('.teacher summary').click();
    await sound(local.me, 'an analysed game');
    await local.me.page.goto('/games');
    await expect(local.me.page.locator('li a').first()).toBeVisible();
    await sound(local.me, 'the list');
    await local.me.page.goto('/statistics?player=Ben');
    await expect(local.me.page.locator('h2').nth(1)).toBeVisible();
    await sound(local.me, 'charts');

    const { white, black } = await pair({ white: manners, black: manners, time: clock(10) });
    await white.move('e2', 'e4');
    await black.toolbar.getByRole('button').nth(1).click();
    await black.prompt.getByRole('button').first().click();
    await expect(white.prompt.getByRole('button')).toHaveCount(2);
    await sound(white, 'an offer');
    await white.toolbar.getByRole('button').last().click();
    await sound(white, 'the menu');

    const asking = await alone({ fen: '8/P6k/8/8/8/8/8/K7 w - - 0 1', white: manners });
    await asking.me.press('a7');
    await asking.me.press('a8');
    await expect(asking.me.page.locator('.choices.bottom, .choices').first()).toBeVisible();
    await sound(asking.me, 'a promotion');
  });
}

test('a game on a phone, by touch; the board goes from edge to edge', async ({ pair }) => {
  const phone: Manners = {
    lang: 'ko',
    options: { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  };
  const { white, black } = await pair({ white: phone, black: phone, time: clock(5) });
  const box = await white.page.getByRole('grid').boundingBox();
  expect(box?.width).toBeGreaterThanOrEqual(384);
  const tap = async (who: Person, square: string) => {
    const { x, y } = await who.centre(square);
    await who.page.touchscreen.tap(x, y);
  };
  for (const [who, from, to] of [
    [white, 'e2', 'e4'],
    [black, 'd7', 'd5'],
    [white, 'e4', 'd5'],
  ] as const) {
    await who.ready();
    await tap(who, from);
    await tap(who, to);
    await who.kept(to);
  }
  await expect(black.plies).toHaveText(['e4', 'd5', 'exd5']);
  // The chat opens as a bottom sheet.
  await white.button('채팅').click();
  await white.page.getByRole('complementary').getByRole('textbox').fill('안녕');
  await white.page.keyboard.press('Enter');
  await white.page.keyboard.press('Escape');
  await expect(black.page.locator('.chat .count')).toHaveText('1');
  expect(await overflow(white)).toBeLessThanOrEqual(0);
});

test('every touch target has 44 pixels', async ({ someone, alone }) => {
  const phone: Manners = { options: { viewport: PHONE, hasTouch: true, isMobile: true } };
  const me = await someone(phone);
  const small = (who: Person) =>
    who.page.evaluate(() =>
      [...document.querySelectorAll('button, a, input:not([type=checkbox]), select, summary')]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .filter(
          (one) => !one.matches('p a, li > a:only-child, .visually-hidden, .skip, .field input'),
        )
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.height < 43.5 || box.width < 28)
        .map(({ one, box }) => `${one.outerHTML.slice(0, 80)} ${box.width}×${box.height}`),
    );
  for (const path of ['/', '/#friend', '/#local', '/lobby', '/games', '/statistics', '/settings']) {
    await me.page.goto('about:blank');
    await me.page.goto(path);
    await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(/\S/);
    expect.soft(await small(me), path).toEqual([]);
  }
  const { me: player } = await alone({ white: phone });
  await player.move('e2', 'e4');
  await player.button('More').click();
  expect.soft(await small(player), 'a game').toEqual([]);
});

test('there is no layout shift while a page loads or a game is played', async ({
  pair,
  someone,
}) => {
  const watch = (who: Person) =>
    who.context.addInitScript(() => {
      window.jumped = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, hadRecentInput } = entry as PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          };
          if (!hadRecentInput) window.jumped += value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
  const jumped = (who: Person) => who.page.evaluate(() => window.jumped);
  for (const viewport of [PHONE, { width: 1440, height: 900 }]) {
    const me = await someone({ options: { viewport } });
    await watch(me);
    for (const path of ['/', '/lobby', '/games', '/settings']) {
      await me.page.goto(path);
      await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(/\S/);
      await me.page.waitForLoadState('networkidle');
      expect.soft(await jumped(me), `${path} at ${viewport.width}`).toBeLessThan(0.02);
    }
    const { white, black, game } = await pair({
      white: { options: { viewport } },
      black: { options: { viewport } },
      time: clock(10),
    });
    await watch(white);
    await white.page.reload();
    await white.ready();
    const board = await white.page.getByRole('grid').boundingBox();
    await white.move('e2', 'e4');
    await black.command(game, { type: 'move', uci: 'd7d5' });
    await white.ready();
    await white.press('e4');
    await white.press('e7');
    await expect(white.prompt.locator('.wrong')).toBeVisible();
    await black.command(game, { type: 'offer', what: 'draw' });
    await expect(white.button('Accept')).toBeVisible();
    expect(await white.page.getByRole('grid').boundingBox()).toEqual(board);
    expect.soft(await jumped(white), `a game at ${viewport.width}`).toBeLessThan(0.02);
  }
});

test('the static content stays where it is when the scripts run', async ({ someone }) => {
  const places = ({ page }: Person) =>
    page.evaluate(() =>
      ['header .brand', 'nav a:last-child', 'h1', '.lead', '.board cg-board'].map((what) => {
        const one = document.querySelector(what);
        const { x, y, width, height } = one?.getBoundingClientRect() ?? new DOMRect();
        return [what, one?.textContent?.trim(), ...[x, y, width, height].map(Math.round)];
      }),
    );
  for (const [lang, viewport] of [
    ['en', PHONE],
    ['ko', DESK],
  ] as const) {
    const me = await someone({ lang, options: { viewport } });
    me.expected = /ERR_FAILED/;
    await me.page.route('**/assets/*.js', (route) => route.abort());
    await me.page.goto('/');
    const before = await places(me);
    await expect(me.page).toHaveTitle(lang === 'ko' ? /한수/ : /Hansu/);
    await me.page.unroute('**/assets/*.js');
    await me.page.reload();
    await expect(me.page.getByRole('grid')).toBeVisible();
    expect(await places(me)).toEqual(before);
  }
  // If another language is set, the text of the static page is not shown first.
  const me = await someone({ lang: 'ko', settings: { lang: 'en' } });
  me.expected = /ERR_FAILED/;
  await me.page.route('**/assets/*.js', (route) => route.abort());
  await me.page.goto('/');
  await expect(me.page.locator('#app h1')).toBeHidden();
  await me.page.unroute('**/assets/*.js');
  await me.page.reload();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(
    'One board, one link, one move.',
  );
});

test('phone in landscape, tablet, and a page at 200 percent: the whole board is visible', async ({
  alone,
}) => {
  for (const viewport of [
    { width: 844, height: 390 },
    { width: 820, height: 1180 },
    { width: 1180, height: 820 },
    // 1440 by 900 at 200 percent.
    { width: 720, height: 450 },
    { width: 320, height: 568 },
  ]) {
    const { me } = await alone({ white: { options: { viewport } }, time: clock(10) });
    const name = `${viewport.width}×${viewport.height}`;
    const box = await me.page.getByRole('grid').boundingBox();
    expect.soft(await overflow(me), name).toBeLessThanOrEqual(0);
    expect.soft(box?.width, name).toBeGreaterThanOrEqual(Math.min(300, viewport.height - 24));
    expect.soft((box?.y ?? 0) + (box?.height ?? 0), name).toBeLessThanOrEqual(viewport.height);
    await me.move('e2', 'e4');
    await me.move('e7', 'e5');
    await expect(me.status).toBeVisible();
    await expect(me.toolbar.getByRole('button', { name: 'Resign' })).toBeVisible();
  }
});

test('pieces are on their squares, with animation and without, also after a resize', async ({
  pair,
}) => {
  const strays = ({ page }: Person) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement & { cgKey: string }>('cg-board piece')]
        .filter((piece) => {
          const at = piece.getBoundingClientRect();
          const cell = document.querySelector(`[data-square="${piece.cgKey}"]`);
          const { x, y } = cell?.getBoundingClientRect() ?? { x: 0, y: 0 };
          return Math.hypot(at.x - x, at.y - y) > 1.5;
        })
        .map((piece) => piece.cgKey),
    );
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const manners: Manners = {
      options: { viewport: { width: 1440, height: 900 }, reducedMotion },
    };
    const { white } = await pair({ white: manners, black: manners, time: clock(10) });
    await white.ready();
    await expect.poll(() => strays(white)).toEqual([]);
    await white.page.setViewportSize({ width: 1100, height: 700 });
    await expect.poll(() => strays(white)).toEqual([]);
    await white.move('e2', 'e4');
    await expect.poll(() => strays(white)).toEqual([]);
  }
});

test('more contrast, and forced colours of the system', async ({ alone }) => {
  for (const options of [
    { contrast: 'more' as const },
    { forcedColors: 'active' as const },
    { contrast: 'more' as const, colorScheme: 'dark' as const },
  ]) {
    const { me } = await alone({ white: { options, settings: { board: 'contrast' } } });
    await me.press('e2');
    await expect(me.mark('selected')).not.toHaveCSS('box-shadow', 'none');
    await expect(me.mark('move-dest').first()).not.toHaveCSS('background-image', 'none');
    expect.soft(await faults(me), JSON.stringify(options)).toEqual([]);
  }
});

test('no animation if the user prefers reduced motion', async ({ alone }) => {
  const { me } = await alone({ white: { options: { reducedMotion: 'reduce' } } });
  await me.page.evaluate(() => {
    new MutationObserver((changes) => {
      if (changes.some(({ target }) => (target as Element).classList.contains('anim'))) {
        document.documentElement.dataset['moved'] = 'yes';
      }
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] });
  });
  await me.move('e2', 'e4');
  await me.move('e7', 'e5');
  await expect(me.page.locator('html')).not.toHaveAttribute('data-moved');
});
