// The archive in its worker: crates/archive as WebAssembly, fetched when it is first asked.
import type { ArchiveAnswer, ArchiveRequest, FromArchive, ToArchive } from './shapes';
import { Texts, typed } from './texts';

type Archive = Texts<ArchiveRequest, ArchiveAnswer>;

const post = (message: FromArchive): void => postMessage(message);

async function fetched(address: string): Promise<Archive> {
  return new Texts(await WebAssembly.compileStreaming(typed(await fetch(address))));
}

let archive: Promise<Archive> | null = null;
/** One question after the other: answers come in their order. */
let last: Promise<void> = Promise.resolve();

async function answer({ address, request }: ToArchive): Promise<void> {
  try {
    archive ??= fetched(address);
    post((await archive).ask(request));
  } catch {
    // It did not come, or a trap has left it in no state to go on with.
    archive = null;
    post(null);
  }
}

onmessage = ({ data }: MessageEvent<ToArchive>) => {
  last = last.then(() => answer(data));
};
