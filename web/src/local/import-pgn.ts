// Imports games of a PGN text into this browser, for when no server is reachable. A game is counted
// after it is stored, and a game that is stored already counts as a duplicate.
import { ApiError } from '../api';
import type { Imported } from '../wire';
import { language, t } from '../words/index.svelte';
import { askArchive } from './archive';
import { noteLocal } from './here';
import { addRead, rows } from './store';

/** Games that are read before they are stored together. */
const BATCH = 50;
/** Most new games of one text; crates/archive has the same limit. */
const MOST_NEW = 5_000;
/** Most games that a browser stores: its list and its statistics read them all. */
const MOST = 20_000;

export interface Progress {
  /** How much of the text was read, in percent. */
  readonly part: number;
  readonly added: number;
}

/** Decodes a file; older files are not UTF-8. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const failure = (code: string, text: string): ApiError => new ApiError(0, { code, text });

/** Imports all games. After a failure the games stored so far stay, and the error names them. */
export async function importPgn(pgn: Blob, told: (progress: Progress) => void): Promise<Imported> {
  const text = decode(await pgn.arrayBuffer());
  const known = (await rows()).map(({ row }) => row);
  const { error } = await askArchive({ read: { text, lang: language(), known } });
  if (error) throw new ApiError(422, error);
  const sum = { added: 0, duplicates: 0, broken: 0 };
  const errors: Imported['errors'] = [];
  for (;;) {
    const { batch } = await askArchive({ next: { games: BATCH } });
    if (!batch) throw new Error('the archive has lost the text');
    if (known.length + sum.added + batch.games.length > MOST) {
      throw failure('too_many', t('here.import.full', { most: MOST }));
    }
    const added = await addRead(batch.games).catch(() => {
      throw failure('not_kept', t('here.import.stopped', { count: sum.added }));
    });
    if (added > 0 && sum.added === 0) {
      noteLocal();
      void navigator.storage?.persist?.();
    }
    sum.added += added;
    // Another tab may have imported some of them at the same time.
    sum.duplicates += batch.duplicates + batch.games.length - added;
    sum.broken += batch.broken;
    errors.push(...batch.errors);
    told({ part: batch.part, added: sum.added });
    if (batch.done) return { ...sum, more: batch.more, errors };
  }
}

/** The sentence for games that were left out. */
export const moreText = (): string => t('here.import.more', { most: MOST_NEW });
