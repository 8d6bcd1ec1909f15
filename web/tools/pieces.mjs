// Draws the chess pieces: three sets from one drawing, as SVG files and a style file for each set.
// `npm run pieces` after a change; a test compares the files with this drawing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Pieces in a box of 64 by 64: bodies are filled and outlined, details are only lines. */
const foot = 'M15.5 57.5a3 3 0 0 1-3-3v-1.2c0-2.4 1.6-4 4-4h31c2.4 0 4 1.6 4 4v1.2a3 3 0 0 1-3 3z';
const drawings = {
  pawn: {
    bodies: [
      'M27.6 30.5c-.2 7.6-5.6 11.6-8.1 18.8h25c-2.5-7.2-7.9-11.2-8.1-18.8z',
      'M17.5 57.5a2.8 2.8 0 0 1-2.8-2.8v-1.4c0-2.3 1.5-4 3.8-4h27c2.3 0 3.8 1.7 3.8 4v1.4a2.8 2.8 0 0 1-2.8 2.8z',
      'M24.4 31.6c-1.8 0-2.6-2.2-1.2-3.3l2.2-1.7h13.2l2.2 1.7c1.4 1.1.6 3.3-1.2 3.3z',
      'M32 11.2a8.3 8.3 0 1 1 0 16.6a8.3 8.3 0 0 1 0-16.6z',
    ],
    details: [],
  },
  rook: {
    bodies: [
      'M22.4 25.5h19.2c.3 8.5 1 16 2.9 23.8h-25c1.9-7.8 2.6-15.3 2.9-23.8z',
      foot,
      'M16.8 9.5h6.3v5h5.8v-5h6.2v5h5.8v-5h6.3v11.3l-4 5.2H20.8l-4-5.2z',
    ],
    details: ['M22.6 30.2h18.8'],
  },
  knight: {
    bodies: [
      'M20 49.3c.2-9.6 9.6-12.7 10.7-20.5c-2.7 2.5-5.1 2.9-7.3 5.3c-1.7 1.9-3 3.4-5.5 3.2c-3.1-.2-5.5-3-4.9-5.8c.4-2.1 2.4-3.5 3.5-5.7c1.3-2.6 1.3-5.5 3.3-8.2l-.7-7.9c5 .6 8 2 9.8 4.3c12.4.7 18.6 11.7 18.3 24.3c-.1 4.1-.7 7.4-1.2 11z',
      foot,
    ],
    details: ['M34.5 15.2c6.6 4.6 8.6 13.6 7.3 26.5', 'M17.4 32.3l1.1-.5'],
    dots: [[25.8, 20.6, 1.8]],
  },
  bishop: {
    bodies: [
      'M27 41.5c-.3 3.4-4.6 4.6-6.5 7.8h23c-1.9-3.2-6.2-4.4-6.5-7.8z',
      foot,
      'M32 12.6c9.3 6.2 13.4 14.1 10.6 21.2c-1.4 3.5-5.3 5.2-10.6 5.2s-9.2-1.7-10.6-5.2c-2.8-7.1 1.3-15 10.6-21.2z',
      'M24 42.7a2.2 2.2 0 0 1 0-4.4h16a2.2 2.2 0 0 1 0 4.4z',
      'M32 6a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7z',
    ],
    details: ['M36.8 20.4l-6.3 8.4'],
  },
  queen: {
    bodies: [
      'M12.2 20.5l7.3 22.3h25l7.3-22.3l-9.2 9.6l-.8-14.7l-6.6 13.2L32 11.5l-3.2 17.1l-6.6-13.2l-.8 14.7z',
      'M19.8 42.5h24.4c-.5 2.5-.1 4.6.8 6.8H19c.9-2.2 1.3-4.3.8-6.8z',
      foot,
      'M11.5 16.2a3 3 0 1 1 0 6a3 3 0 0 1 0-6z',
      'M21.6 10.6a3 3 0 1 1 0 6a3 3 0 0 1 0-6z',
      'M32 7.2a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 0 1 0-6.4z',
      'M42.4 10.6a3 3 0 1 1 0 6a3 3 0 0 1 0-6z',
      'M52.5 16.2a3 3 0 1 1 0 6a3 3 0 0 1 0-6z',
    ],
    details: [],
  },
  king: {
    bodies: [
      'M29.9 5h4.2v3.6h3.9v4h-3.9v6h-4.2v-6H26v-4h3.9z',
      'M32 21.3c3.7-5.5 19.2-5.9 19.2 4.4c0 7.2-6 11.3-7 17.1H19.8c-1-5.8-7-9.9-7-17.1c0-10.3 15.5-9.9 19.2-4.4z',
      'M19.8 42.5h24.4c-.5 2.5-.1 4.6.8 6.8H19c.9-2.2 1.3-4.3.8-6.8z',
      foot,
    ],
    details: ['M32 22v19.8'],
  },
};

const letters = { king: 'K', queen: 'Q', rook: 'R', bishop: 'B', knight: 'N', pawn: 'P' };

/** The colours of a set for the two sides: body, outline, detail, and the width of the outline. */
const sets = {
  ink: {
    white: { body: '#fdf8ec', line: '#2a2722', detail: '#2a2722', width: 2.2 },
    black: { body: '#35363d', line: '#131417', detail: '#e4dac6', width: 2.2 },
  },
  bold: {
    white: { body: '#ffffff', line: '#000000', detail: '#000000', width: 3.4 },
    black: { body: '#000000', line: '#000000', detail: '#ffffff', width: 3.4 },
  },
  letter: {
    white: { body: '#fdf8ec', line: '#2a2722', detail: '#2a2722', width: 2.6 },
    black: { body: '#2b2c32', line: '#131417', detail: '#f3ead8', width: 2.6 },
  },
};

const tidy = (path) => path.replace(/(\.\d*?)0+(?=\D|$)/g, '$1').replace(/\.(?=\D|$)/g, '');

/** A black piece of the bold set needs a light outline to be visible on any tile. */
function rim(set, color, paths) {
  if (set !== 'bold' || color !== 'black') return '';
  return `<path d="${paths}" fill="none" stroke="#fff" stroke-width="5.5"/>`;
}

export function draw(set, color, role) {
  const { body, line, detail, width } = sets[set][color];
  const open = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">';
  if (set === 'letter') {
    const text = `<text x="32" y="42.5" font-family="Georgia,serif" font-weight="700" font-size="30" text-anchor="middle" fill="${detail}">${letters[role]}</text>`;
    return `${open}<circle cx="32" cy="32" r="25" fill="${body}" stroke="${line}" stroke-width="${width}"/>${text}</svg>\n`;
  }
  const { bodies, details, dots = [] } = drawings[role];
  const paths = tidy(bodies.join(''));
  const shapes = bodies.map((path) => `<path d="${tidy(path)}"/>`).join('');
  const lines = details.length
    ? `<path d="${tidy(details.join(''))}" fill="none" stroke="${detail}" stroke-width="${width * 0.9}"/>`
    : '';
  const eyes = dots
    .map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${detail}" stroke="none"/>`)
    .join('');
  return `${open}<g stroke-linejoin="round" stroke-linecap="round">${rim(set, color, paths)}<g fill="${body}" stroke="${line}" stroke-width="${width}">${shapes}</g>${lines}${eyes}</g></svg>\n`;
}

/** Every file of every set: its path below src/pieces and its content. */
export function files() {
  const all = new Map();
  for (const set of Object.keys(sets)) {
    let css = `/* Made by tools/pieces.mjs: the piece set "${set}". */\n`;
    for (const color of ['white', 'black']) {
      for (const role of Object.keys(drawings)) {
        const name = `${set}/${color}-${role}.svg`;
        all.set(name, draw(set, color, role));
        const scope = set === 'ink' ? '' : `[data-pieces='${set}'] `;
        css += `${scope}piece.${color}.${role} {\n  background-image: url(./${name});\n}\n`;
      }
    }
    all.set(`${set}.css`, css);
  }
  return all;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../src/pieces/', import.meta.url));
  for (const set of Object.keys(sets)) mkdirSync(root + set, { recursive: true });
  for (const [name, text] of files()) writeFileSync(root + name, text);
}
