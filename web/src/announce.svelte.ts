// What a screen reader is told without being asked. The same sentence twice is said twice.
class Announcer {
  text = $state('');
  #again = false;

  say(text: string): void {
    this.#again = !this.#again;
    // A zero-width space makes a repeated sentence a new one.
    this.text = this.#again ? text : `${text}\u200b`;
  }
}

export const announcer = new Announcer();
