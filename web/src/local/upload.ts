// Uploads games of this browser to the server: each is stored once, however often it is tried.
import { ask, ApiError } from '../api';
import type { Done, Imported, Played, Row } from '../wire';
import { t } from '../words/index.svelte';
import { entriesOf, fileOf, noteSent, rows } from './store';

/** The id at the server of a game that was played here. */
const serverId = (id: string): string => id.slice(1);

/** The address of an uploaded game at the server. An imported game gets a new id there, so this is
 *  the list of imported games. */
export const serverAddress = ({ id, source }: Row): string =>
  source === 'import' ? '/games?source=import' : `/games/${serverId(id)}`;

/** Bytes of PGN in one request. */
const REQUEST_BYTES = 1024 * 1024;

/** Only games that are over are uploaded: a running game would exist twice. */
export const isOver = ({ status }: Row): boolean => status !== 'live' && status !== 'adjourned';

let underway: Promise<number> | null = null;

/** Uploads all games that are over and not at the server; resolves to their number. Rejects if the
 *  server is unreachable or refuses a game; the next call continues there. */
export function upload(): Promise<number> {
  underway ??= uploadAll().finally(() => (underway = null));
  return underway;
}

async function uploadAll(): Promise<number> {
  let brought = 0;
  /** Imported games are sent together: one request for each would be thousands. */
  let texts: string[] = [];
  let ids: string[] = [];
  const send = async (): Promise<void> => {
    if (ids.length === 0) return;
    await uploadPgn(texts.join('\n\n'));
    for (const id of ids) await noteSent(id);
    brought += ids.length;
    [texts, ids] = [[], []];
  };
  let bytes = 0;
  for (const { row, sent } of await rows()) {
    if (sent || !isOver(row)) continue;
    const file = row.source === 'import' ? fileOf(await entriesOf(row.id)) : null;
    if (file === null) {
      await uploadGame(row.id);
      brought += 1;
      continue;
    }
    // A UTF-16 code unit has at most three bytes in UTF-8.
    if (bytes + 3 * file.length > REQUEST_BYTES) {
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

/** Uploads PGN; the server recognises games that it has already. */
async function uploadPgn(body: string): Promise<void> {
  const headers = { 'content-type': 'application/vnd.chess-pgn' };
  const done = await ask<Imported>('/api/import?visibility=private', {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(600_000),
  });
  const [why] = done.errors;
  if (why) throw new ApiError(422, { code: 'broken', text: why.text });
  if (done.more) throw new ApiError(429, { code: 'import_budget', text: t('import.more') });
}

/** Uploads one game that is over. */
export async function uploadGame(id: string): Promise<void> {
  const kept = await entriesOf(id);
  const file = fileOf(kept);
  if (file !== null) {
    await uploadPgn(file);
    return noteSent(id);
  }
  const entries = kept.map(({ body }) => body);
  await ask<Done>(`/api/games/${serverId(id)}/entries`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ entries } satisfies Played),
  });
  await noteSent(id);
}
