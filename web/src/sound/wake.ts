// Starts the sound when the user first touches the page, as browsers require. Then the effects are
// loaded, and the music when it is wanted.
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
    // Limits the volume of many sounds at once.
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
    // Loudness is perceived by ratios: with the square the slider feels even.
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
      // The newest view counts, not the one at the start of loading.
      (music) => music.follow(followed()),
      () => (this.#player = null),
    );
  }
}

async function begin(context: AudioContext): Promise<void> {
  const { sound } = await import('./effects');
  install(new Speaker(context, sound));
}

/** Waits for a touch; in a browser without audio nothing happens. */
export function wake(): void {
  if (typeof AudioContext === 'undefined') return;
  let context: AudioContext | null = null;
  const touched = (): void => {
    if (!context) {
      context = new AudioContext({ latencyHint: 'interactive' });
      begin(context).catch(() => undefined);
    }
    // The browser may not count a gesture and leave the context suspended: the next one is tried.
    context
      .resume()
      .then(() => GESTURES.forEach((name) => removeEventListener(name, touched, true)))
      .catch(() => undefined);
  };
  GESTURES.forEach((name) => addEventListener(name, touched, { capture: true, passive: true }));
  // The page may have been touched before this code was loaded.
  if (navigator.userActivation?.hasBeenActive) touched();
}
