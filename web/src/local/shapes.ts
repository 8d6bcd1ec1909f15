// What is asked of crates/browser, and what it answers; crates/browser/src/shapes.rs has the same.
import type { Language, LegalMoves, NewGame, Refusal, Row, Snapshot, Why } from '../wire';

/** An entry of a game in the text that a log keeps. */
export interface Kept {
  readonly seq: number;
  readonly body: string;
  /** The name of the command that led to it. */
  readonly client?: string;
}

export type Request =
  | { start: { id: string; game: NewGame; lang: Language; draw: number; now: number } }
  | { resume: { id: string; entries: readonly Kept[] } }
  | { hear: { text: string; now: number } }
  | { tick: { now: number } }
  | { undo: Record<string, never> }
  | { look: { id: string; entries: readonly Kept[]; date: string } }
  | { moves: { fen: string } }
  | { why: { fen: string; move: string; lang: Language } };

export interface Answer {
  readonly entries?: readonly Kept[];
  readonly messages?: readonly string[];
  readonly row?: Row;
  readonly started?: number;
  readonly ended?: number;
  /** When a tick may have something to do. */
  readonly wake?: number;
  readonly looked?: { readonly state: Snapshot; readonly pgn: string };
  readonly moves?: LegalMoves;
  readonly why?: Why;
  readonly error?: Refusal;
  /** The code with which a server would close the line. */
  readonly close?: number;
}

/** What a page says to the worker of a game, and hears from it. */
export type ToWorker =
  | { type: 'open'; module: WebAssembly.Module; id: string; notKept: string }
  | { type: 'say'; text: string };
export type FromWorker =
  { type: 'opened' } | { type: 'said'; text: string } | { type: 'closed'; code: number };

/** The game is open in another tab, which plays it. */
export const ELSEWHERE = 4010;
