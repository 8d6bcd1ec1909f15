// The routes: which page an address shows, and the page's title.
import type { Key } from './words/index.svelte';

export type Route =
  | { page: 'home' }
  | { page: 'join'; id: string }
  | { page: 'game'; id: string }
  | { page: 'games' }
  | { page: 'past'; id: string }
  | { page: 'statistics' }
  | { page: 'settings' }
  | { page: 'lobby' }
  | { page: 'free'; id: string }
  | { page: 'missing' };

export function routeOf(path: string): Route {
  const [first = '', second, third] = path.replace(/^\/|\/$/g, '').split('/');
  if (third !== undefined) return { page: 'missing' };
  if (second !== undefined) {
    if (!second) return { page: 'missing' };
    if (first === 'join') return { page: 'join', id: second };
    if (first === 'game') return { page: 'game', id: second };
    if (first === 'games') return { page: 'past', id: second };
    return { page: 'missing' };
  }
  switch (first) {
    case '':
      return { page: 'home' };
    case 'games':
    case 'statistics':
    case 'settings':
    case 'lobby':
      return { page: first };
    case 'analysis':
    case 'setup':
      return { page: 'free', id: first };
    default:
      return { page: 'missing' };
  }
}

/** The title of the window. */
export const TITLES: Record<Route['page'], Key> = {
  home: 'app.tagline',
  join: 'join.title',
  game: 'game.title',
  games: 'nav.games',
  past: 'nav.games',
  statistics: 'nav.statistics',
  settings: 'nav.settings',
  lobby: 'nav.lobby',
  free: 'free.title',
  missing: 'missing.title',
};
