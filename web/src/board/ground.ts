// The only file that uses chessground: pieces, dragging, animation and drawn arrows. All other code
// passes what to show and receives what the user did.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import { start as startDrawing } from '@lichess-org/chessground/draw';
import { premove as premovesFrom } from '@lichess-org/chessground/premove';
import type { Key, MouchEvent, PieceNode } from '@lichess-org/chessground/types';
import { eventPosition } from '@lichess-org/chessground/util';
import '@lichess-org/chessground/assets/chessground.base.css';
import { other, type Color } from '../game/squares';

/** What a board shows and allows. */
export interface Shown {
  /** The position: the first field of a FEN. */
  readonly pieces: string;
  readonly orientation: Color;
  /** The colour whose pieces the user may pick up. */
  readonly movable: Color | null;
  /** Target squares by origin; for premoves chessground offers every square a piece could reach. */
  readonly targets: ReadonlyMap<string, readonly string[]> | 'premove';
  readonly lastMove: readonly [string, string] | null;
  /** CSS classes by square: check, mated, premove, pending. */
  readonly marks: ReadonlyMap<string, string>;
  /** The square of a piece whose move the server has not accepted yet. */
  readonly pending: string | null;
  /** True if there are premoves on the board. */
  readonly premoved: boolean;
  readonly coordinates: boolean;
  /** Duration of a piece's animation in milliseconds; 0 for none. */
  readonly glide: number;
}

/** What the user did on the board. */
export interface Hand {
  /** A piece was moved to one of its targets. */
  moved(from: string, to: string): void;
  /** A piece was moved to a square that is not one of its targets. */
  attempted(from: string, to: string): void;
  selected(square: string | null): void;
  /** A square without a piece to pick up was pressed, and nothing was selected. */
  touched(square: string): void;
  /** The right button was pressed while there are premoves: they are taken back. */
  cancelled(): void;
}

const REFRESH = 0;

export class Ground {
  #api: Api;
  #hand: Hand;
  #wrap: HTMLElement;
  #shown: Shown | null = null;
  #selected: string | null = null;
  #drawing = false;
  #stop = new AbortController();

  constructor(wrap: HTMLElement, hand: Hand) {
    this.#wrap = wrap;
    this.#hand = hand;
    const { signal } = this.#stop;
    const capture = { capture: true, signal };
    // These run before chessground's own handlers: they note the selection and the pressed square.
    for (const name of ['mousedown', 'touchstart'] as const) {
      wrap.addEventListener(name, (event) => this.#pressed(event as MouchEvent), {
        ...capture,
        passive: false,
      });
    }
    for (const name of ['mouseup', 'touchend'] as const) {
      document.addEventListener(name, (event) => this.#released(event as MouchEvent), capture);
    }
    this.#api = Chessground(wrap, {
      autoCastle: false,
      coordinates: true,
      ranksPosition: 'left',
      disableContextMenu: true,
      highlight: { lastMove: true, check: false },
      animation: { enabled: true, duration: 150 },
      movable: {
        free: false,
        showDests: true,
        rookCastle: true,
        events: { after: (from, to) => this.#hand.moved(from, to) },
      },
      premovable: { enabled: false },
      draggable: { enabled: true, showGhost: true },
      drawable: { enabled: true, visible: true, eraseOnMovablePieceClick: true },
      events: { select: () => this.#tellSelection() },
    });
  }

  show(shown: Shown): void {
    const before = this.#shown;
    this.#shown = shown;
    const config: Config = {
      turnColor: shown.movable ?? 'white',
      lastMove: shown.lastMove ? ([...shown.lastMove] as Key[]) : undefined,
      movable: { color: shown.movable ?? undefined, dests: new Map() },
      highlight: { custom: shown.marks as Map<Key, string> },
      animation: { enabled: shown.glide > 0, duration: shown.glide },
    };
    if (this.#api.getFen() !== shown.pieces) config.fen = shown.pieces;
    if (before?.orientation !== shown.orientation) config.orientation = shown.orientation;
    this.#api.set(config);
    if (before?.coordinates !== shown.coordinates) {
      this.#wrap.classList.toggle('no-coordinates', !shown.coordinates);
    }
    const dests = this.#dests(shown) as Map<Key, Key[]>;
    this.#api.set({ movable: { dests } });
    const { selected } = this.#api.state;
    if (selected && this.#api.state.pieces.get(selected)?.color !== shown.movable) {
      this.#api.selectSquare(null);
    }
    this.#tellSelection();
    this.#markPending();
  }

  #dests(shown: Shown): Map<string, string[]> {
    if (!shown.movable) return new Map();
    if (shown.targets !== 'premove') {
      return new Map([...shown.targets].map(([from, to]) => [from, [...to]]));
    }
    const dests = new Map<string, string[]>();
    const asIf = { ...this.#api.state, turnColor: other(shown.movable) };
    for (const [square, piece] of this.#api.state.pieces) {
      if (piece.color === shown.movable) dests.set(square, premovesFrom(asIf, square));
    }
    return dests;
  }

  /** Marks the piece of a pending move. Chessground does not remove our class. */
  #markPending(): void {
    const mark = () => {
      const at = this.#shown?.pending;
      for (const node of this.#wrap.querySelectorAll<PieceNode>('cg-board piece')) {
        node.classList.toggle('pending', !!at && node.cgKey === at);
      }
    };
    // After chessground has drawn, which it does in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(mark));
  }

  /** Selects a square or moves to it, as a click does. */
  activate(square: string): void {
    const { selected } = this.#api.state;
    if (!selected && !this.#isOurs(square)) this.#hand.touched(square);
    if (selected && selected !== square && !this.#mayGo(selected, square)) {
      if (!this.#isOurs(square)) this.#attempt(selected, square);
    }
    if (selected === square) this.#api.selectSquare(null);
    else this.#api.selectSquare(square as Key, true);
    setTimeout(() => this.#tellSelection(), REFRESH);
  }

  /** Clears the selection. */
  clear(): void {
    this.#api.cancelMove();
    this.#tellSelection();
  }

  /** Touch has no right button: while this is on, a finger draws. */
  setDrawing(on: boolean): void {
    this.#drawing = on;
  }

  get isDrawn(): boolean {
    return this.#api.state.drawable.shapes.length > 0;
  }

  eraseDrawings(): void {
    this.#api.setShapes([]);
  }

  /** Called after a change of layout, which chessground cannot notice. */
  resized(): void {
    this.#api.redrawAll();
  }

  destroy(): void {
    this.#stop.abort();
    this.#api.destroy();
  }

  #mayGo(from: string, to: string): boolean {
    const dests = this.#api.state.movable.dests?.get(from as Key);
    return !!dests?.includes(to as Key);
  }

  #isOurs(square: string): boolean {
    const piece = this.#api.state.pieces.get(square as Key);
    return !!piece && piece.color === this.#shown?.movable;
  }

  #attempt(from: string, to: string): void {
    // Chessground clears the selection first; then the reason is shown.
    setTimeout(() => this.#hand.attempted(from, to), REFRESH);
  }

  #squareUnder(event: MouchEvent): string | undefined {
    const at = eventPosition(event);
    return at && this.#api.getKeyAtDomPos(at);
  }

  #pressed(event: MouchEvent): void {
    const { state } = this.#api;
    // Chessground caches where the board is, and does not notice when the board only moves.
    state.dom.bounds.clear();
    if (this.#drawing && !event.button) {
      event.stopPropagation();
      startDrawing(state, event);
      return;
    }
    if (event.button === 2 && this.#shown?.premoved) {
      event.preventDefault();
      event.stopPropagation();
      this.#hand.cancelled();
      return;
    }
    if (event.button || event.shiftKey) return;
    const square = this.#squareUnder(event);
    const { selected } = state;
    if (square && !selected && !this.#isOurs(square)) this.#hand.touched(square);
    if (!square || !selected || square === selected) return;
    if (!this.#mayGo(selected, square) && !this.#isOurs(square)) this.#attempt(selected, square);
  }

  #released(event: MouchEvent): void {
    const dragged = this.#api.state.draggable.current;
    if (dragged?.started) {
      const square = this.#squareUnder(event);
      const { orig } = dragged;
      if (square && square !== orig && !this.#mayGo(orig, square)) this.#attempt(orig, square);
    }
    setTimeout(() => this.#tellSelection(), REFRESH);
  }

  #tellSelection(): void {
    const selected = this.#api.state.selected ?? null;
    if (selected === this.#selected) return;
    this.#selected = selected;
    this.#hand.selected(selected);
  }
}
