// The WebAssembly module of the rules, loaded when first needed, and the address of the computer's.
import wasm from 'virtual:hansu-wasm';
import address, { bytes } from 'virtual:hansu-computer';
import type { Engine } from './shapes';
import { Rules, asWasm } from './text-module';

export const engine: Engine = { address, bytes };

/** The smallest module with SIMD, which the computer needs: one function with a splat
 *  instruction. */
const SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
];

/** True if this browser can run the computer. */
export const canThink = (): boolean => !!address && WebAssembly.validate(Uint8Array.from(SIMD));

let module: Promise<WebAssembly.Module> | null = null;

/** Loads and compiles the rules once for this page and all its workers; again after a failure. */
export function compileRules(): Promise<WebAssembly.Module> {
  module ??= fetchModule().catch((error: unknown) => {
    module = null;
    throw error;
  });
  return module;
}

async function fetchModule(): Promise<WebAssembly.Module> {
  if (!wasm) throw new Error('built without the rules');
  return WebAssembly.compileStreaming(asWasm(await fetch(wasm)));
}

let own: Rules | null = null;

/** The rules for questions of the page itself, outside of a game. */
export async function rules(): Promise<Rules> {
  own ??= new Rules(await compileRules());
  return own;
}
