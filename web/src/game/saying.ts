// Announces on request (by key): the clocks, and the last move.
import { announcer } from '../announce.svelte';
import type { Turn } from '../wire';
import { t } from '../words/index.svelte';
import { remaining, formatClock } from './clock';
import type { GameController } from './game-controller.svelte';
import { colorName, spokenMove } from './words';

export function sayClocks({ view }: GameController): void {
  const time = (side: Turn) => {
    const left = remaining(view, side, Date.now());
    return left === null
      ? null
      : t('clock.label', { color: colorName(side), time: formatClock(left) });
  };
  const both = [time('white'), time('black')].filter(Boolean).join('. ');
  announcer.say(both || t('clock.none'));
}

export function sayLast({ view, orientation }: GameController): void {
  const last = view.plies.at(-1);
  const move = last && spokenMove(last.san, orientation);
  announcer.say(move ? t('announce.last', { move }) : t('moves.none'));
}
