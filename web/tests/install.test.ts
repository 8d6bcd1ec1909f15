// What makes the page installable: the manifest names icons that are there and as large as it says;
// the worker touches nothing but pages that cannot be had.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const at = (name: string) => new URL(`../public/${name.replace(/^\//, '')}`, import.meta.url);
const manifest = JSON.parse(readFileSync(at('manifest.webmanifest'), 'utf8')) as {
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  start_url: string;
  display: string;
};

describe('the manifest', () => {
  it('names icons as they are', () => {
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

  it('is linked, with an icon for phones', () => {
    const index = readFileSync(new URL('../index.html', import.meta.url), 'utf8');
    expect(index).toContain('href="/manifest.webmanifest"');
    expect(index).toContain('href="/apple-touch-icon.png"');
    expect(readFileSync(at('apple-touch-icon.png')).readUInt32BE(16)).toBe(180);
  });
});

type Answer = { path: string } | 'nothing';
interface Asked {
  request: { url: string; mode: string };
  respondWith(answer: Promise<unknown>): void;
}

/** Lets the worker answer a request, with a server or without one. */
async function ask(request: { url: string; mode: string }, server: 'up' | 'down'): Promise<Answer> {
  const listeners: Record<string, (event: Asked) => void> = {};
  const run = new Function(
    'self',
    'caches',
    'fetch',
    'Response',
    readFileSync(at('worker.js'), 'utf8'),
  );
  run(
    { addEventListener: (name: string, does: (event: Asked) => void) => (listeners[name] = does) },
    { match: (path: string) => Promise.resolve({ path: `kept ${path}` }) },
    ({ url }: { url: string }) =>
      server === 'up'
        ? Promise.resolve({ path: `fetched ${url}` })
        : Promise.reject(new Error('down')),
    { error: () => ({ path: 'error' }) },
  );
  let answer: Promise<unknown> | null = null;
  listeners['fetch']?.({ request, respondWith: (given) => (answer = given) });
  return answer ? ((await answer) as Answer) : 'nothing';
}

describe('the worker', () => {
  const home = 'https://hansu.test';

  it('leaves everything but pages to the network', async () => {
    for (const path of ['/api/games', '/api/games/x/state', '/assets/index.js', '/icon.svg']) {
      for (const server of ['up', 'down'] as const) {
        expect(await ask({ url: home + path, mode: 'cors' }, server)).toBe('nothing');
      }
    }
    expect(await ask({ url: `${home}/api/games/x/pgn`, mode: 'navigate' }, 'down')).toBe('nothing');
  });

  it('gives a page from the server while there is one', async () => {
    const request = { url: `${home}/game/x`, mode: 'navigate' };
    expect(await ask(request, 'up')).toEqual({ path: `fetched ${home}/game/x` });
    expect(await ask(request, 'down')).toEqual({ path: 'kept /offline.html' });
  });
});

describe('the offline page', () => {
  it('is within the content security policy', () => {
    const page = readFileSync(at('offline.html'), 'utf8');
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  });
});
