// A picture of a board with the page's pieces: as SVG, and drawn on a canvas as PNG. Loaded when
// needed.
import { FILES, placement, RANKS, squaresFrom, type Color } from '../game/squares';
import { settings } from '../settings.svelte';

export interface Look {
  readonly light: string;
  readonly dark: string;
  readonly onLight: string;
  readonly onDark: string;
  readonly last: string;
}

export interface Scene {
  readonly fen: string;
  readonly orientation: Color;
  readonly lastMove: readonly [string, string] | null;
  readonly coordinates: boolean;
}

/** The size of a tile: that of a piece's SVG. */
export const TILE = 64;
const SIZE = 8 * TILE;

/** The namespace of SVG, read from a piece. */
export function language(svg: string): string {
  return /xmlns="([^"]+)"/.exec(svg)?.[1] ?? '';
}

/** The content of a piece's SVG. */
export function inside(svg: string): string {
  return svg.replace(/^\s*<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '');
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The picture as SVG text. `drawing` gives the SVG of a piece: `white-king`. */
export function picture(scene: Scene, look: Look, drawing: (name: string) => string): string {
  const squares = squaresFrom(scene.orientation);
  const parts: string[] = [
    `<rect width="${SIZE}" height="${SIZE}" fill="${escaped(look.light)}"/>`,
  ];
  const pieces = placement(scene.fen);
  const above: string[] = [];
  squares.forEach((square, index) => {
    const x = (index % 8) * TILE;
    const y = Math.floor(index / 8) * TILE;
    const dark = (FILES.indexOf(square[0] ?? '') + RANKS.indexOf(square[1] ?? '')) % 2 === 0;
    const tile = (fill: string) =>
      `<rect x="${x}" y="${y}" width="${TILE}" height="${TILE}" fill="${escaped(fill)}"/>`;
    if (dark) parts.push(tile(look.dark));
    if (scene.lastMove?.includes(square)) parts.push(tile(look.last));
    const piece = pieces.get(square);
    if (piece) {
      const shape = inside(drawing(`${piece.color}-${piece.role}`));
      above.push(`<g transform="translate(${x} ${y})">${shape}</g>`);
    }
    if (!scene.coordinates) return;
    const label = (text: string, left: number, top: number) =>
      `<text x="${x + left}" y="${y + top}" font-family="sans-serif" font-size="12" font-weight="600" fill="${escaped(dark ? look.onDark : look.onLight)}">${text}</text>`;
    if (index >= 56) parts.push(label(square[0] ?? '', TILE - 11, TILE - 5));
    if (index % 8 === 0) parts.push(label(square[1] ?? '', 4, 14));
  });
  const name = language(drawing('white-king'));
  return `<svg xmlns="${name}" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}">${parts.join('')}${above.join('')}</svg>\n`;
}

const ink = import.meta.glob<string>('../pieces/ink/*.svg', { query: '?raw', import: 'default' });
const bold = import.meta.glob<string>('../pieces/bold/*.svg', { query: '?raw', import: 'default' });
const letter = import.meta.glob<string>('../pieces/letter/*.svg', {
  query: '?raw',
  import: 'default',
});
const SETS = { ink, bold, letter };

/** The SVGs of the piece set in use. */
export async function drawings(): Promise<Map<string, string>> {
  const set = SETS[settings.pieces];
  const all = await Promise.all(
    Object.entries(set).map(async ([path, load]) => {
      const name = path.slice(path.lastIndexOf('/') + 1, -'.svg'.length);
      return [name, await load()] as const;
    }),
  );
  return new Map(all);
}

/** The colours of the board in use. */
export function boardLook(): Look {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    light: color('--tile-light'),
    dark: color('--tile-dark'),
    onLight: color('--coord-light'),
    onDark: color('--coord-dark'),
    last: color('--last'),
  };
}

/** The picture as SVG. */
export async function pictureSvg(scene: Scene): Promise<string> {
  const pieces = await drawings();
  return picture(scene, boardLook(), (name) => pieces.get(name) ?? '');
}

/** The same picture as PNG. */
export async function picturePng(scene: Scene, size = 1024): Promise<Blob> {
  const address = URL.createObjectURL(
    new Blob([await pictureSvg(scene)], { type: 'image/svg+xml' }),
  );
  try {
    const image = new Image(size, size);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size;
    canvas.getContext('2d')?.drawImage(image, 0, 0, size, size);
    return await new Promise((done, failed) =>
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Saves a file on the user's device. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
