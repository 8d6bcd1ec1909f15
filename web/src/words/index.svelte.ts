// Texts in the user's language. Every sentence of the page is in the two catalogues; a test fails
// if one is missing or unused.
import { settings } from '../settings.svelte';
import type { Language } from '../wire';
import type { en } from './en';
import type { en as free } from './en-free';
import type { en as here } from './en-here';
import type { en as log } from './en-log';
import type { en as pages } from './en-pages';
import type { en as teach } from './en-teach';

export type Key =
  | keyof typeof en
  | keyof typeof pages
  | keyof typeof log
  | keyof typeof teach
  | keyof typeof here
  | keyof typeof free;
type Catalogue = Partial<Record<Key, string>>;

/** The catalogues of a language: the game page, all other pages, past games and statistics, the
 *  analysis, what works without a server or is needed after the board, the free board. */
const CATALOGUES: Record<
  Language,
  readonly (() => Promise<Partial<Record<Language, Catalogue>>>)[]
> = {
  ko: [
    () => import('./ko'),
    () => import('./ko-pages'),
    () => import('./ko-log'),
    () => import('./ko-teach'),
    () => import('./ko-here'),
    () => import('./ko-free'),
  ],
  en: [
    () => import('./en'),
    () => import('./en-pages'),
    () => import('./en-log'),
    () => import('./en-teach'),
    () => import('./en-here'),
    () => import('./en-free'),
  ],
};

let catalogue: Catalogue = $state.raw({});
/** The loaded language and its parts, one bit for each. */
let loaded: { language: Language; parts: number } | null = null;
/** The parts in use, one bit for each. */
let partsInUse = 1;

/** Loads the current language, with these parts added to those in use. */
async function bring(parts: number): Promise<void> {
  partsInUse |= parts;
  const wanted = { language: language(), parts: partsInUse };
  const here = () =>
    loaded?.language === wanted.language && (loaded.parts & wanted.parts) === wanted.parts;
  if (here()) return;
  const files = CATALOGUES[wanted.language].filter((_, part) => (wanted.parts >> part) & 1);
  const found = await Promise.all(files.map((file) => file()));
  // The language or the parts may have changed while the files were loaded.
  if (wanted.language !== language() || here()) return;
  catalogue = Object.assign({}, ...found.map((file) => file[wanted.language])) as Catalogue;
  loaded = wanted;
}

/** Loads the catalogue of the game page and all other parts in use. */
export const load = (): Promise<void> => bring(1);

/** Adds the catalogue of the pages other than a game. */
export const loadAll = (): Promise<void> => bring(3);

/** Adds the catalogue of past games and statistics. */
export const loadLog = (): Promise<void> => bring(7);

/** Adds the catalogue of an analysis. */
export const loadTeach = (): Promise<void> => bring(15);

/** Adds the catalogue of what works without a server or is needed after the board. */
export const loadHere = (): Promise<void> => bring(16);

/** Adds the catalogue of the free board. */
export const loadFree = (): Promise<void> => bring(35);

/** The language that the browser prefers, of the two that exist. */
export function detectLanguage(languages: readonly string[]): Language {
  for (const language of languages) {
    if (/^ko\b/i.test(language)) return 'ko';
    if (/^en\b/i.test(language)) return 'en';
  }
  return 'en';
}

/** The current language. */
export function language(): Language {
  return settings.lang === 'auto' ? detectLanguage(navigator.languages) : settings.lang;
}

/** Fills the placeholders of a sentence: `{name} offers a draw`, `{count} {count|game|games}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(
    /\{(\w+)(?:\|(.*?)\|(.*?))?\}/g,
    (place, name: string, one?: string, many?: string) => {
      const value = values[name] ?? place;
      return String(one === undefined ? value : value === 1 ? one : many);
    },
  );
}

/** A sentence in the current language. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return fill(catalogue[key] ?? key, values);
}
