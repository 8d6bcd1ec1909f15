// Tests of the page in a real browser against the real server: `npm run browser`, or `make
// browser`, which builds the server first. PAGE=pictures takes screenshots (`make pictures`),
// PAGE=audit runs Lighthouse (`make audit`). The browser is the system's Chromium, headless unless
// something is measured (headless needs a sixth less of processor time); nothing is downloaded.
import { existsSync, statfsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const other = process.env['PAGE'];

const chromium = other === 'audit' ? '/usr/bin/chromium' : '/usr/bin/chromium-headless-shell';

// Shared memory of the browsers, their profiles and the logs of the servers are kept in memory if
// there are two gigabytes of it: on a disk a fifth of the time went into small files.
const MEMORY = '/dev/shm';
const roomy = existsSync(MEMORY) && free(MEMORY) > 2 ** 31;
if (roomy) process.env['TMPDIR'] ??= MEMORY;

function free(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export default defineConfig({
  testDir: 'e2e',
  testMatch: other ? `${other}.ts` : '*.spec.ts',
  outputDir: 'node_modules/.browser',
  // An audit measures: no other test may run beside it.
  workers: other === 'audit' ? 1 : 2,
  fullyParallel: true,
  forbidOnly: !!process.env['CI'],
  // A test that fails now and then is a bug: there are no retries.
  retries: 0,
  // The machine may be slow and busy: only a real failure takes this long.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    // For debugging: `npx playwright test --trace on`.
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? chromium,
      ignoreDefaultArgs: roomy ? ['--disable-dev-shm-usage'] : [],
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--mute-audio',
        // A host name that does not look like this machine.
        '--host-resolver-rules=MAP hansu.local 127.0.0.1',
      ],
    },
  },
});
