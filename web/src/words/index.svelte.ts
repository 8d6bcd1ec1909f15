// Words in the user's language. Every sentence of the page is in the two catalogues; a test fails
// when one is missing or unused.
import { settings } from '../settings.svelte';
import type { Language } from '../wire';
import type { en } from './en';

export type Key = keyof typeof en;

let catalogue: Partial<Record<Key, string>> = $state.raw({});

/** Brings the words of a language: only the one in use is loaded. */
export async function load(wanted: Language): Promise<void> {
  const words = wanted === 'ko' ? (await import('./ko')).ko : (await import('./en')).en;
  if (wanted === language()) catalogue = words;
}

/** The language that the browser prefers, of the two we have. */
export function detected(languages: readonly string[]): Language {
  for (const language of languages) {
    if (/^ko\b/i.test(language)) return 'ko';
    if (/^en\b/i.test(language)) return 'en';
  }
  return 'en';
}

/** The language in use. */
export function language(): Language {
  return settings.lang === 'auto' ? detected(navigator.languages) : settings.lang;
}

/** Puts values in the places of a sentence: `{name} offers a draw`. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** A sentence in the language in use. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return filled(catalogue[key] ?? key, values);
}
