// The board: castling, en passant, promotion, refusals, premoves, drawings.
import { MANY_TO_TAKE, expect, test } from './people';

const BOTH_CASTLE = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';

test('a king that can castle shows the choices LEFT, RIGHT, CANCEL', async ({ pair }) => {
  const { white, black } = await pair({ fen: BOTH_CASTLE });
  await white.ready();
  await white.press('e1');
  await expect(white.prompt.locator('p')).toHaveText('The king can castle. Which way?');
  await expect(white.prompt.getByRole('button')).toHaveText(['LEFT', 'RIGHT', 'CANCEL']);
  await white.button('CANCEL').click();
  await expect(white.prompt).toHaveText('');
  await expect(white.mark('move-dest')).toHaveCount(0);
  await white.press('e1');
  await white.button('LEFT').click();
  await white.kept('c1');
  await expect(white.square('d1')).toHaveAttribute('aria-label', 'd1, white rook');
  await expect(white.plies).toHaveText(['O-O-O']);
  // The rook on d1 attacks d8: only one castling is left. The king goes two squares aside.
  await black.ready();
  await black.press('e8');
  await expect(black.prompt.locator('p')).toHaveText('The king can castle to the LEFT.');
  await expect(black.prompt.getByRole('button')).toHaveText(['LEFT', 'CANCEL']);
  await black.press('g8');
  await black.kept('g8');
  await expect(white.plies).toHaveText(['O-O-O', 'O-O']);
  expect(await black.said()).toEqual(
    expect.arrayContaining(['White: castles to the right', 'Black: castles to the left']),
  );
});

test('a king is moved onto its rook: RIGHT, as each player sees it', async ({ pair }) => {
  const { white, black } = await pair({ fen: BOTH_CASTLE, black: { lang: 'ko' } });
  await white.ready();
  await white.press('e1');
  await white.press('h1');
  await white.kept('g1');
  await black.ready();
  await black.press('e8');
  await expect(black.prompt.locator('p')).toHaveText('오른쪽으로 캐슬링할 수 있어요.');
  await expect(black.prompt.getByRole('button')).toHaveText(['오른쪽', '취소']);
  await black.button('오른쪽').click();
  await expect(white.plies).toHaveText(['O-O', 'O-O-O']);
  await expect(white.square('d8')).toHaveAttribute('aria-label', 'd8, black rook');
});

test('en passant is announced and taken', async ({ pair }) => {
  const { white, black } = await pair({ fen: '4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1' });
  await black.move('d7', 'd5');
  await white.ready();
  await white.press('e5');
  await expect(white.prompt).toHaveText('This pawn can take en passant: d6.');
  await white.press('d6');
  await white.kept('d6');
  await expect(black.square('d5')).toHaveAttribute('aria-label', 'd5, empty');
  await expect(black.plies).toHaveText(['d5', 'exd6']);
  await expect(black.page.getByRole('img', { name: 'White has captured: pawn' })).toBeVisible();
});

test('en passant is possible on the next move only, and the refusal says so', async ({ alone }) => {
  const { me } = await alone({ fen: '4k3/3p3p/8/4P3/8/8/7P/4K3 b - - 0 1' });
  await me.move('d7', 'd5');
  await me.move('h2', 'h3');
  await me.move('h7', 'h6');
  await me.press('e5');
  await me.press('d6');
  await expect(me.prompt).toContainText('En passant');
  await expect(me.plies).toHaveText(['d5', 'h3', 'h6']);
});

test('promotion opens a choice of four; Escape takes the pawn back', async ({ pair }) => {
  const { white, black } = await pair({ fen: '8/P6k/8/8/8/8/8/K7 w - - 0 1' });
  await white.ready();
  await white.press('a7');
  await white.press('a8');
  const choices = white.page.getByRole('group', { name: 'Promote the pawn to' });
  await expect(choices.getByRole('button')).toHaveCount(4);
  await expect(choices.getByRole('button', { name: 'white queen' })).toBeFocused();
  await white.page.keyboard.press('Escape');
  await expect(choices).toHaveCount(0);
  await expect(white.square('a7')).toHaveAttribute('aria-label', 'a7, white pawn');
  await white.drag('a7', 'a8');
  await choices.getByRole('button', { name: 'white knight' }).click();
  await white.kept('a8');
  await expect(black.plies).toHaveText(['a8=N']);
  await expect(black.square('a8')).toHaveAttribute('aria-label', /white knight/);
});

test('promotes to a queen without asking if the setting says so', async ({ pair }) => {
  const { white, black } = await pair({
    fen: '8/P6k/8/8/8/8/8/K7 w - - 0 1',
    white: { settings: { autoQueen: true } },
  });
  await white.move('a7', 'a8');
  await expect(black.plies).toHaveText(['a8=Q']);
});

const REFUSALS = [
  {
    what: 'a pinned knight',
    fen: '4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1',
    from: 'c3',
    to: 'd5',
    en: 'The knight on c3 is pinned by the bishop on b4',
    ko: 'b4',
    proof: { circles: 1, lines: 1 },
  },
  {
    what: 'castling through an attacked square',
    fen: '4k3/8/b7/8/8/8/8/4K2R w K - 0 1',
    from: 'e1',
    to: 'g1',
    en: 'f1',
    ko: 'f1',
    proof: { circles: 1, lines: 1 },
  },
  {
    what: 'a path that is blocked',
    fen: '4k3/8/8/8/8/8/P7/R3K3 w - - 0 1',
    from: 'a1',
    to: 'a5',
    en: 'a2',
    ko: 'a2',
    proof: null,
  },
  {
    what: 'a king that would walk into check',
    fen: '4k3/8/8/8/8/8/r7/4K3 w - - 0 1',
    from: 'e1',
    to: 'e2',
    en: 'the rook on a2',
    ko: 'a2',
    proof: { circles: 1, lines: 1 },
  },
];
for (const { what, fen, from, to, en, ko, proof } of REFUSALS) {
  test(`a refusal says why and shows it: ${what}`, async ({ alone }) => {
    for (const [lang, words] of [
      ['en', en],
      ['ko', ko],
    ] as const) {
      const { me } = await alone({ fen, white: { lang } });
      await me.press(from);
      await me.press(to);
      const said = me.prompt.locator('p.wrong');
      await expect(said).toContainText(words);
      if (lang === 'ko') await expect(said).toContainText(/요\./);
      const marks = me.page.locator('.proof');
      await expect(marks).toHaveCount(1);
      if (proof) {
        await expect(marks.locator('circle')).toHaveCount(proof.circles);
        await expect(marks.locator('line')).toHaveCount(proof.lines);
      }
      await expect(me.plies).toHaveCount(0);
      expect(await me.said()).toContain(await said.textContent());
    }
  });
}

test('several premoves in a row are played one after the other; an illegal one drops the rest', async ({
  pair,
}) => {
  const { white, black } = await pair();
  await expect(black.status).toHaveText("WHITE'S TURN");
  await expect(black.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
  for (const [from, to] of [
    ['e7', 'e5'],
    ['b8', 'c6'],
    ['f8', 'c5'],
  ] as const) {
    await black.press(from);
    await black.press(to);
    await expect(black.square(to)).toHaveAttribute('aria-label', /premove/);
  }
  await expect(black.prompt).toContainText('3 premoves waiting.');
  // The page shows no premove as played before the server has stored it.
  await expect(black.plies).toHaveCount(0);
  // A premove answers at once, so White's move may never be visible as the last one.
  await white.make('e2', 'e4');
  await expect(white.plies).toHaveText(['e4', 'e5']);
  await white.make('g1', 'f3');
  await expect(white.plies).toHaveText(['e4', 'e5', 'Nf3', 'Nc6']);
  await expect(black.prompt).toContainText('1 premove waiting.');
  await black.button('Clear premoves').click();
  await expect(black.prompt).toHaveText('');
  // An illegal premove is dropped.
  await black.press('e5');
  await black.press('d4');
  await expect(black.prompt).toContainText('1 premove waiting.');
  await white.move('a2', 'a3');
  await black.ready();
  await expect(black.prompt.locator('.wrong')).toContainText('d4');
  await expect(white.plies).toHaveText(['e4', 'e5', 'Nf3', 'Nc6', 'a3']);
});

test('premoves are taken back by the right button, by Escape anywhere, by a click elsewhere', async ({
  pair,
}) => {
  const { black } = await pair();
  await expect(black.status).toHaveText("WHITE'S TURN");
  await expect(black.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
  const wait = async () => {
    for (const [from, to] of [
      ['e7', 'e5'],
      ['b8', 'c6'],
    ] as const) {
      await black.press(from);
      await black.press(to);
      await expect(black.square(to)).toHaveAttribute('aria-label', /premove/);
    }
    await expect(black.prompt).toContainText('2 premoves waiting.');
  };
  const none = async () => {
    await expect(black.prompt).not.toContainText('waiting');
    await expect(black.mark('premove')).toHaveCount(0);
  };
  await wait();
  const { x, y } = await black.centre('d4');
  await black.page.mouse.click(x, y, { button: 'right' });
  await none();
  await expect(black.page.locator('.cg-shapes g[cgHash]')).toHaveCount(0);
  await wait();
  await black.page.getByLabel('Type a move').evaluate((field) => field.blur());
  await black.page.keyboard.press('Escape');
  await none();
  await wait();
  await black.press('d4');
  await none();
  await wait();
  await black.press('d2');
  await none();
});

test('every refusal has a reason: the opponent’s piece, a typed move', async ({ pair }) => {
  const { white, black } = await pair({ black: { lang: 'ko' } });
  await white.ready();
  await white.press('e7');
  await expect(white.prompt).toHaveText(
    'The piece on e7 belongs to Black, and it is White’s turn.',
  );
  expect(await white.said()).toContain('The piece on e7 belongs to Black, and it is White’s turn.');
  const field = white.page.getByLabel('Type a move');
  await field.fill('Nd4');
  await white.page.keyboard.press('Enter');
  await expect(white.prompt.locator('.wrong')).toContainText('knight');
  await field.fill('O-O');
  await white.page.keyboard.press('Enter');
  await expect(white.prompt.locator('.wrong')).toContainText('f1');
  await field.fill('nf3');
  await white.page.keyboard.press('Enter');
  await expect(black.plies).toHaveText(['Nf3']);
  await black.ready();
  await black.press('f3');
  await expect(black.prompt).toHaveText('f3에 있는 기물은 백의 것이에요. 지금은 흑 차례예요.');
});

test('a special move is shown as a message for a moment: castling, en passant, promotion', async ({
  alone,
}) => {
  const { me } = await alone({ fen: '4k3/P2p4/8/4P3/8/8/8/4K2R w K - 0 1' });
  await me.press('e1');
  await me.press('g1');
  await expect(me.prompt).toHaveText('White: castles to the right');
  await me.move('d7', 'd5');
  await me.press('e5');
  await expect(me.square('d6')).toHaveAttribute('aria-label', 'd6, empty, can capture en passant');
  await me.press('d6');
  await expect(me.prompt).toHaveText('White: pawn e takes d6, en passant');
  // The message disappears.
  await expect(me.prompt).toHaveText('');
  await me.move('e8', 'd8');
  await me.press('a7');
  await me.press('a8');
  await expect(me.page.getByText('Promote the pawn to')).toBeVisible();
  await me.page.keyboard.press('q');
  await expect(me.prompt).toContainText('becomes a queen');
});

test('arrows in four colours, by the same keys as on other sites', async ({ alone }) => {
  const { me } = await alone();
  const drawn = me.page.locator('.cg-shapes line');
  const colours = new Set<string | null>();
  for (const [at, keys] of [[], ['Shift'], ['Alt'], ['Shift', 'Alt']].entries()) {
    const file = 'aceg'[at] ?? 'a';
    const [from, to] = [await me.centre(`${file}3`), await me.centre(`${file}5`)];
    for (const key of keys) await me.page.keyboard.down(key);
    await me.page.mouse.move(from.x, from.y);
    await me.page.mouse.down({ button: 'right' });
    await me.page.mouse.move(to.x, to.y, { steps: 3 });
    await me.page.mouse.up({ button: 'right' });
    for (const key of keys) await me.page.keyboard.up(key);
    await expect(drawn).toHaveCount(at + 1);
    colours.add(await drawn.last().getAttribute('stroke'));
  }
  expect(colours.size).toBe(4);
});

test('arrows and circles, by mouse and by finger', async ({ alone, someone, hansu }) => {
  const { me, game } = await alone();
  const shapes = me.page.locator('.cg-shapes g[cgHash]');
  const [e2, e4, d5] = [await me.centre('e2'), await me.centre('e4'), await me.centre('d5')];
  await me.page.mouse.move(e2.x, e2.y);
  await me.page.mouse.down({ button: 'right' });
  await me.page.mouse.move(e4.x, e4.y, { steps: 3 });
  await me.page.mouse.up({ button: 'right' });
  await expect(shapes).toHaveCount(1);
  // A hand holds a button longer than a frame.
  await me.page.mouse.click(d5.x, d5.y, { button: 'right', delay: 100 });
  await expect(shapes).toHaveCount(2);
  await expect(me.plies).toHaveCount(0);

  const finger = await someone({ options: { hasTouch: true, isMobile: true } });
  await finger.page.goto(`${hansu.url}/game/${game}`);
  await finger.button('More').click();
  await finger.button('Draw arrows').click();
  const touch = await finger.context.newCDPSession(finger.page);
  const send = async (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    at?: { x: number; y: number },
  ) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  const [a, b, c] = [
    await finger.centre('g1'),
    await finger.centre('f3'),
    await finger.centre('c6'),
  ];
  const drawn = finger.page.locator('.cg-shapes g[cgHash]');
  await send('touchStart', a);
  await send('touchMove', b);
  await expect(drawn).toHaveCount(1);
  await send('touchEnd');
  await send('touchStart', c);
  await expect(drawn).toHaveCount(2);
  await send('touchEnd');
  await expect(drawn).toHaveCount(2);
});

test('captured pieces stand in rows of eight, with the balance', async ({ alone }) => {
  const { me, game } = await alone({ fen: MANY_TO_TAKE });
  await me.takeAll(game);
  const pawns = Array(8).fill('pawn').join(', ');
  const taken = me.page.getByRole('img', { name: `White has captured: knight, ${pawns}` });
  await expect(taken).toContainText('+5');
  const boxes = await taken
    .locator('piece')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().y)));
  expect(boxes).toHaveLength(9);
  expect(boxes.filter((y) => y === boxes[0])).toHaveLength(8);
});

test('coordinates are dark on light tiles and light on dark ones, either way up', async ({
  alone,
}) => {
  const { me } = await alone();
  const wrong = () =>
    me.page.evaluate(() => {
      const bright = (color: string) =>
        (color.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) > 380;
      return [...document.querySelectorAll<HTMLElement>('coord')]
        .filter((coord) => {
          const box = coord.getBoundingClientRect();
          const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
          const cell = [...document.querySelectorAll<HTMLElement>('[data-square]')].find((one) => {
            const tile = one.getBoundingClientRect();
            return at.x > tile.left && at.x < tile.right && at.y > tile.top && at.y < tile.bottom;
          });
          const name = cell?.dataset['square'] ?? '??';
          const isDark = (name.charCodeAt(0) + name.charCodeAt(1)) % 2 === 0;
          return (
            !name.includes(coord.textContent) || bright(getComputedStyle(coord).color) !== isDark
          );
        })
        .map((coord) => coord.textContent);
    });
  expect(await wrong()).toEqual([]);
  await me.button('More').click();
  await me.button('Flip the board').click();
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-label', 'Chess board, Black below');
  expect(await wrong()).toEqual([]);
});

test('the board is flipped, and the moves are stepped through by keys', async ({ alone }) => {
  const { me } = await alone();
  await me.move('e2', 'e4');
  await me.move('e7', 'e5');
  await me.button('More').click();
  await me.button('Flip the board').click();
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-label', 'Chess board, Black below');
  await me.page.locator('h1').press('ArrowLeft');
  await expect(me.prompt).toContainText('You are looking at an earlier position (1 of 2).');
  await expect(me.square('e5')).toHaveAttribute('aria-label', 'e5, empty');
  await me.page.keyboard.press('Home');
  await expect(me.square('e4')).toHaveAttribute('aria-label', 'e4, empty');
  await me.page.keyboard.press('End');
  await expect(me.square('e5')).toHaveAttribute('aria-label', 'e5, black pawn, last move');
});

test('a spectator sees every move, cannot move, and may chat', async ({ pair, someone }) => {
  const { white, black, game } = await pair({ visibility: 'public' });
  const guest = await someone();
  await guest.page.goto(`/game/${game}`);
  await expect(guest.prompt).toHaveText('You are watching this game.');
  await white.move('e2', 'e4');
  await expect(guest.plies).toHaveText(['e4']);
  await expect(guest.status).toHaveText("BLACK'S TURN");
  await guest.press('e7');
  await expect(guest.mark('selected')).toHaveCount(0);
  await expect(guest.toolbar.getByRole('button', { name: 'Resign' })).toHaveCount(0);
  await guest.button('Chat').click();
  await guest.page.getByLabel('Say something').fill('hello');
  await guest.page.keyboard.press('Enter');
  await black.button(/^Chat/).click();
  await expect(black.chat).toContainText('hello');
  await expect(white.page.getByText('1 watching')).toBeVisible();
  await black.move('e7', 'e5');
  await expect(guest.plies).toHaveText(['e4', 'e5']);
});
