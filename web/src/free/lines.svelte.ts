// The computer's lines for the position on the board, told while they are found: by the server or,
// where it cannot be reached, by this browser's own computer. A new position ends the search for the
// one before.
import { Failure, sentence } from '../api';
import type { AskedLines, FoundLines, LinesNews, Refusal } from '../wire';
import { language, loadHere, t } from '../words/index.svelte';

/** Who steps through a game quickly does not ask about every position. */
const PAUSE = 250;
/** Told to wait, one waits as long as the server says, within reason. */
const LONGEST = 30_000;
/** A server that was away is not asked again for so long: this browser answers at once. */
const AWAY = 30_000;
let away = 0;

export class Lines {
  found: FoundLines | null = $state.raw(null);
  state: 'off' | 'waiting' | 'thinking' | 'done' | 'wrong' = $state('off');
  place = $state(0);
  wrong = $state('');
  /** How much of this browser's own computer has come, in hundredths, while it is on its way. */
  loading: number | null = $state(null);
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What was found in positions that one has seen. */
  readonly #known = new Map<string, FoundLines>();

  /** Looks at a position; `null` for none. */
  look(asked: AskedLines | null): void {
    this.leave();
    this.wrong = '';
    if (!asked) return;
    const known = this.#known.get(JSON.stringify(asked));
    this.found = known ?? null;
    this.state = known ? 'done' : 'waiting';
    this.place = 0;
    if (!known) this.#timer = setTimeout(() => void this.#ask(asked), PAUSE);
  }

  /** Ends the search. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
    this.found = null;
    this.state = 'off';
  }

  async #ask(asked: AskedLines): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    const own = () => this.#abort === abort;
    try {
      for await (const news of this.#news(asked, abort.signal)) {
        if (!own()) return;
        this.#hear(news, asked);
      }
      if (own() && this.state !== 'done') throw new Failure(0, unreachable());
    } catch (error) {
      if (!own()) return;
      const later = error instanceof Later ? error.pause : null;
      if (later !== null) this.#timer = setTimeout(() => void this.#ask(asked), later);
      else [this.state, this.wrong] = ['wrong', sentence(error)];
    }
  }

  async *#news(asked: AskedLines, signal: AbortSignal): AsyncGenerator<LinesNews> {
    let error: unknown = new Failure(0, unreachable());
    if (!STATIC && Date.now() >= away) {
      try {
        yield* listen(asked, signal);
        return;
      } catch (failed) {
        const gone = failed instanceof Failure && failed.refusal.code === 'unreachable';
        if (signal.aborted || !gone) throw failed;
        error = failed;
        away = Date.now() + AWAY;
      }
    }
    try {
      const [{ lines }] = await Promise.all([import('../local/lines'), loadHere()]);
      yield* lines(asked, signal, (part) => (this.loading = part));
    } catch {
      throw error;
    }
  }

  #hear(news: LinesNews, asked: AskedLines): void {
    if (news.state === 'queued') {
      this.place = news.place;
      return;
    }
    this.found = news.found;
    this.state = news.state === 'finished' ? 'done' : 'thinking';
    if (news.state === 'finished') this.#known.set(JSON.stringify(asked), news.found);
  }
}

/** The server says: not now. */
class Later extends Error {
  readonly pause: number;

  constructor(pause: number) {
    super();
    this.pause = pause;
  }
}

const unreachable = (): Refusal => ({
  code: 'unreachable',
  text: t('error.unreachable'),
  squares: [],
  by: [],
});

/** News of a search, a line of JSON each. */
async function* listen(asked: AskedLines, signal: AbortSignal): AsyncGenerator<LinesNews> {
  const response = await fetch('/api/analyse', {
    method: 'POST',
    signal,
    cache: 'no-store',
    headers: { 'content-type': 'application/json', 'accept-language': language() },
    body: JSON.stringify(asked),
  }).catch(() => {
    throw new Failure(0, unreachable());
  });
  if (!response.ok || !response.body) {
    const refusal = (await response.json().catch(unreachable)) as Refusal;
    const soon = refusal.code === 'busy' || refusal.code === 'too_fast';
    const said = Number(response.headers.get('retry-after')) || 2;
    if (soon) throw new Later(Math.min(said * 1000, LONGEST));
    throw new Failure(response.status, refusal);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: '' }));
    // The last news says that it is the last.
    if (done) throw new Failure(0, unreachable());
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line) continue;
      const news = JSON.parse(line) as LinesNews;
      yield news;
      if (news.state === 'finished') return;
    }
  }
}
