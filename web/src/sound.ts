// The sounds of the page. The page reports what happens; a player of sounds, loaded when sound is
// first wanted and the user has touched the page, plays them. Until then the page is silent.
import type { GameView } from './game/view';

export type Cue =
  | 'move'
  | 'capture'
  | 'check'
  | 'castling'
  | 'promotion'
  | 'start'
  | 'offer'
  | 'chat'
  | 'refused'
  | 'low_time'
  | 'win'
  | 'draw'
  | 'loss';

/** Volumes, 0 to 1. */
export interface Volumes {
  readonly effects: number;
  readonly music: number;
}

/** Plays sounds. */
export interface Player {
  cue(cue: Cue): void;
  /** Follows a game with music of the same tension; null lets the music end softly. */
  follow(view: GameView | null): void;
  volumes(volumes: Volumes): void;
}

let player: Player | null = null;
let volumes: Volumes = { effects: 0, music: 0 };
let followed: GameView | null = null;
/** The last cue between the first touch and the loading of the player: it is played late. */
let missed: Cue | undefined;

/** Sets the player that plays from now on. */
export function install(next: Player): void {
  player = next;
  player.volumes(volumes);
  player.follow(followed);
  if (missed) play(missed);
}

export function play(cue: Cue): void {
  if (player) {
    if (volumes.effects > 0) player.cue(cue);
  } else if (navigator.userActivation?.hasBeenActive) missed = cue;
}

/** Reports each change of the game that is shown; null when no game is shown any more. */
export function follow(view: GameView | null): void {
  followed = view;
  player?.follow(view);
}

export function setVolumes(next: Volumes): void {
  volumes = next;
  player?.volumes(next);
}
