// All games of a list, as one PGN file: each is asked for, so that it has its clocks and comments.
import { ask } from '../api';
import type { GameList } from '../wire';
import { asked, type Filters } from './filters';
import { files } from './requests';
import { save } from './picture';

/** A list as long as the server gives at once. */
const PAGE = 200;

/** Saves the file; `told` hears how many games are in it so far. */
export async function download(filters: Filters, told: (games: number) => void): Promise<void> {
  const parts: string[] = [];
  let after: string | null = null;
  do {
    const page: GameList = await ask(`/api/games?${asked(filters, { after, limit: PAGE })}`);
    for (const { id } of page.games) {
      parts.push((await ask<string>(files.pgn(id), {}, 'text')).trim());
      told(parts.length);
    }
    after = page.next;
  } while (after);
  const text = parts.map((game) => `${game}\n\n`).join('');
  save('hansu-games.pgn', new Blob([text], { type: 'application/vnd.chess-pgn' }));
}
