// What is asked of the server over HTTP, and how it fails.
import { attention } from './attention.svelte';
import type { Guest, Invited, Made, Me, Refusal } from './wire';
import { language, t } from './words/index.svelte';

/** The server, or the way to it, said no. */
export class Failure extends Error {
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

/** How long an answer may take: a question is then asked once more, a deed is not. */
const PATIENCE = { question: 8_000, deed: 30_000 };
/** Before a question is asked again. */
const PAUSE = 400;
/** How often the server may say "later" before that is the answer, and how long one waits: as long
 *  as it says, within reason, and a little by chance, so that not all come back at once. */
const LATER = 4;
const later = (response: Response, tries: number): number => {
  const said = Number(response.headers.get('retry-after'));
  const seconds = said > 0 ? Math.min(said, 30) : 2 ** tries / 2;
  return seconds * 1000 * (1 + Math.random() / 4);
};

/** Told to wait (too much at once, or nothing can be kept: then nothing was done), one waits and
 *  asks again. The page says so. */
async function patient(once: () => ReturnType<typeof attempt>): ReturnType<typeof attempt> {
  const busy = ({ status }: Response) => status === 429 || status === 503;
  let answer = await once();
  if (!busy(answer.response)) return answer;
  attention.waiting += 1;
  try {
    for (let tries = 0; tries < LATER && busy(answer.response); tries++) {
      const pause = later(answer.response, tries);
      await new Promise((done) => setTimeout(done, pause));
      answer = await once();
    }
    return answer;
  } finally {
    attention.waiting -= 1;
  }
}

/** One try. What comes back is an answer, whatever it says; no answer is a failure. */
async function attempt(
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
    throw new Failure(0, { code, text: t(`error.${code}`) });
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Asks the server for something; what is refused is thrown as a failure. */
export async function ask<T>(
  path: string,
  init: RequestInit = {},
  as: 'json' | 'text' = 'json',
): Promise<T> {
  if (STATIC) throw new Failure(0, { code: 'unreachable', text: t('static.none') });
  const question = !init.method;
  const patience = question ? PATIENCE.question : PATIENCE.deed;
  const once = () =>
    patient(() =>
      attempt(path, {
        signal: AbortSignal.timeout(patience),
        // Nothing is kept: a browser must not make one tab wait for another's answer either.
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
    await new Promise((done) => setTimeout(done, PAUSE));
    return once();
  });
  if (response.ok) return (as === 'text' ? text : body) as T;
  const refusal = isRefusal(body) ? body : { code: 'unknown', text: t('error.server') };
  throw new Failure(response.status, refusal);
}

/** Asks the server to do something. */
export function post<T>(path: string, body: unknown): Promise<T> {
  return ask<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export const api = {
  me: () => ask<Me>('/api/me'),
  /** Whether there is such a game: a websocket that is refused does not say why. */
  state: (game: string) => ask<unknown>(`/api/games/${encodeURIComponent(game)}/state`),
  invitation: (token: string) => ask<Invited>(`/api/invitations/${encodeURIComponent(token)}`),
  join: (token: string, name: string) =>
    post<Made>(`/api/invitations/${encodeURIComponent(token)}`, { name } satisfies Guest),
};

/** The sentence of whatever went wrong. */
export function sentence(error: unknown): string {
  return error instanceof Failure ? error.refusal.text : t('error.unknown');
}
