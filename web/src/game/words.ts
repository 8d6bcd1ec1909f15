// Sentences about a game that several components need.
import type { Offer, TimeControl, Turn } from '../wire';
import { settings } from '../settings.svelte';
import { t } from '../words/index.svelte';
import { formatStages, splitTime } from './clock';
import { inKorean, parseSan } from './san';
import type { Piece } from './squares';
import type { Status } from './status';

/** A move as it is shown in the list. */
export function writtenMove(san: string): string {
  return settings.koreanNotation ? inKorean(san) : san;
}

/** A move as a sentence for screen readers. Left and right are as seen from a side. */
export function spokenMove(san: string, seen: Turn = 'white'): string {
  const move = parseSan(san);
  if (!move) return san;
  const words: string[] = [];
  if (move.castling) {
    const direction = (move.castling === 'left') === (seen === 'white') ? 'left' : 'right';
    words.push(t(`spoken.castling.${direction}`));
  } else {
    const piece = t(`role.${move.role}`);
    const from = move.from ? `${piece} ${move.from}` : piece;
    words.push(t(move.capture ? 'spoken.captures' : 'spoken.moves', { piece: from, to: move.to }));
  }
  if (move.promotion) words.push(t('spoken.promotes', { piece: t(`role.${move.promotion}`) }));
  if (move.end) words.push(t(`spoken.${move.end}`));
  return words.join(', ');
}

export function colorName(side: Turn): string {
  return t(`color.${side}`);
}

/** A piece with its colour: "white king". */
export function pieceName({ color, role }: Piece): string {
  return t(`piece.${color}`, { role: t(`role.${role}`) });
}

export function statusText({ key, reason }: Status): string {
  return reason ? `${t(key)} | ${t(`short.${reason}`)}` : t(key);
}

/** A time control in words. */
export function timeText(time: TimeControl): string {
  if (time.kind === 'correspondence') return t('time.days', { days: time.days });
  if (time.kind === 'unlimited') return t('time.unlimited');
  if (time.kind === 'clock') return formatStages(time.stages);
  const own = (side: Turn) => `${colorName(side)} ${formatStages(time[side])}`;
  return `${own('white')} · ${own('black')}`;
}

/** A long time in words: days and hours, or hours and minutes. */
export function longTime(left: number): string {
  const { days, hours, minutes } = splitTime(left);
  return days > 0 ? t('time.dh', { days, hours }) : t('time.hm', { hours, minutes });
}

/** The sentence of an offer. */
export function offerText(what: Offer, name: string): string {
  return t(`offer.${what}`, { name });
}

/** A score in half points as text: `1½`. */
export function points(halves: number): string {
  return halves === 1 ? '½' : `${Math.floor(halves / 2)}${halves % 2 ? '½' : ''}`;
}
