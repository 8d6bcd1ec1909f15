// `hansu serve --no-worker` sends this file instead of the service worker: it removes an installed
// worker and its cache. Games of this browser are not touched.
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  const forget = async () => {
    const names = await caches.keys();
    const ours = names.filter((name) => name.startsWith('hansu-'));
    await Promise.all(ours.map((name) => caches.delete(name)));
    await self.registration.unregister();
  };
  event.waitUntil(forget());
});
