// Renders the icons of the installed page from public/icon.svg: `npm run icons` after a change.
// Uses the system's Chromium; nothing is downloaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const folder = new URL('../public/', import.meta.url);
const icon = readFileSync(new URL('icon.svg', folder), 'utf8');

/** A mask may cut off everything outside a circle of four fifths: the background fills the square,
 *  and the piece stays inside the circle. */
const maskable = icon
  .replace(/ rx="14"/, '')
  .replace('<g fill', '<g transform="translate(8 8) scale(.75)"><g fill')
  .replace('</svg>', '</g></svg>');

const files = [
  ['icon-192.png', icon, 192],
  ['icon-512.png', icon, 512],
  ['icon-maskable-512.png', maskable, 512],
  // For systems that need icons without transparency.
  [
    'apple-touch-icon.png',
    maskable.replace('translate(8 8) scale(.75)', 'translate(4 4) scale(.875)'),
    180,
  ],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
for (const [name, svg, size] of files) {
  const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const painted = await page.evaluate(
    async ([address, size]) => {
      const image = new Image(size, size);
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = size;
      canvas.getContext('2d').drawImage(image, 0, 0, size, size);
      return canvas.toDataURL('image/png').split(',')[1];
    },
    [address, size],
  );
  writeFileSync(new URL(name, folder), Buffer.from(painted, 'base64'));
}
await browser.close();
