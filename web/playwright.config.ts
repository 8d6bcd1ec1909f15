// The page in a real browser against the real server: `npm run browser`, or `make browser`, which
// builds the server first. With PAGE=pictures it is painted (`make pictures`), with PAGE=audit
// weighed by Lighthouse (`make audit`). The browser is the system's Chromium, without its window where
// nothing is measured (a sixth less of the processor's time); nothing is downloaded.
import { existsSync, statfsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const other = process.env['PAGE'];

const chromium = other === 'audit' ? '/usr/bin/chromium' : '/usr/bin/chromium-headless-shell';

// What browsers share between their processes, their profiles and the logs of the servers lie in
// memory where there are two gigabytes of it: on a disk a fifth of the time went into small files.
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
  // An audit measures: nothing beside it.
  workers: other === 'audit' ? 1 : 2,
  fullyParallel: true,
  forbidOnly: !!process.env['CI'],
  // A test that fails now and then is a bug: nothing is tried twice.
  retries: 0,
  // The machine may be slow and busy: nothing here waits this long unless something is wrong.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    // `npx playwright test --trace on` when something must be looked at.
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? chromium,
      ignoreDefaultArgs: roomy ? ['--disable-dev-shm-usage'] : [],
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--mute-audio',
        // A server that is not on this machine, as far as the page can tell.
        '--host-resolver-rules=MAP hansu.local 127.0.0.1',
      ],
    },
  },
});
