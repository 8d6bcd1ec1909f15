// Requests about past games and results.
import { ask } from '../api';
import type {
  Game,
  GameList,
  HeadToHead,
  Imported,
  PlayerList,
  PlayerPage,
  Snapshot,
  Statistics,
  Visibility,
} from '../wire';
import { language } from '../words/index.svelte';
import { toRequest, type Filters } from './filters';

const part = encodeURIComponent;

/** Games on a page of the list. */
const PAGE = 24;

export const log = {
  list: (filters: Filters, after: string | null) =>
    ask<GameList>(`/api/games?${toRequest(filters, { after, limit: PAGE })}`),
  game: (id: string) => ask<Game>(`/api/games/${part(id)}`),
  state: (id: string) => ask<Snapshot>(`/api/games/${part(id)}/state`),
  tag: (id: string, tag: string) =>
    ask<null>(`/api/games/${part(id)}/tags/${part(tag)}`, { method: 'PUT' }),
  untag: (id: string, tag: string) =>
    ask<null>(`/api/games/${part(id)}/tags/${part(tag)}`, { method: 'DELETE' }),
  note: (id: string, note: string) =>
    ask<null>(`/api/games/${part(id)}/note`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ note }),
    }),
  remove: (id: string) => ask<null>(`/api/games/${part(id)}`, { method: 'DELETE' }),
  import: (pgn: Blob | string, visibility: Visibility) =>
    ask<Imported>(`/api/import?lang=${language()}&visibility=${visibility}`, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.chess-pgn' },
      body: pgn,
      // Thousands of games over a slow connection.
      signal: AbortSignal.timeout(600_000),
    }),
  statistics: () => ask<Statistics>('/api/statistics'),
  own: () => ask<PlayerPage>('/api/me/statistics'),
  players: (limit: number) => ask<PlayerList>(`/api/players?limit=${limit}`),
  player: (name: string) => ask<PlayerPage>(`/api/players/${part(name)}`),
  against: (one: string, other: string) =>
    ask<HeadToHead>(`/api/players/${part(one)}/against/${part(other)}`),
};

/** The addresses of a game's files. */
export const files = {
  pgn: (id: string) => `/api/games/${part(id)}/pgn`,
  record: (id: string) => `/api/games/${part(id)}/record`,
};
