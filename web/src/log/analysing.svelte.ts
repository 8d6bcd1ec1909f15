// The analysis of a game by the server: requested, polled, shown. The server continues when the
// page is left.
import { ask, errorText } from '../api';
import type { AnalysisState } from '../wire';

/** Milliseconds between two polls. */
const PAUSE = 1_000;

export class Analysing {
  state: AnalysisState | null = $state.raw(null);
  /** The sentence of the last error; null if there is none. */
  wrong: string | null = $state(null);
  readonly #path: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  /** True if it was requested here: if the server has lost it, it is requested again. */
  #wanted = false;

  constructor(id: string) {
    this.#path = `/api/games/${encodeURIComponent(id)}/analysis`;
  }

  /** Polls the state for as long as the analysis is being made. */
  look(): Promise<void> {
    return this.#ask({});
  }

  /** Requests the analysis. */
  begin(): Promise<void> {
    this.#wanted = true;
    return this.#ask({ method: 'POST' });
  }

  /** Stops polling. */
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
      if (!this.#left) this.wrong = errorText(error);
    }
  }
}
