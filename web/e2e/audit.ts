// Lighthouse on the home page and on a game, against the real server: `make audit`. Fails below 95
// for performance, accessibility and best practices.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { clock, expect, test } from './people';

const run = promisify(execFile);
const lighthouse = resolve(import.meta.dirname, '../audit/node_modules/lighthouse/cli/index.js');
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const LEAST = 95;
const ROUNDS = 3;

interface Report {
  categories: Record<string, { score: number }>;
  audits: Record<string, { score: number | null; title: string; displayValue?: string }>;
}

for (const device of ['mobile', 'desktop'] as const) {
  for (const where of ['home', 'game'] as const) {
    test(`${where} on ${device}`, async ({ alone, hansu }, info) => {
      test.setTimeout(600_000);
      const { me, game } = await alone({ time: clock(10) });
      for (const uci of ['e2e4', 'e7e5', 'g1f3']) await me.command(game, { type: 'move', uci });
      const cookies = await me.context.cookies();
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      // No other page may be open while Lighthouse measures.
      await me.context.close();
      const scores: Record<string, number[]> = {};
      let last: Report | null = null;
      for (let round = 0; round < ROUNDS; round++) {
        const file = info.outputPath(`report-${round}.json`);
        await run(
          process.execPath,
          [
            lighthouse,
            `${hansu.url}${where === 'home' ? '/' : `/game/${game}`}`,
            '--quiet',
            '--output=json',
            `--output-path=${file}`,
            `--only-categories=${CATEGORIES.join(',')}`,
            `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
            '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
            ...(device === 'desktop' ? ['--preset=desktop'] : []),
          ],
          { env: { ...process.env, CHROME_PATH: process.env['CHROMIUM'] ?? '/usr/bin/chromium' } },
        );
        last = JSON.parse(await readFile(file, 'utf8')) as Report;
        for (const name of CATEGORIES) {
          (scores[name] ??= []).push(Math.round((last.categories[name]?.score ?? 0) * 100));
        }
      }
      const median = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
      const table = CATEGORIES.map((name) => `${name} ${median(scores[name] ?? [])}`).join(', ');
      const paint = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time']
        .map((name) => `${name} ${last?.audits[name]?.displayValue}`)
        .join(', ');
      const shift = `layout shift ${last?.audits['cumulative-layout-shift']?.displayValue}`;
      console.log(`${where}, ${device}: ${table} (last round: ${paint}, ${shift})`);
      for (const [name, audit] of Object.entries(last?.audits ?? {})) {
        if (audit.score !== null && audit.score < 0.9) {
          console.log(`  ${name}: ${audit.title} ${audit.displayValue ?? ''}`);
        }
      }
      for (const name of CATEGORIES) {
        expect.soft(median(scores[name] ?? []), name).toBeGreaterThanOrEqual(LEAST);
      }
    });
  }
}
