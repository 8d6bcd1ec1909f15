// The cache of the service worker: one build, replaced when no game is under way, removed on
// request.
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test, type Person } from './people';

test.use({ kept: true });

/** A proxy before the real server that can pretend to have another build of the page. */
class Front {
  build = '';
  #server: Server;

  constructor(to: string) {
    this.#server = createServer((asked, answer) => {
      const headers = { ...asked.headers, 'accept-encoding': 'identity' };
      const { url = '/', method } = asked;
      const passed = request(new URL(url, to), { method, headers }, (found) => {
        const parts: Buffer[] = [];
        found.on('data', (part: Buffer) => parts.push(part));
        found.on('end', () => {
          let body = Buffer.concat(parts);
          const kind = String(found.headers['content-type']);
          if (this.build && (url === '/worker.js' || kind.startsWith('text/html'))) {
            const text = body.toString('utf8');
            body = Buffer.from(
              text
                .replace(/(const VERSION = ')\w+/, `$1${this.build}`)
                .replace(/(name="hansu-version" content=")\w+/, `$1${this.build}`),
            );
          }
          const stopIdleWorkers = { ...found.headers, 'content-length': String(body.length) };
          delete (stopIdleWorkers as Record<string, unknown>)['etag'];
          answer.writeHead(found.statusCode ?? 500, stopIdleWorkers).end(body);
        });
      });
      passed.on('error', () => answer.destroy());
      asked.pipe(passed);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const kept = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys());

async function waitForWorker({ page }: Person): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** A browser activates a new worker only after the old one has become idle and was stopped; a
 *  worker that the debugger watches, as in tests, is never stopped. */
async function stopIdleWorkers({ context, page }: Person): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.detach();
}

test('a new build waits for the end of a game, replaces the old one whole, and says so', async ({
  someone,
  hansu,
}) => {
  const front = new Front(hansu.url);
  const url = await front.open();
  const me = await someone();
  me.expected = /WebSocket|Failed to load resource|ERR_|fetching the script/;
  await me.page.goto(url);
  await waitForWorker(me);
  const [first] = await kept(me.page);
  expect(first).toMatch(/^hansu-\w{12}$/);
  await me.button(/^Play on this screen/).click();
  await expect(me.page).toHaveURL(/\/game\/~/);
  await me.move('e2', 'e4');
  front.build = 'newbuild0001';
  await me.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
  });
  // Both builds are cached, and the old one still answers.
  await expect.poll(() => kept(me.page)).toEqual([first, 'hansu-newbuild0001'].sort());
  await me.move('e7', 'e5');
  await expect(me.page.locator('.renewed')).toHaveCount(0);
  await me.toolbar.getByRole('button', { name: 'Resign' }).click();
  await me.prompt.getByRole('button', { name: 'Resign' }).click();
  await expect(me.end).toContainText('WINS!');
  await me.page.getByRole('link', { name: 'New game' }).click();
  await expect(me.page.locator('.renewed')).toContainText('A new version is ready.');
  await stopIdleWorkers(me);
  await expect.poll(() => kept(me.page)).toEqual(['hansu-newbuild0001']);
  await me.button('Load it now').click();
  await expect(me.page.locator('meta[name=hansu-version]')).toHaveAttribute(
    'content',
    'newbuild0001',
  );
  front.close();
});

test('a server without a worker removes the cache', async ({ someone, hansu }) => {
  const me = await someone();
  me.expected = /ERR_|Failed to load resource|fetching the script/;
  await me.page.goto('/');
  await waitForWorker(me);
  expect(await kept(me.page)).toHaveLength(1);
  await hansu.kill();
  await hansu.again('--no-worker');
  await me.page.goto('/settings');
  const waits = () =>
    me.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return registration?.waiting?.state ?? null;
    });
  // It takes over once the old worker is idle, which may be at once.
  await expect
    .poll(async () => {
      if ((await waits()) === 'installed') await stopIdleWorkers(me);
      return kept(me.page);
    })
    .toEqual([]);
  await me.page.reload();
  expect(await me.page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await hansu.kill();
  await hansu.again();
});
