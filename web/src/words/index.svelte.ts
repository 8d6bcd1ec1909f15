// Words in the user's language. Every sentence of the page is in the two catalogues; a test fails
// when one is missing or unused.
import { settings } from '../settings.svelte';
import type { Language } from '../wire';
import type { en } from './en';
import type { en as log } from './en-log';
import type { en as pages } from './en-pages';

export type Key = keyof typeof en | keyof typeof pages | keyof typeof log;
type Catalogue = Partial<Record<Key, string>>;

let catalogue: Catalogue = $state.raw({});
let all = false;
let allWords: Promise<void> | null = null;
let withLog = false;

/** The words of a language, of a game or of all pages. */
async function words(wanted: Language): Promise<Catalogue> {
  if (wanted === 'ko') {
    const [{ ko }, more, past] = await Promise.all([
      import('./ko'),
      all ? import('./ko-pages') : null,
      withLog ? import('./ko-log') : null,
    ]);
    return { ...ko, ...more?.ko, ...past?.ko };
  }
  const [{ en }, more, past] = await Promise.all([
    import('./en'),
    all ? import('./en-pages') : null,
    withLog ? import('./en-log') : null,
  ]);
  return { ...en, ...more?.en, ...past?.en };
}

/** Brings the words of a language: only the one in use is loaded. */
export async function load(wanted: Language): Promise<void> {
  const found = await words(wanted);
  if (wanted === language()) catalogue = found;
}

/** From now on also the words of pages other than a game. */
export function loadAll(): Promise<void> {
  all = true;
  allWords ??= load(language()).catch((error: unknown) => {
    // Whoever asks again gets another chance.
    all = false;
    allWords = null;
    throw error;
  });
  return allWords;
}

/** From now on also the words of past games and statistics. */
export async function loadLog(): Promise<void> {
  if (withLog) return;
  withLog = true;
  try {
    await load(language());
  } catch (error) {
    withLog = false;
    throw error;
  }
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
