// Where the page begins.
import { mount } from 'svelte';
import './app.css';
import './board/board.css';
import './pieces/ink.css';
import App from './App.svelte';
import { fetched } from './pages';
import { router } from './router.svelte';
import { introduced } from './server.svelte';
import { language, load, loadAll } from './words/index.svelte';

// Nobody waits for sound.
import('./begin').catch(() => undefined);

const target = document.getElementById('app');
// The words first: a page never shows keys.
if (target) {
  // Page and words come side by side: nobody waits for one after the other.
  fetched(router.route).catch(() => undefined);
  void (router.route.page === 'game' ? load(language()) : loadAll())
    .catch(() => load('en'))
    .finally(() => mount(App, { target }));
  void introduced();
}
