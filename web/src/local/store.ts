// The games of this browser in IndexedDB, event by event as in a server's log. The writes of a game
// are waited for, so that no move is shown as played before it is on the disk.
import type { Row } from '../wire';
import type { Answer, Found, Kept, KeptReview } from './shapes';

const NAME = 'hansu';
const VERSION = 1;

interface Game {
  readonly id: string;
  readonly row: Row;
  /** True if the server has the game as well. */
  readonly sent?: boolean;
}
interface Entry extends Kept {
  readonly game: string;
}

function requestDone<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, refuse) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => refuse(request.error ?? new Error('IndexedDB failed'));
  });
}

function transactionDone(transaction: IDBTransaction): Promise<void> {
  return new Promise((done, refuse) => {
    transaction.oncomplete = () => done();
    const failed = () => refuse(transaction.error ?? new Error('IndexedDB failed'));
    transaction.onabort = transaction.onerror = failed;
  });
}

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= (async () => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('games', { keyPath: 'id' });
      request.result.createObjectStore('entries', { keyPath: ['game', 'seq'] });
    };
    const database = await requestDone(request);
    // Closed because another tab upgrades it, or by the browser: it is opened again when needed.
    database.onversionchange = () => database.close();
    database.onclose = () => (opened = null);
    return database;
  })().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** The `seq` of the stored analysis of a game; it is not an entry. An object store of its own would
 *  need a new version of the database, which pages of the last build could not open. */
const OF_REVIEW = -1;

const entryRange = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Infinity]);

/** A time as a date in the form of a row. */
const date = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** The row of an answer, with its dates. */
export function rowOf({ row, started, ended }: Answer): Row | null {
  if (!row) return null;
  const day = started === undefined ? row.date : dayOf(started);
  return { ...row, started: date(started), ended: date(ended), date: day };
}

/** The local day in the form of PGN. */
export function dayOf(ms: number): string {
  const day = new Date(ms);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day.getFullYear()}.${two(day.getMonth() + 1)}.${two(day.getDate())}`;
}

/** Stores new entries. Resolves when they are on the disk; an existing entry is never replaced. */
export async function keep(id: string, answer: Answer): Promise<void> {
  const row = rowOf(answer);
  if (!row || !answer.entries) return;
  const open = await database();
  const transaction = open.transaction(['games', 'entries'], 'readwrite', { durability: 'strict' });
  const done = transactionDone(transaction);
  try {
    const entries = transaction.objectStore('entries');
    for (const entry of answer.entries) entries.add({ ...entry, game: id } satisfies Entry);
    transaction.objectStore('games').put({ id, row } satisfies Game);
  } catch (error) {
    transaction.abort();
    await done.catch(() => undefined);
    throw error;
  }
  await done;
}

/** Stores games of a PGN text, each completely or not at all; resolves to the number of new
 *  ones. */
export async function addRead(found: readonly Found[]): Promise<number> {
  if (found.length === 0) return 0;
  const open = await database();
  const transaction = open.transaction(['games', 'entries'], 'readwrite', { durability: 'strict' });
  const done = transactionDone(transaction);
  let added = 0;
  try {
    const games = transaction.objectStore('games');
    const entries = transaction.objectStore('entries');
    for (const { row, pgn } of found) {
      if ((await requestDone(games.getKey(row.id))) !== undefined) continue;
      games.add({ id: row.id, row } satisfies Game);
      entries.add({ game: row.id, seq: OF_FILE, body: pgn } satisfies Entry);
      added += 1;
    }
  } catch (error) {
    transaction.abort();
    await done.catch(() => undefined);
    throw error;
  }
  await done;
  return added;
}

/** The `seq` of a game imported from PGN: it has one entry, its text. */
const OF_FILE = 0;

/** The PGN text of an imported game; null for a game that was played here. */
export function fileOf(entries: readonly Kept[]): string | null {
  const first = entries[0];
  return first?.seq === OF_FILE ? first.body : null;
}

export async function entriesOf(id: string): Promise<Kept[]> {
  const open = await database();
  const entries = open.transaction('entries').objectStore('entries');
  const found = (await requestDone(entries.getAll(entryRange(id)))) as Entry[];
  return found.map(({ seq, body, client }) => ({ seq, body, ...(client && { client }) }));
}

/** The stored analysis of a game. */
export async function reviewOf(id: string): Promise<KeptReview | null> {
  const open = await database();
  const entries = open.transaction('entries').objectStore('entries');
  const found = (await requestDone(entries.get([id, OF_REVIEW]))) as Entry | undefined;
  return found ? (JSON.parse(found.body) as KeptReview) : null;
}

/** Stores it without waiting for the disk, since it can be made again. Ignores deleted games. */
export async function keepReview(id: string, review: KeptReview): Promise<void> {
  const open = await database();
  const transaction = open.transaction(['games', 'entries'], 'readwrite');
  const done = transactionDone(transaction);
  const known = await requestDone(transaction.objectStore('games').getKey(id));
  if (known !== undefined) {
    const entry = { game: id, seq: OF_REVIEW, body: JSON.stringify(review) } satisfies Entry;
    transaction.objectStore('entries').put(entry);
  }
  await done;
}

/** All games, the newest first, and whether the server has them as well. */
export async function rows(): Promise<{ row: Row; sent: boolean }[]> {
  const open = await database();
  const games = (await requestDone(
    open.transaction('games').objectStore('games').getAll(),
  )) as Game[];
  const rows = games.map(({ row, sent }) => ({ row, sent: sent === true }));
  return rows.sort((one, other) => (other.row.started ?? '').localeCompare(one.row.started ?? ''));
}

export async function isSent(id: string): Promise<boolean> {
  const open = await database();
  const found = await requestDone(open.transaction('games').objectStore('games').get(id));
  return (found as Game | undefined)?.sent === true;
}

/** Notes that the server has the game. A game that is over does not change any more. */
export async function noteSent(id: string): Promise<void> {
  const open = await database();
  const transaction = open.transaction('games', 'readwrite', { durability: 'strict' });
  const games = transaction.objectStore('games');
  const game = (await requestDone(games.get(id))) as Game | undefined;
  if (game) games.put({ ...game, sent: true } satisfies Game);
  await transactionDone(transaction);
}

export async function remove(id: string): Promise<void> {
  const open = await database();
  const transaction = open.transaction(['games', 'entries'], 'readwrite', { durability: 'strict' });
  transaction.objectStore('entries').delete(entryRange(id));
  transaction.objectStore('entries').delete([id, OF_REVIEW]);
  transaction.objectStore('games').delete(id);
  await transactionDone(transaction);
}
