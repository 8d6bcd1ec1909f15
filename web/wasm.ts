// The rules as WebAssembly: `virtual:hansu-wasm` is the address of crates/browser, built by Cargo
// whenever the page is built or served. Cargo itself knows whether anything has changed. Without the
// target for WebAssembly the address is empty, and games are played at the server alone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const NAME = 'virtual:hansu-wasm';
const TARGET = 'wasm32-unknown-unknown';
const root = fileURLToPath(new URL('..', import.meta.url));
const cargo = process.env['CARGO'] ?? 'cargo';

/** What a Cargo around this one means for its own build, and not for this. */
const FOREIGN =
  /^(CARGO_ENCODED_RUSTFLAGS|RUSTFLAGS|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_TARGET|CARGO_TARGET_DIR|CARGO_PROFILE_.*)$/;

function run(command: string, args: string[]): string | null {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)),
  );
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  if (status === null) return null;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** The file, made anew where it is old; nothing where it cannot be made. */
function built(): string | null {
  const sysroot = run(process.env['RUSTC'] ?? 'rustc', ['--print', 'sysroot'])?.trim();
  if (!sysroot || !existsSync(join(sysroot, 'lib/rustlib', TARGET))) return null;
  // A folder of its own: the Cargo around this one holds the other.
  const folder = resolve(root, process.env['CARGO_TARGET_DIR'] ?? 'target', 'page');
  const what = ['--locked', '--quiet', '-p', 'hansu-browser', '--lib'];
  const how = ['--profile', 'wasm', '--target', TARGET, '--target-dir', folder];
  if (run(cargo, ['build', ...what, ...how]) === null) return null;
  return join(folder, TARGET, 'wasm/hansu_browser.wasm');
}

export function wasm(): Plugin {
  return {
    name: 'hansu-wasm',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const file = built();
      if (file) return `export { default } from ${JSON.stringify(`${file}?url`)};`;
      this.warn(
        `Games without a server are left out: run rustup target add ${TARGET}, then build again.`,
      );
      return 'export default "";';
    },
  };
}
