// Short sounds, made of noise and sine waves: wood, knocks, a few notes. No files are loaded.
import type { Cue } from '../sound';
import { pitch } from './scales';

/** A second of noise, made once per audio context. */
let noise: { context: BaseAudioContext; buffer: AudioBuffer } | null = null;

function noiseFor(context: BaseAudioContext): AudioBuffer {
  if (noise?.context === context) return noise.buffer;
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  noise = { context, buffer };
  return buffer;
}

/** A gain that jumps up and fades out. */
function fading(
  out: AudioNode,
  at: number,
  gain: number,
  attack: number,
  length: number,
): GainNode {
  const node = out.context.createGain();
  node.gain.setValueAtTime(0.0001, at);
  node.gain.exponentialRampToValueAtTime(gain, at + attack);
  node.gain.exponentialRampToValueAtTime(0.0001, at + attack + length);
  node.connect(out);
  return node;
}

/** A burst of noise through a filter. */
function burst(
  out: AudioNode,
  at: number,
  sound: { pitch: number; width: number; gain: number; length: number; attack?: number },
): void {
  const { context } = out;
  const source = context.createBufferSource();
  source.buffer = noiseFor(context);
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = sound.pitch;
  filter.Q.value = sound.width;
  const attack = sound.attack ?? 0.001;
  source.connect(filter).connect(fading(out, at, sound.gain, attack, sound.length));
  source.start(at, Math.random() * 0.5, attack + sound.length + 0.02);
}

/** A tone that fades out; `to` lowers its pitch as on a struck board. */
function tone(
  out: AudioNode,
  at: number,
  sound: { pitch: number; to?: number; gain: number; length: number; attack?: number },
): void {
  const { context } = out;
  const wave = context.createOscillator();
  wave.frequency.setValueAtTime(sound.pitch, at);
  if (sound.to) wave.frequency.exponentialRampToValueAtTime(sound.to, at + sound.length);
  const attack = sound.attack ?? 0.002;
  wave.connect(fading(out, at, sound.gain, attack, sound.length));
  wave.start(at);
  wave.stop(at + attack + sound.length + 0.02);
}

/** Wood on wood: a short filtered burst with a low knock. */
function wood(out: AudioNode, at: number, gain = 1): void {
  burst(out, at, { pitch: 2100, width: 1.4, gain: 0.5 * gain, length: 0.035 });
  burst(out, at, { pitch: 650, width: 3, gain: 0.7 * gain, length: 0.06 });
  tone(out, at, { pitch: 190, to: 110, gain: 0.55 * gain, length: 0.09 });
}

/** The same, muffled. */
function dull(out: AudioNode, at: number, gain = 1): void {
  burst(out, at, { pitch: 420, width: 2, gain: 0.8 * gain, length: 0.07 });
  tone(out, at, { pitch: 130, to: 70, gain: 0.7 * gain, length: 0.13 });
}

/** A small bell: a note with two slightly detuned overtones. */
function chime(out: AudioNode, at: number, pitch: number, gain = 0.3, length = 0.9): void {
  tone(out, at, { pitch, gain, length });
  tone(out, at, { pitch: pitch * 2.76, gain: gain * 0.35, length: length * 0.5 });
  tone(out, at, { pitch: pitch * 5.4, gain: gain * 0.12, length: length * 0.25 });
}

/** Notes of a mode (평조 or 계면조), one after the other. */
function phrase(
  out: AudioNode,
  at: number,
  mode: 'pyeongjo' | 'gyemyeonjo',
  notes: readonly [degree: number, when: number][],
): void {
  for (const [degree, when] of notes) chime(out, at + when, 2 * pitch(mode, degree), 0.26, 1.1);
}

const CUES: Record<Cue, (out: AudioNode, at: number) => void> = {
  move: (out, at) => wood(out, at),
  capture: (out, at) => {
    dull(out, at);
    dull(out, at + 0.075, 0.7);
    wood(out, at + 0.075, 0.4);
  },
  check: (out, at) => {
    tone(out, at + 0.09, { pitch: 587, gain: 0.22, length: 0.16, attack: 0.008 });
    tone(out, at + 0.22, { pitch: 784, gain: 0.24, length: 0.28, attack: 0.008 });
  },
  castling: (out, at) => {
    burst(out, at, { pitch: 2600, width: 0.7, gain: 0.16, length: 0.2, attack: 0.07 });
    burst(out, at + 0.13, { pitch: 1700, width: 0.7, gain: 0.14, length: 0.2, attack: 0.06 });
    wood(out, at + 0.3, 0.8);
  },
  promotion: (out, at) => {
    wood(out, at, 0.7);
    [0, 2, 5].forEach((degree, index) =>
      chime(out, at + 0.1 + index * 0.09, 4 * pitch('pyeongjo', degree), 0.18),
    );
  },
  start: (out, at) => {
    wood(out, at, 0.8);
    wood(out, at + 0.14, 0.6);
  },
  offer: (out, at) => chime(out, at, 659, 0.16, 0.5),
  chat: (out, at) => tone(out, at, { pitch: 880, to: 990, gain: 0.08, length: 0.09 }),
  refused: (out, at) => tone(out, at, { pitch: 165, to: 120, gain: 0.35, length: 0.16 }),
  low_time: (out, at) => {
    for (const later of [0, 0.25]) {
      burst(out, at + later, { pitch: 3800, width: 6, gain: 0.25, length: 0.025 });
    }
  },
  win: (out, at) =>
    phrase(out, at + 0.25, 'pyeongjo', [
      [0, 0],
      [2, 0.18],
      [3, 0.36],
      [5, 0.6],
    ]),
  draw: (out, at) =>
    phrase(out, at + 0.25, 'pyeongjo', [
      [2, 0],
      [3, 0.24],
      [2, 0.48],
    ]),
  loss: (out, at) =>
    phrase(out, at + 0.25, 'gyemyeonjo', [
      [3, 0],
      [1, 0.28],
      [0, 0.6],
    ]),
};

/** Plays a cue. */
export function sound(cue: Cue, out: AudioNode): void {
  CUES[cue](out, out.context.currentTime + 0.005);
}
