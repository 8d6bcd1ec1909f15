// The page as a static folder for any web server (`make static`): headers that the server would
// send are in the HTML, and every address is inside the folder.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Browsers do not run modules from a disk: a page that was opened as a file explains what to
 *  do. */
const FROM_DISK = `if (location.protocol === 'file:')
  addEventListener('DOMContentLoaded', function () {
    document.getElementById('app').textContent =
      'A browser runs this page from a web server only. In this folder: python3 -m http.server, ' +
      'then open http://localhost:8000. · 이 페이지는 웹 서버로 열어야 해요. 이 폴더에서 ' +
      'python3 -m http.server 명령을 실행하고 http://localhost:8000 주소를 열어 주세요.';
  });
`;

interface Manifest {
  icons: { src: string }[];
  shortcuts: { url: string }[];
  share_target?: { action: string };
}

/** The manifest for a sub-folder, without the features that need a server. */
function manifest(text: string): string {
  const whole = JSON.parse(text) as Manifest;
  const place = { id: './', start_url: './', scope: './' };
  const icons = whole.icons.map((icon) => ({ ...icon, src: `.${icon.src}` }));
  const shortcuts = whole.shortcuts
    .filter(({ url }) => url !== '/lobby')
    .map((shortcut) => ({ ...shortcut, url: `./?${shortcut.url}` }));
  // The share target has only the shared text in its address; the router recognises it by that.
  const share = whole.share_target && { share_target: { ...whole.share_target, action: './' } };
  return JSON.stringify({ ...whole, ...place, ...share, icons, shortcuts }, null, 2);
}

export function folder(policy: string): Plugin {
  let out = '';
  return {
    name: 'hansu-folder',
    apply: 'build',
    configResolved({ root, build }) {
      out = resolve(root, build.outDir);
    },
    transformIndexHtml: () => [
      {
        tag: 'meta',
        // `frame-ancestors` works only as a header, not in HTML.
        attrs: {
          'http-equiv': 'content-security-policy',
          content: policy.replace(/; frame-ancestors[^;]*/, ''),
        },
        injectTo: 'head-prepend',
      },
      { tag: 'script', attrs: { src: './disk.js' }, injectTo: 'head' },
    ],
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'disk.js', source: FROM_DISK });
    },
    closeBundle() {
      const file = join(out, 'manifest.webmanifest');
      writeFileSync(file, manifest(readFileSync(file, 'utf8')));
      // For servers that should not have a service worker.
      rmSync(join(out, 'no-worker.js'));
    },
  };
}
