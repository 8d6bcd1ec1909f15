// The computer as WebAssembly, fetched with how far that has come; for a worker.
import type { Engine, Part } from './shapes';
import { Texts, typed } from './texts';

export async function fetched<Asked, Answered>(
  { address, bytes }: Engine,
  loading: (part: Part) => void,
): Promise<Texts<Asked, Answered>> {
  const response = await fetch(address);
  let got = 0;
  let told = -1;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        out.enqueue(chunk);
        got += chunk.byteLength;
        const part = Math.min(100, Math.floor((100 * got) / bytes));
        if (part > told) loading((told = part));
      },
    }),
  );
  const module = await WebAssembly.compileStreaming(typed(response, counted));
  loading(null);
  return new Texts(module);
}
