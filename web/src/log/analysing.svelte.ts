// The computer's analysis of a game: asked for, waited for, and there. The server goes on with it
// when the page is left.
import { ask, sentence } from '../api';
import type { AnalysisState } from '../wire';

/** Between two looks at how far it is. */
const PAUSE = 1_000;

export class Analysing {
  state: AnalysisState | null = $state.raw(null);
  /** Why it could not be asked for. */
  wrong: string | null = $state(null);
  readonly #path: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  /** Whether it was asked for here: a server that has lost it is asked again. */
  #wanted = false;

  constructor(id: string) {
    this.#path = `/api/games/${encodeURIComponent(id)}/analysis`;
  }

  /** Looks how far it is, and goes on looking while it is made. */
  look(): Promise<void> {
    return this.#ask({});
  }

  /** Asks for it. */
  begin(): Promise<void> {
    this.#wanted = true;
    return this.#ask({ method: 'POST' });
  }

  /** Looks no longer. */
  leave(): void {
    this.#left = true;
    clearTimeout(this.#timer);
  }

  async #ask(init: RequestInit): Promise<void> {
    clearTimeout(this.#timer);
    this.wrong = null;
    try {
      const state = await ask<AnalysisState>(this.#path, init);
      if (this.#left) return;
      this.state = state;
      const lost = state.state === 'none' && this.#wanted;
      const under = state.state === 'queued' || state.state === 'running';
      if (lost || under) {
        this.#timer = setTimeout(() => void (lost ? this.begin() : this.look()), PAUSE);
      }
    } catch (error) {
      if (!this.#left) this.wrong = sentence(error);
    }
  }
}
