// How the page is built, served while it is worked on, and tested.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// A server to work against: `HANSU=http://localhost:8080 npm run dev`.
const server = process.env['HANSU'] ?? 'http://localhost:8080';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // A piece is a small SVG: within the style file it needs no request of its own.
    assetsInlineLimit: 4096,
    reportCompressedSize: false,
    manifest: true,
  },
  server: {
    proxy: { '/api': { target: server, ws: true, changeOrigin: false } },
  },
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    environment: 'node',
  },
});
