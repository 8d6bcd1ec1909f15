// Games of this browser: created, continued and read.
import { ApiError } from '../api';
import type { Begun } from '../new-game';
import type { Game, LegalMoves, NewGame, Refusal, Seat, Snapshot, Why } from '../wire';
import { language, loadHere, t } from '../words/index.svelte';
import { noteLocal } from './here';
import { canThink, rules } from './module';
import type { Answer } from './shapes';
import { rowOf, dayOf, entriesOf, fileOf, keep } from './store';

/** A new random id: `~`, then twelve letters and digits as in ids of a server. */
function newId(): string {
  const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let id = '';
  while (id.length < 12) {
    // Bytes above 247 would make some digits more likely than others.
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      if (byte < 248 && id.length < 12) id += DIGITS[byte % 62] ?? '';
    }
  }
  return `~${id}`;
}

const failure = (status: number, refusal: Refusal): ApiError => new ApiError(status, refusal);

/** Creates a game; resolves when it is stored. */
export async function begin(game: NewGame): Promise<Begun> {
  if (game.with === 'computer' && !canThink()) throw new Error('no computer');
  const id = newId();
  const draw = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const request = { id, game, lang: language(), draw, now: Date.now() };
  return storeNew(id, (await rules()).ask({ start: request }));
}

/** Creates the next game of a series with the computer: the colours are exchanged. */
export async function again(previous: string): Promise<Begun> {
  const id = newId();
  const entries = await entriesOf(previous);
  return storeNew(id, (await rules()).ask({ again: { id, previous, entries, now: Date.now() } }));
}

/** Stores a new game. */
async function storeNew(id: string, answer: Answer): Promise<Begun> {
  if (answer.error) throw failure(422, answer.error);
  try {
    await keep(id, answer);
  } catch {
    await loadHere();
    throw failure(0, { code: 'not_kept', text: t('local.full') });
  }
  noteLocal();
  // The browser may ask the user, or decide by itself; the list of games shows if the answer is no.
  void navigator.storage?.persist?.();
  return { game: id };
}

export interface Found {
  readonly game: Game;
  readonly state: Snapshot;
  readonly pgn: string;
}

/** Reads a stored game. */
export async function readGame(id: string): Promise<Found> {
  const entries = await entriesOf(id);
  const file = fileOf(entries);
  if (file !== null) return read(id, file);
  const first = entries[0] && (JSON.parse(entries[0].body) as { at: number });
  const date = first ? dayOf(first.at) : '????.??.??';
  const answer = (await rules()).ask({ look: { id, entries, date } });
  const game = rowOf(answer);
  if (!game || !answer.looked) {
    throw failure(404, answer.error ?? { code: 'no_such_game', text: '' });
  }
  const { state, pgn } = answer.looked;
  const live = game.status === 'live';
  const seats = { white: 'black', black: 'white' } as const;
  const { computer } = state.start;
  const seat: Seat = computer ? seats[computer.side] : 'both';
  return { game: { game, live, seat, deletable: true }, state, pgn };
}

/** Reads a game that was imported from PGN. */
async function read(id: string, pgn: string): Promise<Found> {
  const { looked, error } = await (await import('./archive')).askArchive({ look: { id, pgn } });
  if (!looked) throw failure(404, error ?? { code: 'no_such_game', text: '' });
  return {
    game: { game: looked.row, live: false, seat: null, deletable: true },
    state: looked.state,
    pgn,
  };
}

/** The legal moves of a position without a game. */
export async function moves(fen: string): Promise<LegalMoves | null> {
  return (await rules()).ask({ moves: { fen } }).moves ?? null;
}
export async function why(fen: string, move: string): Promise<Why | null> {
  return (await rules()).ask({ why: { fen, move, lang: language() } }).why ?? null;
}
