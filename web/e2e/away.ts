// Tests without a server: the page must work from its cache.
import { expect, type Person } from './people';

/** Console errors of a browser whose server is away. */
export const AWAY =
  /WebSocket connection|ERR_CONNECTION_REFUSED|Failed to load resource|fetching the script/;

/** Waits until the service worker has cached the page and controls it. */
export async function waitForCache({ page }: Person): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Opens the home page, then stops the server. */
export async function openWithoutServer(person: Person): Promise<void> {
  person.expected = AWAY;
  await person.page.goto('/');
  await waitForCache(person);
  await person.hansu.kill();
}

/** The id of the local game that has begun. */
export async function begun({ page }: Person): Promise<string> {
  await expect(page).toHaveURL(/\/game\/~\w{12}$/);
  return new URL(page.url()).pathname.replace('/game/', '');
}

/** Starts a game for two on one screen from the home page; returns its id. */
export async function begin(person: Person): Promise<string> {
  await person.button(/^Play on this screen|^이 화면에서 두기/).click();
  const game = await begun(person);
  await person.ready();
  return game;
}

/** Starts a game against the computer with the white pieces. */
export async function challenge(person: Person): Promise<string> {
  await person.page.goto('/#computer');
  await person.page.getByText('White', { exact: true }).click();
  await person.button('Start the game').click();
  person.side = 'white';
  return begun(person);
}

/** Plays fool's mate. */
export async function mate(me: Person): Promise<void> {
  for (const uci of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) {
    await me.move(uci.slice(0, 2), uci.slice(2));
  }
  await expect(me.end).toContainText(/BLACK WINS!|흑 승리/);
}

/** A game as PGN. */
export const club = (white: string, result = '1-0'): string =>
  `[Event "Club"]\n[White "${white}"]\n[Black "Cho"]\n[Date "2026.11.15"]\n[Result "${result}"]\n\n` +
  `1. e4 e5 2. Qh5 Nc6 3. Bc4 {Watch f7.} Nf6 4. Qxf7# ${result}\n\n`;
