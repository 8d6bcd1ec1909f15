// The module of the rules, fetched when it is first wanted.
import wasm from 'virtual:hansu-wasm';
import { Rules } from './rules';

let module: Promise<WebAssembly.Module> | null = null;

/** Fetched and compiled once for this page and all its workers; after a failure again. */
export function compiled(): Promise<WebAssembly.Module> {
  module ??= (wasm ? WebAssembly.compileStreaming(fetch(wasm)) : Promise.reject(new Error())).catch(
    (error: unknown) => {
      module = null;
      throw error;
    },
  );
  return module;
}

let own: Rules | null = null;

/** For questions of the page itself, where no game is played. */
export async function rules(): Promise<Rules> {
  own ??= new Rules(await compiled());
  return own;
}
