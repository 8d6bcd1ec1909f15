// The analysis of a game of this browser, by the browser's computer: position by position, stored
// while it runs, made once. It stops when the page is left and continues when it is opened again.
import { errorText } from '../api';
import type { AnalysisState, Kind, Row } from '../wire';
import { language } from '../words/index.svelte';
import { Computer, failure } from './questions';
import type { Asked, KeptReview } from './shapes';
import { keepReview, reviewOf } from './store';

/** Milliseconds between two writes of an unfinished analysis. */
const KEEP_EVERY = 1_000;

interface Reviewed {
  readonly state: AnalysisState;
  readonly kept: KeptReview;
}

export class Reviewing {
  state: AnalysisState | null = $state.raw(null);
  /** The sentence of the last error; null if there is none. */
  wrong: string | null = $state(null);
  /** How much of the computer is loaded, in percent; null when it is not being loaded. */
  loading: number | null = $state(null);
  readonly #row: Row;
  readonly #computer = new Computer(
    (part) => (this.loading = typeof part === 'number' ? part : null),
  );
  /** Ends the running analysis. */
  #stop = new AbortController();

  constructor(row: Row) {
    this.#row = row;
  }

  /** Shows a stored analysis, and continues an unfinished one. */
  look(): Promise<void> {
    return this.#make(false);
  }

  begin(): Promise<void> {
    return this.#make(true);
  }

  /** Stops: the page is left. */
  leave(): void {
    this.#stop.abort();
    this.#computer.leave();
  }

  async #make(wanted: boolean): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.wrong = null;
    try {
      const known = await reviewOf(this.#row.id);
      if (signal.aborted) return;
      if (!known && !wanted) {
        this.state = { state: 'none' };
        return;
      }
      // Set at once; but a finished analysis stays visible while it is made in another language.
      const { done, total } = known ?? { done: 0, total: this.#row.plies + 1 };
      if (this.state?.state !== 'finished') this.state = { state: 'running', done, total };
      await alone(this.#row.id, signal, () => this.#go(signal));
    } catch (error) {
      if (signal.aborted) return;
      this.wrong = errorText(error);
      this.state = { state: 'none' };
    }
  }

  async #go(signal: AbortSignal): Promise<void> {
    const { id, variant, start_fen: fen, moves } = this.#row;
    const game: Asked = {
      variant: variant as Kind,
      fen,
      moves: moves.split(' ').filter(Boolean),
      lang: language(),
    };
    const kept = await reviewOf(id);
    let found = await this.#computer.ask<Reviewed | null>({ review: { game, kept } });
    let last = 0;
    for (;;) {
      if (signal.aborted) return;
      if (!found) throw failure();
      const { state } = found;
      if (state.state !== 'running') {
        this.state = state;
        return;
      }
      this.state = state;
      found = await this.#computer.ask<Reviewed | null>({ look: {} });
      if (!found || signal.aborted) continue;
      const over = found.state.state === 'finished';
      if (!over && Date.now() - last < KEEP_EVERY) continue;
      last = Date.now();
      // If it cannot be stored it is shown all the same, and made again the next time.
      await keepReview(id, found.kept).catch(() => undefined);
    }
  }
}

/** Runs in one tab at a time; a tab that had to wait finds the analysis stored. */
function alone(id: string, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return run();
  return navigator.locks.request(`hansu.review.${id}`, { signal }, run);
}
