// How Svelte files are compiled.
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // A name instead of a number: views.ts draws parts of App and Home before they run.
    cssHash: ({ name }) => `s-${name.toLowerCase()}`,
  },
};
