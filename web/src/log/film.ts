// Encodes frames of cells as a GIF: of each frame only the changed cells are written, with few
// colours. Pure, and in small steps, so that the page stays responsive.
import { Gif, type Rectangle } from './gif';

/** The names of the cells' contents; equal names are equal pictures. */
export interface Frame {
  readonly cells: readonly string[];
  readonly hundredths: number;
}

export interface Film {
  readonly width: number;
  readonly height: number;
  readonly cells: readonly Rectangle[];
  readonly frames: readonly Frame[];
}

export interface Making {
  /** Paints a cell by its name: red, green, blue and one more byte for each pixel. */
  paint(name: string, cell: Rectangle): Uint8ClampedArray;
  /** Receives the progress, 0 to 1. */
  told(part: number): void;
  /** Yields to other work. */
  pause(): Promise<void>;
  readonly signal: AbortSignal;
}

/** Colours of a file, beside the transparent one: flat tiles and the edges of pieces need no more,
 *  and the file is a third smaller than with 256. */
export const COLORS = 63;

const between = (one: number, other: number): number => {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  // The eye is most sensitive to green, least to blue.
  return 3 * red * red + 6 * green * green + blue * blue;
};

/** Chooses colours: large plain areas keep theirs exactly; then frequent ones, far from each
 *  other. */
export function palette(counts: ReadonlyMap<number, number>, most = COLORS): number[] {
  const colors = [...counts.keys()].sort(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || one - other,
  );
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  // A colour of at least a hundredth of all pixels is a plain area …
  const chosen = colors.filter((color) => (counts.get(color) ?? 0) * 100 >= all).slice(0, most);
  // … of the others first those far from each other, then ever closer ones, until the palette is
  // full.
  for (let apart = 24_000; chosen.length < Math.min(most, colors.length); apart >>= 2) {
    for (const color of colors) {
      if (chosen.length === most) break;
      if (chosen.every((other) => between(color, other) > apart)) chosen.push(color);
    }
    if (apart === 0) break;
  }
  return chosen;
}

function nearest(color: number, colors: readonly number[]): number {
  let best = 0;
  for (let at = 1; at < colors.length; at++) {
    if (between(color, colors[at] ?? 0) < between(color, colors[best] ?? 0)) best = at;
  }
  return best;
}

/** The pixels of a picture as 0xrrggbb. */
function colorsOf(pixels: Uint8ClampedArray): Uint32Array {
  const colors = new Uint32Array(pixels.length / 4);
  for (let at = 0; at < colors.length; at++) {
    const part = (channel: number) => pixels[4 * at + channel] ?? 0;
    colors[at] = (part(0) << 16) | (part(1) << 8) | part(2);
  }
  return colors;
}

/** The bounding rectangle of cells. */
function around(cells: readonly Rectangle[]): Rectangle {
  const x = Math.min(...cells.map((cell) => cell.x));
  const y = Math.min(...cells.map((cell) => cell.y));
  const right = Math.max(...cells.map((cell) => cell.x + cell.width));
  const bottom = Math.max(...cells.map((cell) => cell.y + cell.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Makes the file; throws when the signal is aborted. */
export async function encodeFilm(film: Film, making: Making): Promise<Blob> {
  const pictures = new Map<string, Uint32Array>();
  const counts = new Map<number, number>();
  for (const { cells } of film.frames) {
    for (const [at, name] of cells.entries()) {
      const cell = film.cells[at];
      if (!cell || pictures.has(name)) continue;
      const colors = colorsOf(making.paint(name, cell));
      pictures.set(name, colors);
      for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
      await making.pause();
      making.signal.throwIfAborted();
    }
  }
  const colors = palette(counts);
  const numbers = new Map([...counts.keys()].map((color) => [color, nearest(color, colors)]));
  const indexed = new Map<string, Uint8Array>();
  for (const [name, picture] of pictures) {
    indexed.set(
      name,
      Uint8Array.from(picture, (color) => numbers.get(color) ?? 0),
    );
  }

  const gif = new Gif(film.width, film.height, colors);
  let before: readonly string[] = [];
  for (const [number, { cells, hundredths }] of film.frames.entries()) {
    const changed = film.cells.flatMap((cell, at) =>
      cells[at] === before[at] ? [] : [{ cell, now: cells[at] ?? '', then: before[at] ?? '' }],
    );
    const area =
      changed.length > 0
        ? around(changed.map(({ cell }) => cell))
        : { x: 0, y: 0, width: 1, height: 1 };
    const pixels = new Uint8Array(area.width * area.height).fill(gif.clear);
    for (const { cell, now, then } of changed) {
      const [shown, gone] = [indexed.get(now), indexed.get(then)];
      for (let row = 0; row < cell.height; row++) {
        const to = (cell.y - area.y + row) * area.width + cell.x - area.x;
        for (let column = 0; column < cell.width; column++) {
          const from = row * cell.width + column;
          const pixel = shown?.[from] ?? 0;
          if (pixel !== gone?.[from]) pixels[to + column] = pixel;
        }
      }
    }
    gif.frame(area, pixels, hundredths);
    before = cells;
    making.told((number + 1) / film.frames.length);
    await making.pause();
    making.signal.throwIfAborted();
  }
  return gif.done();
}
