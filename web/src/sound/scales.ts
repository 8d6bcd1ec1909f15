// The two modes of the music, 평조 and 계면조, and the pitch of their notes. Both have five notes in
// an octave; 평조 rests bright on its first, 계면조 is the darker one.
export type Mode = 'pyeongjo' | 'gyemyeonjo';

/** Semitones above the first note: sol la do re mi, and la do re mi sol. */
const STEPS: Record<Mode, readonly number[]> = {
  pyeongjo: [0, 2, 5, 7, 9],
  gyemyeonjo: [0, 3, 5, 7, 10],
};

/** The first note of both modes: E flat below middle C, near the 황종 of court music. */
export const BASE = 155.56;

/** Semitones from the first note to a degree. Five degrees are an octave; degrees below the first
 *  are negative. */
export function semitones(mode: Mode, degree: number): number {
  const octave = Math.floor(degree / 5);
  const step = STEPS[mode][degree - octave * 5] ?? 0;
  return octave * 12 + step;
}

/** The pitch of a degree, in hertz. */
export function pitch(mode: Mode, degree: number): number {
  return BASE * 2 ** (semitones(mode, degree) / 12);
}

/** The mode of a tension. It turns dark above 0.55 and bright again only below 0.4, so that it does
 *  not change at every move. */
export function modeFor(tension: number, before: Mode): Mode {
  if (tension > 0.55) return 'gyemyeonjo';
  if (tension < 0.4) return 'pyeongjo';
  return before;
}
