// What runs in the page as WebAssembly, built by Cargo, which knows itself whether anything has
// changed: the rules (crates/browser), what reads, names and counts games (crates/archive), and the
// computer (crates/computer). `wasm.ts` asks for each when the page is built or served; run by
// itself, `node modules.mjs` builds all three ahead, while other things are built as well.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

export const TARGET = 'wasm32-unknown-unknown';

/**
 * @typedef {object} Module
 * @property {string} crate
 * @property {string} profile
 * @property {readonly string[]} features
 * @property {string} flags What else the compiler is told.
 */

/** @type {Readonly<Record<string, Module>>} */
export const MODULES = {
  'virtual:hansu-wasm': { crate: 'hansu-browser', profile: 'wasm', features: [], flags: '' },
  'virtual:hansu-archive': { crate: 'hansu-archive', profile: 'wasm', features: [], flags: '' },
  'virtual:hansu-computer': {
    crate: 'hansu-computer',
    profile: 'thinking',
    features: ['--features', 'module'],
    // Sums of the net over many numbers at once; browsers have it since 2023. See docs/benchmarks.md.
    flags: ' -Ctarget-feature=+simd128',
  },
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const cargo = process.env['CARGO'] ?? 'cargo';

/** What a Cargo around this one means for its own build, and not for this. */
const FOREIGN =
  /^(CARGO_ENCODED_RUSTFLAGS|RUSTFLAGS|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_TARGET|CARGO_TARGET_DIR|CARGO_PROFILE_.*)$/;

/**
 * What a command says; nothing where there is no such command.
 * @param {string} command
 * @param {string[]} args
 * @returns {string | null}
 */
function run(command, args, flags = '') {
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

/**
 * The file, made anew where it is old; nothing where it cannot be made.
 * @param {Module} module
 * @returns {string | null}
 */
export function built({ crate, profile, features, flags }) {
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

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const module of Object.values(MODULES)) built(module);
}
