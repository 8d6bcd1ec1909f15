// The only file that knows chessground: pieces, dragging, gliding and drawn arrows. Everything else
// says what shall be shown and hears what a hand did.
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
  /** Where the pieces stand: the first field of a FEN. */
  readonly pieces: string;
  readonly orientation: Color;
  /** Whose pieces may be picked up. */
  readonly movable: Color | null;
  /** Where they may go; for premoves the board itself offers what a piece could ever reach. */
  readonly targets: ReadonlyMap<string, readonly string[]> | 'premove';
  readonly lastMove: readonly [string, string] | null;
  /** Classes for squares: check, mated, premove, pending. */
  readonly marks: ReadonlyMap<string, string>;
  /** The square of a piece that the server has not put there yet. */
  readonly pending: string | null;
  /** Whether premoves stand on the board. */
  readonly premoved: boolean;
  readonly coordinates: boolean;
  /** Milliseconds that a piece takes; 0 for no motion. */
  readonly glide: number;
}

/** What a hand did. */
export interface Hand {
  /** A piece was put on one of its targets. */
  moved(from: string, to: string): void;
  /** A piece was put, or sent, where it may not go. */
  attempted(from: string, to: string): void;
  selected(square: string | null): void;
  /** A square that has nothing to pick up was pressed while nothing was selected. */
  touched(square: string): void;
  /** The other button, while premoves stand on the board: they are taken back. */
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
    // Before chessground sees it: what was selected, and where the hand is.
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

  /** A piece that is only on its way looks like it. Chessground leaves our class alone. */
  #markPending(): void {
    const mark = () => {
      const at = this.#shown?.pending;
      for (const node of this.#wrap.querySelectorAll<PieceNode>('cg-board piece')) {
        node.classList.toggle('pending', !!at && node.cgKey === at);
      }
    };
    // Once chessground has drawn, which it does with the next frame.
    requestAnimationFrame(() => requestAnimationFrame(mark));
  }

  /** Selects or moves, as a click would. */
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

  /** Nothing is selected any more. */
  clear(): void {
    this.#api.cancelMove();
    this.#tellSelection();
  }

  /** With touch there is no right button: while drawing, a finger draws. */
  setDrawing(on: boolean): void {
    this.#drawing = on;
  }

  get isDrawn(): boolean {
    return this.#api.state.drawable.shapes.length > 0;
  }

  eraseDrawings(): void {
    this.#api.setShapes([]);
  }

  /** After a change of layout that chessground cannot see. */
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
    // Chessground clears the selection; then the reason is shown.
    setTimeout(() => this.#hand.attempted(from, to), REFRESH);
  }

  #squareUnder(event: MouchEvent): string | undefined {
    const at = eventPosition(event);
    return at && this.#api.getKeyAtDomPos(at);
  }

  #pressed(event: MouchEvent): void {
    const { state } = this.#api;
    // Chessground remembers where the board is, and is not told when it only moves.
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
