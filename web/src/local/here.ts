// Says which games are stored in this browser, and opens a connection to one: the same interface as
// a websocket, with a worker at the other end. All other code for them is loaded when needed.
import { browser, type World } from '../socket';
import { store } from '../settings.svelte';

/** True if the game is stored in this browser: its id, and so its address, begins with `~`. */
export const isLocal = (id: string): boolean => id.startsWith('~');

const SOME = 'hansu.local';
/** True if this browser has ever stored a game; if not, nothing is loaded to look for games. */
export const hasLocal = (): boolean => store.read(SOME) !== null;
export const noteLocal = (): void => store.write(SOME, '1');

/** An environment whose sockets lead to a worker. */
export const here = (id: string): World => ({
  ...browser,
  online: () => true,
  socket: () => {
    const socket: ReturnType<World['socket']> = {
      onopen: null,
      onmessage: null,
      onclose: null,
      send: () => undefined,
      close: () => undefined,
    };
    import('./channel').then(
      ({ seat }) => seat(id, socket),
      () => socket.onclose?.({ code: 1006 }),
    );
    return socket;
  },
});
