// A player in a terminal (`hansu join`, `hansu invite`, `hansu board` in tmux) and one in a
// browser, in the same game of a real server.
import { clock, expect, test as base } from './people';
import { Terminal } from './tmux';
import type { Made } from '../src/wire';

const test = base.extend<{ terminal: (...words: string[]) => Promise<Terminal> }>({
  // eslint-disable-next-line no-empty-pattern
  terminal: async ({}, use) => {
    const all: Terminal[] = [];
    await use(async (...words) => {
      const terminal = await Terminal.start(...words);
      all.push(terminal);
      return terminal;
    });
    await Promise.all(all.map((terminal) => terminal.stop()));
  },
});

test('a browser invites a terminal: clocks, chat, a draw offer, mate and a rematch', async ({
  someone,
  terminal,
  hansu,
}) => {
  const white = await someone();
  white.side = 'white';
  const made = await white.post<Made>('/api/games', {
    with: 'friend',
    name: 'Anna',
    color: 'white',
    time: clock(10, 5),
  });
  await white.page.goto(`/game/${made.game}`);
  const black = await terminal(
    ...['join', `${hansu.url}/join/${made.invitation}`, '--name', 'Ben', '--lang', 'en'],
  );
  await black.shows('Anna – Ben');
  await expect(white.page.getByText('Ben', { exact: true })).toBeVisible();
  await white.move('f2', 'f3');
  await black.shows(' f3');
  await black.play('e5');
  await expect(white.plies).toHaveText(['f3', 'e5']);
  // Both show both clocks, and that of the side to move runs.
  await expect(white.page.getByRole('timer')).toHaveCount(2);
  const before = /Anna +(\d+:\d\d)/.exec(await black.shows(/Anna +\d+:\d\d/))?.[1];
  const now = async () => /Anna +(\d+:\d\d)/.exec(await black.text())?.[1];
  await expect.poll(now).not.toBe(before);

  // A chat message from each.
  await black.type('m');
  await black.shows('Say:');
  await black.type('안녕하세요');
  await black.press('Enter');
  await white.button(/^Chat/).click();
  await expect(white.chat).toContainText('안녕하세요');
  await white.page.getByLabel('Say something').fill('good luck');
  await white.page.getByRole('button', { name: 'Send' }).click();
  await black.shows('Anna: good luck');

  // The terminal offers, the page declines.
  await black.type('o');
  await expect(white.prompt).toContainText('Ben offers a draw.');
  await white.button('Decline').click();
  await black.shows('Declined: draw.');
  // The page offers, the terminal declines.
  await white.toolbar.getByRole('button', { name: 'Draw' }).click();
  await white.prompt.getByRole('button', { name: 'Draw' }).click();
  await black.shows('The other side offers: draw.');
  await black.type('n');
  await expect(white.prompt).toHaveText('The draw was declined.');

  // An illegal move is explained in the terminal; the other side is not notified.
  await white.move('g2', 'g4');
  await black.shows(' g4');
  await black.type(':Qh3');
  await black.press('Enter');
  await black.shows('The queen on d8 does not move like that');
  await black.play('Qh4');
  await black.shows('Black wins by checkmate');
  await expect(white.status).toHaveText("WHITE'S TURN | CHECKMATE");
  await expect(white.end).toContainText('BLACK WINS!');
  await expect(white.plies).toHaveText(['f3', 'e5', 'g4', 'Qh4#']);

  // A rematch with exchanged colours.
  await black.type('p');
  await expect(white.end).toContainText('Ben would like a rematch.');
  await white.end.getByRole('button', { name: 'Accept' }).click();
  await white.page.waitForURL((url) => !url.pathname.endsWith(made.game));
  await black.shows('Your move.');
  await black.play('d4');
  await expect(white.plies).toHaveText(['d4']);
  white.side = 'black';
  await white.move('d7', 'd5');
  await black.shows(' d5');
});

test('a terminal invites a browser, and its seat can be used in another browser as well', async ({
  someone,
  terminal,
  hansu,
}) => {
  const white = await terminal(
    ...[
      'invite',
      hansu.url,
      '--name',
      'Mina',
      '--color',
      'white',
      '--minutes',
      '5',
      '--lang',
      'en',
    ],
  );
  const shown = await white.shows('/join/');
  const link = /http:\S+\/join\/\S+/.exec(shown)?.[0] ?? '';
  const black = await someone({ lang: 'ko' });
  black.side = 'black';
  await black.page.goto(link);
  await black.page.getByRole('textbox').fill('준');
  await black.page.getByRole('main').getByRole('button').click();
  await black.page.waitForURL(/\/game\//);
  await white.shows('Mina – 준');
  await white.shows('Your move.');

  // The same player in a browser: a key identifies a player.
  const also = await someone();
  also.side = 'white';
  await also.context.addCookies([{ name: 'hansu', value: await white.key(), url: hansu.url }]);
  await also.page.goto(new URL(black.page.url()).pathname);
  await also.ready();

  await white.play('e4');
  await expect(also.plies).toHaveText(['e4']);
  await black.move('e7', 'e5');
  // A move in one is shown in the other.
  await also.move('f1', 'c4');
  await white.shows(' Bc4');
  await white.shows('The other side is to move.');
  await black.move('b8', 'c6');
  await white.shows(' Nc6');
  await white.play('Qh5');
  await expect(also.plies).toHaveText(['e4', 'e5', 'Bc4', 'Nc6', 'Qh5']);
  await black.move('g8', 'f6');
  await also.ready();

  // The terminal is closed; the browser plays on, and the terminal gets its seat again.
  await white.close();
  await white.open('board', black.page.url(), '--lang', 'en');
  await white.shows('Your move.');
  await white.type(':Qxf7');
  await white.press('Enter');
  await white.shows('White wins by checkmate');
  await expect(also.status).toHaveText("BLACK'S TURN | CHECKMATE");
  await expect(black.status).toHaveText('흑 차례 | 체크메이트');
  await expect(black.plies).toHaveText(['e4', 'e5', 'Bc4', 'Nc6', 'Qh5', 'Nf6', 'Qxf7#']);
});
