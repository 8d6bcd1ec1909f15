// A whole game as an animated picture: the board after every move with the page's pieces, the
// names, and the result at the end. Loaded when needed.
import {
  FILES,
  other,
  placement,
  RANKS,
  squaresFrom,
  squaresOf,
  type Color,
} from '../game/squares';
import type { Row, Snapshot } from '../wire';
import { encodeFilm, type Film, type Frame } from './film';
import type { Rectangle } from './gif';
import { drawings, inside, language, boardLook, TILE } from './picture';
import { reasonWord, resultWords } from './words';

/** Sizes in pixels: a tile, and the strips with names above and below the board. */
const SIZE = 56;
const STRIP = 40;
const WIDTH = 8 * SIZE;
/** Hundredths of a second for which a position is shown, and the last one. */
const MOVE = 100;
const END = 400;

const CELLS: readonly Rectangle[] = [
  { x: 0, y: 0, width: WIDTH, height: STRIP },
  ...Array.from({ length: 64 }, (_, at) => ({
    x: (at % 8) * SIZE,
    y: STRIP + Math.floor(at / 8) * SIZE,
    width: SIZE,
    height: SIZE,
  })),
  { x: 0, y: STRIP + WIDTH, width: WIDTH, height: STRIP },
];

/** The tiles of a position, by name: `dark last white-king a1`; the last word is a coordinate. */
function tiles(
  board: { fen: string; check?: string | null },
  uci: string | undefined,
  mated: boolean,
  side: Color,
): string[] {
  const pieces = placement(board.fen);
  const last: readonly string[] = uci ? squaresOf(uci) : [];
  return squaresFrom(side).map((square, at) => {
    const [file = '', rank = ''] = square;
    const dark = (FILES.indexOf(file) + RANKS.indexOf(rank)) % 2 === 0;
    const mark = mated && board.check === square ? 'mated' : last.includes(square) ? 'last' : '-';
    const piece = pieces.get(square);
    const label = `${at >= 56 ? file : ''}${at % 8 === 0 ? rank : ''}`;
    const name = piece ? `${piece.color}-${piece.role}` : '-';
    return `${dark ? 'dark' : 'light'} ${mark} ${name} ${label}`;
  });
}

/** The game as frames of cells. A strip is named by its colour, at the end also by the result. */
export function film(row: Pick<Row, 'result' | 'reason'>, game: Snapshot, side: Color): Film {
  const strip = (color: Color, over: boolean) => `${color}${over ? ' over' : ''}`;
  const boards = [{ board: game.first, uci: undefined }, ...game.plies];
  const frames = boards.map(({ board, uci }, at): Frame => {
    const end = at === boards.length - 1;
    // An imported game may have only a result.
    const over = end && row.result !== '*';
    const mated = over && row.reason === 'checkmate';
    return {
      cells: [strip(other(side), over), ...tiles(board, uci, mated, side), strip(side, over)],
      hundredths: end ? END : MOVE,
    };
  });
  return { width: WIDTH, height: 2 * STRIP + WIDTH, cells: CELLS, frames };
}

/** All pieces of the set in use, in a row, in the size of a tile. */
async function pieces(): Promise<{ image: HTMLImageElement; names: string[] }> {
  const found = await drawings();
  const names = [...found.keys()];
  const shapes = names.map(
    (name, at) => `<g transform="translate(${at * TILE} 0)">${inside(found.get(name) ?? '')}</g>`,
  );
  const [width, height] = [names.length * TILE, TILE];
  const open = `<svg xmlns="${language(found.get('white-king') ?? '')}" viewBox="0 0 ${width} ${height}"`;
  const svg = `${open} width="${names.length * SIZE}" height="${SIZE}">${shapes.join('')}</svg>`;
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return { image, names };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A name, shortened to a width. */
function fitting(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 0 && context.measureText(`${letters.join('')}…`).width > width) {
    letters.pop();
  }
  return `${letters.join('')}…`;
}

/** Paints a cell by its name. */
async function painter(row: Row): Promise<(name: string, cell: Rectangle) => Uint8ClampedArray> {
  const { image, names } = await pieces();
  const colors = boardLook();
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const font = getComputedStyle(document.body).fontFamily;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new TypeError('no canvas');
  const fill = (what: string, { width, height }: Rectangle) => {
    context.fillStyle = what;
    context.fillRect(0, 0, width, height);
  };

  function tile(name: string, cell: Rectangle): void {
    const [shade = '', mark = '', piece = '', label = ''] = name.split(' ');
    const dark = shade === 'dark';
    fill(dark ? colors.dark : colors.light, cell);
    if (mark === 'last') fill(colors.last, cell);
    if (mark === 'mated') fill('#d64545', cell);
    if (!context) return;
    context.fillStyle = dark ? colors.onDark : colors.onLight;
    context.font = `600 11px ${font}`;
    for (const sign of label) {
      if (FILES.includes(sign)) context.fillText(sign, SIZE - 10, SIZE - 5);
      else context.fillText(sign, 3, 12);
    }
    const at = names.indexOf(piece);
    if (at >= 0) context.drawImage(image, at * SIZE, 0, SIZE, SIZE, 0, 0, SIZE, SIZE);
  }

  function strip(name: string, cell: Rectangle): void {
    if (!context) return;
    const side: Color = name.startsWith('white') ? 'white' : 'black';
    fill(color('--surface'), cell);
    const middle = STRIP / 2;
    context.beginPath();
    context.arc(20, middle, 7, 0, 2 * Math.PI);
    context.fillStyle = side === 'white' ? '#fffdf8' : '#2b2c32';
    context.strokeStyle = color('--muted');
    context.lineWidth = 2;
    context.fill();
    context.stroke();
    context.textBaseline = 'middle';
    let right = WIDTH - 12;
    if (name.endsWith('over')) {
      const won = row.result === (side === 'white' ? '1-0' : '0-1');
      const score = row.result === '1/2-1/2' ? '½' : won ? '1' : '0';
      context.font = `800 18px ${font}`;
      context.fillStyle = color('--ink');
      context.textAlign = 'right';
      context.fillText(score, right, middle);
      right -= 28;
      // The result in words, at the winner's strip, or at White's after a draw.
      if (won || (row.result === '1/2-1/2' && side === 'white')) {
        const words = [resultWords(row.result), row.reason ? reasonWord(row.reason) : ''];
        const text = words.filter(Boolean).join(' · ');
        context.font = `400 14px ${font}`;
        context.fillStyle = color('--muted');
        context.fillText(text, right, middle);
        right -= context.measureText(text).width + 12;
      }
      context.textAlign = 'left';
    }
    context.font = `600 16px ${font}`;
    context.fillStyle = color('--ink');
    context.fillText(fitting(context, row[side], right - 40), 40, middle);
    context.textBaseline = 'alphabetic';
  }

  return (name, cell) => {
    // Setting the size clears the canvas.
    [canvas.width, canvas.height] = [cell.width, cell.height];
    if (cell.width === SIZE) tile(name, cell);
    else strip(name, cell);
    return context.getImageData(0, 0, cell.width, cell.height).data;
  };
}

/** The length of a slice of work, in milliseconds. */
const SLICE = 12;

/** Yields to the event loop after every slice. A timer would wait a second in a background tab. */
function pauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        done(null);
      };
      port2.postMessage(null);
    });
    since = performance.now();
  };
}

/** Makes the GIF. */
export async function makeGif(
  row: Row,
  game: Snapshot,
  side: Color,
  { signal, told }: { signal: AbortSignal; told: (part: number) => void },
): Promise<Blob> {
  const paint = await painter(row);
  return encodeFilm(film(row, game, side), { paint, told, signal, pause: pauses() });
}
