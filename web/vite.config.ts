// Configuration of the build, the development server and the tests.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { folder } from './folder.ts';
import { shell } from './shell.ts';
import { views } from './views.ts';
import { wasm } from './wasm.ts';

// The server that the development server uses: `HANSU=http://localhost:8080 npm run dev`.
const server = process.env['HANSU'] ?? 'http://localhost:8080';

const proxy = { '/api': { target: server, ws: true, changeOrigin: false } };

// The content security policy of the server; see crates/server/src/http/guard.rs.
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
  "connect-src 'self'; manifest-src 'self'; font-src 'self'; media-src 'self' blob:; " +
  "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export default defineConfig(({ mode }) => ({
  // `make static`: one page that needs no server and works in any folder.
  base: mode === 'static' ? './' : '/',
  define: { STATIC: JSON.stringify(mode === 'static') },
  plugins: [
    svelte(),
    wasm(),
    ...(mode === 'static' ? [folder(POLICY), shell(/^index\.html$/)] : [views(), shell(/^views/)]),
  ],
  build: {
    target: 'es2022',
    // Few files: a browser sends six requests at a time, and one style file is smaller than many.
    cssCodeSplit: false,
    rolldownOptions: {
      // Two entries: the page itself, and a game embedded in another site.
      input: mode === 'static' ? 'index.html' : ['index.html', 'embed.html'],
      output: {
        codeSplitting: {
          groups: [
            // Small boards: on most pages, not in a game.
            { name: 'small', test: /src.parts.MiniBoard/, priority: 1 },
            // Shared by most pages: the frame, the board, and the reading of a game.
            {
              name: 'common',
              priority: 2,
              test: /node_modules.(svelte|@lichess-org)|preload-helper|src.(board.(Board|ground)|words.index|settings|announce|sound\.ts|api\.ts|router|game.(captured|clock|words|san|squares|targets|handoff)|parts.(Captured|Icon|MoveList|Connection)|socket\.ts|local.here|App\.svelte|player-key)/,
            },
            // Ways to start a game: a visitor of one of these pages usually opens another one.
            {
              name: 'start',
              test: /src.(pages.(Home|Lobby)|parts.(NewGameForm|TimeChoice|Running))/,
            },
          ],
        },
      },
    },
    modulePreload: { polyfill: false },
    // A piece is a small SVG: inlined in the style file it needs no request.
    assetsInlineLimit: 4096,
    reportCompressedSize: false,
  },
  // Cargo's output is outside this folder.
  server: { proxy, fs: { allow: ['..'] } },
  // `npm run preview` has the same policy as the real server.
  preview: { proxy, headers: { 'content-security-policy': POLICY } },
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    environment: 'node',
    // The machine may be slow and busy: only a real failure takes this long.
    testTimeout: 60_000,
  },
}));
