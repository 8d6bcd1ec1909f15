// What the page needs to work without a server: the service worker gets the list of all files of
// this build and its id, and each page contains the id of its build.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const at = (name: string) => new URL(name, import.meta.url);

/** `pages` matches the names of HTML files. */
export function shell(pages: RegExp): Plugin {
  return {
    name: 'hansu-shell',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const other = (name: string) =>
        /\.map$|^\./.test(name) || (/html$/.test(name) && !pages.test(name));
      const built = Object.keys(bundle).filter((name) => !other(name));
      const shown = readdirSync(at('public/')).filter((name) => name !== 'no-worker.js');
      const files = [...built, ...shown].sort().map((name) => `/${name}`);
      const worker = readFileSync(at('service.js'), 'utf8');
      const hash = createHash('sha256').update(worker);
      // Names of built files change with their content; the names of these do not.
      for (const name of shown) hash.update(readFileSync(at(`public/${name}`)));
      for (const name of built) {
        const file = bundle[name];
        hash.update(name);
        if (pages.test(name) && file?.type === 'asset') hash.update(String(file.source));
      }
      const version = hash.digest('hex').slice(0, 12);
      for (const name of built) {
        const file = bundle[name];
        if (!pages.test(name) || file?.type !== 'asset') continue;
        const meta = `  <meta name="hansu-version" content="${version}" />\n  </head>`;
        file.source = String(file.source).replace('  </head>', () => meta);
      }
      const known = `const VERSION = '${version}';\nconst FILES = ${JSON.stringify(files)};\n`;
      this.emitFile({ type: 'asset', fileName: 'worker.js', source: known + worker });
    },
  };
}
