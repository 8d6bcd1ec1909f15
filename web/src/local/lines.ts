// The computer's lines from this browser, in the same form as the server's.
import type { AskedLines, LinesNews } from '../wire';
import { engine } from './module';
import type { FromLooking, Part, ToLooking } from './shapes';

let worker: Worker | null = null;
let last = 0;

/** Streams the updates of a search until it ends or is aborted; throws without a computer. */
export async function* lines(
  asked: AskedLines,
  signal: AbortSignal,
  loading: (part: number | null) => void,
): AsyncGenerator<LinesNews> {
  if (!engine.address) throw new Error('built without the computer');
  worker ??= new Worker(new URL('./looking.ts', import.meta.url), { type: 'module' });
  const it = worker;
  const number = ++last;
  const say = (asked: AskedLines | null): void =>
    it.postMessage({ engine, number, asked } satisfies ToLooking);
  const heard: (LinesNews | 'failed')[] = [];
  let wake: () => void = () => undefined;
  const hear = (news: LinesNews | Part): void => {
    if (news === null || typeof news === 'number') loading(news);
    else heard.push(news);
    wake();
  };
  const failed = (): void => hear('failed');
  const listen = ({ data }: MessageEvent<FromLooking>): void => {
    if (data.type === 'loading') hear(data.part);
    else if (data.number === number) hear(data.news ?? 'failed');
  };
  const left = (): void => wake();
  it.addEventListener('message', listen);
  it.addEventListener('error', failed);
  signal.addEventListener('abort', left);
  say(asked);
  try {
    while (!signal.aborted) {
      const news = heard.shift();
      if (news === 'failed') {
        it.terminate();
        if (worker === it) worker = null;
        throw new Error('no computer');
      }
      if (news) {
        yield news;
        if (news.state === 'finished') return;
      } else {
        await new Promise<void>((done) => (wake = done));
      }
    }
  } finally {
    loading(null);
    if (last === number) say(null);
    it.removeEventListener('message', listen);
    it.removeEventListener('error', failed);
    signal.removeEventListener('abort', left);
  }
}
