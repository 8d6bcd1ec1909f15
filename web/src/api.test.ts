// HTTP requests over a bad connection.
import { afterEach, expect, it, vi } from 'vitest';

vi.stubGlobal('addEventListener', () => undefined);
vi.stubGlobal('localStorage', { getItem: () => null });
vi.stubGlobal('navigator', { languages: ['en'] });
const { api, ask, ApiError } = await import('./api');

afterEach(() => vi.useRealTimers());

/** Stubs `fetch` with these answers in order; an error stands for a broken connection. */
function answering(...answers: (Response | Error)[]): string[] {
  vi.useFakeTimers();
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string, { signal }: RequestInit) => {
    asked.push(path);
    expect(signal).toBeInstanceOf(AbortSignal);
    const answer = answers.shift();
    return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer as Error);
  });
  return asked;
}

async function failure(asked: Promise<unknown>): Promise<InstanceType<typeof ApiError>> {
  const [result] = await Promise.all([
    asked.then(
      () => null,
      (error: unknown) => error,
    ),
    vi.runAllTimersAsync(),
  ]);
  if (!(result instanceof ApiError)) throw new Error('it did not fail');
  return result;
}

it('a GET request whose answer was lost is sent once more', async () => {
  const asked = answering(new TypeError('lost'), Response.json({ games: 3 }));
  const [answer] = await Promise.all([ask('/api/statistics'), vi.runAllTimersAsync()]);
  expect(answer).toEqual({ games: 3 });
  expect(asked).toEqual(['/api/statistics', '/api/statistics']);
});

it('a GET request that is never answered fails, and the error says why', async () => {
  const late = () => new DOMException('late', 'TimeoutError');
  const asked = answering(late(), late(), Response.json({}));
  expect((await failure(ask('/api/statistics'))).refusal.code).toBe('slow');
  expect(asked).toHaveLength(2);
  answering(new TypeError('gone'), new TypeError('gone'));
  expect((await failure(ask('/api/statistics'))).refusal.code).toBe('unreachable');
});

it('a POST request is never sent twice', async () => {
  const asked = answering(new TypeError('lost'), Response.json({}));
  expect((await failure(api.join('token', 'Mina'))).status).toBe(0);
  expect(asked).toHaveLength(1);
});

it('a request that the server refuses is not sent again', async () => {
  const refusal = { code: 'not_found', text: 'There is no such game.' };
  const asked = answering(Response.json(refusal, { status: 404 }));
  const failed = await failure(ask('/api/games/x'));
  expect(failed.status).toBe(404);
  expect(failed.refusal).toEqual(refusal);
  expect(asked).toHaveLength(1);
  answering(new Response('<html>', { status: 502 }));
  expect((await failure(ask('/api/games/x'))).refusal.code).toBe('unknown');
});
