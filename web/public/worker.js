// Answers only one thing: a page that is opened while the server cannot be reached. Everything else,
// and the API above all, goes to the server as if this were not here: nothing old is ever shown.
const CACHE = 'hansu-offline-1';
const FILES = ['/offline.html', '/offline.css', '/icon.svg'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
    );
  event.waitUntil(Promise.all([old, self.clients.claim()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === 'navigate' && !path.startsWith('/api')) {
    event.respondWith(
      fetch(request).catch(async () => (await caches.match('/offline.html')) ?? Response.error()),
    );
  } else if (path === '/offline.css') {
    // The offline page's own style, when there is no server to ask.
    event.respondWith(
      fetch(request).catch(async () => (await caches.match('/offline.css')) ?? Response.error()),
    );
  }
});
