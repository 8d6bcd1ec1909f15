// What runs in the page as WebAssembly, built by Cargo whenever the page is built or served:
// `virtual:hansu-wasm` is the address of the rules (crates/browser), `virtual:hansu-computer` that of
// the computer (crates/computer), `virtual:hansu-archive` that of what reads, names and counts games
// (crates/archive). Cargo itself knows whether anything has changed. Without the target for
// WebAssembly the addresses are empty, and games are played at the server alone.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const TARGET = 'wasm32-unknown-unknown';
interface Module {
  readonly crate: string;
  readonly profile: string;
  readonly features: readonly string[];
  /** What else the compiler is told. */
  readonly flags?: string;
}
const MODULES: Readonly<Record<string, Module>> = {
  'virtual:hansu-wasm': { crate: 'hansu-browser', profile: 'wasm', features: [] },
  'virtual:hansu-archive': { crate: 'hansu-archive', profile: 'wasm', features: [] },
  'virtual:hansu-computer': {
    crate: 'hansu-computer',
    profile: 'thinking',
    features: ['--features', 'module'],
    // Sums of the net over many numbers at once; browsers have it since 2023. See docs/benchmarks.md.
    flags: ' -Ctarget-feature=+simd128',
  },
};
const root = fileURLToPath(new URL('..', import.meta.url));
const cargo = process.env['CARGO'] ?? 'cargo';

/** What a Cargo around this one means for its own build, and not for this. */
const FOREIGN =
  /^(CARGO_ENCODED_RUSTFLAGS|RUSTFLAGS|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_TARGET|CARGO_TARGET_DIR|CARGO_PROFILE_.*)$/;

function run(command: string, args: string[], flags = ''): string | null {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)),
  );
  // What the modules say of their sources has no path of this machine in it, and is shorter.
  const home = process.env['CARGO_HOME'] ?? join(homedir(), '.cargo');
  env['RUSTFLAGS'] = `--remap-path-prefix=${join(home, 'registry/src')}=c${flags}`;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  if (status === null) return null;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** The file, made anew where it is old; nothing where it cannot be made. */
function built({ crate, profile, features, flags }: Module): string | null {
  const sysroot = run(process.env['RUSTC'] ?? 'rustc', ['--print', 'sysroot'])?.trim();
  if (!sysroot || !existsSync(join(sysroot, 'lib/rustlib', TARGET))) return null;
  // A folder of its own: the Cargo around this one holds the other.
  const folder = resolve(root, process.env['CARGO_TARGET_DIR'] ?? 'target', 'page');
  const what = ['--locked', '--quiet', '-p', crate, '--lib', ...features];
  const how = ['--profile', profile, '--target', TARGET, '--target-dir', folder];
  // Only the page wants them as modules: for all others they are libraries.
  const module = ['--crate-type', 'cdylib'];
  if (run(cargo, ['rustc', ...what, ...how, ...module], flags) === null) return null;
  return join(folder, TARGET, profile, `${crate.replace('-', '_')}.wasm`);
}

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
