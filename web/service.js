// Caches the files of exactly one build, so that the page opens without its server. While the
// server can be reached, every page comes from the server; files whose names depend on their
// content come from the cache. The API is never cached. shell.ts prepends VERSION and FILES.
const CACHE = `hansu-${VERSION}`;
/** The folder of the page: the server's root, or the folder of a static build. */
const ROOT = new URL('.', self.location).pathname;
const placed = (path) => ROOT + path.slice(1);

/** The HTML file of an address; crates/server/src/http/page.rs has the same rules. A static build
 *  has one page. */
function view(path) {
  if (FILES.includes('/index.html')) return '/index.html';
  const [, first = '', second] = path.split('/');
  const pages = second
    ? { join: 'join', game: 'game', games: 'past', embed: 'embed' }
    : {
        '': 'home',
        lobby: 'lobby',
        games: 'games',
        statistics: 'statistics',
        settings: 'settings',
      };
  const korean = navigator.languages.find((language) => /^(ko|en)\b/i.test(language));
  const lang = /^ko/i.test(korean ?? 'en') ? 'ko' : 'en';
  return `/views/${Object.hasOwn(pages, first) ? pages[first] : 'missing'}.${lang}.html`;
}

async function kept(path) {
  const cache = await caches.open(CACHE);
  return cache.match(placed(path));
}

/** From the server; from the cache if it does not answer, or if a proxy reports it as away. */
async function page(request, path) {
  try {
    const answer = await fetch(request);
    if (![502, 503, 504].includes(answer.status)) return answer;
    return (await kept(view(path))) ?? answer;
  } catch (error) {
    const shell = await kept(view(path));
    if (!shell) throw error;
    return shell;
  }
}

async function file(request, path) {
  if (path.startsWith('/assets/')) return (await kept(path)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    const found = await kept(path);
    if (!found) throw error;
    return found;
  }
}

self.addEventListener('install', (event) => {
  // All files or none: an incomplete build must not be used.
  const all = FILES.map((path) => new Request(placed(path), { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(all)));
});

self.addEventListener('activate', (event) => {
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
    );
  event.waitUntil(Promise.all([old, self.clients.claim()]));
});

// The page sends this when no game is under way. Until then the old build stays, so that pages that
// were opened with it find all of its files.
self.addEventListener('message', ({ data }) => {
  if (data === 'take over') self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  const path = `/${pathname.slice(ROOT.length)}`;
  if (path.startsWith('/api')) return;
  if (request.mode === 'navigate') event.respondWith(page(request, path));
  else if (FILES.includes(path)) event.respondWith(file(request, path));
});
