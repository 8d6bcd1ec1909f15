// What is asked of crates/browser, and what it answers; crates/browser/src/shapes.rs has the same.
import type {
  AskedLines,
  Board,
  Broken,
  Kind,
  Language,
  LegalMoves,
  LinesNews,
  NewGame,
  Opening,
  PlayerPage,
  PlayerRow,
  Refusal,
  Row,
  Snapshot,
  Statistics,
  Why,
} from '../wire';

/** An entry of a game in the text that a log keeps. */
export interface Kept {
  readonly seq: number;
  readonly body: string;
  /** The name of the command that led to it. */
  readonly client?: string;
}

export type Request =
  | { start: { id: string; game: NewGame; lang: Language; draw: number; now: number } }
  | { again: { id: string; previous: string; entries: readonly Kept[]; now: number } }
  | { resume: { id: string; entries: readonly Kept[] } }
  | { hear: { text: string; now: number } }
  | { tick: { now: number } }
  | { thought: { seq: number; reply: Reply; now: number } }
  | { undo: Record<string, never> }
  | { look: { id: string; entries: readonly Kept[]; date: string } }
  | { moves: { fen: string } }
  | { why: { fen: string; move: string; lang: Language } }
  | { free: FreeRequest };

/** What the free board asks; crates/browser/src/free.rs has the same. */
export type FreeRequest =
  | { moves: { fen: string; variant: Kind; lang: Language } }
  | { play: { fen: string; variant: Kind; move: string; lang: Language } }
  | { read: { text: string; lang: Language } }
  | { write: { tree: Tree; lang: Language } };

export interface FreeAnswer {
  readonly moves?: LegalMoves;
  readonly played?: Branch;
  readonly tree?: Tree;
  readonly pgn?: string;
}

/** A move of a tree. */
export interface Branch {
  /** The move before it, by its place in the list. */
  readonly parent: number | null;
  readonly uci: string;
  readonly san: string;
  readonly board: Board;
  readonly nags?: readonly number[];
  readonly before?: readonly string[];
  readonly comments?: readonly string[];
}

/** A game with variations: the first move that names a parent is its main line. */
export interface Tree {
  readonly variant: Kind;
  readonly start: string;
  readonly check?: string;
  readonly tags: readonly (readonly [string, string])[];
  readonly result: string;
  readonly comments: readonly string[];
  readonly branches: readonly Branch[];
}

export interface Answer {
  readonly entries?: readonly Kept[];
  readonly messages?: readonly string[];
  readonly row?: Row;
  readonly started?: number;
  readonly ended?: number;
  /** When a tick may have something to do. */
  readonly wake?: number;
  /** What the computer has to think about: the same question while its `seq` is the same. */
  readonly think?: Question;
  readonly looked?: { readonly state: Snapshot; readonly pgn: string };
  readonly moves?: LegalMoves;
  readonly why?: Why;
  readonly free?: FreeAnswer;
  readonly error?: Refusal;
  /** The code with which a server would close the line. */
  readonly close?: number;
}

/** What crates/computer is asked in a game: it is made by crates/browser, and only passed on. */
export interface Question {
  readonly seq: number;
}
export interface Reply {
  /** How long the computer takes, in milliseconds from when it was asked. */
  readonly pause: number;
}

/** A game about which crates/computer is asked something else. */
export interface Asked {
  readonly variant: Kind;
  readonly fen: string | null;
  readonly moves: readonly string[];
  readonly lang: Language;
}

/** What a review has found by now; crates/computer/src/shapes.rs has the same. */
export interface KeptReview {
  readonly nodes: number;
  readonly done: number;
  readonly total: number;
  readonly text: string;
}

/** Where the computer is fetched, and how many bytes it has once it is unpacked. */
export interface Engine {
  readonly address: string;
  readonly bytes: number;
}
/** How much of the computer is here; nothing when none of it is on its way. */
export type Part = number | 'failed' | null;

/** What a page says to the worker of a game, and hears from it. */
export type ToWorker =
  | { type: 'open'; module: WebAssembly.Module; engine: Engine; id: string; notKept: string }
  | { type: 'say'; text: string };
export type FromWorker =
  | { type: 'opened' }
  | { type: 'said'; text: string }
  | { type: 'loading'; part: Part }
  | { type: 'closed'; code: number };

/** What the worker of a game says to that of the computer, and hears from it. */
export interface ToComputer {
  readonly engine: Engine;
  readonly question: Question;
}
export type FromComputer =
  { type: 'loading'; part: Part } | { type: 'thought'; seq: number; reply: Reply };

/** What a page says to the worker that looks for lines: nothing asked ends the search. */
export interface ToLooking {
  readonly engine: Engine;
  readonly number: number;
  readonly asked: AskedLines | null;
}
export type FromLooking =
  { type: 'loading'; part: Part } | { type: 'news'; number: number; news: LinesNews | null };

/** The moves of a game, as crates/archive is asked about them. */
export type Moves = Pick<Row, 'variant' | 'start_fen' | 'moves'>;

/** What crates/archive is asked; crates/archive/src/shapes.rs has the same. */
export type ArchiveRequest =
  | { read: { text: string; lang: Language; known: readonly Row[] } }
  | { next: { games: number } }
  | { look: { id: string; pgn: string } }
  | { name: { games: readonly Moves[] } }
  | { count: { games: readonly Row[]; player: string | null } };

/** A game of a PGN text, to be kept. */
export interface Found {
  readonly row: Row;
  readonly pgn: string;
}

export interface ArchiveAnswer {
  readonly batch?: {
    readonly games: readonly Found[];
    readonly duplicates: number;
    readonly broken: number;
    readonly errors: readonly Broken[];
    /** How much of the text was read, in hundredths. */
    readonly part: number;
    readonly done: boolean;
    readonly more: boolean;
  };
  readonly looked?: { readonly row: Row; readonly state: Snapshot };
  readonly openings?: readonly (Opening | null)[];
  readonly counted?: {
    readonly players: readonly PlayerRow[];
    readonly all: Statistics | null;
    readonly player: PlayerPage | null;
  };
  readonly error?: Refusal;
}

/** What a page says to the worker of the archive, and hears from it, one answer for each question. */
export interface ToArchive {
  readonly address: string;
  readonly request: ArchiveRequest;
}
/** Nothing when it could not be loaded, or has failed. */
export type FromArchive = ArchiveAnswer | null;

/** The game is open in another tab, which plays it. */
export const ELSEWHERE = 4010;
