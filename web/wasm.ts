// The WebAssembly modules of the page: `virtual:hansu-wasm` is the address of the rules,
// `virtual:hansu-computer` that of the computer, `virtual:hansu-archive` that of the archive.
// Without Rust's WebAssembly target the addresses are empty, and games are played at the server
// only.
import { statSync } from 'node:fs';
import type { Plugin } from 'vite';
import { MODULES, TARGET, built } from './tools/modules.mjs';

export function wasm(): Plugin {
  return {
    name: 'hansu-wasm',
    resolveId: (id) => (Object.hasOwn(MODULES, id) ? `\0${id}` : null),
    load(id) {
      const module = id.startsWith('\0') ? MODULES[id.slice(1)] : undefined;
      if (!module) return null;
      const file = built(module);
      if (file) {
        const address = `export { default } from ${JSON.stringify(`${file}?url`)};`;
        return `${address} export const bytes = ${statSync(file).size};`;
      }
      this.warn(
        `Games without a server are left out: run rustup target add ${TARGET}, then build again.`,
      );
      return 'export default ""; export const bytes = 0;';
    },
  };
}
