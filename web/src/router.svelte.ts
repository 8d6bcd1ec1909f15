// The address of the page, and navigation without loading the page again.
import { routeOf, type Route } from './routes';

/** The address bar's form of an address. A static folder has one page; the address of the view
 *  comes after a question mark, so that any web server can serve it and a reload works. */
const toBrowserAddress = (to: string): string => (STATIC ? `${location.pathname}?${to}` : to);

/** The address of the view in a static folder; another app's share has only `pgn=`. */
const viewAddress = (): string => location.search.replace(/^\?(?=pgn=)/, '?/games?').slice(1);

/** The current address, in the form that the routes use. */
const currentAddress = (): Pick<URL, 'pathname' | 'search'> =>
  STATIC ? new URL(viewAddress() || '/', location.origin) : location;

class Router {
  path = $state(currentAddress().pathname);
  hash = $state(location.hash);
  route: Route = $derived(routeOf(this.path));
  /** Counts navigations, so that a navigation to the same address is noticed. */
  visits = $state(0);

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => this.#read());
    document.addEventListener('click', (event) => this.#clicked(event));
    // The static folder cannot serve links as they are: a new tab needs the converted address.
    if (STATIC) document.addEventListener('auxclick', (event) => this.#clicked(event));
  }

  /** The query string. An effect that must follow changes reads `visits` as well. */
  get search(): string {
    return currentAddress().search;
  }

  go(to: string, how: 'push' | 'replace' = 'push'): void {
    if (how === 'replace') history.replaceState(null, '', toBrowserAddress(to));
    else history.pushState(null, '', toBrowserAddress(to));
    const elsewhere = currentAddress().pathname !== this.path;
    this.#read();
    if (elsewhere) scrollTo(0, 0);
  }

  #read(): void {
    this.path = currentAddress().pathname;
    this.hash = location.hash;
    this.visits += 1;
  }

  /** Handles a plain click on a link to a page of this site. */
  #clicked(event: MouseEvent): void {
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    const elsewhere = event.button !== 0 || modified;
    if (event.defaultPrevented || event.button > 1 || (elsewhere && !STATIC)) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
    event.preventDefault();
    const to = url.pathname + url.search + url.hash;
    if (elsewhere) open(toBrowserAddress(to));
    else this.go(to);
  }
}

export const router = new Router();
