// The computer, in a worker of its own: it thinks for a second or two, and the board must not wait
// for it. Fetched when it is first asked, and how far that has come is told.
import { fetched } from './fetched';
import type { FromComputer, Part, Question, Reply, ToComputer } from './shapes';
import type { Texts } from './texts';

const post = (message: FromComputer): void => postMessage(message);

const loading = (part: Part): void => post({ type: 'loading', part });

let thinker: Promise<Texts<Question, Reply>> | null = null;

onmessage = async ({ data: { engine, question } }: MessageEvent<ToComputer>) => {
  try {
    thinker ??= fetched(engine, loading);
    const reply = (await thinker).ask(question);
    post({ type: 'thought', seq: question.seq, reply });
  } catch {
    // It did not come, or a trap has left it in no state to go on with.
    thinker = null;
    loading('failed');
  }
};
