// The computer, in a worker of its own: it thinks for a second or two, and the board must not wait
// for it. Fetched when it is first asked, and how far that has come is told.
import type { Engine, FromComputer, Question, Reply, ToComputer } from './shapes';
import { Texts, typed } from './texts';

const post = (message: FromComputer): void => postMessage(message);

async function fetched({ address, bytes }: Engine): Promise<Texts<Question, Reply>> {
  const response = await fetch(address);
  let got = 0;
  let told = -1;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        out.enqueue(chunk);
        got += chunk.byteLength;
        const part = Math.min(100, Math.floor((100 * got) / bytes));
        if (part > told) post({ type: 'loading', part: (told = part) });
      },
    }),
  );
  const module = await WebAssembly.compileStreaming(typed(response, counted));
  post({ type: 'loading', part: null });
  return new Texts(module);
}

let thinker: Promise<Texts<Question, Reply>> | null = null;

onmessage = async ({ data: { engine, question } }: MessageEvent<ToComputer>) => {
  try {
    thinker ??= fetched(engine);
    const reply = (await thinker).ask(question);
    post({ type: 'thought', seq: question.seq, reply });
  } catch {
    // It did not come, or a trap has left it in no state to go on with.
    thinker = null;
    post({ type: 'loading', part: 'failed' });
  }
};
