// The computer looks for the best lines of a position, in a worker of its own: piece by piece, and
// between two pieces it hears whether they are still wanted.
import type { AskedLines, LinesNews } from '../wire';
import { fetched } from './fetched';
import type { FromLooking, Part, ToLooking } from './shapes';
import type { Texts } from './texts';

type Request = { lines: AskedLines } | { more: Record<string, never> };
type Thinker = Texts<Request, LinesNews | null>;

const post = (message: FromLooking): void => postMessage(message);
const loading = (part: Part): void => post({ type: 'loading', part });
/** Lets what has come in be heard. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

let thinker: Promise<Thinker> | null = null;
/** The search that is wanted. */
let wanted = 0;

async function look({ engine, number, asked }: ToLooking): Promise<void> {
  if (!asked) return;
  thinker ??= fetched(engine, loading);
  const it = await thinker;
  let request: Request = { lines: asked };
  while (number === wanted) {
    const news = it.ask(request);
    post({ type: 'news', number, news });
    if (news?.state !== 'thinking') return;
    request = { more: {} };
    await pause();
  }
}

onmessage = ({ data }: MessageEvent<ToLooking>) => {
  wanted = data.number;
  look(data).catch(() => {
    // It did not come, or a trap has left it in no state to go on with.
    thinker = null;
    loading('failed');
  });
};
