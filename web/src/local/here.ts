// Which games live in this browser, and the line to one of them: the same line as to the server,
// with a worker at its other end. Everything else of them comes when it is wanted.
import { browser, type World } from '../socket';
import { store } from '../settings.svelte';

/** The mark is part of the address, which so says where the game is kept. */
export const isLocal = (id: string): boolean => id.startsWith('~');

const SOME = 'hansu.local';
/** Whether this browser has ever kept a game: most have not, and load nothing for it. */
export const hasLocal = (): boolean => store.read(SOME) !== null;
export const noteLocal = (): void => store.write(SOME, '1');

/** A world whose sockets lead to a worker. */
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
