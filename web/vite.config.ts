// How the page is built, served while it is worked on, and tested.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { folder } from './folder.ts';
import { shell } from './shell.ts';
import { views } from './views.ts';
import { wasm } from './wasm.ts';

// A server to work against: `HANSU=http://localhost:8080 npm run dev`.
const server = process.env['HANSU'] ?? 'http://localhost:8080';

const proxy = { '/api': { target: server, ws: true, changeOrigin: false } };

// What the server allows the page to do; see crates/server/src/http/guard.rs.
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
  "connect-src 'self'; manifest-src 'self'; font-src 'self'; media-src 'self' blob:; " +
  "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export default defineConfig(({ mode }) => ({
  // `make static`: one page that needs no server, wherever its folder lies.
  base: mode === 'static' ? './' : '/',
  define: { STATIC: JSON.stringify(mode === 'static') },
  plugins: [
    svelte(),
    wasm(),
    ...(mode === 'static' ? [folder(POLICY), shell(/^index\.html$/)] : [views(), shell(/^views/)]),
  ],
  build: {
    target: 'es2022',
    // Few files: a browser asks for six at a time, and one style file is smaller than many.
    cssCodeSplit: false,
    rolldownOptions: {
      // Beside the page itself, a game in a frame of another site.
      input: mode === 'static' ? 'index.html' : ['index.html', 'embed.html'],
      output: {
        codeSplitting: {
          groups: [
            // Small boards: on most pages, not in a game.
            { name: 'small', test: /src.parts.MiniBoard/, priority: 1 },
            // What most pages share: the frame, the board, and what is read of a game.
            {
              name: 'common',
              priority: 2,
              test: /node_modules.(svelte|@lichess-org)|preload-helper|src.(board.(Board|ground)|words.index|settings|announce|sound\.ts|api\.ts|router|game.(captured|clock|words|spoken|squares|targets|handoff)|parts.(Captured|Icon|MoveList|Connection)|socket\.ts|local.here|App\.svelte|server\.svelte)/,
            },
            // Ways to begin: whoever is at one of these pages goes on to another.
            {
              name: 'start',
              test: /src.(pages.(Home|Lobby)|parts.(NewGameForm|TimeChoice|Running))/,
            },
          ],
        },
      },
    },
    modulePreload: { polyfill: false },
    // A piece is a small SVG: within the style file it needs no request of its own.
    assetsInlineLimit: 4096,
    reportCompressedSize: false,
  },
  // What Cargo has built lies beside the page.
  server: { proxy, fs: { allow: ['..'] } },
  // `npm run preview` is as strict as the real server.
  preview: { proxy, headers: { 'content-security-policy': POLICY } },
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    environment: 'node',
    // The machine may be slow and busy: nothing here waits this long unless something is wrong.
    testTimeout: 60_000,
  },
}));
