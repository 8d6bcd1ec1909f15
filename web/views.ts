// Writes one HTML file for each page and language. It links the scripts, catalogues and styles that
// the page needs, so that they are loaded in parallel, and it contains what does not depend on
// them: the header and, on the home page, its text and an empty board.
import { fileURLToPath } from 'node:url';
import { runnerImport, type Plugin, type Rolldown } from 'vite';
import type { Route } from './src/routes.ts';
import type { Key } from './src/words/index.svelte.ts';

type Page = Route['page'];
/** One page may have two views, which start with different parts of it. */
type View = Page | 'setup';
type Language = 'en' | 'ko';
type Words = Record<Key, string>;

/** The parts of a page: its component, its catalogues, and parts that are surely needed next. */
const PARTS: Record<View, readonly string[]> = {
  home: ['pages/Home.svelte', 'words/*-pages.ts'],
  game: ['pages/Game.svelte'],
  join: ['pages/Join.svelte', 'words/*-pages.ts'],
  lobby: ['pages/Lobby.svelte', 'words/*-pages.ts'],
  games: ['pages/Games.svelte', 'words/*-pages.ts', 'words/*-log.ts'],
  past: ['pages/Past.svelte', 'words/*-pages.ts', 'words/*-log.ts'],
  statistics: ['pages/Statistics.svelte', 'words/*-pages.ts', 'words/*-log.ts'],
  free: ['pages/Free.svelte', 'free/Analysis.svelte', 'words/*-pages.ts', 'words/*-free.ts'],
  setup: ['pages/Free.svelte', 'free/Setup.svelte', 'words/*-pages.ts', 'words/*-free.ts'],
  settings: ['pages/Settings.svelte', 'words/*-pages.ts'],
  missing: ['pages/Missing.svelte', 'words/*-pages.ts'],
};

const plain = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The static content of a page until its script has run: the same HTML as App and Home create,
 *  with the class names of their styles; see svelte.config.js. */
function shell(page: Page, words: Words): string {
  const t = (key: Key) => plain(words[key]);
  const links = (['lobby', 'games', 'statistics', 'settings'] as const).map((name) => {
    const current = page === name ? ' aria-current="page"' : '';
    return `<a class="s-app" href="/${name}"${current}>${t(`nav.${name}`)}</a>`;
  });
  const header = `<header class="s-app${page === 'game' ? ' slim' : ''}">
        <a class="brand s-app" href="/" aria-label="${t('app.name')} · ${t('nav.home')}"
          ><img src="/icon.svg" alt="" width="28" height="28" /> <span class="s-app">${t('app.name')}</span></a
        >
        <nav class="s-app" aria-label="${t('nav.label')}">${links.join(' ')}</nav>
      </header>`;
  const first = `<div class="home s-home">
          <div class="words s-home">
            <h1 class="s-home">${t('home.title')}</h1>
            <p class="lead s-home">${t('home.sentence')}</p>
          </div>
          <div class="place s-home">
            <div class="board s-board"><div class="cg-wrap"><cg-container><cg-board></cg-board></cg-container></div></div>
          </div>
        </div>`;
  return `<div id="app">
      ${header}
      <main class="s-app">${page === 'home' ? first : ''}</main>
    </div>`;
}

/** The files that a source needs, itself first. */
function needed(bundle: Rolldown.OutputBundle, source: string): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const own = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/${source}`)));
  if (!own) throw new Error(`no file was made of ${source}`);
  const all = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (all.has(chunk)) return;
    all.add(chunk);
    for (const one of chunks) if (chunk.imports.includes(one.fileName)) add(one);
  };
  add(own);
  return [...all];
}

/** Links to all files that a view needs and its HTML does not contain yet. */
function links(bundle: Rolldown.OutputBundle, frame: string, view: View, lang: Language): string {
  const sources = [`words/${lang}.ts`, ...PARTS[view].map((name) => name.replace('*', lang))];
  const chunks = sources.flatMap((source) => needed(bundle, source));
  const scripts = chunks.map(({ fileName }) => fileName);
  const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  const link = (rel: string) => (name: string) =>
    frame.includes(`"/${name}"`) ? '' : `    <link rel="${rel}" crossorigin href="/${name}">\n`;
  return [
    ...[...new Set(styles)].map(link('stylesheet')),
    ...[...new Set(scripts)].map(link('modulepreload')),
  ].join('');
}

/** Imports a module of the page into this build script. */
async function sourced<T>(name: string): Promise<T> {
  const path = fileURLToPath(new URL(`src/${name}`, import.meta.url));
  return (await runnerImport<T>(path)).module;
}

async function wordsOf(lang: Language): Promise<Words> {
  const files = ['', '-pages', '-log', '-free'].map((part) =>
    sourced<Record<Language, Words>>(`words/${lang}${part}.ts`),
  );
  const catalogues = (await Promise.all(files)).map((file) => file[lang]);
  return Object.assign({}, ...catalogues) as Words;
}

export function views(): Plugin {
  return {
    name: 'hansu-views',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('no index.html was made');
      const frame = String(index.source);
      const embed = bundle['embed.html'];
      if (embed?.type !== 'asset') throw new Error('no embed.html was made');
      delete bundle['embed.html'];
      const { TITLES } = await sourced<typeof import('./src/routes.ts')>('routes.ts');
      for (const lang of ['en', 'ko'] as const) {
        const words = await wordsOf(lang);
        for (const view of Object.keys(PARTS) as View[]) {
          const page = view === 'setup' ? 'free' : view;
          const title = plain(`${words[TITLES[page]]} · ${words['app.name']}`);
          const source = frame
            .replace('<html lang="en"', `<html lang="${lang}"`)
            .replace(/<title>.*<\/title>/, () => `<title>${title}</title>`)
            .replace('  </head>', () => `${links(bundle, frame, view, lang)}  </head>`)
            .replace('<div id="app"></div>', () => shell(page, words));
          this.emitFile({ type: 'asset', fileName: `views/${view}.${lang}.html`, source });
        }
        // Embedded in other sites: a page of its own, without the parts of the others.
        const source = String(embed.source).replace('<html lang="en"', `<html lang="${lang}"`);
        this.emitFile({ type: 'asset', fileName: `views/embed.${lang}.html`, source });
      }
    },
  };
}
