// Questions of the page to this browser's computer. They have a worker of their own beside that of
// a game, so that neither the board nor an opponent that thinks must wait.
import { ApiError } from '../api';
import { t } from '../words/index.svelte';
import { canThink, engine } from './module';
import type { FromComputer, Part, ToComputer } from './shapes';

interface Waiting {
  readonly done: (reply: unknown) => void;
  readonly refuse: (error: Error) => void;
}

export class Computer {
  readonly #loading: (part: Part) => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #last = 0;

  /** `loading` receives the progress while the computer is being loaded. */
  constructor(loading: (part: Part) => void = () => undefined) {
    this.#loading = loading;
  }

  /** Rejects if the computer cannot be loaded or was ended; the caller may ask again. */
  ask<T>(question: object): Promise<T> {
    return new Promise<T>((done, refuse) => {
      if (!canThink()) throw failure();
      const seq = ++this.#last;
      this.#waiting.set(seq, { done: (reply) => done(reply as T), refuse });
      this.#worker ??= this.#begun();
      this.#worker.postMessage({ engine, question: { ...question, seq } } satisfies ToComputer);
    });
  }

  /** Ends all questions. */
  leave(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#refuse();
  }

  #begun(): Worker {
    const worker = new Worker(new URL('./computer.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromComputer>) => {
      if (data.type === 'loading') {
        this.#loading(data.part);
        if (data.part === 'failed') this.#refuse();
        return;
      }
      this.#waiting.get(data.seq)?.done(data.reply);
      this.#waiting.delete(data.seq);
    };
    worker.onerror = () => this.leave();
    return worker;
  }

  #refuse(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { refuse } of all) refuse(failure());
  }
}

export const failure = (): ApiError =>
  new ApiError(0, { code: 'no_computer', text: t('teach.nocomputer') });
