// The page in a real browser against the real server: `npm run browser`, or `make browser`, which
// builds the server first. With PAGE=pictures it is painted (`make pictures`), with PAGE=audit
// weighed by Lighthouse (`make audit`). The browser is the system's Chromium; nothing is downloaded.
import { defineConfig } from '@playwright/test';

const other = process.env['PAGE'];

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
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    // `npx playwright test --trace on` when something must be looked at.
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
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
