// Plays the music: a plucked string (a short burst in a feedback delay, computed once per pitch)
// and a soft wind (a triangle wave with noise). Loaded when music is first wanted.
import type { GameView } from '../game/view';
import { modeFor, pitch, type Mode } from './scales';
import { BEATS, beat, chance, closing, round, type Melody, type Note } from './score';
import { tensionOf } from './tension';

/** Seconds that notes are scheduled ahead, and the interval of scheduling. */
const AHEAD = 1.5;
const LOOK = 400;

/** A plucked string: a burst of noise that is averaged in every period (Karplus-Strong). */
function pluck(context: BaseAudioContext, frequency: number, seconds: number): AudioBuffer {
  const rate = context.sampleRate;
  const buffer = context.createBuffer(1, Math.floor(rate * seconds), rate);
  const samples = buffer.getChannelData(0);
  const period = Math.max(2, Math.round(rate / frequency));
  // Two passes of smoothing sound like a finger rather than a plectrum.
  const burst = Array.from({ length: period }, () => Math.random() * 2 - 1);
  for (let pass = 0; pass < 2; pass++) {
    for (let at = 0; at < period; at++) {
      burst[at] = ((burst[at] ?? 0) + (burst[(at + 1) % period] ?? 0)) / 2;
    }
  }
  for (let at = 0; at < samples.length; at++) {
    samples[at] =
      at < period
        ? (burst[at] ?? 0)
        : 0.498 * ((samples[at - period] ?? 0) + (samples[at - period + 1] ?? 0));
  }
  const tail = Math.floor(rate * 0.05);
  for (let at = 0; at < tail; at++) {
    const end = samples.length - 1 - at;
    samples[end] = (samples[end] ?? 0) * (at / tail);
  }
  return buffer;
}

export class Music {
  readonly #context: AudioContext;
  readonly #out: GainNode;
  readonly #random = chance(Date.now());
  readonly #strings = new Map<number, AudioBuffer>();
  #melody: Melody = { mode: 'pyeongjo', degree: 0 };
  #level: number | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  /** The start of the next round, in the context's time. */
  #next = 0;

  constructor(context: AudioContext, out: AudioNode) {
    this.#context = context;
    this.#out = context.createGain();
    this.#out.connect(out);
    document.addEventListener('visibilitychange', () => this.#keep());
  }

  /** Follows the tension of a game; without a running game the music ends with its last phrase. */
  follow(view: GameView | null): void {
    const level = view ? tensionOf(view, Date.now()) : null;
    const ends = this.#level !== null && level === null && this.#timer !== null;
    this.#level = level;
    this.#keep();
    if (ends) this.#close();
  }

  /** Plays only while the page is visible: timers are slow in a hidden page. */
  #keep(): void {
    const wanted = this.#level !== null && !document.hidden;
    if (wanted && this.#timer === null) {
      this.#next = this.#context.currentTime + 0.3;
      this.#open(0.8);
      this.#timer = setInterval(() => this.#look(), LOOK);
      this.#look();
    } else if (!wanted && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
      if (this.#level !== null) this.#open(0);
    }
  }

  #open(gain: number): void {
    this.#out.gain.cancelScheduledValues(this.#context.currentTime);
    this.#out.gain.setTargetAtTime(gain, this.#context.currentTime, 0.6);
  }

  #look(): void {
    const level = this.#level;
    if (level === null) return;
    // After the machine slept, missed notes are skipped.
    if (this.#next < this.#context.currentTime) this.#next = this.#context.currentTime + 0.1;
    if (this.#next > this.#context.currentTime + AHEAD) return;
    const mode: Mode = modeFor(level, this.#melody.mode);
    const { notes, melody } = round({ ...this.#melody, mode }, level, this.#random);
    this.#melody = melody;
    const length = beat(level);
    for (const note of notes) this.#play(note, mode, this.#next, length);
    this.#next += BEATS * length;
  }

  /** Plays the last phrase, over notes that still sound. */
  #close(): void {
    this.#open(0.8);
    const start = this.#context.currentTime + 1;
    for (const note of closing(this.#melody)) this.#play(note, 'pyeongjo', start, 0.7);
    this.#melody = { mode: 'pyeongjo', degree: 0 };
  }

  #play(note: Note, mode: Mode, start: number, length: number): void {
    const at = start + note.at * length + 0.012 * this.#random();
    const frequency = pitch(mode, note.degree);
    if (note.voice === 'string') this.#string(note, frequency, at);
    else this.#wind(note, frequency, at, note.length * length);
  }

  #string(note: Note, frequency: number, at: number): void {
    const key = Math.round(frequency * 10);
    let buffer = this.#strings.get(key);
    if (!buffer) {
      buffer = pluck(this.#context, frequency, 2.6);
      this.#strings.set(key, buffer);
    }
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    if (note.ornament === 'bend') {
      source.detune.setValueAtTime(110, at);
      source.detune.setTargetAtTime(0, at + 0.12, 0.06);
    } else if (note.ornament === 'shake') {
      this.#shake(source.detune, at + 0.25, 1.6, 35);
    }
    const gain = this.#context.createGain();
    gain.gain.value = 0.5 * note.gain;
    source.connect(gain).connect(this.#out);
    source.start(at);
  }

  #wind(note: Note, frequency: number, at: number, length: number): void {
    const context = this.#context;
    const wave = context.createOscillator();
    wave.type = 'triangle';
    wave.frequency.value = frequency;
    const soft = context.createBiquadFilter();
    soft.type = 'lowpass';
    soft.frequency.value = frequency * 3;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(0.16 * note.gain, at + length * 0.3);
    gain.gain.linearRampToValueAtTime(0.12 * note.gain, at + length * 0.7);
    gain.gain.linearRampToValueAtTime(0, at + length);
    this.#shake(wave.detune, at + length * 0.25, length * 0.7, note.ornament === 'shake' ? 28 : 9);
    wave.connect(soft).connect(gain).connect(this.#out);
    wave.start(at);
    wave.stop(at + length + 0.05);
  }

  /** A slow vibrato, in cents, for a while. */
  #shake(detune: AudioParam, at: number, length: number, depth: number): void {
    const swing = this.#context.createOscillator();
    swing.frequency.value = 4.6;
    const amount = this.#context.createGain();
    amount.gain.setValueAtTime(0, at);
    amount.gain.linearRampToValueAtTime(depth, at + length * 0.4);
    swing.connect(amount).connect(detune);
    swing.start(at);
    swing.stop(at + length);
  }
}
