// A game by keyboard only, and the announcements for screen readers.
import { clock, expect, test } from './people';

test('a whole game without a mouse: Tab, arrows, Enter, typed moves', async ({ someone }) => {
  const me = await someone();
  await me.page.goto('/');
  await expect(me.page.getByRole('grid')).toHaveAttribute('aria-readonly', 'false');
  // The first Tab reaches the link that skips the menu.
  await me.page.keyboard.press('Tab');
  await expect(me.page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  // The board is one tab stop for all of its squares.
  const grid = me.page.locator('[role=gridcell][tabindex="0"]');
  for (let stops = 0; stops < 20; stops++) {
    await me.page.keyboard.press('Tab');
    if (await grid.evaluate((cell) => cell === document.activeElement)) break;
  }
  await expect(grid).toBeFocused();
  await expect(grid).toHaveAttribute('aria-label', 'e2, white pawn');
  await me.page.keyboard.press('ArrowRight');
  await expect(me.square('f2')).toBeFocused();
  await me.page.keyboard.press('Enter');
  await expect(me.square('f2')).toHaveAttribute('aria-selected', 'true');
  await me.page.keyboard.press('ArrowUp');
  await expect(me.square('f3')).toHaveAttribute('aria-label', 'f3, empty, can move here');
  await me.page.keyboard.press('Enter');
  // One key starts the game.
  await me.page.waitForURL(/\/game\//);
  await expect(me.plies).toHaveText(['f3']);
  // The focus is on the board of the new page.
  await expect(me.page.locator('[role=gridcell]:focus')).toHaveCount(1);
  await me.ready();
  // On the board a letter begins a typed move.
  await me.square('e7').focus();
  await me.page.keyboard.press('e');
  await expect(me.page.getByLabel('Type a move')).toBeFocused();
  await me.page.keyboard.type('7e5');
  await me.page.keyboard.press('Enter');
  await expect(me.plies).toHaveText(['f3', 'e5']);
  await me.ready();
  await me.page.keyboard.type('g4');
  await me.page.keyboard.press('Enter');
  await expect(me.plies).toHaveText(['f3', 'e5', 'g4']);
  await me.ready();
  await me.page.keyboard.type('Qg5');
  await me.page.keyboard.press('Enter');
  await expect(me.plies).toHaveText(['f3', 'e5', 'g4', 'Qg5']);
  await me.ready();
  // Text that is not a move is answered at once.
  await me.page.keyboard.type('Ke5');
  await me.page.keyboard.press('Enter');
  await expect(me.prompt.locator('.wrong')).toContainText('king');
  await me.page.keyboard.type('hello');
  await me.page.keyboard.press('Enter');
  await expect(me.page.getByRole('alert').filter({ hasText: 'hello' })).toContainText(
    '“hello” isn’t legal here.',
  );
  await me.page.keyboard.press('Control+a');
  await me.page.keyboard.type('h2h4');
  await me.page.keyboard.press('Enter');
  await me.ready();
  await me.page.keyboard.type('Qxg4');
  await me.page.keyboard.press('Enter');
  await me.ready();
  await me.page.keyboard.type('fxg4');
  await me.page.keyboard.press('Enter');
  await expect(me.plies).toHaveCount(7);
  expect(await me.said()).toEqual(
    expect.arrayContaining([
      'Black: pawn to e5',
      'Black: queen to g5',
      'Black: queen takes g4',
      'White: pawn f takes g4',
    ]),
  );
  // Escape clears the selection.
  await me.ready();
  await me.square('e5').focus();
  await me.page.keyboard.press('Enter');
  await expect(me.square('e5')).toHaveAttribute('aria-selected', 'true');
  await me.page.keyboard.press('Escape');
  await expect(me.square('e5')).toHaveAttribute('aria-selected', 'false');
  // Resigning by keyboard.
  await me.toolbar.getByRole('button', { name: 'Resign' }).focus();
  await me.page.keyboard.press('Enter');
  // The focus goes to the question, which is announced, and back to the board after the answer.
  await expect(me.prompt).toBeFocused();
  expect(await me.said()).toContain('Resign as Black? Resign, Keep playing');
  await me.page.keyboard.press('Escape');
  await expect(me.page.locator('[role=gridcell]:focus')).toHaveCount(1);
  await me.toolbar.getByRole('button', { name: 'Resign' }).focus();
  await me.page.keyboard.press('Enter');
  await expect(me.prompt).toBeFocused();
  await me.page.keyboard.press('Tab');
  await expect(me.prompt.getByRole('button', { name: 'Resign' })).toBeFocused();
  await me.page.keyboard.press('Enter');
  await expect(me.status).toHaveText('WHITE WINS!');
});

test('promotion by keys', async ({ alone }) => {
  const { me } = await alone({ fen: '8/P6k/8/8/8/8/8/K7 w - - 0 1' });
  await me.square('a7').focus();
  await me.page.keyboard.press('Enter');
  await me.page.keyboard.press('ArrowUp');
  await me.page.keyboard.press('Enter');
  const choices = me.page.getByRole('group', { name: 'Promote the pawn to' });
  await expect(choices.getByRole('button', { name: 'white queen' })).toBeFocused();
  await me.page.keyboard.press('ArrowDown');
  await me.page.keyboard.press('ArrowDown');
  await expect(choices.getByRole('button', { name: 'white rook' })).toBeFocused();
  await me.page.keyboard.press('Enter');
  await expect(me.plies).toHaveText(['a8=R']);
  await expect(me.square('a8')).toBeFocused();
});

test('a refusal after a keyboard move is announced and shown', async ({ alone }) => {
  const { me } = await alone();
  await me.square('e2').focus();
  await me.page.keyboard.press('Enter');
  for (let at = 0; at < 3; at++) await me.page.keyboard.press('ArrowUp');
  await me.page.keyboard.press('Enter');
  await expect(me.prompt.locator('p.wrong')).toContainText('The pawn on e2');
  expect((await me.said()).at(-1)).toContain('The pawn on e2');
});

test('moves, offers, clocks and the end are announced', async ({ pair }) => {
  const { white, black } = await pair({ time: clock(10) });
  await white.move('e2', 'e4');
  await black.move('d7', 'd5');
  await white.move('e4', 'd5');
  await expect(white.plies).toHaveText(['e4', 'd5', 'exd5']);
  await white.page.locator('h1').press('t');
  await expect
    .poll(() => white.said())
    .toContainEqual(expect.stringMatching(/^White: \d+:\d\d\. Black: \d+:\d\d$/));
  await white.page.locator('h1').press('l');
  await expect.poll(() => white.said()).toContain('Last move: pawn e takes d5');
  await black.toolbar.getByRole('button', { name: 'Draw' }).click();
  await black.prompt.getByRole('button', { name: 'Draw' }).click();
  await expect.poll(() => white.said()).toContain('Ben offers a draw.');
  await white.button('Accept').click();
  await expect.poll(() => black.said()).toContain('DRAW | AGREEMENT');
  expect(await black.said()).toEqual(
    expect.arrayContaining(['White: pawn to e4', 'Black: pawn to d5', 'White: pawn e takes d5']),
  );
});

test('the same announcements in Korean', async ({ pair }) => {
  const { white, black } = await pair({
    white: { lang: 'ko' },
    black: { lang: 'ko' },
    names: { white: '미나', black: '준' },
  });
  await expect(white.status).toHaveText('백 차례');
  await white.move('f2', 'f3');
  await black.move('e7', 'e5');
  await white.ready();
  await expect(white.square('g2')).toHaveAttribute('aria-label', 'g2, 백 폰');
  await white.page.getByLabel('수를 입력').fill('g4');
  await white.page.keyboard.press('Enter');
  await black.ready();
  await black.page.getByLabel('수를 입력').fill('퀸h4');
  await black.page.keyboard.press('Enter');
  await expect(white.status).toHaveText('백 차례 | 체크메이트');
  await expect(white.end.getByRole('heading')).toHaveText('흑 승리!');
  await expect(white.end).toContainText('백이 체크메이트를 당했어요.');
  await expect(white.page.locator('html')).toHaveAttribute('lang', 'ko');
  await expect(white.page.locator('html')).toHaveCSS('word-break', 'keep-all');
  expect((await white.said()).join('\n')).toContain('체크메이트');
});
