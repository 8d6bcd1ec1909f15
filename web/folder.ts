// The page as a folder of files for any web server (`make static`): what the server would say of it
// stands in the page itself, and every address is one below the folder.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Browsers do not run modules from a disk: a page that was opened as a file says what to do. */
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

/** As it is below a folder, without what needs a server. */
function manifest(text: string): string {
  const whole = JSON.parse(text) as Manifest;
  const place = { id: './', start_url: './', scope: './' };
  const icons = whole.icons.map((icon) => ({ ...icon, src: `.${icon.src}` }));
  const shortcuts = whole.shortcuts
    .filter(({ url }) => url !== '/lobby')
    .map((shortcut) => ({ ...shortcut, url: `./?${shortcut.url}` }));
  // The address of a share has nothing but what is shared; the router knows it by that.
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
        // Who may frame a page is for a server to say.
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
      // For servers that want no service worker.
      rmSync(join(out, 'no-worker.js'));
    },
  };
}
