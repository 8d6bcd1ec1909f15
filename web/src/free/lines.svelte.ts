// The computer's lines for the position on the board, updated while the search runs: by the server
// or, if it cannot be reached, by the computer in this browser. A new position ends the search for
// the position before.
import { ApiError, errorText } from '../api';
import type { AskedLines, FoundLines, LinesNews, Refusal } from '../wire';
import { language, loadHere, t } from '../words/index.svelte';

/** Milliseconds before a search begins: positions that are stepped over quickly are not
 *  searched. */
const PAUSE = 250;
/** The longest pause in milliseconds that the server can ask for. */
const LONGEST = 30_000;
/** Milliseconds for which an unreachable server is not tried again; this browser searches at
 *  once. */
const AWAY = 30_000;
let away = 0;

export class Lines {
  found: FoundLines | null = $state.raw(null);
  state: 'off' | 'waiting' | 'thinking' | 'done' | 'wrong' = $state('off');
  place = $state(0);
  wrong = $state('');
  /** How much of this browser's computer is loaded, in percent; null when it is not being
   *  loaded. */
  loading: number | null = $state(null);
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The lines of positions that were shown before. */
  readonly #known = new Map<string, FoundLines>();

  /** Shows the lines of a position; `null` for none. */
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
      if (own() && this.state !== 'done') throw new ApiError(0, unreachable());
    } catch (error) {
      if (!own()) return;
      const later = error instanceof Later ? error.pause : null;
      if (later !== null) this.#timer = setTimeout(() => void this.#ask(asked), later);
      else [this.state, this.wrong] = ['wrong', errorText(error)];
    }
  }

  async *#news(asked: AskedLines, signal: AbortSignal): AsyncGenerator<LinesNews> {
    let error: unknown = new ApiError(0, unreachable());
    if (!STATIC && Date.now() >= away) {
      try {
        yield* listen(asked, signal);
        return;
      } catch (failed) {
        const gone = failed instanceof ApiError && failed.refusal.code === 'unreachable';
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

/** The server asks to try again later. */
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

/** Streams the updates of a search: one JSON object per line. */
async function* listen(asked: AskedLines, signal: AbortSignal): AsyncGenerator<LinesNews> {
  const response = await fetch('/api/analyse', {
    method: 'POST',
    signal,
    cache: 'no-store',
    headers: { 'content-type': 'application/json', 'accept-language': language() },
    body: JSON.stringify(asked),
  }).catch(() => {
    throw new ApiError(0, unreachable());
  });
  if (!response.ok || !response.body) {
    const refusal = (await response.json().catch(unreachable)) as Refusal;
    const soon = refusal.code === 'busy' || refusal.code === 'too_fast';
    const said = Number(response.headers.get('retry-after')) || 2;
    if (soon) throw new Later(Math.min(said * 1000, LONGEST));
    throw new ApiError(response.status, refusal);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: '' }));
    // The last update is marked as the last; a stream that ends before it was cut off.
    if (done) throw new ApiError(0, unreachable());
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
