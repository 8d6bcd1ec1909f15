// What can be heard. The page says what happens; a player, loaded when sound is first wanted and
// after the user has touched the page, makes it audible. Until then everything is silent.
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

/** How loud, 0 to 1. */
export interface Volumes {
  readonly effects: number;
  readonly music: number;
}

/** What a player of sounds does. */
export interface Player {
  cue(cue: Cue): void;
  /** A game to follow: the music is as tense as it is. Nothing ends it softly. */
  follow(view: GameView | null): void;
  volumes(volumes: Volumes): void;
}

let player: Player | null = null;
let volumes: Volumes = { effects: 0, music: 0 };
let followed: GameView | null = null;
/** The last cue between the first touch and the player's arrival: the first move is heard, too. */
let missed: Cue | undefined;

/** A player is there from now on. */
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

/** A game that is shown, each time it changes; nothing when it is left. */
export function follow(view: GameView | null): void {
  followed = view;
  player?.follow(view);
}

export function setVolumes(next: Volumes): void {
  volumes = next;
  player?.volumes(next);
}
