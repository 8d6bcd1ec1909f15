// What this server offers: asked once.
interface Offers {
  /** Whether one can play against the computer. */
  computer: boolean;
}

export const offers: Offers = $state({ computer: false });
