// What begins beside the page itself: sound, at the first touch, and what keeps the page for when the
// server cannot be reached.
import { wake } from './sound/wake';
import { loadHere } from './words/index.svelte';

wake();
// What a game asks before something is given up stands among these words.
loadHere().catch(() => undefined);
// Only what is built has it; a page that is worked on reloads by itself.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const registered = navigator.serviceWorker.register(`${import.meta.env.BASE_URL}worker.js`);
  registered.then(
    (registration) => import('./renewal').then(({ attend }) => attend(registration)),
    () => undefined,
  );
}
