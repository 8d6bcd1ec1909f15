// Where the reader is, and how one goes elsewhere without loading the page anew.
import { routeOf, type Route } from './routes';

class Router {
  path = $state(location.pathname);
  hash = $state(location.hash);
  route: Route = $derived(routeOf(this.path));
  /** Counts visits, so that going to the same address again is seen. */
  visits = $state(0);

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => this.#read());
    document.addEventListener('click', (event) => this.#clicked(event));
  }

  go(to: string, how: 'push' | 'replace' = 'push'): void {
    if (how === 'replace') history.replaceState(null, '', to);
    else history.pushState(null, '', to);
    const elsewhere = location.pathname !== this.path;
    this.#read();
    if (elsewhere) scrollTo(0, 0);
  }

  #read(): void {
    this.path = location.pathname;
    this.hash = location.hash;
    this.visits += 1;
  }

  /** A plain click on a link to a page of ours. */
  #clicked(event: MouseEvent): void {
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || modified) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
    event.preventDefault();
    this.go(url.pathname + url.search + url.hash);
  }
}

export const router = new Router();
