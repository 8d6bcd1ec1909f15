// Games of this browser, put on the server as well: each once, however often it is tried.
import { ask, Failure } from '../api';
import type { Done, Imported, Played, Row } from '../wire';
import { t } from '../words/index.svelte';
import { entriesOf, fileOf, noteSent, rows } from './store';

/** The name of a game that was played here, once it is at the server. */
const named = (id: string): string => id.slice(1);

/** The address of a game at the server, once it is there. One that was read from PGN has a name that
 *  the server gives it. */
export const there = ({ id, source }: Row): string =>
  source === 'import' ? '/games?source=import' : `/games/${named(id)}`;

/** Bytes of PGN that are sent at once. */
const PIECE = 1024 * 1024;

/** Only games that are over go there: of one that is played there would be two. */
export const isOver = ({ status }: Row): boolean => status !== 'live' && status !== 'adjourned';

let underway: Promise<number> | null = null;

/** Brings all games that are over and not there yet; how many. Fails when the server cannot be
 *  reached or does not want one, and goes on from there the next time. */
export function upload(): Promise<number> {
  underway ??= bring().finally(() => (underway = null));
  return underway;
}

async function bring(): Promise<number> {
  let brought = 0;
  /** Games of files go together: thousands of questions would be too many. */
  let texts: string[] = [];
  let ids: string[] = [];
  const send = async (): Promise<void> => {
    if (ids.length === 0) return;
    await bringText(texts.join('\n\n'));
    for (const id of ids) await noteSent(id);
    brought += ids.length;
    [texts, ids] = [[], []];
  };
  let bytes = 0;
  for (const { row, sent } of await rows()) {
    if (sent || !isOver(row)) continue;
    const file = row.source === 'import' ? fileOf(await entriesOf(row.id)) : null;
    if (file === null) {
      await bringOne(row.id);
      brought += 1;
      continue;
    }
    // A letter may have three bytes.
    if (bytes + 3 * file.length > PIECE) {
      await send();
      bytes = 0;
    }
    bytes += 3 * file.length;
    texts.push(file);
    ids.push(row.id);
  }
  await send();
  return brought;
}

/** Games of PGN, which the server recognises when they come again. */
async function bringText(body: string): Promise<void> {
  const headers = { 'content-type': 'application/vnd.chess-pgn' };
  const done = await ask<Imported>('/api/import?visibility=private', {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(600_000),
  });
  const [why] = done.errors;
  if (why) throw new Failure(422, { code: 'broken', text: why.text });
  if (done.more) throw new Failure(429, { code: 'import_budget', text: t('import.more') });
}

/** One game that is over. */
export async function bringOne(id: string): Promise<void> {
  const kept = await entriesOf(id);
  const file = fileOf(kept);
  if (file !== null) {
    await bringText(file);
    return noteSent(id);
  }
  const entries = kept.map(({ body }) => body);
  await ask<Done>(`/api/games/${named(id)}/entries`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ entries } satisfies Played),
  });
  await noteSent(id);
}
