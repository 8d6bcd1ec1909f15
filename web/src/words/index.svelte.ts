// Words in the user's language. Every sentence of the page is in the two catalogues; a test fails
// when one is missing or unused.
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

/** The catalogues of a language: of a game, of all pages, of past games and statistics, of an
 *  analysis, of what needs no server or comes after the board, of the free board. */
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
/** What the catalogue holds now: a language, and which of its parts, a bit for each. */
let held: { language: Language; parts: number } | null = null;
/** Which parts are in use. */
let used = 1;

/** Brings the words of the language in use; from now on these parts of them, too. */
async function bring(parts: number): Promise<void> {
  used |= parts;
  const wanted = { language: language(), parts: used };
  const here = () =>
    held?.language === wanted.language && (held.parts & wanted.parts) === wanted.parts;
  if (here()) return;
  const files = CATALOGUES[wanted.language].filter((_, part) => (wanted.parts >> part) & 1);
  const found = await Promise.all(files.map((file) => file()));
  // Meanwhile another language may have been chosen, or more of this one have come.
  if (wanted.language !== language() || here()) return;
  catalogue = Object.assign({}, ...found.map((file) => file[wanted.language])) as Catalogue;
  held = wanted;
}

/** The words of a game, and whatever else is in use. */
export const load = (): Promise<void> => bring(1);

/** From now on also the words of pages other than a game. */
export const loadAll = (): Promise<void> => bring(3);

/** From now on also the words of past games and statistics. */
export const loadLog = (): Promise<void> => bring(7);

/** From now on also the words of an analysis. */
export const loadTeach = (): Promise<void> => bring(15);

/** From now on also the words of what needs no server, or comes after the board. */
export const loadHere = (): Promise<void> => bring(16);

/** From now on also the words of the free board. */
export const loadFree = (): Promise<void> => bring(35);

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

/** Puts values in the places of a sentence: `{name} offers a draw`, `{count} {count|game|games}`. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(
    /\{(\w+)(?:\|(.*?)\|(.*?))?\}/g,
    (place, name: string, one?: string, many?: string) => {
      const value = values[name] ?? place;
      return String(one === undefined ? value : value === 1 ? one : many);
    },
  );
}

/** A sentence in the language in use. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return filled(catalogue[key] ?? key, values);
}
