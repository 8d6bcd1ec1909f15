// The worker of the computer: a search takes a second or two and must not block the board. The
// module is loaded at the first question, and its progress is reported.
import { loadEngine } from './load-engine';
import type { FromComputer, Part, Question, Reply, ToComputer } from './shapes';
import type { TextModule } from './text-module';

const post = (message: FromComputer): void => postMessage(message);

const loading = (part: Part): void => post({ type: 'loading', part });

let thinker: Promise<TextModule<Question, Reply>> | null = null;

onmessage = async ({ data: { engine, question } }: MessageEvent<ToComputer>) => {
  try {
    thinker ??= loadEngine(engine, loading);
    const reply = (await thinker).ask(question);
    post({ type: 'thought', seq: question.seq, reply });
  } catch {
    // It could not be loaded, or a trap has made the module unusable.
    thinker = null;
    loading('failed');
  }
};
