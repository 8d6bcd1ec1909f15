// The page can be installed: the manifest names icons that exist in their real size; while the
// server answers, the service worker serves only files whose content is part of their name.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { routeOf } from '../src/routes';

const at = (name: string) => new URL(`../public/${name.replace(/^\//, '')}`, import.meta.url);
const manifest = JSON.parse(readFileSync(at('manifest.webmanifest'), 'utf8')) as {
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  start_url: string;
  display: string;
  shortcuts: { url: string }[];
  share_target: { action: string; params: { text: string } };
};

describe('the manifest', () => {
  it('names existing icons with their real size', () => {
    for (const { src, sizes, type } of manifest.icons) {
      const file = readFileSync(at(src));
      if (type === 'image/svg+xml') {
        expect(file.toString('utf8')).toContain('<svg');
        continue;
      }
      expect(file.subarray(1, 4).toString('latin1')).toBe('PNG');
      expect(`${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`).toBe(sizes);
    }
    expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
    expect(manifest.display).toBe('standalone');
  });

  it('links to existing pages', () => {
    const pages = manifest.shortcuts.map(({ url }) => url);
    expect(pages).toContain('/#computer');
    for (const path of [...pages, manifest.share_target.action]) {
      expect(routeOf(path.split('#')[0] ?? '').page, path).not.toBe('missing');
    }
  });

  it('is linked, with an icon for phones', () => {
    const index = readFileSync(new URL('../index.html', import.meta.url), 'utf8');
    expect(index).toContain('href="/manifest.webmanifest"');
    expect(index).toContain('href="/apple-touch-icon.png"');
    expect(readFileSync(at('apple-touch-icon.png')).readUInt32BE(16)).toBe(180);
  });
});

const FILES = ['/assets/index-1.js', '/early.js', '/icon.svg', '/views/game.en.html'];

interface Asked {
  request: { url: string; mode: string; method: string };
  respondWith(answer: Promise<unknown>): void;
}
type Server = 'up' | 'down' | 'behind a proxy';

/** Lets the worker answer a request, with a server or without one. */
async function ask(
  path: string,
  mode: string,
  server: Server,
  { root, files } = { root: '/', files: FILES },
): Promise<unknown> {
  const listeners: Record<string, (event: Asked) => void> = {};
  const run = new Function(
    'self',
    'caches',
    'fetch',
    'navigator',
    'VERSION',
    'FILES',
    readFileSync(new URL('../service.js', import.meta.url), 'utf8'),
  );
  const cache = {
    match: (path: string) =>
      Promise.resolve(
        files.some((file) => root + file.slice(1) === path) ? `kept ${path}` : undefined,
      ),
  };
  const answers: Record<Server, () => Promise<unknown>> = {
    up: () => Promise.resolve({ status: 200, path }),
    down: () => Promise.reject(new Error('down')),
    'behind a proxy': () => Promise.resolve({ status: 502, path }),
  };
  run(
    {
      addEventListener: (name: string, does: (event: Asked) => void) => (listeners[name] = does),
      location: new URL(`https://hansu.test${root}worker.js`),
    },
    { open: () => Promise.resolve(cache) },
    () => answers[server](),
    { languages: ['fr', 'en-GB', 'ko'] },
    '1',
    files,
  );
  const request = { url: `https://hansu.test${path}`, mode, method: 'GET' };
  let answer: Promise<unknown> | null = null;
  listeners['fetch']?.({ request, respondWith: (given) => (answer = given) });
  return answer ? await answer : 'nothing';
}

describe('the service worker', () => {
  it('has one page for all addresses of a static folder, in any location', async () => {
    const folder = { root: '/club/hansu/', files: ['/assets/index-1.js', '/index.html'] };
    for (const path of ['/club/hansu/', '/club/hansu/index.html']) {
      const answer = await ask(path, 'navigate', 'down', folder);
      expect(answer).toBe('kept /club/hansu/index.html');
    }
    expect(await ask('/club/hansu/assets/index-1.js', 'cors', 'down', folder)).toBe(
      'kept /club/hansu/assets/index-1.js',
    );
  });

  it('leaves the API, and files of other builds, to the network', async () => {
    for (const path of ['/api/games', '/api/games/x/state', '/assets/other-2.js', '/metrics']) {
      for (const server of ['up', 'down'] as const) {
        expect(await ask(path, 'cors', server)).toBe('nothing');
      }
    }
    expect(await ask('/api/games/x/pgn', 'navigate', 'down')).toBe('nothing');
  });

  it('takes a page from the server, and from the cache if the server is away', async () => {
    expect(await ask('/game/x', 'navigate', 'up')).toEqual({ status: 200, path: '/game/x' });
    expect(await ask('/game/x', 'navigate', 'down')).toBe('kept /views/game.en.html');
    expect(await ask('/game/x', 'navigate', 'behind a proxy')).toBe('kept /views/game.en.html');
    // A page that is not cached fails as it would without a worker.
    await expect(ask('/nowhere', 'navigate', 'down')).rejects.toThrow('down');
  });

  it('serves from the cache only files whose content is part of their name', async () => {
    expect(await ask('/assets/index-1.js', 'cors', 'up')).toBe('kept /assets/index-1.js');
    expect(await ask('/early.js', 'no-cors', 'up')).toEqual({ status: 200, path: '/early.js' });
    expect(await ask('/early.js', 'no-cors', 'down')).toBe('kept /early.js');
  });
});
