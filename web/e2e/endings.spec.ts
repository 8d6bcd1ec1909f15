// Games between two browsers, played to every kind of end.
import { clock, expect, shared, sharing, test } from './people';

test('checkmate, by clicks and by dragging', async ({ pair }) => {
  const { white, black } = await pair();
  await expect(white.status).toHaveText("WHITE'S TURN");
  await white.press('f2');
  // Every legal target is marked.
  await expect(white.mark('move-dest')).toHaveCount(2);
  await expect(white.square('f3')).toHaveAttribute('aria-label', /can move here/);
  // A click on another own piece selects it, a click elsewhere clears the selection.
  await white.press('g1');
  await expect(white.square('f3')).toHaveAttribute('aria-label', /can move here/);
  await expect(white.square('h3')).toHaveAttribute('aria-label', /can move here/);
  await white.press('g1');
  await expect(white.mark('move-dest')).toHaveCount(0);
  await white.move('f2', 'f3');
  await black.ready();
  await black.drag('e7', 'e5');
  await black.kept('e5');
  await white.ready();
  await white.drag('g2', 'g4');
  await white.kept('g4');
  await black.move('d8', 'h4');

  for (const { page, status, end, mark } of [white, black].map((one) => ({
    page: one.page,
    status: one.status,
    end: one.end,
    mark: one.mark('mated'),
  }))) {
    await expect(status).toHaveText("WHITE'S TURN | CHECKMATE");
    await expect(end.getByRole('heading')).toHaveText('BLACK WINS!');
    await expect(end).toContainText('White is checkmated.');
    await expect(mark).toHaveCount(1);
    await expect(mark).toHaveCSS('background-color', 'rgb(214, 69, 69)');
    // After the end no piece can be moved.
    await expect(page.getByRole('grid')).toHaveAttribute('aria-readonly', 'true');
  }
  await white.press('e2');
  await expect(white.mark('selected')).toHaveCount(0);
  expect(await white.said()).toEqual(
    expect.arrayContaining(['Black: queen to h4, checkmate', "WHITE'S TURN | CHECKMATE"]),
  );
});

test('check is marked and said', async ({ pair }) => {
  const { white, black } = await pair({ fen: '4k3/8/8/8/8/8/8/R3K3 w - - 0 1' });
  await white.move('a1', 'a8');
  await expect(black.status).toHaveText("BLACK'S TURN | CHECK");
  await expect(black.mark('check')).toHaveCount(1);
  await expect(black.square('e8')).toHaveAttribute('aria-label', 'e8, black king, in check');
});

test('stalemate', async ({ pair }) => {
  const { white, black } = await pair({ fen: '7k/5Q2/8/6K1/8/8/8/8 w - - 0 1' });
  await white.move('g5', 'g6');
  await expect(black.status).toHaveText('DRAW | STALEMATE');
  await expect(black.end).toContainText('Stalemate: no legal move, and no check.');
});

test('a dead position', async ({ pair }) => {
  const { white, black } = await pair({ fen: '7k/8/8/8/8/8/6p1/6K1 w - - 0 1' });
  await white.move('g1', 'g2');
  await expect(black.status).toHaveText('DRAW | INSUFFICIENT MATERIAL');
});

test('resignation must be confirmed', async ({ pair }) => {
  const { white, black } = await pair();
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  await white.toolbar.getByRole('button', { name: 'Resign' }).click();
  await expect(white.prompt).toContainText('Resign this game? Your opponent wins.');
  await white.button('Keep playing').click();
  await expect(white.prompt).toHaveText('');
  await white.toolbar.getByRole('button', { name: 'Resign' }).click();
  await white.prompt.getByRole('button', { name: 'Resign' }).click();
  await expect(black.status).toHaveText('BLACK WINS!');
  await expect(black.end).toContainText('White resigned.');
  await expect(white.end).toContainText('White resigned.');
});

test('a game is aborted before both sides have moved', async ({ pair }) => {
  const { white, black } = await pair();
  await white.toolbar.getByRole('button', { name: 'Abort' }).click();
  await white.prompt.getByRole('button', { name: 'Abort' }).click();
  await expect(black.status).toHaveText('GAME ABORTED');
});

test("a confirmation stays open when the opponent moves, and one's own move closes it", async ({
  pair,
}) => {
  const { white, black } = await pair();
  // Aborting is possible after the first move, and no longer after the second.
  await black.toolbar.getByRole('button', { name: 'Abort' }).click();
  await white.move('e2', 'e4');
  await expect(black.plies).toHaveCount(1);
  await expect(black.prompt).toContainText('Abort the game?');
  await black.button('Keep playing').click();
  await white.toolbar.getByRole('button', { name: 'Abort' }).click();
  await expect(white.prompt).toContainText('Abort the game?');
  await black.move('e7', 'e5');
  await expect(white.plies).toHaveCount(2);
  await expect(white.prompt).toHaveText('');
  // Resigning and offering a draw always are.
  await black.toolbar.getByRole('button', { name: 'Resign' }).click();
  await white.move('g1', 'f3');
  await expect(black.plies).toHaveCount(3);
  await expect(black.prompt).toContainText('Resign this game?');
  await black.move('b8', 'c6');
  await expect(black.prompt).toHaveText('');
  await black.toolbar.getByRole('button', { name: 'Draw' }).click();
  await white.move('f1', 'c4');
  await expect(black.plies).toHaveCount(5);
  await black.prompt.getByRole('button', { name: 'Draw' }).click();
  await expect(white.prompt).toContainText('Ben offers a draw.');
});

test('a draw is offered, declined, offered again and accepted', async ({ pair }) => {
  const { white, black } = await pair();
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  await white.toolbar.getByRole('button', { name: 'Draw' }).click();
  await white.prompt.getByRole('button', { name: 'Draw' }).click();
  await expect(white.prompt).toHaveText('You have offered a draw.');
  await expect(black.prompt).toContainText('Anna offers a draw.');
  await black.button('Decline').click();
  await expect(white.prompt).toHaveText('The draw was declined.');
  await black.toolbar.getByRole('button', { name: 'Draw' }).click();
  await black.prompt.getByRole('button', { name: 'Draw' }).click();
  await expect(white.prompt).toContainText('Ben offers a draw.');
  await white.button('Accept').click();
  for (const one of [white, black]) {
    await expect(one.status).toHaveText('DRAW | AGREEMENT');
    await expect(one.end).toContainText('The players agreed on a draw.');
  }
  expect(await black.said()).toEqual(expect.arrayContaining(['Anna offers a draw.']));
});

test('a draw is claimed when the position comes up for the third time', async ({ pair }) => {
  const { white, black, game } = await pair();
  const there = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  for (const [at, uci] of [...there, ...there].entries()) {
    await (at % 2 === 0 ? white : black).command(game, { type: 'move', uci });
  }
  await expect(white.prompt).toContainText('you may claim a draw');
  await white.button('Claim the draw').click();
  await expect(black.status).toHaveText('DRAW | THREEFOLD REPETITION');
});

test('a takeback restores the clocks', async ({ pair }) => {
  const { white, black } = await pair({ time: clock(10) });
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  await white.move('g1', 'f3');
  await white.toolbar.getByRole('button', { name: 'Take back' }).click();
  await white.prompt.getByRole('button', { name: 'Take back' }).click();
  await expect(black.prompt).toContainText('Anna asks to take a move back.');
  await black.button('Accept').click();
  await expect(white.plies).toHaveText(['e4', 'e5']);
  await expect(black.plies).toHaveText(['e4', 'e5']);
  await expect(white.square('g1')).toHaveAttribute('aria-label', 'g1, white knight');
  expect(await black.said()).toEqual(expect.arrayContaining(['A move was taken back.']));
  await white.move('f1', 'c4');
  await expect(black.plies).toHaveText(['e4', 'e5', 'Bc4']);
});

test('a flag falls: tenths, a warning, and the end', async ({ pair }) => {
  const { white, black } = await pair({ time: clock(0.05) });
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  const face = white.page.getByRole('timer', { name: /^White/ });
  await expect(face).toHaveText(/^0:0[0-3]\.\d$/);
  await expect(face).toHaveClass(/low/);
  for (const one of [white, black]) {
    await expect(one.status).toHaveText('BLACK WINS!');
    await expect(one.end).toContainText('White ran out of time.');
  }
  expect(await white.said()).toEqual(expect.arrayContaining(['White is low on time.']));
});

test('a game is adjourned and goes on', async ({ pair }) => {
  const { white, black } = await pair({ time: clock(10) });
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  await white.button('More').click();
  await white.button('Adjourn').click();
  await white.prompt.getByRole('button', { name: 'Adjourn' }).click();
  await black.button('Accept').click();
  await expect(white.status).toHaveText('ADJOURNED');
  await white.button('Resume').click();
  await expect(black.prompt).toContainText('Anna would like to resume the game.');
  await black.button('Accept').click();
  await white.move('g1', 'f3');
  await expect(black.plies).toHaveText(['e4', 'e5', 'Nf3']);
});

test('a rematch exchanges the colours and keeps the chat', async ({ pair }) => {
  const { white, black, game } = await pair();
  await white.move('e2', 'e4');
  await black.move('e7', 'e5');
  // An empty chat is closed; with messages it is open after the rematch.
  await expect(white.page.getByLabel('Say something')).toBeHidden();
  await white.button('Chat').click();
  await white.page.getByLabel('Say something').fill('good luck');
  await white.page.getByRole('button', { name: 'Send' }).click();
  await expect(black.page.locator('.chat .count')).toHaveText('1');
  await black.button(/^Chat/).click();
  await expect(black.chat).toContainText('good luck');
  await white.command(game, { type: 'resign' });
  await black.end.getByRole('button', { name: 'Rematch' }).click();
  await white.end.getByRole('button', { name: 'Accept' }).click();
  await Promise.all(
    [white, black].map(({ page }) => page.waitForURL((url) => !url.pathname.endsWith(game))),
  );
  // Anna has the black pieces now.
  await expect(white.page.getByRole('grid')).toHaveAttribute(
    'aria-label',
    'Chess board, Black below',
  );
  await expect(black.chat).toContainText('good luck');
  black.side = 'white';
  await black.move('d2', 'd4');
  await expect(white.plies).toHaveText(['d4']);
});

test('the result card: result, reason, review, share, a declined rematch, and chat', async ({
  pair,
}) => {
  const { white, black, game } = await pair({ time: clock(10) });
  await sharing(white);
  await white.page.reload();
  for (const [at, uci] of ['e2e4', 'c7c5', 'g1f3', 'd7d6'].entries()) {
    await (at % 2 === 0 ? white : black).command(game, { type: 'move', uci });
  }
  // The name of the opening and the thinking times are shown beside the moves during the game.
  await expect(white.page.locator('.opening')).toHaveText(/Sicilian/);
  await expect(white.plies.nth(3)).toHaveAttribute('data-time', / s$/);
  await black.command(game, { type: 'resign' });
  await expect(white.end).toContainText('WHITE WINS!');
  await expect(white.end).toContainText('Black resigned.');
  await expect(white.page.locator('.moves .result')).toHaveText('1–0');
  await white.end.getByRole('button', { name: 'Share' }).click();
  expect(JSON.stringify(await shared(white))).toContain(`/games/${game}`);
  // A message after the game.
  await white.button('Chat').click();
  await white.page.getByLabel('Say something').fill('gg');
  await white.page.keyboard.press('Enter');
  await expect(black.page.locator('.chat .count')).toHaveText('1');
  await expect.poll(() => black.said()).toContain('Anna: gg');
  expect(await white.said()).not.toContain('Anna: gg');
  await white.button('Flip').click();
  await expect(white.page.getByRole('grid')).toHaveAttribute(
    'aria-label',
    'Chess board, Black below',
  );
  await white.button('Mute').click();
  await expect(white.button('Mute')).toHaveAttribute('aria-pressed', 'true');
  // A rematch is declined, and offered again.
  await black.end.getByRole('button', { name: 'Rematch' }).click();
  await expect(white.end).toContainText('Ben would like a rematch.');
  await white.end.getByRole('button', { name: 'Decline' }).click();
  await expect(black.end).toContainText('The rematch was declined.');
  await expect(black.end.getByRole('button', { name: 'Rematch' })).toBeEnabled();
  // The review is a page of its own, with a board as large as this one.
  const live = await white.page.getByRole('grid').boundingBox();
  await white.button('Close the chat').click();
  const alone = await white.page.getByRole('grid').boundingBox();
  expect(alone?.width).toBeGreaterThanOrEqual(live?.width ?? 0);
  await white.end.getByRole('link', { name: 'Review' }).click();
  await white.page.waitForURL(`**/games/${game}`);
  await expect(white.plies).toHaveCount(4);
  await expect(white.page.locator('.moves .result')).toHaveText('1–0');
  const past = await white.page.getByRole('grid').boundingBox();
  expect(past?.width).toBeGreaterThanOrEqual((alone?.width ?? 0) - 24);
});
