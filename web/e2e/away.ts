// A server that is away, and a page that knows how to do without it.
import { expect, type Person } from './people';

/** What a browser says of a server that is away. */
export const AWAY =
  /WebSocket connection|ERR_CONNECTION_REFUSED|Failed to load resource|fetching the script/;

/** The service worker has all files of the page, and answers for the server from now on. */
export async function settled({ page }: Person): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** At the first page, with a server that is away. */
export async function stranded(person: Person): Promise<void> {
  person.expected = AWAY;
  await person.page.goto('/');
  await settled(person);
  await person.hansu.kill();
}

/** The game of this browser that has begun. */
export async function begun({ page }: Person): Promise<string> {
  await expect(page).toHaveURL(/\/game\/~\w{12}$/);
  return new URL(page.url()).pathname.replace('/game/', '');
}

/** A game for two on this screen, from the first page. */
export async function begin(person: Person): Promise<string> {
  await person.button(/^Play on this screen|^이 화면에서 두기/).click();
  const game = await begun(person);
  await person.ready();
  return game;
}

/** A game against the computer with the white pieces. */
export async function challenge(person: Person): Promise<string> {
  await person.page.goto('/#computer');
  await person.page.getByText('White', { exact: true }).click();
  await person.button('Start the game').click();
  person.side = 'white';
  return begun(person);
}

/** Fool's mate. */
export async function mate(me: Person): Promise<void> {
  for (const uci of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) {
    await me.move(uci.slice(0, 2), uci.slice(2));
  }
  await expect(me.end).toContainText(/BLACK WINS!|흑 승리/);
}

/** A game of a club, as PGN. */
export const club = (white: string, result = '1-0'): string =>
  `[Event "Club"]\n[White "${white}"]\n[Black "Cho"]\n[Date "2026.11.15"]\n[Result "${result}"]\n\n` +
  `1. e4 e5 2. Qh5 Nc6 3. Bc4 {Watch f7.} Nf6 4. Qxf7# ${result}\n\n`;
