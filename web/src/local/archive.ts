// Reads PGN, names openings and counts results for the games of this browser. A worker does it, so
// that thousands of games do not block the page.
import address from 'virtual:hansu-archive';
import type { Opening } from '../wire';
import type { ArchiveAnswer, ArchiveRequest, FromArchive, Moves, ToArchive } from './shapes';

type Waiting = (answer: FromArchive) => void;

let worker: Worker | null = null;
/** The pending requests, in their order. */
let waiting: Waiting[] = [];

function startWorker(): Worker {
  const it = new Worker(new URL('./archiving.ts', import.meta.url), { type: 'module' });
  it.onmessage = ({ data }: MessageEvent<FromArchive>) => waiting.shift()?.(data);
  it.onerror = () => {
    worker = null;
    const all = waiting;
    waiting = [];
    for (const one of all) one(null);
  };
  return it;
}

export function askArchive(request: ArchiveRequest): Promise<ArchiveAnswer> {
  return new Promise((done, refuse) => {
    if (!address) throw new Error('built without the archive');
    worker ??= startWorker();
    waiting.push((answer) => (answer ? done(answer) : refuse(new Error('no archive'))));
    worker.postMessage({ address, request } satisfies ToArchive);
  });
}

/** The openings of games, null where a game has none; an empty list if they cannot be named. */
export async function openingsOf(games: readonly Moves[]): Promise<readonly (Opening | null)[]> {
  const plain = games.map(({ variant, start_fen, moves }) => ({ variant, start_fen, moves }));
  const { openings } = await askArchive({ name: { games: plain } }).catch(
    () => ({}) as ArchiveAnswer,
  );
  return openings ?? [];
}
