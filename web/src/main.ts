// The entry point of the page.
import { mount } from 'svelte';
import './app.css';
import './board/board.css';
import './pieces/ink.css';
import App from './App.svelte';
import { loadPage } from './pages';
import { router } from './router.svelte';
import { ensureKey } from './player-key';
import { load, loadAll, loadHere } from './words/index.svelte';

const target = document.getElementById('app');

function mountApp(target: HTMLElement): void {
  target.replaceChildren();
  delete document.documentElement.dataset['other'];
  mount(App, { target });
  // Sound is not needed for the first display.
  import('./startup').catch(() => undefined);
}

/** Without catalogues the page cannot be shown; this message is in both languages. */
function showLoadError(target: HTMLElement): void {
  const text = document.createElement('p');
  text.className = 'page';
  text.textContent = 'This page could not be loaded. Try again. · 다시 불러와 주세요.';
  target.append(text);
  delete document.documentElement.dataset['other'];
}

if (target) {
  // Page and catalogues are loaded at the same time, and the static content stays until both are
  // here. App.svelte reports a page that could not be loaded.
  const page = loadPage(router.route).catch(() => undefined);
  const words = router.route.page === 'game' ? load() : loadAll();
  Promise.all([words, page, STATIC && loadHere()]).then(
    () => mountApp(target),
    () => showLoadError(target),
  );
  void ensureKey();
}
