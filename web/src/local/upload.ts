// Games of this browser, put on the server as well: each once, however often it is tried.
import { ask } from '../api';
import type { Done, Played } from '../wire';
import { entriesOf, noteSent, rows } from './store';

let underway: Promise<number> | null = null;

/** Brings all games that are over and not there yet; how many. Fails when the server cannot be
 *  reached or does not want one, and goes on from there the next time. */
export function upload(): Promise<number> {
  underway ??= bring().finally(() => (underway = null));
  return underway;
}

async function bring(): Promise<number> {
  let brought = 0;
  for (const { row, sent } of await rows()) {
    if (sent || row.status === 'live' || row.status === 'adjourned') continue;
    const entries = (await entriesOf(row.id)).map(({ body }) => body);
    await ask<Done>(`/api/games/${row.id.slice(1)}/entries`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entries } satisfies Played),
    });
    await noteSent(row.id);
    brought += 1;
  }
  return brought;
}
