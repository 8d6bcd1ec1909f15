// How a game begins, and what is asked before there is one: of the server, or of this browser itself.
import { ask, Failure, post } from './api';
import type { LegalMoves, Made, NewGame, Why } from './wire';
import { language } from './words/index.svelte';

/** What is known of a game that has just begun. */
export type Begun = Pick<Made, 'game' | 'invitation' | 'link'>;

/** Where no server can be reached, what this browser can answer by itself. */
async function orHere<T>(asked: Promise<T>, here: (games: Local) => Promise<T | null>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Failure && error.refusal.code === 'unreachable')) throw error;
    const answer = await import('./local/games').then(here).catch((failed: unknown) => {
      throw failed instanceof Failure ? failed : error;
    });
    if (answer === null) throw error;
    return answer;
  }
}
type Local = typeof import('./local/games');

/** Two on one screen, and one against the computer, play in this browser, and at the server where
 *  this browser cannot keep a game or has no computer. Without TLS tabs cannot keep each other out
 *  of a game: there the server comes first. */
async function inThisBrowser(game: NewGame): Promise<Begun> {
  if (!('locks' in navigator)) return orHere(newGameThere(game), ({ begin }) => begin(game));
  try {
    return await import('./local/games').then(({ begin }) => begin(game));
  } catch (error) {
    // What the rules refuse here they refuse there.
    if (error instanceof Failure && error.status) throw error;
    return newGameThere(game).catch((failed: unknown) => {
      throw error instanceof Failure ? error : failed;
    });
  }
}

/** A new game, kept where it can be played best: a friend is met at the server. */
export const newGame = (game: NewGame): Promise<Begun> =>
  game.with === 'friend' ? newGameThere(game) : inThisBrowser(game);

/** At the server, for every kind of opponent. */
export const newGameThere = (game: NewGame): Promise<Begun> => post<Made>('/api/games', game);

/** The legal moves of a position. */
export const moves = (fen: string): Promise<LegalMoves> =>
  orHere(
    ask<LegalMoves>(`/api/moves?${new URLSearchParams({ fen, variant: 'standard' })}`),
    ({ moves }) => moves(fen),
  );

/** Why a move may not be played. */
export const why = (fen: string, move: string): Promise<Why> =>
  orHere(ask<Why>(`/api/why?${new URLSearchParams({ fen, move, lang: language() })}`), ({ why }) =>
    why(fen, move),
  );
