// What a screen reader is told without being asked. Each sentence is a line of its own, so that two
// at once are both heard, and the same one twice is said twice.
import { untrack } from 'svelte';

class Announcer {
  lines: readonly { readonly id: number; readonly text: string }[] = $state.raw([]);
  #count = 0;

  say(text: string): void {
    this.#count += 1;
    // What has been read is of no use; some stay, for readers that are slow to come.
    const before = untrack(() => this.lines);
    this.lines = [...before.slice(-5), { id: this.#count, text }];
  }
}

export const announcer = new Announcer();
