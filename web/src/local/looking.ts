// The worker that searches the best lines of a position. It searches in steps, and reads its
// messages between two steps, so that a search can be ended.
import type { AskedLines, LinesNews } from '../wire';
import { loadEngine } from './load-engine';
import type { FromLooking, Part, ToLooking } from './shapes';
import type { TextModule } from './text-module';

type Request = { lines: AskedLines } | { more: Record<string, never> };
type Thinker = TextModule<Request, LinesNews | null>;

const post = (message: FromLooking): void => postMessage(message);
const loading = (part: Part): void => post({ type: 'loading', part });
/** Lets the worker handle messages that have arrived. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

let thinker: Promise<Thinker> | null = null;
/** The number of the current search. */
let wanted = 0;

async function look({ engine, number, asked }: ToLooking): Promise<void> {
  if (!asked) return;
  thinker ??= loadEngine(engine, loading);
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
    // It could not be loaded, or a trap has made the module unusable.
    thinker = null;
    loading('failed');
  });
};
