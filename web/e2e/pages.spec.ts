// The pages around a game: home, invitation, lobby, local games with names, settings, languages.
import { networkInterfaces } from 'node:os';
import { Hansu } from './hansu';
import { expect, shared, sharing, test } from './people';
import type { Made } from '../src/wire';

test.use({ kept: true });

test('home: one click to a first move', async ({ someone }) => {
  const me = await someone();
  await me.page.goto('/');
  await expect(me.page.locator('.way b')).toHaveText([
    'Play the computer',
    'Play on this screen',
    'Invite a friend',
    'Find an opponent',
  ]);
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
  await me.drag('e2', 'e4');
  await me.page.waitForURL(/\/game\//);
  await expect(me.plies).toHaveText(['e4']);
  await expect(me.status).toHaveText("BLACK'S TURN");
});

test('the computer: level and resigning are chosen and remembered, it answers, and plays a rematch', async ({
  someone,
}) => {
  const me = await someone();
  await me.page.goto('/');
  await me.page.getByRole('link', { name: /Play the computer/ }).click();
  await expect(me.page.getByRole('heading', { level: 2 })).toHaveText('Play the computer');
  await me.page.locator('label', { hasText: 'Rabbit' }).click();
  const resigns = me.page.getByRole('checkbox', { name: /resigns a lost game/ });
  await expect(resigns).not.toBeChecked();
  await resigns.check();
  await me.page.getByText('White', { exact: true }).click();
  await me.page.getByRole('button', { name: 'Start the game' }).click();
  await me.page.waitForURL(/\/game\//);
  await expect(me.page.getByText('Rabbit').first()).toBeVisible();
  await me.drag('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  await expect(me.status).toHaveText("WHITE'S TURN");
  await me.drag('d2', 'd3');
  await expect(me.plies).toHaveCount(4);
  await me.page.reload();
  await expect(me.plies).toHaveCount(4);
  await me.page.goto('/#computer');
  await expect(me.page.getByRole('radio', { name: /Rabbit/ })).toBeChecked();
  await expect(resigns).toBeChecked();
});

test('a game under way is one click away from home, and the tab says whose turn it is', async ({
  pair,
}) => {
  const { white, game } = await pair();
  await expect(white.page).toHaveTitle(/Your turn/);
  await white.move('e2', 'e4');
  await expect(white.page).not.toHaveTitle(/Your turn/);
  await white.page.goto('/');
  await expect(white.page.getByText('Your games in progress')).toBeVisible();
  await white.page.getByRole('link', { name: /Anna – Ben.*Black to move/ }).click();
  await white.page.waitForURL(new RegExp(`/game/${game}`));
  await expect(white.plies).toHaveText(['e4']);
});

test('home: an illegal first move is explained', async ({ someone }) => {
  const me = await someone();
  await me.page.goto('/');
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
  await me.press('a1');
  await me.press('a5');
  await expect(me.page.locator('.hint')).toContainText('a2');
  await expect(me.page.locator('.proof')).toHaveCount(1);
});

test('the invite card opens a server on this machine alone to the local network', async ({
  browser,
}) => {
  const hansu = await Hansu.start();
  try {
    const context = await browser.newContext({ baseURL: hansu.url, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto('/#friend');
    await page.getByRole('button', { name: 'Create invite link' }).click();
    const link = page.getByLabel('Invite link', { exact: true });
    await expect(link).toHaveValue(/127\.0\.0\.1/);
    await page.getByRole('button', { name: 'Open to the local network' }).click();
    const networks = Object.values(networkInterfaces()).flat();
    if (networks.some((one) => one?.family === 'IPv4' && !one.internal)) {
      await expect(link).not.toHaveValue(/127\.0\.0\.1/);
      await expect(page.getByText('This link opens on this computer only')).toHaveCount(0);
      const address = await link.inputValue();
      // A reload keeps the link, and the friend joins by it.
      await page.reload();
      await expect(link).toHaveValue(address);
      const friend = await (await browser.newContext()).newPage();
      await friend.goto(address);
      await friend.getByRole('main').getByRole('button').click();
      await friend.waitForURL(/\/game\//);
      expect(new URL(friend.url()).host).toBe(new URL(address).host);
      await expect(page.getByTestId('status')).toHaveText(/TURN/);
      await friend.context().close();
    } else {
      // Without a network the page says how to start the server for one.
      await expect(page.getByText('hansu serve --lan')).toBeVisible();
    }
    await context.close();
  } finally {
    await hansu.stop();
  }
});

test('a friend is invited by link, with a QR code', async ({ someone }) => {
  const me = await someone();
  await me.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await me.page.goto('/');
  await me.page.getByRole('link', { name: /Invite a friend/ }).click();
  await me.page.getByLabel('Your name').fill('Mina');
  await me.page.getByText('White', { exact: true }).click();
  await me.page.getByText('3+2', { exact: true }).click();
  await me.button('Create invite link').click();
  await expect(me.page.getByRole('img', { name: 'QR code of the invite link' })).toBeVisible();
  // The test server listens on this machine only, and the page says so.
  await expect(me.page.getByText('This link opens on this computer only')).toBeVisible();
  await me.button('Copy link').click();
  await expect(me.button('Copied')).toBeVisible();
  const link = await me.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/join\/\S+$/);
  // A reload keeps the link.
  await me.page.reload();
  await expect(me.page.getByLabel('Invite link', { exact: true })).toHaveValue(link);

  const friend = await someone({ lang: 'ko' });
  await friend.page.goto(link);
  await expect(friend.page.getByRole('heading', { level: 1 })).toContainText('Mina');
  await friend.page.getByRole('textbox').fill('준');
  await friend.page.getByRole('main').getByRole('button').click();
  await friend.page.waitForURL(/\/game\//);
  me.side = 'white';
  friend.side = 'black';
  await me.move('e2', 'e4');
  await friend.move('e7', 'e5');
  await expect(me.plies).toHaveText(['e4', 'e5']);
  await expect(me.page.getByText('준', { exact: true })).toBeVisible();
  await expect(me.page.getByRole('timer')).toHaveCount(2);
  // For both players the same link leads to the board.
  for (const player of [me, friend]) {
    player.expected = /410/;
    await player.page.goto(link);
    await player.page.waitForURL(/\/game\//);
    await expect(player.plies).toHaveText(['e4', 'e5']);
  }
  // A third person reads what happened.
  const late = await someone();
  late.expected = /410/;
  await late.page.goto(link);
  await expect(late.page.getByRole('heading', { level: 1 })).toHaveText(
    'This invitation can’t be used',
  );
  await expect(late.page.getByText('has already been used')).toBeVisible();
});

test('a used invitation to a public game lets others watch', async ({ someone }) => {
  const me = await someone();
  const made = (await me.post('/api/games', { with: 'friend', visibility: 'public' })) as Made;
  const link = `/join/${made.invitation}`;
  // The host waits at the board, also when opening the link.
  await me.page.goto(link);
  await me.page.waitForURL(/\/game\//);
  const friend = await someone();
  await friend.post(`/api/invitations/${made.invitation}`, { name: 'Jun' });
  const late = await someone();
  late.expected = /410/;
  await late.page.goto(link);
  await late.page.getByRole('link', { name: 'Watch the game' }).click();
  await late.page.waitForURL(new RegExp(`/game/${made.game}`));
  await expect(late.page.getByRole('grid')).toBeVisible();
});

test('an invitation is shared by the dialog of the device', async ({ someone }) => {
  const me = await someone();
  await me.page.goto('/#friend');
  await me.button('Create invite link').click();
  await expect(me.button('Copy link')).toBeVisible();
  await expect(me.button('Share link')).toHaveCount(0);
  await sharing(me);
  await me.page.reload();
  const link = await me.page.getByLabel('Invite link', { exact: true }).inputValue();
  await me.button('Share link').click();
  const message = 'A game of chess? Open this link to play with me.';
  await expect.poll(() => shared(me)).toEqual([{ title: 'Hansu', text: message, url: link }]);
  // The dialog is closed without sharing: the page stays as it was.
  await me.page.evaluate(() => {
    navigator.share = () => Promise.reject(new DOMException('closed', 'AbortError'));
  });
  await me.button('Share link').click();
  await expect(me.button('Share link')).toBeEnabled();
});

test('an invitation is withdrawn', async ({ someone }) => {
  const me = await someone();
  me.expected = /WebSocket|404/;
  await me.page.goto('/#friend');
  await me.button('Create invite link').click();
  await me.button('Withdraw').click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('There is no such game');
});

test('the lobby pairs two players, and lists their game for others', async ({ someone }) => {
  const [one, two, guest] = [await someone(), await someone(), await someone()];
  await one.page.goto('/lobby');
  await one.page.getByLabel('Your name').fill('Han');
  await one.page.getByText('White', { exact: true }).click();
  await one.button('Look for an opponent').click();
  await expect(one.page.getByText(/^Looking for an opponent/)).toBeVisible();
  await two.page.goto('/lobby');
  await two.page.getByLabel('Your name').fill('Su');
  const seek = two.page.getByRole('listitem').filter({ hasText: 'Han' });
  await seek.getByRole('button', { name: 'Play' }).click();
  await Promise.all([one, two].map(({ page }) => page.waitForURL(/\/game\//)));
  one.side = 'white';
  two.side = 'black';
  await one.move('e2', 'e4');
  await two.move('c7', 'c5');
  await guest.page.goto('/lobby#watch');
  await guest.page.getByRole('link', { name: /Han – Su/ }).click();
  await expect(guest.plies).toHaveText(['e4', 'c5']);
});

test('a local game with names and clocks, turned to the side to move, and restarted', async ({
  someone,
}) => {
  const me = await someone();
  await me.page.goto('/#local');
  await me.page.getByLabel("White's name").fill('Cho');
  await me.page.getByLabel("Black's name").fill('Dan');
  await me.page.getByText('10+5', { exact: true }).click();
  await me.page.getByLabel('Flip the board after each move').check();
  await me.button('Start the game').click();
  await me.page.waitForURL(/\/game\//);
  await expect(me.page.getByText('Cho', { exact: true })).toBeVisible();
  await expect(me.page.getByRole('timer')).toHaveCount(2);
  await me.move('e2', 'e4');
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-label', 'Chess board, Black below');
  await me.move('e7', 'e5');
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-label', 'Chess board, White below');
  // With both players on one screen a takeback needs no consent.
  await me.toolbar.getByRole('button', { name: 'Take back' }).click();
  await expect(me.plies).toHaveText(['e4']);
  const before = me.page.url();
  await me.button('More').click();
  await me.button('Start over').click();
  await me.prompt.getByRole('button', { name: 'Start over' }).click();
  await me.page.waitForURL((url) => url.href !== before && url.pathname.startsWith('/game/'));
  await expect(me.plies).toHaveCount(0);
  await expect(me.page.getByText('Dan', { exact: true })).toBeVisible();
});

test('settings take effect at once and are kept', async ({ someone, alone }) => {
  const me = await someone();
  await me.page.goto('/settings');
  const root = me.page.locator('html');
  await me.page.getByText('한국어', { exact: true }).click();
  await expect(root).toHaveAttribute('lang', 'ko');
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('설정');
  await me.page.getByText('English', { exact: true }).click();
  await expect(me.page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await me.page.getByText('Dark', { exact: true }).click();
  await expect(root).toHaveCSS('background-color', 'rgb(21, 24, 31)');
  await me.page.getByText('High contrast', { exact: true }).click();
  await me.page.getByText('Letters', { exact: true }).click();
  await me.page.getByRole('button', { name: 'Blue' }).click();
  await me.page.getByLabel('Write moves with Korean letters').check();
  await me.page.getByLabel('Coordinates on the board').uncheck();
  await me.page.reload();
  await expect(root).toHaveAttribute('data-board', 'contrast');
  await expect(root).toHaveAttribute('data-pieces', 'letter');
  await me.page.goto('/');
  await me.page.getByRole('button', { name: /Play on this screen/ }).click();
  await me.page.waitForURL(/\/game\//);
  await me.move('g1', 'f3');
  await expect(me.plies).toHaveText(['나f3']);
  await expect(me.page.locator('coords').first()).toBeHidden();
  await me.press('e7');
  await expect(me.mark('move-dest').first()).toHaveCSS('background-image', /157 184 242|0\.6/);
  // A change of language does not disturb a game.
  const { me: other } = await alone();
  await other.move('e2', 'e4');
  await other.page.getByRole('link', { name: 'Settings' }).click();
  await other.page.getByText('한국어', { exact: true }).click();
  await other.page.goBack();
  await expect(other.status).toHaveText('흑 차례');
});

test('a link back to the game on every page; the tab, its icon and a notification say whose turn it is', async ({
  pair,
}) => {
  const { white, black, game } = await pair();
  await white.context.addInitScript(() => {
    localStorage.setItem('hansu.settings', JSON.stringify({ notify: true }));
    Object.assign(window, { told: [] });
    const Told = function (title: string) {
      (window as unknown as { told: string[] }).told.push(title);
    };
    Object.defineProperty(window, 'Notification', {
      value: Object.assign(Told, { permission: 'granted' }),
    });
    Object.defineProperty(document, 'hidden', { get: () => 'away' in window });
  });
  await white.page.reload();
  await white.move('e2', 'e4');
  for (const path of ['/settings', '/statistics', '/games', '/lobby', '/']) {
    await white.page.goto(path);
    await white.page.getByRole('link', { name: 'Back to your game' }).click();
    await white.page.waitForURL(`**/game/${game}`);
  }
  const icon = white.page.locator('link[rel=icon]');
  await expect(icon).toHaveAttribute('href', '/icon.svg');
  // Another page, in a hidden tab.
  await white.page.locator('nav a').last().click();
  await expect(white.page.getByRole('link', { name: 'Back to your game' })).toBeVisible();
  await white.page.evaluate(() => Object.assign(window, { away: true }));
  await black.command(game, { type: 'move', uci: 'e7e5' });
  await expect(white.page).toHaveTitle(/Your turn/);
  await expect(icon).toHaveAttribute('href', /^data:image/);
  const told = () => white.page.evaluate(() => (window as unknown as { told: string[] }).told);
  await expect.poll(told).toEqual(['Your turn']);
  await white.page.getByRole('link', { name: 'Your turn: back to the game' }).click();
  await white.move('d2', 'd4');
  await expect(icon).toHaveAttribute('href', '/icon.svg');
  // A game that is over has no link back.
  await black.command(game, { type: 'resign' });
  await expect(white.end).toBeVisible();
  await white.page.locator('nav a').last().click();
  await expect(white.page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await expect(white.page.locator('.back')).toHaveCount(0);
});

test('the lobby: one click looks for a game, and the choice is remembered', async ({ someone }) => {
  const [one, other] = [await someone(), await someone({ lang: 'ko' })];
  await one.page.goto('/lobby');
  const quick = one.page.getByRole('group', { name: 'Quick pairing' }).getByRole('button');
  await expect(quick).toHaveText([
    '1+0',
    '3+2',
    '5+0',
    '10+0',
    '10+5',
    '15+10',
    '30+20',
    'No clock',
  ]);
  await quick.nth(2).click();
  await expect(one.page.getByText('Looking for an opponent (5+0)')).toBeVisible();
  await other.page.goto('/lobby');
  await other.page.getByRole('group', { name: '빠른 대국' }).getByRole('button').nth(2).click();
  await Promise.all([one, other].map(({ page }) => page.waitForURL(/\/game\//)));
  await one.page.goto('/lobby');
  await expect(quick.nth(2)).toHaveClass(/last/);
  // Other clocks, with a delay.
  await one.page.getByText('Custom').click();
  await one.page.getByLabel('Extra time').selectOption('delay');
  await one.page.getByLabel('Seconds per move').fill('5');
  await one.page.getByRole('button', { name: 'Look for an opponent' }).click();
  await expect(one.page.getByText('(20 d5)')).toBeVisible();
});

test('when the server is busy the page waits, says so, and continues by itself', async ({
  someone,
}) => {
  const me = await someone();
  me.expected = /429|503/;
  let refused = 0;
  await me.page.route('**/api/statistics*', async (route) => {
    if (++refused > 2) return route.continue();
    return route.fulfill({
      status: refused === 1 ? 429 : 503,
      headers: { 'retry-after': '1' },
      contentType: 'application/json',
      body: '{"code":"busy","text":"Later."}',
    });
  });
  await me.page.goto('/statistics');
  await expect(me.page.getByText('Trying again in a moment')).toBeVisible();
  await expect(me.page.getByText('Trying again in a moment')).toHaveCount(0);
  await expect(me.page.getByText('Later.')).toHaveCount(0);
  expect(refused).toBeGreaterThan(2);
});

test('another device becomes the same player, and is signed out again', async ({
  pair,
  someone,
}) => {
  const { white, game } = await pair();
  await white.page.goto('/settings');
  await white.page.getByRole('button', { name: 'Use Hansu on another device' }).click();
  const code = (await white.page.locator('.code').textContent()) ?? '';
  expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/);
  await expect(white.page.getByRole('img', { name: 'QR code for the other device' })).toBeVisible();

  // The link of the QR code contains the code, which is removed from the address.
  const phone = await someone();
  await phone.page.goto(`/settings#${code}`);
  await expect(phone.page.getByLabel('Code from the other device')).toHaveValue(code);
  await expect(phone.page).toHaveURL(/\/settings$/);
  await phone.page.getByRole('button', { name: 'Connect this device' }).click();
  await expect(phone.page.getByText('This device is now the same player')).toBeVisible();
  await phone.page.goto(`/game/${game}`);
  await phone.move('e2', 'e4');
  await expect(phone.plies).toHaveText(['e4']);

  const stranger = await someone();
  stranger.expected = /404/;
  await stranger.page.goto(`/settings#${code}`);
  await stranger.page.getByRole('button', { name: 'Connect this device' }).click();
  await expect(stranger.page.getByRole('alert')).toContainText('This code does not work');

  await white.page.getByRole('button', { name: 'Sign out all other devices' }).click();
  await white.page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(white.page.getByText('Only this device plays your games now')).toBeVisible();
  // The phone is only a spectator now; this device has the seat.
  await phone.page.reload();
  await expect(phone.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'true');
  await white.page.goto(`/game/${game}`);
  await expect(white.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
});
