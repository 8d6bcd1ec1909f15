// A game of this browser, played in a worker: it hears and says what the server would. What happens
// is on the disk before it is told.
import { Rules } from './texts';
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

/** How often the page hears that all is well. */
const BEAT = 4_000;
/** How long an earlier worker of the same page may take to let go. */
const PATIENCE = 2_000;
/** After a failure to write, before it is tried again by itself. */
const AGAIN = 5_000;

const GONE = 4004;
const BROKEN = 1006;

const post = (message: FromWorker): void => postMessage(message);

class Seat {
  readonly #rules: Rules;
  readonly #id: string;
  readonly #notKept: string;
  readonly #engine: Engine;
  #seq: number;
  #computer: Worker | null = null;
  /** The last question to the computer, and when it was asked. */
  #asked = { seq: 0, at: 0 };
  #alarm: ReturnType<typeof setTimeout> | undefined;
  /** One thing after the other: nothing is decided before the last is kept. */
  #last: Promise<void> = Promise.resolve();

  constructor(rules: Rules, { id, notKept, engine }: Opening, seq: number) {
    this.#rules = rules;
    this.#id = id;
    this.#notKept = notKept;
    this.#engine = engine;
    this.#seq = seq;
    setInterval(() => this.#beat(), BEAT);
  }

  say(text: string): void {
    this.#queue(() => this.#do({ hear: { text, now: Date.now() } }, named(text)));
  }

  /** Ends what must end, and sleeps until something else must. */
  look(): void {
    this.#queue(() => this.#do({ tick: { now: Date.now() } }, null));
  }

  #queue(run: () => Promise<void>): void {
    // A trap in the module leaves it in no state to go on with: the page begins a new worker.
    this.#last = this.#last.then(run).catch(() => leave(BROKEN));
  }

  async #do(request: Request, name: string | null): Promise<void> {
    const answer = this.#rules.ask(request);
    if (answer.close !== undefined || answer.error) return leave(answer.close ?? BROKEN);
    const last = answer.entries?.at(-1);
    if (last) {
      try {
        await keep(this.#id, answer);
      } catch (error) {
        // Another tab has played on, where tabs cannot keep each other out: begin anew from there.
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

  /** Asks the computer what it was not asked yet. */
  #think({ think: question }: Answer): void {
    if (!question || question.seq === this.#asked.seq) return;
    this.#asked = { seq: question.seq, at: Date.now() };
    if (!this.#computer) {
      this.#computer = new Worker(new URL('./computer.ts', import.meta.url), { type: 'module' });
      this.#computer.onmessage = ({ data }: MessageEvent<FromComputer>) => this.#hear(data);
      this.#computer.onerror = () => this.#hear({ type: 'loading', part: 'failed' });
    }
    this.#computer.postMessage({ engine: this.#engine, question } satisfies ToComputer);
  }

  #hear(said: FromComputer): void {
    if (said.type === 'thought') {
      const { seq, reply } = said;
      const wait = Math.max(0, this.#asked.at + reply.pause - Date.now());
      const tell = () => this.#do({ thought: { seq, reply, now: Date.now() } }, null);
      setTimeout(() => this.#queue(tell), wait);
      return;
    }
    post(said);
    if (said.part === 'failed') setTimeout(() => this.#askAgain(), AGAIN);
  }

  /** What the computer was asked is asked once more. */
  #askAgain(): void {
    this.#asked = { seq: 0, at: 0 };
    this.look();
  }

  /** It could not be kept, and so has not happened. */
  #refuse(name: string | null): void {
    const undone = this.#rules.ask({ undo: {} });
    // The computer's move was not kept: it is asked for again.
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
    // A timer goes no further than 2^31 ms; after it the worker sleeps again.
    const wait = Math.min(Math.max(0, wake - Date.now()), 2 ** 30);
    this.#alarm = setTimeout(() => this.look(), wait);
  }

  #beat(): void {
    post({ type: 'said', text: JSON.stringify({ type: 'beat', seq: this.#seq, now: Date.now() }) });
  }
}

/** The name of the command in a message. */
function named(text: string): string | null {
  const { type, id } = JSON.parse(text) as { type: string; id?: string };
  return type === 'command' && id ? id : null;
}

function leave(code: number): void {
  post({ type: 'closed', code });
  close();
}

/** Only one tab plays a game. The lock goes with the worker, however it ends. A page that did not
 *  come over TLS has no locks; there the store refuses the second tab. */
function alone(id: string): Promise<boolean> {
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

async function open(opening: Opening): Promise<Seat | null> {
  const { id, module } = opening;
  if (!(await alone(id))) {
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
  const seat = new Seat(rules, opening, entries.at(-1)?.seq ?? 0);
  post({ type: 'opened' });
  seat.look();
  return seat;
}

let seat: Promise<Seat | null> = Promise.resolve(null);

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'open') {
    seat = open(data).catch(() => {
      leave(BROKEN);
      return null;
    });
  } else {
    void seat.then((seat) => seat?.say(data.text));
  }
};
