// Routes: the page of an address.
import { expect, it } from 'vitest';
import { routeOf } from './routes';

it.each([
  ['/', { page: 'home' }],
  ['/join/abc', { page: 'join', id: 'abc' }],
  ['/game/x1', { page: 'game', id: 'x1' }],
  ['/game/x1/', { page: 'game', id: 'x1' }],
  ['/games', { page: 'games' }],
  ['/games/x1', { page: 'past', id: 'x1' }],
  ['/statistics', { page: 'statistics' }],
  ['/settings', { page: 'settings' }],
  ['/lobby', { page: 'lobby' }],
  ['/analysis', { page: 'free', id: 'analysis' }],
  ['/setup', { page: 'free', id: 'setup' }],
  ['/game', { page: 'missing' }],
  ['/game/a/b', { page: 'missing' }],
  ['/elsewhere', { page: 'missing' }],
])('%s', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
