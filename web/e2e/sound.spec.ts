// Sounds: none before the first touch, then one for each kind of event, and music when it is
// switched on.
import { clock, expect, test, type Person } from './people';

test.use({ kept: true });

/** A frequency that only this sound has; see src/sound/effects.ts. */
const PITCH = {
  move: 190,
  capture: 130,
  check: 784,
  castling: 2600,
  refused: 165,
  low_time: 3800,
  chat: 880,
  offer: 659,
};

async function hears(who: Person, cue: keyof typeof PITCH): Promise<void> {
  await expect
    .poll(() => who.page.evaluate((pitch) => window.heard.includes(pitch), PITCH[cue]), {
      message: cue,
    })
    .toBe(true);
  await who.heard();
}

test('silence until the page is touched, then a sound for everything', async ({ pair }) => {
  const { white, black, game } = await pair({
    fen: 'r3k3/6P1/8/8/8/8/p7/R3K2R w KQq - 0 1',
  });
  // Black's page was never touched.
  await white.move('e1', 'g1');
  await black.kept('g1');
  expect(await black.page.evaluate(() => window.speakers)).toBe(0);
  // The first touch of White's page starts the sound; later moves are heard.
  await expect.poll(() => white.page.evaluate(() => window.speakers)).toBe(1);
  await white.heard();
  await black.command(game, { type: 'move', uci: 'e8c8' });
  await hears(white, 'castling');
  await white.ready();
  await white.press('g7');
  await white.press('g8');
  await white.page.getByRole('button', { name: 'white queen' }).click();
  await white.kept('g8');
  // A promotion has bells, far above any knock.
  await expect
    .poll(() => white.page.evaluate(() => Math.max(...window.heard)))
    .toBeGreaterThan(4000);
  await white.heard();
  await black.command(game, { type: 'move', uci: 'd8g8' });
  await hears(white, 'capture');
  await white.ready();
  await white.press('a1');
  await white.press('c3');
  await hears(white, 'refused');
  await white.move('g1', 'h1');
  await hears(white, 'move');
  await black.command(game, { type: 'chat', text: 'hello' });
  await hears(white, 'chat');
  await black.command(game, { type: 'offer', what: 'draw' });
  await hears(white, 'offer');
  await black.command(game, { type: 'resign' });
  // The end is a phrase of several bells.
  await expect.poll(() => white.page.evaluate(() => window.heard.length)).toBeGreaterThan(8);
});

test('the first move is heard, even if the sounds are loaded late', async ({ alone }) => {
  // Without a service worker, which would serve the sounds before the test can delay them.
  const { me } = await alone({ white: { options: { serviceWorkers: 'block' } } });
  me.expected = /reading 'addEventListener'/;
  let release: () => void = () => undefined;
  const released = new Promise<void>((done) => (release = done));
  const held: string[] = [];
  await me.context.route(/\/(begin|effects)-[^/]*\.js$/, async (route) => {
    held.push(route.request().url());
    await released;
    await route.continue();
  });
  await me.page.reload();
  await me.move('e2', 'e4');
  expect(await me.heard()).toEqual([]);
  expect(held.length).toBeGreaterThan(0);
  release();
  await hears(me, 'move');
});

test('check and little time are heard; with mute there is no sound', async ({ pair }) => {
  const { white, black } = await pair({
    fen: '4k3/8/p7/8/8/8/8/R3K2R w - - 0 1',
    time: clock(0.25),
    black: { settings: { mute: true } },
  });
  await white.move('a1', 'a2');
  await black.move('e8', 'd8');
  await expect.poll(() => white.page.evaluate(() => window.speakers)).toBe(1);
  await white.move('h1', 'h8');
  await hears(white, 'check');
  await black.move('d8', 'd7');
  await expect(white.status).toHaveText('BLACK WINS!', { timeout: 40_000 });
  await hears(white, 'low_time');
  expect(await black.page.evaluate(() => window.speakers)).toBe(1);
  expect(await black.heard()).toEqual([]);
});

test('music is off until asked for, plays during a game, and stops with mute', async ({
  alone,
}) => {
  const { me } = await alone();
  await me.move('e2', 'e4');
  await expect.poll(() => me.page.evaluate(() => window.heard.length)).toBeGreaterThan(0);
  expect(await me.page.evaluate(() => window.plucked)).toBe(0);
  await me.page.getByRole('link', { name: 'Settings' }).click();
  await me.page.getByLabel('Play music during games').check();
  await expect(me.page.getByRole('slider', { name: 'Effects' })).toBeVisible();
  await expect(me.page.getByRole('slider', { name: 'Music' })).toBeVisible();
  await me.page.goBack();
  await expect.poll(() => me.page.evaluate(() => window.plucked)).toBeGreaterThan(0);
  // With effects at volume 0 the music continues and moves are silent.
  await me.page.getByRole('link', { name: 'Settings' }).click();
  await me.page.getByRole('slider', { name: 'Effects' }).fill('0');
  await me.page.goBack();
  await me.heard();
  await me.move('e7', 'e5');
  expect(await me.heard()).not.toContain(PITCH.move);
});

test('music and effects have switches of their own in the game', async ({ pair }) => {
  const { white, game, black } = await pair();
  await white.move('e2', 'e4');
  await white.button('More').click();
  await white.page.getByLabel('Sound effects').uncheck();
  await white.page.getByLabel('Music', { exact: true }).check();
  await expect(white.page.getByLabel('Music volume')).toBeVisible();
  await expect.poll(() => white.page.evaluate(() => window.plucked)).toBeGreaterThan(0);
  await white.page.keyboard.press('Escape');
  await white.heard();
  await black.command(game, { type: 'move', uci: 'e7e5' });
  await white.ready();
  expect(await white.heard()).toEqual([]);
});
