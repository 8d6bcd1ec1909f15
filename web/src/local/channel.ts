// The page's side of a game in this browser: a worker with the interface of a websocket.
import type { World } from '../socket';
import { loadHere, t } from '../words/index.svelte';
import { fetching } from './fetching.svelte';
import { compileRules, engine } from './module';
import type { FromWorker, ToWorker } from './shapes';

type Socket = ReturnType<World['socket']>;

/** Connects a socket object to a worker. */
export async function seat(id: string, socket: Socket): Promise<void> {
  const lost = (code: number): void => socket.onclose?.({ code });
  let worker: Worker | null = null;
  let left = false;
  socket.close = () => {
    left = true;
    fetching.part = null;
    worker?.terminate();
  };
  try {
    const [module] = await Promise.all([compileRules(), loadHere()]);
    if (left) return;
    worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const say = (message: ToWorker): void => worker?.postMessage(message);
    worker.onerror = () => lost(1006);
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'opened') socket.onopen?.();
      else if (data.type === 'said') socket.onmessage?.({ data: data.text });
      else if (data.type === 'loading') fetching.part = data.part;
      else lost(data.code);
    };
    socket.send = (text) => say({ type: 'say', text: String(text) });
    say({ type: 'open', module, engine, id, notKept: t('local.full') });
  } catch {
    lost(1006);
  }
}
