// A replay: the current ply, and whether it plays by itself.
import { pauseBefore, type Pace } from '../game/pace';

export class Replay {
  at = $state(0);
  playing = $state(false);
  pace: Pace = $state('steady');
  readonly #thoughts: () => readonly (number | null)[];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `thoughts` has one item per move. */
  constructor(thoughts: () => readonly (number | null)[]) {
    this.#thoughts = thoughts;
  }

  get length(): number {
    return this.#thoughts().length;
  }

  /** Goes to a ply and stops the replay. */
  step(to: number): void {
    this.stop();
    this.at = Math.max(0, Math.min(to, this.length));
  }

  /** Plays or stops; at the end it starts again from the beginning. */
  toggle(): void {
    if (this.playing) {
      this.stop();
      return;
    }
    if (this.length === 0) return;
    if (this.at >= this.length) this.at = 0;
    this.playing = true;
    this.#wait();
  }

  setPace(pace: Pace): void {
    this.pace = pace;
    if (this.playing) this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.playing = false;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const thought = this.#thoughts()[this.at] ?? null;
    this.#timer = setTimeout(
      () => {
        this.at += 1;
        if (this.at >= this.length) this.stop();
        else this.#wait();
      },
      pauseBefore(thought, this.pace),
    );
  }
}
