// Requests to crates/browser and its answers; crates/browser/src/messages.rs has the same types.
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

/** A stored event of a game. */
export interface Kept {
  readonly seq: number;
  readonly body: string;
  /** The id of the command that caused it. */
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

/** Requests of the free board; crates/browser/src/free.rs has the same types. */
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
  /** The index of the move before it in the list; null for a first move. */
  readonly parent: number | null;
  readonly uci: string;
  readonly san: string;
  readonly board: Board;
  readonly nags?: readonly number[];
  readonly before?: readonly string[];
  readonly comments?: readonly string[];
}

/** A game with variations: the first child of each move belongs to the main line. */
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
  /** The time of the next tick, in milliseconds since 1970; undefined if none is needed. */
  readonly wake?: number;
  /** A question for the computer; it is the same question as long as `seq` is the same. */
  readonly think?: Question;
  readonly looked?: { readonly state: Snapshot; readonly pgn: string };
  readonly moves?: LegalMoves;
  readonly why?: Why;
  readonly free?: FreeAnswer;
  readonly error?: Refusal;
  /** The code with which a server would close the connection. */
  readonly close?: number;
}

/** A question for crates/computer in a game: made by crates/browser and only passed on here. */
export interface Question {
  readonly seq: number;
}
export interface Reply {
  /** Milliseconds from the question until the move is to be played. */
  readonly pause: number;
}

/** A game about which crates/computer is asked beside playing. */
export interface Asked {
  readonly variant: Kind;
  readonly fen: string | null;
  readonly moves: readonly string[];
  readonly lang: Language;
}

/** The stored part of an analysis; crates/computer/src/messages.rs has the same type. */
export interface KeptReview {
  readonly nodes: number;
  readonly done: number;
  readonly total: number;
  readonly text: string;
}

/** The address of the computer's module, and its size in bytes, unpacked. */
export interface Engine {
  readonly address: string;
  readonly bytes: number;
}
/** How much of the computer is loaded, in percent; null when it is not being loaded. */
export type Part = number | 'failed' | null;

/** Messages from the page to the worker of a game, and back. */
export type ToWorker =
  | { type: 'open'; module: WebAssembly.Module; engine: Engine; id: string; notKept: string }
  | { type: 'say'; text: string };
export type FromWorker =
  | { type: 'opened' }
  | { type: 'said'; text: string }
  | { type: 'loading'; part: Part }
  | { type: 'closed'; code: number };

/** Messages from the worker of a game to that of the computer, and back. */
export interface ToComputer {
  readonly engine: Engine;
  readonly question: Question;
}
export type FromComputer =
  { type: 'loading'; part: Part } | { type: 'thought'; seq: number; reply: Reply };

/** Messages from the page to the worker that searches lines; without `asked` the search ends. */
export interface ToLooking {
  readonly engine: Engine;
  readonly number: number;
  readonly asked: AskedLines | null;
}
export type FromLooking =
  { type: 'loading'; part: Part } | { type: 'news'; number: number; news: LinesNews | null };

/** The moves of a game, for requests to crates/archive. */
export type Moves = Pick<Row, 'variant' | 'start_fen' | 'moves'>;

/** Requests to crates/archive; crates/archive/src/messages.rs has the same types. */
export type ArchiveRequest =
  | { read: { text: string; lang: Language; known: readonly Row[] } }
  | { next: { games: number } }
  | { look: { id: string; pgn: string } }
  | { name: { games: readonly Moves[] } }
  | { count: { games: readonly Row[]; player: string | null } };

/** A game of a PGN text that is to be stored. */
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
    /** How much of the text was read, in percent. */
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

/** Messages from the page to the worker of the archive; each has one answer, in order. */
export interface ToArchive {
  readonly address: string;
  readonly request: ArchiveRequest;
}
/** Null if the archive could not be loaded or has failed. */
export type FromArchive = ArchiveAnswer | null;

/** The close code of a game that is open in another tab. */
export const ELSEWHERE = 4010;
