// What is read from PGN, named and counted of the games of this browser: asked of a worker of its
// own, so that thousands of games do not hold up the page.
import address from 'virtual:hansu-archive';
import type { Opening } from '../wire';
import type { ArchiveAnswer, ArchiveRequest, FromArchive, Moves, ToArchive } from './shapes';

type Waiting = (answer: FromArchive) => void;

let worker: Worker | null = null;
/** Those who wait for an answer, in the order of their questions. */
let waiting: Waiting[] = [];

function begun(): Worker {
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

export function asked(request: ArchiveRequest): Promise<ArchiveAnswer> {
  return new Promise((done, refuse) => {
    if (!address) throw new Error('built without the archive');
    worker ??= begun();
    waiting.push((answer) => (answer ? done(answer) : refuse(new Error('no archive'))));
    worker.postMessage({ address, request } satisfies ToArchive);
  });
}

/** The openings of games, as far as they have one; none where they cannot be named. */
export async function openingsOf(games: readonly Moves[]): Promise<readonly (Opening | null)[]> {
  const plain = games.map(({ variant, start_fen, moves }) => ({ variant, start_fen, moves }));
  const { openings } = await asked({ name: { games: plain } }).catch(() => ({}) as ArchiveAnswer);
  return openings ?? [];
}
