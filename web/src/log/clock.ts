// A clock as files write it, for people.
import { colorName } from '../game/words';

/** A clock of a PGN file as people write it: `180+2` is `3+2`, `W180+2 B60` tells both sides'. What is
 *  written otherwise stays. */
export function clockText(clock: string | null): string {
  const [, white, black] = /^W(\S+) B(\S+)$/.exec(clock ?? '') ?? [];
  if (white && black) {
    return `${colorName('white')} ${clockText(white)} · ${colorName('black')} ${clockText(black)}`;
  }
  const [, seconds, bonus] = /^(\d+)(?:\+(\d+))?$/.exec(clock ?? '') ?? [];
  if (!seconds) return clock === '-' ? '' : (clock ?? '');
  const minutes = `${Math.round(Number(seconds) / 0.6) / 100}`;
  return bonus && bonus !== '0' ? `${minutes}+${bonus}` : minutes;
}
