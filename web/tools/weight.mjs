// Measures the size of a first visit: every script and style that the HTML of a page links,
// compressed. Fails above the budget: 60 kB of script (6 kB for an embedded game), 20 kB of style.
// WebAssembly, which is loaded for a game in the browser or a free board, has 250 kB for the rules,
// 520 kB for the computer with its net and 290 kB for the archive.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const SCRIPT = 60_000;
const STYLE = 20_000;
/** Bytes of script for a game embedded in another site. */
const EMBED = 6_000;
const WASM = { hansu_browser: 250_000, hansu_archive: 290_000, hansu_computer: 520_000 };
const dist = new URL('../node_modules/.weight/', import.meta.url);

const named = (html, pattern) => [...html.matchAll(pattern)].map(([, path]) => path);
const sum = (files, packed) =>
  files.reduce((sum, path) => sum + packed(readFileSync(new URL(path.slice(1), dist))).length, 0);
const gzip = (text) => gzipSync(text, { level: 9 });

let failed = false;
for (const view of readdirSync(new URL('views/', dist)).sort()) {
  const html = readFileSync(new URL(`views/${view}`, dist), 'utf8');
  const scripts = named(html, /<(?:script|link rel="modulepreload")[^>]* (?:src|href)="([^"]+)"/g);
  const styles = named(html, /<link rel="stylesheet"[^>]* href="([^"]+)"/g);
  const [script, style] = [sum(scripts, gzip), sum(styles, gzip)];
  const [least, most] = view.startsWith('embed.') ? [1, EMBED] : [3, SCRIPT];
  const fits = scripts.length >= least && styles.length > 0 && script <= most && style <= STYLE;
  failed ||= !fits;
  console.log(
    `${view}: script ${script} B in ${scripts.length} files (${sum(scripts, brotliCompressSync)} B with brotli), ` +
      `style ${style} B, itself ${gzip(html).length} B${fits ? '' : '  TOO HEAVY'}`,
  );
}
const modules = readdirSync(new URL('assets/', dist)).filter((name) => name.endsWith('.wasm'));
for (const [name, most] of Object.entries(WASM)) {
  const files = modules.filter((file) => file.startsWith(`${name}-`));
  const weight = sum(
    files.map((file) => `/assets/${file}`),
    gzip,
  );
  const fits = files.length === 1 && weight <= most;
  failed ||= !fits;
  console.log(`${name}.wasm: ${weight} B${fits ? '' : '  TOO HEAVY, OR NONE'}`);
}
process.exit(failed ? 1 : 0);
