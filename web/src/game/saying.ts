// What a key asks to be read out: the clocks, and the last move.
import { announcer } from '../announce.svelte';
import type { Turn } from '../wire';
import { t } from '../words/index.svelte';
import { remaining, shown } from './clock';
import type { Table } from './table.svelte';
import { colorName, spokenMove } from './words';

export function sayClocks({ view }: Table): void {
  const time = (side: Turn) => {
    const left = remaining(view, side, Date.now());
    return left === null ? null : t('clock.label', { color: colorName(side), time: shown(left) });
  };
  const both = [time('white'), time('black')].filter(Boolean).join('. ');
  announcer.say(both || t('clock.none'));
}

export function sayLast({ view, orientation }: Table): void {
  const last = view.plies.at(-1);
  const move = last && spokenMove(last.san, orientation);
  announcer.say(move ? t('announce.last', { move }) : t('moves.none'));
}
