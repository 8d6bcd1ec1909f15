// The rules as WebAssembly, on the page or in a worker: text in, text out.
import type { Answer, Request } from './shapes';

interface Exports {
  readonly memory: WebAssembly.Memory;
  room(bytes: number): number;
  ask(): number;
  answer(): number;
}

export class Rules {
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module).exports as unknown as Exports;
  }

  ask(request: Request): Answer {
    const { memory, room, ask, answer } = this.#exports;
    const text = new TextEncoder().encode(JSON.stringify(request));
    const place = room(text.length);
    new Uint8Array(memory.buffer, place, text.length).set(text);
    const length = ask();
    // The memory may have grown meanwhile, and then lies elsewhere.
    const said = new Uint8Array(memory.buffer, answer(), length);
    return JSON.parse(new TextDecoder().decode(said)) as Answer;
  }
}
