// Games of this browser, put on the server as well: each once, however often it is tried.
import { ask } from '../api';
import type { Done, Played, Row } from '../wire';
import { entriesOf, noteSent, rows } from './store';

/** The address of a game at the server, once it is there. */
export const there = (id: string): string => id.slice(1);

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
  for (const { row, sent } of await rows()) {
    if (sent || !isOver(row)) continue;
    await bringOne(row.id);
    brought += 1;
  }
  return brought;
}

/** One game that is over. */
export async function bringOne(id: string): Promise<void> {
  const entries = (await entriesOf(id)).map(({ body }) => body);
  await ask<Done>(`/api/games/${there(id)}/entries`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ entries } satisfies Played),
  });
  await noteSent(id);
}
