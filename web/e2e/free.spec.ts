// The free board and the setup of positions: by drag, tap, keyboard, FEN and PGN; the computer's
// lines, variations, PGN output; playing from a position, and opening one from a review.
import { faults, overflow } from './axe';
import { expect, test, type Person } from './people';

const fenOf = (me: Person) =>
  me.page.evaluate(() => new URLSearchParams(location.search).get('fen'));

/** Drags a piece from the tray onto a square. */
async function drop(me: Person, piece: string, to: string): Promise<void> {
  const box = await me.button(piece).boundingBox();
  const { x, y } = await me.centre(to);
  if (!box) throw new Error(`no ${piece}`);
  await me.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await me.page.mouse.down();
  await me.page.mouse.move(x, y, { steps: 4 });
  await me.page.mouse.up();
}

test('a position is set up by drag, tap and keyboard, and errors are explained', async ({
  someone,
}) => {
  const me = await someone();
  await me.page.goto('/');
  await me.page.getByRole('link', { name: 'Set up a position' }).click();
  const verdict = me.page.locator('.verdict');
  await expect(verdict).toHaveText('This position can be played.');
  await me.button('Clear the board').click();
  await expect(verdict).toHaveText('White has no king. Black has no king.');
  await expect(me.button('Against the computer')).toBeDisabled();
  // Dragged from the tray, and on.
  await drop(me, 'white king', 'e1');
  await drop(me, 'black king', 'e7');
  await me.drag('e7', 'e8');
  await expect(me.square('e8')).toHaveAttribute('aria-label', /^e8, black king/);
  await expect(me.square('e7')).toHaveAttribute('aria-label', 'e7, empty');
  // Chosen and tapped; the same tap again removes it.
  await me.button('white rook').click();
  await me.press('h1');
  await me.press('a1');
  await me.press('a1');
  await expect(me.square('h1')).toHaveAttribute('aria-label', /^h1, white rook/);
  await expect(me.square('a1')).toHaveAttribute('aria-label', 'a1, empty');
  // Dragged off the board.
  await me.button('Move pieces').click();
  await drop(me, 'white queen', 'd4');
  const [from, beside] = [await me.centre('d4'), await me.button('white queen').boundingBox()];
  await me.page.mouse.move(from.x, from.y);
  await me.page.mouse.down();
  await me.page.mouse.move(beside?.x ?? 0, beside?.y ?? 0, { steps: 4 });
  await me.page.mouse.up();
  await expect(me.square('d4')).toHaveAttribute('aria-label', 'd4, empty');
  // Castling rights: only those that the pieces allow.
  await me.page.getByLabel('White, kingside').check();
  await expect(verdict).toHaveText('This position can be played.');
  await me.page.getByLabel('White, queenside').check();
  await expect(verdict).toHaveClass(/wrong/);
  await me.page.getByLabel('White, queenside').uncheck();
  await me.page.getByLabel('Black', { exact: true }).check();
  await expect.poll(() => fenOf(me)).toBe('4k3/8/8/8/8/8/8/4K2R b K - 0 1');
  await expect(me.page.getByLabel('FEN', { exact: true })).toHaveValue(
    '4k3/8/8/8/8/8/8/4K2R b K - 0 1',
  );
  // Keyboard: a piece is picked up and put down, with announcements.
  await me.square('h1').focus();
  await me.page.keyboard.press('Enter');
  await me.page.keyboard.press('ArrowUp');
  await me.page.keyboard.press('Enter');
  await expect(me.square('h2')).toHaveAttribute('aria-label', /^h2, white rook/);
  expect(await me.said()).toContain('white rook picked up from h1.');
  expect(await me.said()).toContain('white rook on h2.');
  await me.page.keyboard.press('Delete');
  await expect(me.square('h2')).toHaveAttribute('aria-label', 'h2, empty');
});

test('a FEN and a PGN are read, and a position is played against the computer', async ({
  someone,
}) => {
  const me = await someone();
  await me.page.goto('/setup');
  const fen = me.page.getByLabel('FEN', { exact: true });
  await fen.fill('nonsense');
  await me.button('Load').first().click();
  await expect(me.page.locator('.verdict')).toHaveClass(/wrong/);
  await fen.fill('6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1');
  await me.button('Load').first().click();
  await expect(me.square('a1')).toHaveAttribute('aria-label', /white rook/);
  await me.page.getByText('Paste a game (PGN)').click();
  await me.page.getByLabel('You get the position').fill('1. e4 e5 2. Nf3 (2. f4) Nc6');
  await me.button('Load').last().click();
  await expect.poll(() => fenOf(me)).toMatch(/^r1bqkbnr.* w KQkq - 2 3$/);
  // A position that is over can only be analysed.
  await fen.fill('k7/1Q6/1K6/8/8/8/8/8 b - - 0 1');
  await me.button('Load').first().click();
  await expect(me.page.locator('.verdict')).toContainText('already over');
  await expect(me.button('Invite a friend')).toBeDisabled();
  await fen.fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  await me.button('Load').first().click();
  await me.button('Against the computer').click();
  await me.page.getByText('White', { exact: true }).click();
  await me.button('Start the game').click();
  await me.page.waitForURL(/\/game\//);
  me.side = 'white';
  await me.make('e2', 'e4');
  await expect(me.plies).toHaveCount(2);
  await expect(me.plies.first()).toHaveText('e4');
});

test('the free board: moves for both sides, variations, lines, PGN in and out', async ({
  someone,
}) => {
  const me = await someone();
  await me.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await me.page.goto('/');
  await me.page.getByRole('link', { name: 'Analysis board' }).click();
  await me.move('e2', 'e4');
  await me.move('e7', 'e5');
  await expect(me.plies).toHaveText(['e4', 'e5']);
  // Three lines appear, and an arrow for the first.
  const lines = me.page.getByRole('region', { name: 'Engine lines' });
  await expect(lines.getByRole('listitem')).toHaveCount(3);
  await expect(lines.getByRole('status')).toHaveText(/^Depth \d+$/);
  await expect(me.page.locator('svg.arrow')).toHaveAttribute('data-best', /^[a-h]\d[a-h]\d$/);
  // Another second move is a variation; it can become the main line, or be deleted.
  await me.button('Previous move').click();
  await me.move('c7', 'c5');
  await expect(me.page.locator('.variation')).toHaveText(/^\(\s*1…\s*c5\s*\)$/);
  await me.button('Make main line').click();
  await expect(me.page.locator('.variation')).toHaveText(/^\(\s*1…\s*e5\s*\)$/);
  await me.button('Copy PGN').click();
  await expect(me.page.getByText('Copied.')).toBeVisible();
  const pgn = await me.page.evaluate(() => navigator.clipboard.readText());
  expect(pgn).toContain('1. e4 c5 (1... e5) *');
  // It is still there after a reload.
  await me.page.reload();
  await expect(me.plies).toHaveText(['e4', 'c5', 'e5']);
  await me.button('Delete from here').click();
  await expect(me.plies).toHaveText(['e4', 'e5']);
  // A line is played by a click on one of its moves.
  await expect(lines.getByRole('listitem')).toHaveCount(3);
  await expect(lines.getByRole('status')).toHaveText(/^Depth \d+$/);
  await lines.getByRole('listitem').first().getByRole('button').nth(1).click();
  await expect.poll(() => me.plies.count()).toBeGreaterThanOrEqual(3);
  // A game with variations and a comment is pasted; for an invalid one the error is explained.
  const paste = me.page.getByLabel('FEN or PGN');
  await paste.fill('1. e4 e5 2. Ke3');
  await me.button('Load').click();
  await expect(me.page.getByText('Ke3 is not a legal move.')).toBeVisible();
  await paste.fill('1. f3 e5 2. g4 {Oh no.} (2. e4 Nc6) 2... Qh4# 0-1');
  await me.button('Load').click();
  await expect(me.plies).toHaveText(['f3', 'e5', 'g4', 'e4', 'Nc6', 'Qh4#']);
  await expect(me.page.getByText('Oh no.')).toBeVisible();
  await me.page.keyboard.press('Escape');
  await me.page.locator('h1').click();
  await me.page.keyboard.press('End');
  await expect(lines.getByRole('status')).toHaveText('The game is over here.');
  await expect(me.page.locator('cg-board square.mated')).toHaveCount(1);
  // An illegal move is explained, and a promotion asks for the piece.
  await paste.fill('7k/P7/8/8/8/8/8/K7 w - - 0 1');
  await me.button('Load').click();
  await me.make('a1', 'a8');
  await expect(me.page.locator('.refused')).toHaveText(/\S/);
  await me.make('a7', 'a8');
  await me.button('white knight').click();
  await expect(me.plies).toHaveText(['a8=N']);
});

test('leaving the page ends the search, and with hidden lines there is none', async ({
  someone,
}) => {
  const me = await someone();
  let asked = 0;
  me.page.on('request', (request) => (asked += request.url().endsWith('/api/analyse') ? 1 : 0));
  await me.page.goto('/analysis');
  const lines = me.page.getByRole('region', { name: 'Engine lines' });
  await expect(lines.getByRole('status')).toHaveText(/^Depth \d+$/);
  expect(asked).toBe(1);
  await me.button('Hide lines').click();
  await me.move('d2', 'd4');
  await expect(lines.getByRole('status')).toHaveText('Lines are off.');
  await expect(me.page.locator('svg.arrow')).toHaveCount(0);
  await me.button('Show lines').click();
  await expect(lines.getByRole('listitem')).toHaveCount(3);
  expect(asked).toBe(2);
});

test('a past game is analysed from the position that is shown', async ({ someone }) => {
  const me = await someone();
  const white = `F${process.pid}`;
  const pgn = `[White "${white}"]\n[Black "Ben"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`;
  const headers = { origin: me.hansu.url, 'content-type': 'application/vnd.chess-pgn' };
  await me.context.request.post('/api/import?visibility=public', { data: pgn, headers });
  const list = await me.context.request.get(`/api/games?white=${white}`);
  const { games } = (await list.json()) as { games: { id: string }[] };
  await me.page.goto(`/games/${games[0]?.id}#2`);
  await me.page.getByRole('link', { name: 'Analyse from here' }).click();
  await me.page.waitForURL(/\/analysis\?game=/);
  await expect(me.plies).toHaveText(['f3', 'e5', 'g4', 'Qh4#']);
  await expect(me.page.locator('.ply[aria-current]')).toHaveText('e5');
  await me.move('e2', 'e4');
  await expect(me.page.locator('.variation')).toContainText('e4');
});

for (const lang of ['en', 'ko'] as const) {
  for (const scheme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      test(`the free board fits and axe-core finds nothing: ${lang}, ${scheme}, ${viewport.width}`, async ({
        someone,
      }) => {
        const options = { viewport, colorScheme: scheme, reducedMotion: 'reduce' as const };
        const me = await someone({ lang, options });
        const picture = process.env['PICTURES'];
        const check = async (name: string) => {
          expect.soft(await faults(me), name).toEqual([]);
          expect.soft(await overflow(me), name).toBeLessThanOrEqual(0);
          if (picture) {
            const path = `${picture}/${name}-${lang}-${scheme}-${viewport.width}.png`;
            await me.page.screenshot({ path, fullPage: true });
          }
        };
        await me.page.goto('/setup');
        await expect(me.page.locator('.verdict')).toHaveText(/\S/);
        await check('setup');
        await me.button(/Two on this screen|한 화면에서 둘이 두기/).click();
        await expect(me.page.locator('.side form')).toBeVisible();
        await check('setup-play');
        await me.page.goto('/analysis');
        await me.page
          .locator('textarea')
          .fill('1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6)) 2. Nf3 Nc6 3. Bb5 a6 {The main line.} *');
        await me.button(/^(Load|불러오기)$/).click();
        await expect(me.page.locator('li')).toHaveCount(3);
        // A search of 400,000 nodes with nine tenths of the processor taken away.
        const status = me.page.locator('section [role=status]');
        await expect(status).toHaveText(/^(Depth|깊이) \d+$/, { timeout: 200_000 });
        await check('analysis');
      });
    }
  }
}
