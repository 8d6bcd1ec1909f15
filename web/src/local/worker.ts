// The worker of a game in this browser. It takes and sends the same messages as the server. An
// event is stored before it is sent.
import { Rules } from './text-module';
import {
  ELSEWHERE,
  type Answer,
  type Engine,
  type FromComputer,
  type FromWorker,
  type Kept,
  type Request,
  type ToComputer,
  type ToWorker,
} from './shapes';
import { entriesOf, keep } from './store';

/** Milliseconds between two heartbeats to the page. */
const BEAT = 4_000;
/** Milliseconds that an earlier worker of the same page may take to release the lock. */
const PATIENCE = 2_000;
/** Milliseconds after a failed write before it is tried again. */
const AGAIN = 5_000;

const GONE = 4004;
const BROKEN = 1006;

const post = (message: FromWorker): void => postMessage(message);

class LocalGame {
  readonly #rules: Rules;
  readonly #id: string;
  readonly #notKept: string;
  readonly #engine: Engine;
  #seq: number;
  #computer: Worker | null = null;
  /** The number and the time of the last question to the computer. */
  #asked = { seq: 0, at: 0 };
  #alarm: ReturnType<typeof setTimeout> | undefined;
  /** The last request: a request is decided after the one before it is stored. */
  #last: Promise<void> = Promise.resolve();

  constructor(rules: Rules, { id, notKept, engine }: Opening, seq: number) {
    this.#rules = rules;
    this.#id = id;
    this.#notKept = notKept;
    this.#engine = engine;
    this.#seq = seq;
    setInterval(() => this.#beat(), BEAT);
  }

  receive(text: string): void {
    this.#queue(() => this.#handle({ hear: { text, now: Date.now() } }, commandId(text)));
  }

  /** Applies what is due (a flag, a timeout), and sets the timer for the next. */
  tick(): void {
    this.#queue(() => this.#handle({ tick: { now: Date.now() } }, null));
  }

  #queue(run: () => Promise<void>): void {
    // After a trap the module is unusable: the page starts a new worker.
    this.#last = this.#last.then(run).catch(() => leave(BROKEN));
  }

  async #handle(request: Request, name: string | null): Promise<void> {
    const answer = this.#rules.ask(request);
    if (answer.close !== undefined || answer.error) return leave(answer.close ?? BROKEN);
    const last = answer.entries?.at(-1);
    if (last) {
      try {
        await keep(this.#id, answer);
      } catch (error) {
        // Without locks another tab may have played on: the page starts again from its events.
        const passed = error instanceof DOMException && error.name === 'ConstraintError';
        if (passed) leave(BROKEN);
        else this.#refuse(name);
        return;
      }
      this.#seq = last.seq;
    }
    for (const text of answer.messages ?? []) post({ type: 'said', text });
    this.#sleep(answer);
    this.#think(answer);
  }

  /** Sends a question to the computer unless it was sent already. */
  #think({ think: question }: Answer): void {
    if (!question || question.seq === this.#asked.seq) return;
    this.#asked = { seq: question.seq, at: Date.now() };
    if (!this.#computer) {
      this.#computer = new Worker(new URL('./computer.ts', import.meta.url), { type: 'module' });
      this.#computer.onmessage = ({ data }: MessageEvent<FromComputer>) => this.#onComputer(data);
      this.#computer.onerror = () => this.#onComputer({ type: 'loading', part: 'failed' });
    }
    this.#computer.postMessage({ engine: this.#engine, question } satisfies ToComputer);
  }

  #onComputer(said: FromComputer): void {
    if (said.type === 'thought') {
      const { seq, reply } = said;
      const wait = Math.max(0, this.#asked.at + reply.pause - Date.now());
      const tell = () => this.#handle({ thought: { seq, reply, now: Date.now() } }, null);
      setTimeout(() => this.#queue(tell), wait);
      return;
    }
    post(said);
    if (said.part === 'failed') setTimeout(() => this.#askAgain(), AGAIN);
  }

  /** Sends the current question to the computer again. */
  #askAgain(): void {
    this.#asked = { seq: 0, at: 0 };
    this.tick();
  }

  /** Undoes a command that could not be stored, and refuses it. */
  #refuse(name: string | null): void {
    const undone = this.#rules.ask({ undo: {} });
    // The computer's move was not stored: the computer is asked again.
    if (name === null && undone.think) setTimeout(() => this.#askAgain(), AGAIN);
    if (name !== null) {
      const refusal = { code: 'not_kept', text: this.#notKept };
      const refused = { type: 'refused', id: name, seq: this.#seq, refusal };
      post({ type: 'said', text: JSON.stringify(refused) });
    }
    this.#sleep({ ...undone, wake: undone.wake && Math.max(undone.wake, Date.now() + AGAIN) });
  }

  #sleep({ wake }: Answer): void {
    clearTimeout(this.#alarm);
    if (wake === undefined) return;
    // A timer is limited to 2^31 ms; the worker then sets the next one.
    const wait = Math.min(Math.max(0, wake - Date.now()), 2 ** 30);
    this.#alarm = setTimeout(() => this.tick(), wait);
  }

  #beat(): void {
    post({ type: 'said', text: JSON.stringify({ type: 'beat', seq: this.#seq, now: Date.now() }) });
  }
}

/** The id of the command in a message; null for other messages. */
function commandId(text: string): string | null {
  const { type, id } = JSON.parse(text) as { type: string; id?: string };
  return type === 'command' && id ? id : null;
}

function leave(code: number): void {
  post({ type: 'closed', code });
  close();
}

/** Takes the lock of a game; only one tab plays it. The browser releases the lock when the worker
 *  ends. Without TLS there are no locks; then the database refuses the second tab's events. */
function takeLock(id: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((done) => {
    navigator.locks
      .request(`hansu.game.${id}`, { signal: AbortSignal.timeout(PATIENCE) }, () => {
        done(true);
        return new Promise(() => undefined);
      })
      .catch(() => done(false));
  });
}

type Opening = Extract<ToWorker, { type: 'open' }>;

async function open(opening: Opening): Promise<LocalGame | null> {
  const { id, module } = opening;
  if (!(await takeLock(id))) {
    leave(ELSEWHERE);
    return null;
  }
  const entries: Kept[] = await entriesOf(id);
  const rules = new Rules(module);
  const { error } = rules.ask({ resume: { id, entries } });
  if (error) {
    leave(GONE);
    return null;
  }
  const game = new LocalGame(rules, opening, entries.at(-1)?.seq ?? 0);
  post({ type: 'opened' });
  game.tick();
  return game;
}

let game: Promise<LocalGame | null> = Promise.resolve(null);

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'open') {
    game = open(data).catch(() => {
      leave(BROKEN);
      return null;
    });
  } else {
    void game.then((game) => game?.receive(data.text));
  }
};
