// The computer in a browser gives the answers of the program: `answers.json`, which
// crates/computer makes and checks (`make answers`).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { challenge } from './away';
import { expect, test } from './people';

const answers = JSON.parse(
  readFileSync(join(import.meta.dirname, 'answers.json'), 'utf8'),
) as readonly (readonly [request: unknown, answer: unknown])[];

test('the computer in this browser answers as the program does', async ({ someone }) => {
  const me = await someone({ settings: { level: 1 } });
  // The page's worker fetches the module: only a route sees its requests.
  const fetched = new Promise<string>((done) => {
    void me.context.route('**/hansu_computer-*', (route) => {
      done(route.request().url());
      return route.continue();
    });
  });
  await challenge(me);
  await me.make('e2', 'e4');
  // What the program answered (crates/computer, `make answers`): every product of the net and every
  // rounding has to be the same here.
  const answered = await me.page.evaluate(
    async ([from, requests]) => {
      const { instance } = await WebAssembly.instantiateStreaming(fetch(from));
      const { memory, room, ask, answer } = instance.exports as unknown as {
        memory: WebAssembly.Memory;
        room: (bytes: number) => number;
        ask: () => number;
        answer: () => number;
      };
      return requests.map((request) => {
        const bytes = new TextEncoder().encode(request);
        const place = room(bytes.length);
        new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
        const length = ask();
        return new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length));
      });
    },
    [await fetched, answers.map(([request]) => JSON.stringify(request))] as const,
  );
  expect(answered).toHaveLength(answers.length);
  for (const [at, [request, answer]] of answers.entries()) {
    expect(JSON.parse(answered[at] ?? ''), JSON.stringify(request)).toEqual(answer);
  }
});
