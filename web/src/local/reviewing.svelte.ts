// The analysis of a game that this browser keeps, made by its own computer: position by position, kept
// as it goes, done once. It stops when the page is left, and goes on when that is opened again.
import { sentence } from '../api';
import type { AnalysisState, Kind, Row } from '../wire';
import { language } from '../words/index.svelte';
import { Computer, failure } from './questions';
import type { Asked, KeptReview } from './shapes';
import { keepReview, reviewOf } from './store';

/** It is kept this often while it is made. */
const KEEP_EVERY = 1_000;

interface Reviewed {
  readonly state: AnalysisState;
  readonly kept: KeptReview;
}

export class Reviewing {
  state: AnalysisState | null = $state.raw(null);
  /** Why it could not be made. */
  wrong: string | null = $state(null);
  /** How much of the computer has come, in hundredths, while it is on its way. */
  loading: number | null = $state(null);
  readonly #row: Row;
  readonly #computer = new Computer(
    (part) => (this.loading = typeof part === 'number' ? part : null),
  );
  /** Ends the one that is being made. */
  #stop = new AbortController();

  constructor(row: Row) {
    this.#row = row;
  }

  /** What was found before is shown, and what was begun is gone on with. */
  look(): Promise<void> {
    return this.#make(false);
  }

  begin(): Promise<void> {
    return this.#make(true);
  }

  /** Another page is looked at. */
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
      // What is complete is told at once: another language keeps what is shown until then.
      const { done, total } = known ?? { done: 0, total: this.#row.plies + 1 };
      if (this.state?.state !== 'finished') this.state = { state: 'running', done, total };
      await alone(this.#row.id, signal, () => this.#go(signal));
    } catch (error) {
      if (signal.aborted) return;
      this.wrong = sentence(error);
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
      // What cannot be kept is shown all the same, and made again the next time.
      await keepReview(id, found.kept).catch(() => undefined);
    }
  }
}

/** One tab makes it; another waits, and finds it made. */
function alone(id: string, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return run();
  return navigator.locks.request(`hansu.review.${id}`, { signal }, run);
}
