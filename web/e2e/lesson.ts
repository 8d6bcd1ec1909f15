// What the analysis says of fool's mate, by the server or by the browser.
import type { Locator } from '@playwright/test';
import { expect, type Person } from './people';

/** Asks for the analysis and goes to its turning point; returns the graph. */
export async function analyse(me: Person): Promise<Locator> {
  await me.button('Analyse this game').click();
  const graph = me.button(/^White’s chances through the game/);
  await expect(graph).toBeVisible();
  // The mistake, and the best move as an arrow.
  await me.button('Next turning point').click();
  await expect(me.page.locator('.where')).toHaveText('Position 3 of 4');
  await expect(me.plies.nth(2)).toHaveText('g4??');
  const lesson = me.page.locator('.lesson');
  await expect(lesson).toContainText('2. g4?? blunder.');
  await expect(lesson).toContainText('Black can now play Qh4#. It is checkmate. Better was');
  await expect(me.page.locator('svg.arrow')).toHaveAttribute('data-best', 'd8h4');
  await expect(me.page.locator('.now b')).toHaveText('#−1');
  return graph;
}

/** Opens the table of accuracies. */
export const accuracies = ({ page }: Person): Promise<void> =>
  page.locator('summary', { hasText: /Accuracy: White\s+\d+%\s+·\s+Black\s+100%/ }).click();
