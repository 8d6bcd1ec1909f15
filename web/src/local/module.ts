// The module of the rules, fetched when it is first wanted, and where that of the computer is.
import wasm from 'virtual:hansu-wasm';
import address, { bytes } from 'virtual:hansu-computer';
import type { Engine } from './shapes';
import { Rules, typed } from './texts';

export const engine: Engine = { address, bytes };

/** The smallest module with SIMD, which the computer needs: a function that splats a number. */
const SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
];

/** Whether this browser can run the computer. */
export const canThink = (): boolean => !!address && WebAssembly.validate(Uint8Array.from(SIMD));

let module: Promise<WebAssembly.Module> | null = null;

/** Fetched and compiled once for this page and all its workers; after a failure again. */
export function compiled(): Promise<WebAssembly.Module> {
  module ??= fetched().catch((error: unknown) => {
    module = null;
    throw error;
  });
  return module;
}

async function fetched(): Promise<WebAssembly.Module> {
  if (!wasm) throw new Error('built without the rules');
  return WebAssembly.compileStreaming(typed(await fetch(wasm)));
}

let own: Rules | null = null;

/** For questions of the page itself, where no game is played. */
export async function rules(): Promise<Rules> {
  own ??= new Rules(await compiled());
  return own;
}
