// What a game asks over HTTP, now and then: whether it is there, and the same game once more.
import { api, Failure } from '../api';
import { newGame, newGameThere } from '../beginning';
import { isLocal } from '../local/here';
import type { TimeControl } from '../wire';
import type { GameView } from './view';

/** A line that is refused before anything was said: perhaps there is no such game. */
export async function isMissing(id: string): Promise<boolean> {
  try {
    await api.state(id);
    return false;
  } catch (error) {
    return error instanceof Failure && error.status === 404;
  }
}

function swapped(time: TimeControl): TimeControl {
  return time.kind === 'odds' ? { ...time, white: time.black, black: time.white } : time;
}

/** The same two, the same clock, from the beginning, kept where this game is; the new game's name.
 *  Against the computer it is a rematch as at the server: the colours are exchanged, the time stays
 *  with the player, and the score goes on. */
export async function again(id: string, { start, phase }: GameView): Promise<string> {
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
    time: computer ? swapped(start.time) : start.time,
    variant,
    fen,
    spectators: 'silent',
  });
  return made.game;
}
