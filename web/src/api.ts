// Requests to the server over HTTP, and their errors.
import { attention } from './attention.svelte';
import type { Guest, Invited, Made, Me, Refusal } from './wire';
import { language, t } from './words/index.svelte';

/** An HTTP request that failed: refused by the server, or without an answer (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly refusal: Refusal;

  constructor(status: number, refusal: Refusal) {
    super(refusal.text);
    this.status = status;
    this.refusal = refusal;
  }
}

function isRefusal(body: unknown): body is Refusal {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'text' in body &&
    typeof body.text === 'string'
  );
}

/** Timeout of a request in milliseconds. A GET is then sent once more, a POST is not. */
const TIMEOUT = { question: 8_000, deed: 30_000 };
/** Milliseconds before a GET is sent again. */
const RETRY_DELAY = 400;
/** How often a request is repeated while the server answers "too busy". The pause is what the
 *  server asks for, at most 30 s, plus up to a quarter at random, so that clients do not return at
 *  once. */
const BUSY_RETRIES = 4;
const busyDelay = (response: Response, tries: number): number => {
  const said = Number(response.headers.get('retry-after'));
  const seconds = said > 0 ? Math.min(said, 30) : 2 ** tries / 2;
  return seconds * 1000 * (1 + Math.random() / 4);
};

/** Repeats a request that was answered 429 (too many requests) or 503 (nothing can be stored; the
 *  request had no effect). The page shows that it is waiting. */
async function retryWhileBusy(
  once: () => ReturnType<typeof sendOnce>,
): ReturnType<typeof sendOnce> {
  const busy = ({ status }: Response) => status === 429 || status === 503;
  let answer = await once();
  if (!busy(answer.response)) return answer;
  attention.waiting += 1;
  try {
    for (let tries = 0; tries < BUSY_RETRIES && busy(answer.response); tries++) {
      const pause = busyDelay(answer.response, tries);
      await new Promise((done) => setTimeout(done, pause));
      answer = await once();
    }
    return answer;
  } finally {
    attention.waiting -= 1;
  }
}

/** Sends a request once. Any HTTP answer is returned, whatever its status; no answer throws. */
async function sendOnce(
  path: string,
  init: RequestInit,
): Promise<{ response: Response; body: unknown; text: string }> {
  try {
    const response = await fetch(path, init);
    const text = await response.text();
    return { response, body: readJson(text), text };
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    const code = late ? 'slow' : 'unreachable';
    throw new ApiError(0, { code, text: t(`error.${code}`) });
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Sends a request; throws an error if it is refused. */
export async function ask<T>(
  path: string,
  init: RequestInit = {},
  as: 'json' | 'text' = 'json',
): Promise<T> {
  if (STATIC) throw new ApiError(0, { code: 'unreachable', text: t('static.none') });
  const question = !init.method;
  const patience = question ? TIMEOUT.question : TIMEOUT.deed;
  const once = () =>
    retryWhileBusy(() =>
      sendOnce(path, {
        signal: AbortSignal.timeout(patience),
        // Not cached: with a cache the browser makes one tab wait for the answer to another.
        cache: 'no-store',
        ...init,
        headers: {
          ...(as === 'json' && { accept: 'application/json' }),
          'accept-language': language(),
          ...init.headers,
        },
      }),
    );
  const { response, body, text } = await once().catch(async (failure: unknown) => {
    if (!question) throw failure;
    await new Promise((done) => setTimeout(done, RETRY_DELAY));
    return once();
  });
  if (response.ok) return (as === 'text' ? text : body) as T;
  const refusal = isRefusal(body) ? body : { code: 'unknown', text: t('error.server') };
  throw new ApiError(response.status, refusal);
}

/** Sends a POST request. */
export function post<T>(path: string, body: unknown): Promise<T> {
  return ask<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export const api = {
  me: () => ask<Me>('/api/me'),
  /** Asks if a game exists; a websocket that is refused gives no reason. */
  state: (game: string) => ask<unknown>(`/api/games/${encodeURIComponent(game)}/state`),
  invitation: (token: string) => ask<Invited>(`/api/invitations/${encodeURIComponent(token)}`),
  join: (token: string, name: string) =>
    post<Made>(`/api/invitations/${encodeURIComponent(token)}`, { name } satisfies Guest),
};

/** The sentence that tells the user about an error. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.refusal.text : t('error.unknown');
}
