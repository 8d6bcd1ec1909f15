// Runs axe-core on a page, and checks that the page fits its screen.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Person } from './people';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe-core reports for the page. */
export async function faults(me: Person): Promise<string[]> {
  // Through the debugger: the page's content security policy allows no foreign script.
  await me.page.evaluate(AXE);
  return me.page.evaluate(async () => {
    const { violations } = await window.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
  });
}

/** True if the page is wider than the screen. */
export const overflow = (me: Person) =>
  me.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
