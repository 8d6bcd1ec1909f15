// A clock of a PGN file in readable form.
import { colorName } from '../game/words';

/** A clock of a PGN file in minutes: `180+2` is `3+2`, `W180+2 B60` shows both sides'. Other text
 *  stays as it is. */
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
