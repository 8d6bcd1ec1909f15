// The real server, on a free port with a log of its own; it can be killed and started again.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');
const target = resolve(root, process.env['CARGO_TARGET_DIR'] ?? 'target');
export const binary = process.env['HANSU_BIN'] ?? join(target, 'debug/hansu');

export class Hansu {
  url = '';
  readonly #data: string;
  #process: ChildProcess | null = null;

  private constructor(data: string) {
    this.#data = data;
  }

  static async start(): Promise<Hansu> {
    const hansu = new Hansu(await mkdtemp(join(tmpdir(), 'hansu-browser-')));
    await hansu.#run('127.0.0.1:0');
    return hansu;
  }

  get port(): string {
    return new URL(this.url).port;
  }

  async #run(listen: string, flags: readonly string[] = []): Promise<void> {
    const child = spawn(binary, ['serve', '--listen', listen, '--data', this.#data, ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, HANSU_LOG: 'error', LANG: 'C.UTF-8' },
    });
    this.#process = child;
    const failed = new Promise<never>((_, refuse) => {
      child.once('error', refuse);
      child.once('exit', (code) => refuse(new Error(`the server ended with ${code}`)));
    });
    failed.catch(() => undefined);
    const told = new Promise<string>((done) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
        if (address) done(address);
      });
    });
    this.url = await Promise.race([told, failed]);
  }

  /** Kills the server without a shutdown, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Starts it again on the same port with the same log. */
  async again(...flags: string[]): Promise<void> {
    await this.#run(`127.0.0.1:${this.port}`, flags);
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#data, { recursive: true, force: true });
  }
}
