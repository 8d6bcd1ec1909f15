// A real terminal that runs `hansu`: tmux with a server and a data folder of its own, removed after
// the test. `crates/hansu/tests/board/tmux.rs` is the same for tests in Rust.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { binary } from './hansu';

const run = promisify(execFile);
const SETTINGS = ['LC_ALL=C.UTF-8', 'TERM=tmux-256color', 'COLORTERM=', 'NO_COLOR='];

let count = 0;

export class Terminal {
  #socket = '';
  readonly #data: string;

  private constructor(data: string) {
    this.#data = data;
  }

  /** Opens a window of 100×32 characters that runs `hansu` with these arguments. */
  static async start(...words: string[]): Promise<Terminal> {
    const data = await mkdtemp(join(tmpdir(), 'hansu-terminal-'));
    const terminal = new Terminal(data);
    await terminal.open(...words);
    return terminal;
  }

  /** Opens a window for the same player, after the last one was closed. */
  async open(...words: string[]): Promise<void> {
    // A tmux server that was told to end may still run: each window has a server of its own.
    this.#socket = `hansu-page-${process.pid}-${++count}`;
    const size = ['-x', '100', '-y', '32'];
    const begun = ['-u', '-f', '/dev/null', 'new-session', '-d', ...size];
    await this.#tmux(...begun, 'env', ...SETTINGS, `HANSU_DATA=${this.#data}`, binary, ...words);
  }

  async #tmux(...words: string[]): Promise<string> {
    const env = { ...process.env };
    delete env['TMUX'];
    const { stdout } = await run('tmux', ['-L', this.#socket, ...words], { env });
    return stdout;
  }

  /** The text of the window. */
  text(): Promise<string> {
    return this.#tmux('capture-pane', '-p');
  }

  /** Waits until the window shows a text. */
  async shows(text: string | RegExp): Promise<string> {
    const wanted = typeof text === 'string' ? expect.stringContaining(text) : null;
    const shown = expect.poll(() => this.text(), { timeout: 60_000 });
    await (wanted ? shown.toEqual(wanted) : shown.toMatch(text));
    return this.text();
  }

  /** Types a text. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', text);
  }

  /** Presses a key by its name in tmux. */
  async press(key: string): Promise<void> {
    await this.#tmux('send-keys', key);
  }

  /** Types a move and waits until it is in the list. */
  async play(move: string): Promise<void> {
    await this.type(`:${move}`);
    await this.press('Enter');
    await this.shows(` ${move}`);
  }

  /** This player's key at the server. */
  async key(): Promise<string> {
    const [server = ''] = await readdir(join(this.#data, 'seats'));
    return (await readFile(join(this.#data, 'seats', server, 'key'), 'utf8')).trim();
  }

  /** Closes the window; the data stays. */
  async close(): Promise<void> {
    await this.#tmux('kill-server');
  }

  async stop(): Promise<void> {
    await this.close().catch(() => undefined);
    await rm(this.#data, { recursive: true, force: true });
  }
}
