// Requests of a game over HTTP: does it exist, and start the same game again.
import { api, ApiError } from '../api';
import { newGame, newGameThere } from '../new-game';
import { isLocal } from '../local/here';
import type { TimeControl } from '../wire';
import type { GameView } from './view';

/** True if the server says that there is no such game (a refused websocket does not tell). */
export async function isMissing(id: string): Promise<boolean> {
  try {
    await api.state(id);
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 404;
  }
}

function swapSides(time: TimeControl): TimeControl {
  return time.kind === 'odds' ? { ...time, white: time.black, black: time.white } : time;
}

/** Starts a new game with the same players and the same clock, where this game is kept; resolves to
 *  its id. Against the computer it is a rematch, as at the server: colours are exchanged, the
 *  clocks stay with the players, and the score of the series continues. */
export async function startAgain(id: string, { start, phase }: GameView): Promise<string> {
  if (start.computer && isLocal(id) && phase === 'ended') {
    return (await (await import('../local/games')).again(id)).game;
  }
  const { computer, names, variant, fen } = start;
  const made = await (isLocal(id) ? newGame : newGameThere)({
    with: computer ? 'computer' : 'local',
    name: names[computer?.side === 'white' ? 'black' : 'white'],
    other: names.black,
    color: computer?.side ?? 'any',
    level: computer?.level,
    ...(computer?.resigns && { resigns: true }),
    time: computer ? swapSides(start.time) : start.time,
    variant,
    fen,
    spectators: 'silent',
  });
  return made.game;
}
