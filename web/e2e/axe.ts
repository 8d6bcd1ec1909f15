// What axe-core has to say about a page, and whether it fits its screen.
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

/** What axe-core has to say about the page as it is. */
export async function faults(me: Person): Promise<string[]> {
  // Through the debugger: the page's own policy allows no foreign script.
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

/** Whether the page is wider than the screen. */
export const overflow = (me: Person) =>
  me.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
