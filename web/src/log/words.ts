// Sentences about games of the log.
import type { Reason, Row } from '../wire';
import { language, t } from '../words/index.svelte';
import { REASONS, SOURCES } from './filters';

function isReason(code: string | null): code is Reason {
  return REASONS.some((reason) => reason === code);
}

/** A result in the page's typography. */
export function resultText(result: string): string {
  return { '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½' }[result] ?? '–';
}

/** A result in words. */
export function resultWords(result: string): string {
  switch (result) {
    case '1-0':
      return t('result.white');
    case '0-1':
      return t('result.black');
    case '1/2-1/2':
      return t('result.draw');
    default:
      return t('result.open');
  }
}

/** The reason of an ending, in a word or two. */
export function reasonWord(code: string | null): string {
  return isReason(code) ? t(`why.${code}`) : t('why.none');
}

export function sourceWord(source: string): string {
  const known = SOURCES.find((one) => one === source);
  return known ? t(`source.${known}`) : source;
}

/** A day as text; of a PGN date with question marks, the known part. */
export function dayText(row: Pick<Row, 'started' | 'date'>): string {
  if (row.started) {
    const day = new Date(row.started);
    if (!Number.isNaN(day.valueOf())) {
      return day.toLocaleDateString(language(), {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
      });
    }
  }
  return row.date
    .split('.')
    .filter((part) => !part.includes('?'))
    .join('. ');
}

/** The number of full moves as text. */
export function lengthText(plies: number): string {
  return t('log.length', { count: Math.ceil(plies / 2) });
}
