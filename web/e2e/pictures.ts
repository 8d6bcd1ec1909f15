// Screenshots of the main states, in both languages, light and dark, on a phone and on a desktop.
// All are written to target/pictures; those that the documents use go to docs/pictures.
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { clock, expect, test, type Manners, type Person, type Setting } from './people';

const root = resolve(import.meta.dirname, '../..');
const all = resolve(root, 'target/pictures');
const shown = resolve(root, 'docs/pictures');

/** The pictures that the documents use, and their names there. */
const SHOWN: Record<string, string> = {
  'desk-en-light-targets': 'board',
  'desk-en-light-refused': 'refusal',
  'desk-en-dark-won': 'end',
  'desk-en-light-past': 'review',
  'desk-en-light-statistics': 'statistics',
  'phone-en-light-home': 'phone-home',
  'phone-en-dark-castling': 'phone-castling',
  'phone-en-light-invite': 'phone-invite',
  'desk-ko-light-targets': 'board.ko',
  'desk-ko-light-refused': 'refusal.ko',
  'desk-ko-dark-won': 'end.ko',
  'desk-ko-light-past': 'review.ko',
  'desk-ko-light-statistics': 'statistics.ko',
  'phone-ko-light-home': 'phone-home.ko',
  'phone-ko-dark-castling': 'phone-castling.ko',
  'phone-ko-light-invite': 'phone-invite.ko',
};

/** A picture as WebP, a quarter of the size of PNG; encoded by the browser. */
async function webp(page: Page, png: Buffer): Promise<Buffer> {
  const address = `data:image/png;base64,${png.toString('base64')}`;
  const painted = await page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.86 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return Array.from(bytes);
  }, address);
  return Buffer.from(painted);
}

const ITALIAN = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'f8c5', 'c2c3', 'g8f6', 'd2d3', 'd7d6'];

/** A year of games of a small club, to fill lists and charts. */
function club(ko: boolean): string {
  const people = ko ? ['미나', '준', '서연', '하준'] : ['Mina', 'Jun', 'Sofia', 'Noah'];
  const lines = [
    '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5',
    '1. d4 d5 2. c4 e6 3. Nc3 Nf6',
    '1. e4 c5 2. Nf3 d6 3. d4 cxd4',
    '1. e4 e6 2. d4 d5 3. Nc3 Bb4',
    '1. c4 e5 2. Nc3 Nf6 3. g3 d5',
  ];
  const results = ['1-0', '1-0', '0-1', '1/2-1/2', '1-0', '0-1', '1-0'];
  const games: string[] = [];
  for (let at = 0; at < 64; at++) {
    const white = people[at % 4];
    const black = people[(at + 1 + (at % 3)) % 4];
    const result = results[(at * 5) % results.length];
    const month = 1 + ((at * 7) % 10);
    games.push(
      `[Event "${ko ? '동네 체스 모임' : 'Chess club'}"]\n[White "${white}"]\n[Black "${black}"]\n` +
        `[Date "2026.${String(month).padStart(2, '0')}.${String(1 + (at % 28)).padStart(2, '0')}"]\n` +
        `[Result "${result}"]\n[Round "${at}"]\n\n${lines[at % lines.length]} ${result}\n`,
    );
  }
  return games.join('\n');
}

const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } } as const;

for (const size of ['desk', 'phone'] as const) {
  for (const lang of ['en', 'ko'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      test(`${size} ${lang} ${theme}`, async ({ someone, alone, pair }) => {
        test.setTimeout(180_000);
        const name = `${size}-${lang}-${theme}`;
        const manners: Manners = {
          lang,
          options: {
            viewport: SIZES[size],
            colorScheme: theme,
            reducedMotion: 'reduce',
            deviceScaleFactor: size === 'phone' ? 2 : 1,
            hasTouch: size === 'phone',
          },
        };
        const names =
          lang === 'ko' ? { white: '미나', black: '준' } : { white: 'Mina', black: 'Jun' };
        const setting: Setting = { white: manners, black: manners, names, time: clock(10, 5) };
        await mkdir(all, { recursive: true });
        await mkdir(shown, { recursive: true });
        const shot = async ({ page }: Person, what: string) => {
          // Chessground paints with the frame after next.
          await page.evaluate(
            () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
          );
          const png = await page.screenshot();
          await writeFile(`${all}/${name}-${what}.png`, png);
          const document = SHOWN[`${name}-${what}`];
          if (document) await writeFile(`${shown}/${document}.webp`, await webp(page, png));
        };

        const me = await someone(manners);
        me.expected = /404|WebSocket/;
        const visit = async (path: string, what: string) => {
          await me.page.goto('about:blank');
          await me.page.goto(path);
          await expect(me.page.getByRole('heading', { level: 1 })).toHaveText(/\S/);
          await me.page.waitForLoadState('networkidle');
          await shot(me, what);
        };
        await visit('/', 'home');
        await visit('/#friend', 'friend');
        await visit('/#local', 'local');
        await visit('/lobby', 'lobby');
        await visit('/settings', 'settings');
        await visit('/nowhere', 'missing');
        await me.page.goto('/#friend');
        await me.page.getByRole('main').locator('button.primary').click();
        await expect(me.page.locator('.qr svg, [role=img] svg, svg.qr').first()).toBeVisible();
        await shot(me, 'invite');
        const link = await me.page.locator('input.link').inputValue();
        const friend = await someone(manners);
        await friend.page.goto(link);
        await expect(friend.page.locator('form')).toBeVisible();
        await shot(friend, 'join');

        await me.context.request.post('/api/import?visibility=public', {
          data: club(lang === 'ko'),
          headers: { origin: me.hansu.url, 'content-type': 'application/vnd.chess-pgn' },
        });
        await visit('/games?whose=public', 'games');
        await visit(`/statistics?player=${encodeURIComponent(names.white)}`, 'statistics');
        await visit('/statistics', 'everybody');

        const local = await alone({ ...setting, time: { kind: 'unlimited' } });
        for (const uci of ITALIAN) await local.me.command(local.game, { type: 'move', uci });
        await local.me.kept('d6');
        await local.me.ready();
        await local.me.press('e1');
        await shot(local.me, 'castling');
        await local.me.press('h5');
        await expect(local.me.prompt.locator('.wrong')).toBeVisible();
        await shot(local.me, 'impossible');

        const { white, black, game } = await pair(setting);
        for (const [at, uci] of ITALIAN.entries()) {
          await (at % 2 ? black : white).command(game, { type: 'move', uci });
        }
        await white.command(game, {
          type: 'chat',
          text: lang === 'ko' ? '잘 부탁해요!' : 'Have a nice game!',
        });
        await white.kept('d6');
        await white.ready();
        await white.press('c4');
        await shot(white, 'targets');
        await white.press('c4');
        await black.command(game, { type: 'offer', what: 'draw' });
        await expect(white.prompt.getByRole('button')).toHaveCount(2);
        await shot(white, 'offer');
        await white.toolbar.getByRole('button').last().click();
        await shot(white, 'menu');

        const pinned = await pair({
          ...setting,
          fen: 'r1bqk1nr/pppp1ppp/2n5/4p3/1b2P3/2NP1N2/PPP2PPP/R1BQKB1R w KQkq - 1 4',
        });
        await pinned.white.ready();
        await pinned.white.press('c3');
        await pinned.white.press('d5');
        await expect(pinned.white.prompt.locator('.wrong')).toBeVisible();
        await shot(pinned.white, 'refused');

        const mate = await pair({
          ...setting,
          fen: 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4',
        });
        await mate.white.move('h5', 'f7');
        await expect(mate.white.end).toBeVisible();
        await shot(mate.white, 'won');
        await expect(mate.black.end).toBeVisible();
        await shot(mate.black, 'lost');
        await mate.white.page.goto(`/games/${mate.game}`);
        await expect(mate.white.plies).toHaveCount(1);

        const asking = await alone({ ...setting, fen: '3r4/P6k/8/8/8/8/8/K7 w - - 0 1' });
        await asking.me.press('a7');
        await asking.me.press('a8');
        await expect(asking.me.page.locator('.choices button')).toHaveCount(4);
        await shot(asking.me, 'promotion');

        for (const [at, uci] of ['e1g1', 'e8g8', 'b1d2', 'a7a6', 'c4b3', 'c8e6'].entries()) {
          await (at % 2 ? black : white).command(game, { type: 'move', uci });
        }
        await white.command(game, { type: 'resign' });
        await white.page.goto(`/games/${game}#8`);
        await expect(white.plies).toHaveCount(16);
        await white.page.waitForLoadState('networkidle');
        await shot(white, 'past');
      });
    }
  }
}
