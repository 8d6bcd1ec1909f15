// Where the page begins.
import { mount } from 'svelte';
import './app.css';
import './board/board.css';
import './pieces/ink.css';
import App from './App.svelte';
import { fetched } from './pages';
import { router } from './router.svelte';
import { introduced } from './server.svelte';
import { load, loadAll, loadHere } from './words/index.svelte';

const target = document.getElementById('app');

function begin(target: HTMLElement): void {
  target.replaceChildren();
  delete document.documentElement.dataset['other'];
  mount(App, { target });
  // Nobody waits for sound.
  import('./begin').catch(() => undefined);
}

/** Without words there is no page: this is said in both languages. */
function speechless(target: HTMLElement): void {
  const text = document.createElement('p');
  text.className = 'page';
  text.textContent = 'This page could not be loaded. Try again. · 다시 불러와 주세요.';
  target.append(text);
  delete document.documentElement.dataset['other'];
}

if (target) {
  // Page and words come side by side, and what stands there already stays until both are here. A
  // page that did not come is told by the frame.
  const page = fetched(router.route).catch(() => undefined);
  const words = router.route.page === 'game' ? load() : loadAll();
  Promise.all([words, page, STATIC && loadHere()]).then(
    () => begin(target),
    () => speechless(target),
  );
  void introduced();
}
