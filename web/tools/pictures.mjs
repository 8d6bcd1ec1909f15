// Pictures of the main states, in both languages, light and dark, on a phone and on a desk:
//   HANSU=http://127.0.0.1:8080 npm run pictures [folder]
// Chromium is the system's; nothing is downloaded.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

const server = process.env.HANSU ?? 'http://127.0.0.1:8080';
const folder = process.argv[2] ?? 'pictures';
mkdirSync(folder, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } };
const problems = [];

async function visitor({ size, lang, theme, settings = {} }) {
  const context = await browser.newContext({
    viewport: sizes[size] ?? size,
    locale: lang === 'ko' ? 'ko-KR' : 'en-GB',
    colorScheme: theme,
    deviceScaleFactor: size === 'phone' ? 2 : 1,
    hasTouch: size === 'phone',
  });
  await context.addInitScript((stored) => {
    if (!localStorage.getItem('hansu.settings')) {
      localStorage.setItem('hansu.settings', JSON.stringify(stored));
    }
  }, settings);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
  return page;
}

const square = (page, name) => page.locator(`[data-square="${name}"]`);

/** Clicks the middle of a square, as a hand would. */
async function press(page, name) {
  const box = await square(page, name).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

async function move(page, from, to) {
  const before = await page.locator('[data-testid=announcer]').textContent();
  await press(page, from);
  await press(page, to);
  await page.waitForFunction(
    (old) => document.querySelector('[data-testid=announcer]').textContent !== old,
    before,
  );
}

const shot = async (page, name) => {
  await page.waitForTimeout(350);
  await page.screenshot({ path: `${folder}/${name}.png` });
};

/** A local game, begun on the home page. */
async function local(page) {
  await page.goto(server);
  await page.locator('.way').first().click();
  await page.waitForURL(/\/game\//);
  await page.waitForFunction(() => document.querySelectorAll('cg-board piece').length === 32);
}

/** Two players at one game. */
export async function pair(one, other, time = 5) {
  await one.goto(`${server}/#friend`);
  await one.locator('form input').first().fill('미나');
  await one.locator('fieldset').nth(0).locator('label').nth(1).click();
  if (time) await one.locator('fieldset').nth(1).locator('label').nth(2).click();
  await one.locator('form button.primary').click();
  await one.waitForURL(/\/game\//);
  const link = await one.locator('input.link').inputValue();
  await other.goto(link);
  await other.locator('form input').fill('Jun');
  await other.locator('form button').click();
  await other.waitForURL(/\/game\//);
  await one.waitForSelector('[data-testid=status]');
}

for (const size of ['phone', 'desk']) {
  for (const [lang, theme] of [
    ['en', 'light'],
    ['ko', 'dark'],
    ['ko', 'light'],
    ['en', 'dark'],
  ]) {
    const name = `${size}-${lang}-${theme}`;
    const page = await visitor({ size, lang, theme });
    await page.goto(server);
    await page.waitForFunction(() => document.querySelectorAll('cg-board piece').length === 32);
    await shot(page, `${name}-home`);
    await page.goto(`${server}/#friend`);
    await shot(page, `${name}-friend`);
    await page.goto(`${server}/settings`);
    await shot(page, `${name}-settings`);
    await page.goto(`${server}/lobby`);
    await shot(page, `${name}-lobby`);
    await local(page);
    await press(page, 'e2');
    await shot(page, `${name}-targets`);
    await press(page, 'e4');
    for (const [from, to] of [
      ['e7', 'e5'],
      ['g1', 'f3'],
      ['b8', 'c6'],
      ['f1', 'c4'],
      ['f8', 'c5'],
    ]) {
      await page.waitForTimeout(60);
      await move(page, from, to);
    }
    await press(page, 'e1');
    await shot(page, `${name}-castling`);
    await press(page, 'h5');
    await shot(page, `${name}-refused`);
    await page.close();

    const one = await visitor({ size, lang, theme });
    const other = await visitor({ size, lang: lang === 'ko' ? 'en' : 'ko', theme });
    await one.goto(`${server}/#friend`);
    await one.locator('form button.primary').click();
    await one.waitForURL(/\/game\//);
    await one.waitForSelector('.qr svg');
    await shot(one, `${name}-invite`);
    await other.goto(await one.locator('input.link').inputValue());
    await other.waitForSelector('form');
    await shot(other, `${name}-join`);
    await pair(one, other);
    for (const [who, from, to] of [
      [one, 'f2', 'f3'],
      [other, 'e7', 'e5'],
    ]) {
      await move(who, from, to);
      await who.waitForTimeout(120);
    }
    await other.getByRole('toolbar').getByRole('button').nth(1).click();
    await other.locator('.prompt button').first().click();
    await one.waitForSelector('.prompt button');
    await shot(one, `${name}-offer`);
    await one.locator('.prompt button').nth(1).click();
    await move(one, 'g2', 'g4');
    await other.waitForTimeout(150);
    await move(other, 'd8', 'h4');
    await shot(one, `${name}-mated`);
    await shot(other, `${name}-won`);
    await one.context().close();
    await other.context().close();
  }
}
await browser.close();
console.log(problems.length ? problems.join('\n') : 'no problems in the console');
process.exit(problems.length ? 1 : 0);
