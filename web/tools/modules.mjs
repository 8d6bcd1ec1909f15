// Builds the page's WebAssembly modules with Cargo: the rules (crates/browser), the archive
// (crates/archive) and the computer (crates/computer). `wasm.ts` calls this when the page is built
// or served. Run alone, `node modules.mjs` builds all three in advance, in parallel with other
// builds.
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
 * @property {string} flags Additional compiler flags.
 */

/** @type {Readonly<Record<string, Module>>} */
export const MODULES = {
  'virtual:hansu-wasm': { crate: 'hansu-browser', profile: 'wasm', features: [], flags: '' },
  'virtual:hansu-archive': { crate: 'hansu-archive', profile: 'wasm', features: [], flags: '' },
  'virtual:hansu-computer': {
    crate: 'hansu-computer',
    profile: 'thinking',
    features: ['--features', 'module'],
    // The net adds many numbers at once; browsers have SIMD since 2023. See docs/benchmarks.md.
    flags: ' -Ctarget-feature=+simd128',
  },
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const cargo = process.env['CARGO'] ?? 'cargo';

/** Variables that an outer Cargo sets for its own build; they must not apply to this one. */
const FOREIGN =
  /^(CARGO_ENCODED_RUSTFLAGS|RUSTFLAGS|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_TARGET|CARGO_TARGET_DIR|CARGO_PROFILE_.*)$/;

/**
 * The output of a command; null if the command does not exist.
 * @param {string} command
 * @param {string[]} args
 * @returns {string | null}
 */
function run(command, args, flags = '') {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)),
  );
  // Removes the paths of this machine from the modules, which also makes them smaller.
  const home = process.env['CARGO_HOME'] ?? join(homedir(), '.cargo');
  env['RUSTFLAGS'] = `--remap-path-prefix=${join(home, 'registry/src')}=c${flags}`;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  if (status === null) return null;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/**
 * Builds a module if it is out of date and returns its path; null if it cannot be built.
 * @param {Module} module
 * @returns {string | null}
 */
export function built({ crate, profile, features, flags }) {
  const sysroot = run(process.env['RUSTC'] ?? 'rustc', ['--print', 'sysroot'])?.trim();
  if (!sysroot || !existsSync(join(sysroot, 'lib/rustlib', TARGET))) return null;
  // A target folder of its own: an outer Cargo holds the lock of the usual one.
  const folder = resolve(root, process.env['CARGO_TARGET_DIR'] ?? 'target', 'page');
  const what = ['--locked', '--quiet', '-p', crate, '--lib', ...features];
  const how = ['--profile', profile, '--target', TARGET, '--target-dir', folder];
  // Only the page needs a `cdylib`; elsewhere the crates are libraries.
  const module = ['--crate-type', 'cdylib'];
  if (run(cargo, ['rustc', ...what, ...how, ...module], flags) === null) return null;
  return join(folder, TARGET, profile, `${crate.replace('-', '_')}.wasm`);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const module of Object.values(MODULES)) built(module);
}
