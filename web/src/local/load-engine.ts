// Loads the computer as WebAssembly and reports the progress; used by workers.
import type { Engine, Part } from './shapes';
import { TextModule, asWasm } from './text-module';

export async function loadEngine<Asked, Answered>(
  { address, bytes }: Engine,
  loading: (part: Part) => void,
): Promise<TextModule<Asked, Answered>> {
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
  const module = await WebAssembly.compileStreaming(asWasm(response, counted));
  loading(null);
  return new TextModule(module);
}
