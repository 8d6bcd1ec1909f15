// What can be heard. The page says what happens; a player, loaded when sound is first wanted and
// after the user has touched the page, makes it audible. Until then everything is silent.
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
  /** How tense the position is, 0 to 1: the music follows. Nothing ends it softly. */
  tension(level: number | null): void;
  volumes(volumes: Volumes): void;
}

let player: Player | null = null;
let volumes: Volumes = { effects: 0, music: 0 };
let level: number | null = null;

/** A player is there from now on. */
export function install(next: Player): void {
  player = next;
  player.volumes(volumes);
  player.tension(level);
}

export function play(cue: Cue): void {
  if (volumes.effects > 0) player?.cue(cue);
}

export function tension(next: number | null): void {
  level = next;
  player?.tension(level);
}

export function setVolumes(next: Volumes): void {
  volumes = next;
  player?.volumes(next);
}
