// A WebAssembly module that takes and returns JSON text, on the page or in a worker; crates/module
// is its other side.
import type { Answer, Request } from './shapes';

interface Exports {
  readonly memory: WebAssembly.Memory;
  room(bytes: number): number;
  ask(): number;
  answer(): number;
}

export class TextModule<Asked, Answered> {
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module).exports as unknown as Exports;
  }

  ask(request: Asked): Answered {
    const { memory, room, ask, answer } = this.#exports;
    const text = new TextEncoder().encode(JSON.stringify(request));
    const place = room(text.length);
    new Uint8Array(memory.buffer, place, text.length).set(text);
    const length = ask();
    // The memory may have grown and moved during the call.
    const said = new Uint8Array(memory.buffer, answer(), length);
    return JSON.parse(new TextDecoder().decode(said)) as Answered;
  }
}

/** The response with the type of WebAssembly: a plain web server may not know it. */
export function asWasm({ ok, status, body }: Response, through = body): Response {
  if (!ok || !through) throw new Error(`${status}`);
  return new Response(through, { headers: { 'content-type': 'application/wasm' } });
}

/** The rules: crates/browser. */
export class Rules extends TextModule<Request, Answer> {}
