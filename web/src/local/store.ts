// Games of this browser, in IndexedDB: what a log keeps of them, entry by entry. What is here has
// been written to the disk; nothing is shown as played before.
import type { Row } from '../wire';
import type { Answer, Found, Kept, KeptReview } from './shapes';

const NAME = 'hansu';
const VERSION = 1;

interface Game {
  readonly id: string;
  readonly row: Row;
  /** The server has it, too. */
  readonly sent?: boolean;
}
interface Entry extends Kept {
  readonly game: string;
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, refuse) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => refuse(request.error ?? new Error('IndexedDB failed'));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
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
    const database = await answered(request);
    // Another tab wants to change it, or the browser has closed it: opened again when needed.
    database.onversionchange = () => database.close();
    database.onclose = () => (opened = null);
    return database;
  })().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** The place of what the computer has found in a game: before its entries, and no part of it. A
 *  store of its own would need another version, which pages of the last one could not open. */
const OF_REVIEW = -1;

const whole = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Infinity]);

/** A moment as a row of a list has it. */
const date = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** The row that came with an answer, dated. */
export function dated({ row, started, ended }: Answer): Row | null {
  if (!row) return null;
  const day = started === undefined ? row.date : dayOf(started);
  return { ...row, started: date(started), ended: date(ended), date: day };
}

/** The day as PGN writes it, where the reader is. */
export function dayOf(ms: number): string {
  const day = new Date(ms);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day.getFullYear()}.${two(day.getMonth() + 1)}.${two(day.getDate())}`;
}

/** Keeps what has happened. Done means on the disk; an entry that is there is never replaced. */
export async function keep(id: string, answer: Answer): Promise<void> {
  const row = dated(answer);
  if (!row || !answer.entries) return;
  const open = await database();
  const transaction = open.transaction(['games', 'entries'], 'readwrite', { durability: 'strict' });
  const done = finished(transaction);
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

/** Keeps games of a PGN text: each whole or not at all, and none twice. How many were new. */
export async function addRead(found: readonly Found[]): Promise<number> {
  if (found.length === 0) return 0;
  const open = await database();
  const transaction = open.transaction(['games', 'entries'], 'readwrite', { durability: 'strict' });
  const done = finished(transaction);
  let added = 0;
  try {
    const games = transaction.objectStore('games');
    const entries = transaction.objectStore('entries');
    for (const { row, pgn } of found) {
      if ((await answered(games.getKey(row.id))) !== undefined) continue;
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

/** The place of a game that was read from PGN: it has no events, and its text stands there. */
const OF_FILE = 0;

/** The text of a game that was read from PGN; nothing for one that was played. */
export function fileOf(entries: readonly Kept[]): string | null {
  const first = entries[0];
  return first?.seq === OF_FILE ? first.body : null;
}

export async function entriesOf(id: string): Promise<Kept[]> {
  const open = await database();
  const entries = open.transaction('entries').objectStore('entries');
  const found = (await answered(entries.getAll(whole(id)))) as Entry[];
  return found.map(({ seq, body, client }) => ({ seq, body, ...(client && { client }) }));
}

/** What the computer has found in a game by now. */
export async function reviewOf(id: string): Promise<KeptReview | null> {
  const open = await database();
  const entries = open.transaction('entries').objectStore('entries');
  const found = (await answered(entries.get([id, OF_REVIEW]))) as Entry | undefined;
  return found ? (JSON.parse(found.body) as KeptReview) : null;
}

/** Keeps that; it can be made again, so the disk is not waited for. Nothing of a game that is gone. */
export async function keepReview(id: string, review: KeptReview): Promise<void> {
  const open = await database();
  const transaction = open.transaction(['games', 'entries'], 'readwrite');
  const done = finished(transaction);
  const known = await answered(transaction.objectStore('games').getKey(id));
  if (known !== undefined) {
    const entry = { game: id, seq: OF_REVIEW, body: JSON.stringify(review) } satisfies Entry;
    transaction.objectStore('entries').put(entry);
  }
  await done;
}

/** All games, the newest first; and which of them the server has, too. */
export async function rows(): Promise<{ row: Row; sent: boolean }[]> {
  const open = await database();
  const games = (await answered(open.transaction('games').objectStore('games').getAll())) as Game[];
  const rows = games.map(({ row, sent }) => ({ row, sent: sent === true }));
  return rows.sort((one, other) => (other.row.started ?? '').localeCompare(one.row.started ?? ''));
}

export async function isSent(id: string): Promise<boolean> {
  const open = await database();
  const found = await answered(open.transaction('games').objectStore('games').get(id));
  return (found as Game | undefined)?.sent === true;
}

/** The server has a game, too. A game that is over does not change any more. */
export async function noteSent(id: string): Promise<void> {
  const open = await database();
  const transaction = open.transaction('games', 'readwrite', { durability: 'strict' });
  const games = transaction.objectStore('games');
  const game = (await answered(games.get(id))) as Game | undefined;
  if (game) games.put({ ...game, sent: true } satisfies Game);
  await finished(transaction);
}

export async function remove(id: string): Promise<void> {
  const open = await database();
  const transaction = open.transaction(['games', 'entries'], 'readwrite', { durability: 'strict' });
  transaction.objectStore('entries').delete(whole(id));
  transaction.objectStore('entries').delete([id, OF_REVIEW]);
  transaction.objectStore('games').delete(id);
  await finished(transaction);
}
