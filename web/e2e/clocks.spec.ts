// Clocks: gifts of time, different times for each side, delays.
import { clock, expect, test, type Person } from './people';
import type { TimeControl } from '../src/wire';

/** Expects both clocks' texts, White's first. */
const clocks = async ({ page }: Person, white: string, black: string): Promise<void> => {
  await expect(page.getByRole('timer', { name: /^(White|백):/ })).toHaveText(white);
  await expect(page.getByRole('timer', { name: /^(Black|흑):/ })).toHaveText(black);
};

test('a player gives the other fifteen seconds, by hand and by key', async ({ pair, someone }) => {
  const { white, black, game } = await pair({ time: clock(5), black: { lang: 'ko' } });
  const watcher = await someone();
  await watcher.page.goto(`/game/${game}`);
  // First moves are free: no clock runs while the texts are read.
  await clocks(white, '5:00', '5:00');
  await clocks(watcher, '5:00', '5:00');
  const give = white.button('Give Ben 15 seconds');
  await give.click();
  for (const one of [white, black, watcher]) await clocks(one, '5:00', '5:15');
  await expect(white.prompt).toHaveText('Ben got 15 more seconds.');
  await expect(black.prompt).toHaveText('Ben 님이 15초를 더 받았어요.');
  await expect.poll(() => watcher.said()).toContain('Ben got 15 more seconds.');
  await expect.poll(() => black.said()).toContain('Ben 님이 15초를 더 받았어요.');
  // By keyboard: on the button, and from anywhere.
  await give.press('Enter');
  await clocks(black, '5:00', '5:30');
  await expect(black.button('Anna 님에게 15 초 주기')).toBeVisible();
  await black.page.keyboard.press('+');
  for (const one of [white, black, watcher]) await clocks(one, '5:15', '5:30');
  // Players cannot give time to themselves, and spectators cannot give any.
  await expect(white.button('Give Anna 15 seconds')).toHaveCount(0);
  await expect(watcher.button(/Give/)).toHaveCount(0);
  await watcher.page.keyboard.press('+');
  // A takeback does not take the gift back, and a spectator who comes later sees the same times.
  await white.move('e2', 'e4');
  await white.command(game, { type: 'give_time', to: 'black' });
  await white.command(game, { type: 'offer', what: 'takeback' });
  await black.command(game, { type: 'accept', what: 'takeback' });
  for (const one of [white, black, watcher]) await clocks(one, '5:15', '5:45');
  await white.page.reload();
  await clocks(white, '5:15', '5:45');
});

test('on one screen either clock can be given time', async ({ alone }) => {
  const { me } = await alone({ time: clock(5) });
  await me.button('Give Ben 15 seconds').click();
  await clocks(me, '5:00', '5:15');
  await me.button('Give Anna 15 seconds').click();
  await clocks(me, '5:15', '5:15');
});

test('nothing is given where no clock counts down', async ({ alone }) => {
  for (const time of [{ kind: 'unlimited' }, { kind: 'correspondence', days: 3 }] as const) {
    const { me } = await alone({ time });
    await me.move('e2', 'e4');
    await expect(me.button(/15 seconds/)).toHaveCount(0);
  }
});

test('White and Black have different times, which stay with the players', async ({ someone }) => {
  const me = await someone();
  await me.page.goto('/#friend');
  await me.page.getByLabel('Your name').fill('Mina');
  await me.page.getByText('White', { exact: true }).click();
  await me.page.getByText('Custom').click();
  await expect(me.page.getByLabel('Minutes')).toHaveCount(1);
  await me.page.getByLabel('Different times for White and Black').check();
  await me.page.getByLabel('White: Minutes').fill('3');
  await me.page.getByLabel('White: Seconds per move').fill('2');
  await me.page.getByLabel('Black: Minutes').fill('10');
  await me.page.getByLabel('Black: Extra time').selectOption('delay');
  await me.page.getByLabel('Black: Seconds per move').fill('5');
  await me.button('Create invite link').click();
  const link = await me.page.getByLabel('Invite link', { exact: true }).inputValue();

  const friend = await someone({ lang: 'ko' });
  await friend.page.goto(link);
  await expect(friend.page.getByText('백 3+2 · 흑 10 d5')).toBeVisible();
  await friend.page.getByRole('textbox').fill('Jun');
  await friend.page.getByRole('main').getByRole('button').click();
  for (const one of [me, friend]) await clocks(one, '3:00', '10:00');
  await expect(me.page.getByText('White 3+2 · Black 10 d5')).toBeVisible();
  const game = new URL(me.page.url()).pathname.split('/').at(-1) ?? '';
  me.side = 'white';
  await me.move('e2', 'e4');
  await me.command(game, { type: 'resign' });
  await friend.end.getByRole('button', { name: '재대국' }).click();
  await me.end.getByRole('button', { name: 'Accept' }).click();
  await me.page.waitForURL((url) => !url.pathname.endsWith(game));
  // Jun has White now, and still ten minutes.
  for (const one of [me, friend]) await clocks(one, '10:00', '3:00');
  await expect(me.page.getByText('White 10 d5 · Black 3+2')).toBeVisible();

  const pgn = await (await me.context.request.get(`/api/games/${game}/pgn`)).text();
  expect(pgn).toContain('[WhiteTimeControl "180+2"]\n');
  expect(pgn).toContain('[BlackTimeControl "600"]\n');
  expect(pgn).not.toContain('[TimeControl ');
  await me.page.goto(`/games/${game}`);
  await expect(me.page.getByText('White 3+2 · Black 10', { exact: true })).toBeVisible();
});

test('with a delay a clock waits before it runs', async ({ pair }) => {
  const time: TimeControl = {
    kind: 'clock',
    stages: [{ time: 300_000, bonus: { delay: 600_000 } }],
  };
  const { white, black } = await pair({ time });
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  const timer = white.page.getByRole('timer', { name: /^White/ });
  await expect(white.status).toHaveText("WHITE'S TURN");
  await expect(timer).not.toHaveClass(/running/);
  // A move within the delay costs no time, and no time is added.
  await white.move('g1', 'f3');
  await black.move('b8', 'c6');
  for (const one of [white, black]) await clocks(one, '5:00', '5:00');
});
