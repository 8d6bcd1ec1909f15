// The progress of loading the computer, shown below a game of this browser that waits for it.
import type { Part } from './shapes';

export const fetching: { part: Part } = $state({ part: null });
