// What the page starts after its first display: sound, at the first touch, and the service worker
// that keeps the page for when the server cannot be reached.
import { wake } from './sound/wake';
import { loadHere } from './words/index.svelte';

wake();
// The confirmations of a game (resign, abort …) are in this catalogue.
loadHere().catch(() => undefined);
// Only a built page has a service worker; the development server reloads by itself.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const registered = navigator.serviceWorker.register(`${import.meta.env.BASE_URL}worker.js`);
  registered.then(
    (registration) =>
      import('./renewal').then(({ watchForUpdates }) => watchForUpdates(registration)),
    () => undefined,
  );
}
