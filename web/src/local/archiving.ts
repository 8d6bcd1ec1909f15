// The worker of the archive: crates/archive as WebAssembly, loaded at the first request.
import type { ArchiveAnswer, ArchiveRequest, FromArchive, ToArchive } from './shapes';
import { TextModule, asWasm } from './text-module';

type Archive = TextModule<ArchiveRequest, ArchiveAnswer>;

const post = (message: FromArchive): void => postMessage(message);

async function loadArchive(address: string): Promise<Archive> {
  return new TextModule(await WebAssembly.compileStreaming(asWasm(await fetch(address))));
}

let archive: Promise<Archive> | null = null;
/** The last request: requests are answered in their order. */
let last: Promise<void> = Promise.resolve();

async function answer({ address, request }: ToArchive): Promise<void> {
  try {
    archive ??= loadArchive(address);
    post((await archive).ask(request));
  } catch {
    // It could not be loaded, or a trap has made the module unusable.
    archive = null;
    post(null);
  }
}

onmessage = ({ data }: MessageEvent<ToArchive>) => {
  last = last.then(() => answer(data));
};
