// The time from the drop of a piece to the move on the opponent's screen. The result is printed for
// docs/benchmarks.md; the test only rejects absurd values, since a busy machine must not fail it.
import { expect, test, type Person } from './people';

declare global {
  interface Window {
    /** By square: when a piece was last placed there and painted, in milliseconds since 1970. */
    arrived: Map<string, number>;
    /** When a button or finger was last lifted. */
    lifted: number;
  }
}

/** Records when pieces are placed and when a button is released. */
async function recordTimes({ page }: Person): Promise<void> {
  await page.evaluate(() => {
    window.arrived = new Map();
    const now = () => performance.timeOrigin + performance.now();
    addEventListener('mouseup', () => (window.lifted = now()), { capture: true });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const key = (target as Element & { cgKey?: string }).cgKey;
        // The board changes its pieces in an animation frame: this one, which is painted next.
        if (key) window.arrived.set(key, now());
      }
    }).observe(document.querySelector('cg-board') ?? document.body, {
      subtree: true,
      attributes: true,
      attributeFilter: ['style', 'class'],
    });
  });
}

test('a move appears on the opponent’s screen', async ({ pair }) => {
  const { white, black } = await pair({
    white: { settings: { motion: false } },
    black: { settings: { motion: false } },
  });
  await Promise.all([recordTimes(white), recordTimes(black)]);
  const knights = [
    [white, black, 'g1', 'f3'],
    [black, white, 'g8', 'f6'],
    [white, black, 'f3', 'g1'],
    [black, white, 'f6', 'g8'],
  ] as const;
  const times: number[] = [];
  const shuffles = [
    ...knights,
    ...knights,
    ...[
      [white, black, 'b1', 'c3'],
      [black, white, 'b8', 'c6'],
      [white, black, 'c3', 'b1'],
      [black, white, 'c6', 'b8'],
      [white, black, 'a2', 'a3'],
      [black, white, 'a7', 'a6'],
      [white, black, 'b2', 'b3'],
      [black, white, 'b7', 'b6'],
      [white, black, 'c2', 'c3'],
      [black, white, 'c7', 'c6'],
      [white, black, 'd2', 'd3'],
      [black, white, 'd7', 'd6'],
      [white, black, 'e2', 'e3'],
      [black, white, 'e7', 'e6'],
    ],
  ] as (typeof knights)[number][];
  for (const [mover, other, from, to] of shuffles) {
    await mover.ready();
    await other.page.evaluate((square) => window.arrived.delete(square), to);
    await mover.drag(from, to);
    await other.kept(to);
    await expect
      .poll(() => other.page.evaluate((square) => window.arrived.has(square), to))
      .toBe(true);
    const [lifted, arrived] = await Promise.all([
      mover.page.evaluate(() => window.lifted),
      other.page.evaluate((square) => window.arrived.get(square) ?? NaN, to),
    ]);
    times.push(arrived - lifted);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1);
  console.log(
    `From the drop to the opponent's screen: median ${at(0.5)} ms, 90th percentile ${at(0.9)} ms, ${times.length} moves`,
  );
  expect(times.every((time) => time > 0 && time < 10_000)).toBe(true);
});
