// All games of a list as one PGN file. Each is requested singly, to have its clocks and comments.
import { ask } from '../api';
import type { GameList } from '../wire';
import { toRequest, type Filters } from './filters';
import { files } from './requests';
import { save } from './picture';

/** Games in one request; the server's limit. */
const PAGE = 200;

/** Saves the file; `told` receives the number of games so far. */
export async function download(filters: Filters, told: (games: number) => void): Promise<void> {
  const parts: string[] = [];
  let after: string | null = null;
  do {
    const page: GameList = await ask(`/api/games?${toRequest(filters, { after, limit: PAGE })}`);
    for (const { id } of page.games) {
      parts.push((await ask<string>(files.pgn(id), {}, 'text')).trim());
      told(parts.length);
    }
    after = page.next;
  } while (after);
  const text = parts.map((game) => `${game}\n\n`).join('');
  save('hansu-games.pgn', new Blob([text], { type: 'application/vnd.chess-pgn' }));
}
