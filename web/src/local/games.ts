// Games of this browser as the rest of the page asks for them: begun, listed, looked at.
import { Failure } from '../api';
import type { Begun } from '../beginning';
import type { Game, LegalMoves, NewGame, Place, Refusal, Snapshot, Why } from '../wire';
import { language, loadHere, t } from '../words/index.svelte';
import { noteLocal } from './here';
import { canThink, rules } from './module';
import type { Answer } from './shapes';
import { dated, dayOf, entriesOf, fileOf, keep } from './store';

/** A name that no other game has: twelve letters and digits, as a server's log has them. */
function fresh(): string {
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

const failure = (status: number, refusal: Refusal): Failure => new Failure(status, refusal);

/** Begins a game, once it is on the disk. */
export async function begin(game: NewGame): Promise<Begun> {
  if (game.with === 'computer' && !canThink()) throw new Error('no computer');
  const id = fresh();
  const draw = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const request = { id, game, lang: language(), draw, now: Date.now() };
  return kept(id, (await rules()).ask({ start: request }));
}

/** Begins the next game of a series with the computer: the colours are exchanged. */
export async function again(previous: string): Promise<Begun> {
  const id = fresh();
  const entries = await entriesOf(previous);
  return kept(id, (await rules()).ask({ again: { id, previous, entries, now: Date.now() } }));
}

/** What has begun is on the disk. */
async function kept(id: string, answer: Answer): Promise<Begun> {
  if (answer.error) throw failure(422, answer.error);
  try {
    await keep(id, answer);
  } catch {
    await loadHere();
    throw failure(0, { code: 'not_kept', text: t('local.full') });
  }
  noteLocal();
  // The browser may ask the person, or decide by itself; the list says when the answer is no.
  void navigator.storage?.persist?.();
  return { game: id };
}

export interface Found {
  readonly game: Game;
  readonly state: Snapshot;
  readonly pgn: string;
}

/** A game as it was kept. */
export async function look(id: string): Promise<Found> {
  const entries = await entriesOf(id);
  const file = fileOf(entries);
  if (file !== null) return read(id, file);
  const first = entries[0] && (JSON.parse(entries[0].body) as { at: number });
  const date = first ? dayOf(first.at) : '????.??.??';
  const answer = (await rules()).ask({ look: { id, entries, date } });
  const game = dated(answer);
  if (!game || !answer.looked) {
    throw failure(404, answer.error ?? { code: 'no_such_game', text: '' });
  }
  const { state, pgn } = answer.looked;
  const live = game.status === 'live';
  const seats = { white: 'black', black: 'white' } as const;
  const { computer } = state.start;
  const seat: Place = computer ? seats[computer.side] : 'both';
  return { game: { game, live, seat, deletable: true }, state, pgn };
}

/** A game that was read from PGN. */
async function read(id: string, pgn: string): Promise<Found> {
  const { looked, error } = await (await import('./archive')).asked({ look: { id, pgn } });
  if (!looked) throw failure(404, error ?? { code: 'no_such_game', text: '' });
  return {
    game: { game: looked.row, live: false, seat: null, deletable: true },
    state: looked.state,
    pgn,
  };
}

/** For a board that stands before any game. */
export async function moves(fen: string): Promise<LegalMoves | null> {
  return (await rules()).ask({ moves: { fen } }).moves ?? null;
}
export async function why(fen: string, move: string): Promise<Why | null> {
  return (await rules()).ask({ why: { fen, move, lang: language() } }).why ?? null;
}
