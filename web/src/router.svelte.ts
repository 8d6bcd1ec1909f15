// Where the reader is, and how one goes elsewhere without loading the page anew.
import { routeOf, type Route } from './routes';

/** What the address bar shows of an address. A folder of files has one page, whose addresses stand
 *  behind a question mark: any web server has them, and they can be loaded again. */
const shown = (to: string): string => (STATIC ? `${location.pathname}?${to}` : to);

/** The address of a folder of files; what another app shares with it comes without one. */
const given = (): string => location.search.replace(/^\?(?=pgn=)/, '?/games?').slice(1);

/** The address that is shown, as the pages know it. */
const current = (): Pick<URL, 'pathname' | 'search'> =>
  STATIC ? new URL(given() || '/', location.origin) : location;

class Router {
  path = $state(current().pathname);
  hash = $state(location.hash);
  route: Route = $derived(routeOf(this.path));
  /** Counts visits, so that going to the same address again is seen. */
  visits = $state(0);

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => this.#read());
    document.addEventListener('click', (event) => this.#clicked(event));
    // Its links are not addresses of a folder of files: another tab needs them to be.
    if (STATIC) document.addEventListener('auxclick', (event) => this.#clicked(event));
  }

  /** What stands behind the path; a reader that follows changes reads `visits` as well. */
  get search(): string {
    return current().search;
  }

  go(to: string, how: 'push' | 'replace' = 'push'): void {
    if (how === 'replace') history.replaceState(null, '', shown(to));
    else history.pushState(null, '', shown(to));
    const elsewhere = current().pathname !== this.path;
    this.#read();
    if (elsewhere) scrollTo(0, 0);
  }

  #read(): void {
    this.path = current().pathname;
    this.hash = location.hash;
    this.visits += 1;
  }

  /** A plain click on a link to a page of ours. */
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
    if (elsewhere) open(shown(to));
    else this.go(to);
  }
}

export const router = new Router();
