// Announces messages to screen readers. Each message is an element of its own in the live region,
// so that two messages at once are both read, and a repeated message is read again.
import { untrack } from 'svelte';

class Announcer {
  messages: readonly { readonly id: number; readonly text: string }[] = $state.raw([]);
  #count = 0;

  say(text: string): void {
    this.#count += 1;
    // Old messages are removed; the last five stay for screen readers that are slow.
    const before = untrack(() => this.messages);
    this.messages = [...before.slice(-5), { id: this.#count, text }];
  }
}

export const announcer = new Announcer();
