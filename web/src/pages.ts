// The pages, each in a file of its own that is loaded when it is needed.
import type { Route } from './routes';

const pages: Record<Route['page'], () => Promise<{ default: unknown }>> = {
  home: () => import('./pages/Home.svelte'),
  game: () => import('./pages/Game.svelte'),
  join: () => import('./pages/Join.svelte'),
  lobby: () => import('./pages/Lobby.svelte'),
  settings: () => import('./pages/Settings.svelte'),
  games: () => import('./pages/Games.svelte'),
  past: () => import('./pages/Past.svelte'),
  free: () => import('./pages/Free.svelte'),
  statistics: () => import('./pages/Statistics.svelte'),
  missing: () => import('./pages/Missing.svelte'),
};

/** Loads the page of a route; a second call does not load it again. */
export function loadPage({ page }: Route): Promise<{ default: unknown }> {
  // Pages that need a server have nothing to show without one.
  if (STATIC && page === 'games') return import('./pages/GamesHere.svelte');
  if (STATIC && /^(join|lobby)$/.test(page)) return import('./pages/NoServer.svelte');
  return pages[page]();
}
