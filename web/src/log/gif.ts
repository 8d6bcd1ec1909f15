// Writes GIF89a: one palette for all frames, each frame the rectangle that changed. No DOM.
// (GIF89a specification, CompuServe 1990; the data is packed by LZW with codes of 3 to 12 bits.)

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The largest number of LZW codes in a GIF. */
const CODES = 4096;
/** Slots of the hash table of known strings: twice the number of codes, so that few collide. */
const PLACES = 8192;
/** The largest number of bytes in a block. */
const BLOCK = 255;

/** Bits for a number of colours; the format needs at least two. */
export function bitsOf(colors: number): number {
  let bits = 2;
  while (1 << bits < colors) bits += 1;
  return bits;
}

/** Pixels, compressed, in the blocks of a file. */
function compress(pixels: Uint8Array, bits: number): Uint8Array {
  const clear = 1 << bits;
  const out: number[] = [];
  let waiting = 0;
  let held = 0;
  let width = bits + 1;
  const put = (code: number): void => {
    waiting |= code << held;
    held += width;
    while (held >= 8) {
      out.push(waiting & 255);
      waiting >>>= 8;
      held -= 8;
    }
  };
  /** A known string with its next pixel, and the code of both together. */
  const keys = new Int32Array(PLACES).fill(-1);
  const codes = new Int16Array(PLACES);
  let next = clear + 2;
  put(clear);
  let known = pixels[0] ?? 0;
  for (let at = 1; at < pixels.length; at++) {
    const pixel = pixels[at] ?? 0;
    const key = (known << 8) | pixel;
    let place = (key * 40_503) & (PLACES - 1);
    while (keys[place] !== -1 && keys[place] !== key) place = (place + 1) & (PLACES - 1);
    if (keys[place] === key) {
      known = codes[place] ?? 0;
      continue;
    }
    put(known);
    known = pixel;
    if (next < CODES) {
      keys[place] = key;
      codes[place] = next;
      // Decoders learn a code one step later than the encoder.
      if (next === 1 << width && width < 12) width += 1;
      next += 1;
    } else {
      put(clear);
      keys.fill(-1);
      next = clear + 2;
      width = bits + 1;
    }
  }
  put(known);
  // With this code the decoder learns the last one.
  if (next === 1 << width && width < 12) width += 1;
  put(clear + 1);
  if (held > 0) out.push(waiting & 255);
  const blocks = new Uint8Array(out.length + Math.ceil(out.length / BLOCK) + 1);
  let to = 0;
  for (let from = 0; from < out.length; from += BLOCK) {
    const part = out.slice(from, from + BLOCK);
    blocks[to] = part.length;
    blocks.set(part, to + 1);
    to += part.length + 1;
  }
  return blocks;
}

const word = (number: number): [number, number] => [number & 255, (number >> 8) & 255];
const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

export class Gif {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  readonly #bits: number;
  /** The transparent colour, which leaves the pixel of the frame before. */
  readonly clear: number;

  /** `colors` as 0xrrggbb, at most 255. The animation repeats. */
  constructor(width: number, height: number, colors: readonly number[]) {
    this.clear = colors.length;
    this.#bits = bitsOf(colors.length + 1);
    const table = new Uint8Array(3 << this.#bits);
    colors.forEach((color, at) => table.set([color >> 16, color >> 8, color], 3 * at));
    this.#add(letters('GIF89a'), word(width), word(height), [0xf0 | (this.#bits - 1), 0, 0]);
    this.#add(table);
    this.#add([0x21, 0xff, 11], letters('NETSCAPE2.0'), [3, 1, 0, 0, 0]);
  }

  #add(...bytes: (readonly number[] | Uint8Array)[]): void {
    for (const part of bytes) this.#parts.push(Uint8Array.from(part));
  }

  /** Adds a frame over those before it, shown for this many hundredths of a second. */
  frame({ x, y, width, height }: Rectangle, pixels: Uint8Array, hundredths: number): void {
    // It stays under the next frame; one colour is transparent.
    this.#add([0x21, 0xf9, 4, 0b101], word(hundredths), [this.clear, 0]);
    this.#add([0x2c], word(x), word(y), word(width), word(height), [0, this.#bits]);
    this.#add(compress(pixels, this.#bits));
  }

  /** The file. */
  done(): Blob {
    return new Blob([...this.#parts, Uint8Array.of(0x3b)], { type: 'image/gif' });
  }
}
