// Games of a PGN text into this browser, where there is no server to take them: each is on the disk
// before it is counted, and a game that is here is recognised.
import { Failure } from '../api';
import type { Imported } from '../wire';
import { language, t } from '../words/index.svelte';
import { asked } from './archive';
import { noteLocal } from './here';
import { addRead, rows } from './store';

/** Games that are read before the disk is waited for. */
const BATCH = 50;
/** New games of one text; crates/archive has the same. */
const MOST_NEW = 5_000;
/** Games that a browser keeps: its list and its statistics read them all. */
const MOST = 20_000;

export interface Progress {
  /** How much of the text was read, in hundredths. */
  readonly part: number;
  readonly added: number;
}

/** A file in whatever encoding: older ones are not UTF-8. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const failure = (code: string, text: string): Failure => new Failure(0, { code, text });

/** Reads all games. What was kept before a failure stays, and the failure says so. */
export async function readHere(pgn: Blob, told: (progress: Progress) => void): Promise<Imported> {
  const text = decoded(await pgn.arrayBuffer());
  const known = (await rows()).map(({ row }) => row);
  const { error } = await asked({ read: { text, lang: language(), known } });
  if (error) throw new Failure(422, error);
  const sum = { added: 0, duplicates: 0, broken: 0 };
  const errors: Imported['errors'] = [];
  for (;;) {
    const { batch } = await asked({ next: { games: BATCH } });
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
    // Another tab may have brought some of them meanwhile.
    sum.duplicates += batch.duplicates + batch.games.length - added;
    sum.broken += batch.broken;
    errors.push(...batch.errors);
    told({ part: batch.part, added: sum.added });
    if (batch.done) return { ...sum, more: batch.more, errors };
  }
}

/** What is said when games were left out. */
export const moreText = (): string => t('here.import.more', { most: MOST_NEW });
