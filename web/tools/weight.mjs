// What a first visit weighs: every script and style that each page loads at once, compressed. Fails
// above the budget: 60 kB of script, 20 kB of style.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const SCRIPT = 60_000;
const STYLE = 20_000;
const dist = new URL('../node_modules/.weight/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

const text = (file) => readFileSync(new URL(file, dist));
const size = (file) => gzipSync(text(file), { level: 9 }).length;

/** A chunk and everything that it needs before it runs. */
function needed(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of manifest[name].imports ?? []) needed(other, seen);
  return seen;
}

let failed = false;
/** Catalogues that a page needs beside the first. */
const PAGES = {
  Home: ['pages'],
  Game: [],
  Join: ['pages'],
  Lobby: ['pages'],
  Settings: ['pages'],
  Games: ['pages', 'log'],
  Past: ['pages', 'log'],
  Statistics: ['pages', 'log'],
};

for (const [page, catalogues] of Object.entries(PAGES)) {
  for (const language of ['ko', 'en']) {
    const chunks = new Set();
    const more = catalogues.map((name) => `src/words/${language}-${name}.ts`);
    const words = [`src/words/${language}.ts`, ...more];
    for (const name of ['index.html', `src/pages/${page}.svelte`, ...words]) {
      for (const chunk of needed(name)) chunks.add(chunk);
    }
    const styles = new Set();
    let script = 0;
    let brotli = 0;
    for (const chunk of chunks) {
      script += size(manifest[chunk].file);
      brotli += brotliCompressSync(text(manifest[chunk].file)).length;
      for (const css of manifest[chunk].css ?? []) styles.add(css);
    }
    const style = [...styles].reduce((sum, css) => sum + size(css), 0);
    const fits = script <= SCRIPT && style <= STYLE;
    failed ||= !fits;
    console.log(
      `${page} (${language}): script ${script} B (${brotli} B with brotli), style ${style} B${fits ? '' : '  TOO HEAVY'}`,
    );
  }
}
process.exit(failed ? 1 : 0);
