// Sound begins when the user first touches the page: browsers want it so, and so do people. Then
// the player of effects is loaded, and the music when it is wanted.
import type { GameView } from '../game/view';
import { install, type Cue, type Player, type Volumes } from '../sound';
import type { Music } from './music';

const GESTURES = ['pointerdown', 'keydown', 'touchend'] as const;

class Speaker implements Player {
  readonly #context: AudioContext;
  readonly #effects: GainNode;
  readonly #music: GainNode;
  readonly #effect: (cue: Cue, out: AudioNode) => void;
  #player: Promise<Music> | null = null;
  #view: GameView | null = null;
  #wanted = false;

  constructor(context: AudioContext, effect: (cue: Cue, out: AudioNode) => void) {
    this.#context = context;
    this.#effect = effect;
    // Many sounds at once stay below the ceiling.
    const ceiling = context.createDynamicsCompressor();
    ceiling.connect(context.destination);
    this.#effects = context.createGain();
    this.#music = context.createGain();
    this.#effects.connect(ceiling);
    this.#music.connect(ceiling);
  }

  cue(cue: Cue): void {
    if (this.#context.state !== 'running') void this.#context.resume();
    this.#effect(cue, this.#effects);
  }

  follow(view: GameView | null): void {
    this.#view = view;
    this.#follow();
  }

  volumes({ effects, music }: Volumes): void {
    const now = this.#context.currentTime;
    // Loudness is heard by ratios: the square of a slider feels even.
    this.#effects.gain.setTargetAtTime(effects ** 2, now, 0.02);
    this.#music.gain.setTargetAtTime(music ** 2, now, 0.1);
    this.#wanted = music > 0;
    this.#follow();
  }

  #follow(): void {
    const followed = () => (this.#wanted ? this.#view : null);
    if (!this.#player && !followed()) return;
    this.#player ??= import('./music').then(({ Music }) => new Music(this.#context, this.#music));
    this.#player.then(
      // The newest view counts, not the one that asked for the music.
      (music) => music.follow(followed()),
      () => (this.#player = null),
    );
  }
}

async function begin(context: AudioContext): Promise<void> {
  const { sound } = await import('./effects');
  install(new Speaker(context, sound));
}

/** Waits for a touch; a browser without sound stays silent. */
export function wake(): void {
  if (typeof AudioContext === 'undefined') return;
  let context: AudioContext | null = null;
  const touched = (): void => {
    if (!context) {
      context = new AudioContext({ latencyHint: 'interactive' });
      begin(context).catch(() => undefined);
    }
    // A gesture that the browser does not count leaves it suspended: the next one may do.
    context
      .resume()
      .then(() => GESTURES.forEach((name) => removeEventListener(name, touched, true)))
      .catch(() => undefined);
  };
  GESTURES.forEach((name) => addEventListener(name, touched, { capture: true, passive: true }));
  // The page may have been touched while this part of it was still loading.
  if (navigator.userActivation?.hasBeenActive) touched();
}
