// Starts new games and answers questions about positions before a game exists: by the server or in
// this browser.
import { ask, ApiError, post } from './api';
import type { LegalMoves, Made, NewGame, Why } from './wire';
import { language } from './words/index.svelte';

/** What is known of a game that was just created. */
export type Begun = Pick<Made, 'game' | 'invitation' | 'link'>;

/** Falls back to this browser if the server cannot be reached. */
async function orHere<T>(asked: Promise<T>, here: (games: Local) => Promise<T | null>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ApiError && error.refusal.code === 'unreachable')) throw error;
    const answer = await import('./local/games').then(here).catch((failed: unknown) => {
      throw failed instanceof ApiError ? failed : error;
    });
    if (answer === null) throw error;
    return answer;
  }
}
type Local = typeof import('./local/games');

/** Games for two on one screen and games against the computer are played in this browser. They are
 *  played at the server if this browser cannot store a game or cannot run the computer. Without TLS
 *  there are no locks that keep a second tab out of a game, so the server is tried first. */
async function inThisBrowser(game: NewGame): Promise<Begun> {
  if (!('locks' in navigator)) return orHere(newGameThere(game), ({ begin }) => begin(game));
  try {
    return await import('./local/games').then(({ begin }) => begin(game));
  } catch (error) {
    // The server applies the same rules, so it would refuse as well.
    if (error instanceof ApiError && error.status) throw error;
    return newGameThere(game).catch((failed: unknown) => {
      throw error instanceof ApiError ? error : failed;
    });
  }
}

/** Creates a game where it can be played best; a game with a friend needs the server. */
export const newGame = (game: NewGame): Promise<Begun> =>
  game.with === 'friend' ? newGameThere(game) : inThisBrowser(game);

/** Creates a game at the server, for any kind of opponent. */
export const newGameThere = (game: NewGame): Promise<Begun> => post<Made>('/api/games', game);

/** The legal moves of a position. */
export const moves = (fen: string): Promise<LegalMoves> =>
  orHere(
    ask<LegalMoves>(`/api/moves?${new URLSearchParams({ fen, variant: 'standard' })}`),
    ({ moves }) => moves(fen),
  );

/** Asks why a move is not legal. */
export const why = (fen: string, move: string): Promise<Why> =>
  orHere(ask<Why>(`/api/why?${new URLSearchParams({ fen, move, lang: language() })}`), ({ why }) =>
    why(fen, move),
  );
