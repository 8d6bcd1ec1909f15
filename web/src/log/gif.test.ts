// Animated pictures: a GIF decoder in this file reads what was written.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Snapshot } from '../wire';
import { encodeFilm, palette, type Film, type Making } from './film';
import { Gif } from './gif';

// The settings listen for changes in other tabs; this test has no window.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined));

interface Read {
  readonly width: number;
  readonly height: number;
  readonly loops: boolean;
  /** The screen after each frame, as 0xrrggbb. */
  readonly screens: Uint32Array[];
  readonly hundredths: number[];
  readonly areas: { x: number; y: number; width: number; height: number }[];
}

/** Decodes LZW as a browser does: the table grows with every code. */
function unpacked(data: Uint8Array, bits: number, length: number): Uint8Array {
  const clear = 1 << bits;
  const out = new Uint8Array(length);
  let strings: number[][] = [];
  let width = bits + 1;
  let before: number[] | null = null;
  let [at, held, waiting, to] = [0, 0, 0, 0];
  for (;;) {
    while (held < width) {
      if (at >= data.length) throw new Error('the data ends early');
      waiting |= (data[at++] ?? 0) << held;
      held += 8;
    }
    const code = waiting & ((1 << width) - 1);
    waiting >>>= width;
    held -= width;
    if (code === clear) {
      strings = Array.from({ length: clear + 2 }, (_, value) => [value]);
      width = bits + 1;
      before = null;
      continue;
    }
    if (code === clear + 1) break;
    const known: number[] | undefined = strings[code];
    if (!known && (code !== strings.length || !before)) throw new Error(`no code ${code}`);
    const string: number[] = known ?? [...(before ?? []), before?.[0] ?? 0];
    out.set(string, to);
    to += string.length;
    if (before && strings.length < 4096) strings.push([...before, string[0] ?? 0]);
    if (strings.length === 1 << width && width < 12) width += 1;
    before = string;
  }
  if (to !== length) throw new Error(`${to} pixels of ${length}`);
  return out;
}

async function read(file: Blob): Promise<Read> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let at = 0;
  const byte = (): number => {
    const value = bytes[at++];
    if (value === undefined) throw new Error('the file ends early');
    return value;
  };
  const word = (): number => byte() | (byte() << 8);
  const blocks = (): Uint8Array => {
    const all: number[] = [];
    for (let size = byte(); size > 0; size = byte()) {
      all.push(...bytes.subarray(at, at + size));
      at += size;
    }
    return Uint8Array.from(all);
  };
  const magic = String.fromCharCode(...bytes.subarray(0, 6));
  expect(magic).toBe('GIF89a');
  at = 6;
  const [width, height, flags] = [word(), word(), byte()];
  at += 2;
  const colors = Array.from({ length: 2 << (flags & 7) }, () => {
    const [red, green, blue] = [byte(), byte(), byte()];
    return (red << 16) | (green << 8) | blue;
  });
  const screens: Uint32Array[] = [];
  const hundredths: number[] = [];
  const areas: Read['areas'] = [];
  let [loops, see] = [false, -1];
  for (;;) {
    const kind = byte();
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      const label = byte();
      const [block] = [blocks()];
      if (label === 0xff) loops = String.fromCharCode(...block).startsWith('NETSCAPE2.0');
      if (label !== 0xf9) continue;
      expect((block[0] ?? 0) >> 2).toBe(1);
      hundredths.push((block[1] ?? 0) | ((block[2] ?? 0) << 8));
      see = block[0] && block[0] & 1 ? (block[3] ?? -1) : -1;
      continue;
    }
    expect(kind).toBe(0x2c);
    const area = { x: word(), y: word(), width: word(), height: word() };
    expect(byte()).toBe(0);
    const bits = byte();
    const pixels = unpacked(blocks(), bits, area.width * area.height);
    const screen = Uint32Array.from(screens.at(-1) ?? new Uint32Array(width * height));
    pixels.forEach((pixel, index) => {
      const x = area.x + (index % area.width);
      const y = area.y + Math.floor(index / area.width);
      if (x >= width || y >= height) throw new Error('a frame beyond the picture');
      if (pixel !== see) screen[y * width + x] = colors[pixel] ?? 0;
    });
    screens.push(screen);
    areas.push(area);
  }
  expect(at).toBe(bytes.length);
  return { width, height, loops, screens, hundredths, areas };
}

/** Paints without pauses. */
const quick = (paint: Making['paint']): Making => ({
  paint,
  told: () => undefined,
  pause: () => Promise.resolve(),
  signal: new AbortController().signal,
});

describe('a GIF', () => {
  it('decodes to the pixels that were encoded, for any number and size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 255 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.infiniteStream(fc.nat()),
        fc.constantFrom(1, 3, 1000),
        async (colors, width, height, dice, run) => {
          const all = Array.from({ length: colors }, (_, at) => at * 65_793);
          const gif = new Gif(width, height, all);
          const pixels = new Uint8Array(width * height);
          let pixel = 0;
          for (let at = 0; at < pixels.length; at++) {
            if (at % run === 0) pixel = (dice.next().value ?? 0) % colors;
            pixels[at] = pixel;
          }
          gif.frame({ x: 0, y: 0, width, height }, pixels, 7);
          const { screens, hundredths } = await read(gif.done());
          expect(hundredths).toEqual([7]);
          expect(screens).toEqual([Uint32Array.from(pixels, (at) => all[at] ?? 0)]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('ends where the decoder ends, whatever the last code is', async () => {
    for (let height = 1; height < 200; height++) {
      const gif = new Gif(1, height, [0xabcdef]);
      gif.frame({ x: 0, y: 0, width: 1, height }, new Uint8Array(height), 1);
      const { screens } = await read(gif.done());
      expect(screens).toEqual([new Uint32Array(height).fill(0xabcdef)]);
    }
  });

  it('fills its table of codes and begins a new one', async () => {
    const [width, height] = [300, 300];
    const colors = Array.from({ length: 63 }, (_, at) => at);
    let seed = 1;
    const pixels = Uint8Array.from({ length: width * height }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 63;
    });
    const gif = new Gif(width, height, colors);
    gif.frame({ x: 0, y: 0, width, height }, pixels, 1);
    const { screens } = await read(gif.done());
    expect(screens).toEqual([Uint32Array.from(pixels)]);
  });
});

describe('a film', () => {
  const cells = Array.from({ length: 4 }, (_, at) => ({ x: 4 * at, y: 2, width: 4, height: 4 }));
  const film = (...frames: string[]): Film => ({
    width: 16,
    height: 8,
    cells,
    frames: frames.map((names, at) => ({ cells: names.split(''), hundredths: 10 + at })),
  });
  /** A plain colour for each letter. */
  const SHADES: Record<string, number> = { a: 0xff0000, b: 0x00ff00, c: 0x0000ff, d: 0xffffff };
  const paint: Making['paint'] = (name, { width, height }) => {
    const color = SHADES[name] ?? 0;
    const bytes = [color >> 16, (color >> 8) & 255, color & 255, 255];
    return Uint8ClampedArray.from({ length: 4 * width * height }, (_, at) => bytes[at % 4] ?? 0);
  };

  it('shows every frame, writes only what changed, and repeats', async () => {
    const shot = ['abab', 'abcb', 'abcb', 'dbcd', 'abab'];
    const found = await read(await encodeFilm(film(...shot), quick(paint)));
    expect(found.loops).toBe(true);
    expect(found.hundredths).toEqual([10, 11, 12, 13, 14]);
    for (const [number, names] of shot.entries()) {
      const seen = cells.map(({ x, y }) => found.screens[number]?.[(y + 3) * 16 + x + 3]);
      expect(seen).toEqual(names.split('').map((name) => SHADES[name]));
    }
    expect(found.areas.map(({ x, width }) => [x, width])).toEqual([
      [0, 16],
      [8, 4],
      [0, 1],
      [0, 16],
      [0, 16],
    ]);
  });

  it('reports progress, pauses, and stops when it is aborted', async () => {
    const stop = new AbortController();
    const parts: number[] = [];
    let pauses = 0;
    const making = {
      ...quick(paint),
      told: (part: number) => parts.push(part),
      pause: () => {
        pauses += 1;
        if (parts.length === 2) stop.abort();
        return Promise.resolve();
      },
      signal: stop.signal,
    };
    await expect(encodeFilm(film('abab', 'bbab', 'aaaa', 'bbbb'), making)).rejects.toThrow(
      /abort/i,
    );
    expect(parts).toEqual([0.25, 0.5]);
    expect(pauses).toBeGreaterThanOrEqual(4);
  });

  it('keeps the most frequent colours exactly', () => {
    const counts = new Map([
      [0xa98a66, 9_000],
      [0xece3d0, 8_000],
    ]);
    for (let shade = 0; shade < 200; shade++) counts.set(shade * 0x010101, 3);
    const colors = palette(counts);
    expect(colors).toHaveLength(63);
    expect(colors.slice(0, 2)).toEqual([0xa98a66, 0xece3d0]);
    // The other colours cover the whole range, not only its beginning.
    expect(colors.some((color) => color < 0x101010)).toBe(true);
    expect(colors.some((color) => color > 0xb0b0b0 && color < 0xcccccc)).toBe(true);
    expect(palette(new Map([[1, 1]]))).toEqual([1]);
    // Two whites that hardly differ, both in plain areas.
    counts.set(0xffffff, 9_500).set(0xfffdf8, 9_400);
    expect(palette(counts).slice(0, 2)).toEqual([0xffffff, 0xfffdf8]);
  });
});

describe('a game as a film', () => {
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const after = (fen: string, uci: string, check: string | null = null) => ({
    uci,
    san: '',
    board: { fen, check },
  });
  const game = {
    first: { fen: start },
    plies: [
      after('rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1', 'f2f3'),
      after('rnb1kbnr/pppppppp/8/8/7q/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 1', 'd8h4', 'e1'),
    ],
  } as unknown as Snapshot;

  it('marks the last move and the mated king, and shows the result at its end only', async () => {
    const { film: filmOf } = await import('./animated');
    const { frames, cells, width, height } = filmOf(
      { result: '0-1', reason: 'checkmate' },
      game,
      'white',
    );
    expect(frames).toHaveLength(3);
    const square = (frame: number, name: string) => {
      const at = 8 * (8 - Number(name[1])) + 'abcdefgh'.indexOf(name[0] ?? '');
      return frames[frame]?.cells[1 + at];
    };
    expect(square(0, 'f2')).toBe('dark - white-pawn ');
    expect(square(1, 'f2')).toBe('dark last - ');
    expect(square(1, 'f3')).toBe('light last white-pawn ');
    expect(square(2, 'e1')).toBe('dark mated white-king e');
    expect(square(2, 'h4')).toBe('dark last black-queen ');
    expect(square(0, 'a1')).toBe('dark - white-rook a1');
    expect(frames.map((frame) => frame.cells[0])).toEqual(['black', 'black', 'black over']);
    expect(frames.map((frame) => frame.cells.at(-1))).toEqual(['white', 'white', 'white over']);
    expect(frames.map((frame) => frame.hundredths)).toEqual([100, 100, 400]);
    // Every pixel belongs to one cell.
    const area = cells.reduce((sum, cell) => sum + cell.width * cell.height, 0);
    expect(area).toBe(width * height);
  });

  it('is turned with the board, and a running game has no result', async () => {
    const { film: filmOf } = await import('./animated');
    const { frames } = filmOf({ result: '*', reason: null }, game, 'black');
    expect(frames[0]?.cells[1]).toBe('light - white-rook 1');
    expect(frames.at(-1)?.cells[0]).toBe('white');
  });

  it('stays small: a move writes two tiles, not the board', async () => {
    const { film: filmOf } = await import('./animated');
    const rook = (file: number) => `${file ? file : ''}R${7 - file ? 7 - file : ''}`;
    const plies = Array.from({ length: 40 }, (_, at) => {
      const [from, to] = [at % 8, (at + 1) % 8];
      const uci = `${'abcdefgh'[from]}1${'abcdefgh'[to]}1`;
      return after(`rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/${rook(to)} w - - 0 1`, uci);
    });
    const long = { ...game, plies } as unknown as Snapshot;
    // Noise is worse than any piece: forty-one boards of it are seven megabytes.
    const noisy: Making['paint'] = (name, { width, height }) => {
      let seed = [...name].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) % 65_521;
      return Uint8ClampedArray.from({ length: 4 * width * height }, () => {
        seed = (seed * 75) % 65_537;
        return seed & 0xe0;
      });
    };
    const file = await encodeFilm(
      filmOf({ result: '*', reason: null }, long, 'white'),
      quick(noisy),
    );
    expect((await read(file)).screens).toHaveLength(41);
    expect(file.size).toBeLessThan(1_000_000);
  });
});
