// Help in a game against the computer: a hint in two steps, what is threatened, and a warning before a
// blunder. The server answers, which refuses in games between people, or this browser's computer.
import { announcer } from '../announce.svelte';
import { ask, sentence } from '../api';
import type { Table } from '../game/table.svelte';
import { isLocal } from '../local/here';
import { spokenMove, writtenMove } from '../game/words';
import { store } from '../settings.svelte';
import type { AskedHint, Hint, Wish } from '../wire';
import { loadTeach, t } from '../words/index.svelte';

const WARN = 'hansu.warn';

export class Training {
  readonly #table: Table;
  /** Whether blunders are warned of: off unless switched on. */
  warns = $state(store.read(WARN) === '1');
  busy = $state(false);
  /** The best move here, once its piece was pointed at. */
  #nudged: { plies: number; hint: Hint } | null = null;
  /** Whether a move waits for its judgement. */
  #judging = false;
  /** The move that was warned of: the same once more is played. */
  #warned: string | null = null;
  /** What is drawn, and after which number of moves. */
  arrow: { uci: string; tone: 'ours' | 'theirs'; plies: number } | null = $state.raw(null);

  constructor(table: Table) {
    this.#table = table;
    const { session } = table;
    const wish = session.wish.bind(session);
    // Moves go through here while one trains.
    session.wish = (wanted) => {
      if (wanted.type === 'move' && this.warns && this.mayAsk) void this.#check(wanted, wish);
      else wish(wanted);
    };
  }

  /** Whether there is anything to ask now. */
  get mayAsk(): boolean {
    return this.#table.toMove && this.#table.us !== null;
  }

  setWarns(on: boolean): void {
    this.warns = on;
    store.write(WARN, on ? '1' : '0');
  }

  /** First which piece, then the move. */
  async hint(): Promise<void> {
    const plies = this.#table.view.plies.length;
    const before = this.#nudged?.plies === plies ? this.#nudged.hint : null;
    const hint = before ?? (await this.#ask({ want: 'move' }));
    const { uci, san } = hint ?? {};
    if (!hint || !uci || !san) return;
    if (!before) {
      this.#nudged = { plies, hint };
      const from = uci.slice(0, 2);
      const role = this.#table.pieces.get(from)?.role ?? 'pawn';
      this.#tell(t('train.nudge', { piece: t(`role.${role}`), square: from }));
    } else {
      this.#draw(uci, 'ours');
      this.#tell(t('train.move', { move: writtenMove(san) }), spokenMove(san));
    }
  }

  /** What the computer would play if it were to move. */
  async threat(): Promise<void> {
    const hint = await this.#ask({ want: 'threat' });
    if (!hint) return;
    const { uci, san } = hint;
    if (uci) this.#draw(uci, 'theirs');
    if (san) this.#tell(t('train.threatens', { move: writtenMove(san) }), spokenMove(san));
    else this.#tell(t(this.#table.board.check ? 'train.check' : 'train.quiet'));
  }

  async #check(wanted: Wish & { type: 'move' }, play: (wish: Wish) => void): Promise<void> {
    // One move at a time; the other piece goes back.
    if (this.#judging) return this.#putBack();
    const again = this.#warned === wanted.uci;
    this.#warned = null;
    this.#judging = true;
    // While a hint is on its way there is no answer, and the move is played.
    const hint = again ? null : await this.#ask({ want: 'warning', uci: wanted.uci });
    this.#judging = false;
    // Without an answer the move is played.
    if (!hint?.uci) {
      play(wanted);
      return;
    }
    this.#warned = wanted.uci;
    this.#putBack();
    this.#draw(hint.uci, 'theirs');
    const text = hint.text || t('train.then', { move: writtenMove(hint.san ?? '') });
    this.#tell(`${text} ${t('train.anyway')}`);
  }

  /** The piece goes back to where it stands. */
  #putBack(): void {
    this.#table.session.view = { ...this.#table.session.view };
  }

  async #ask(asked: AskedHint): Promise<Hint | null> {
    const { view, session } = this.#table;
    if (this.busy || !this.mayAsk) return null;
    this.busy = true;
    try {
      await loadTeach();
      const hint = isLocal(session.id)
        ? await (await import('../local/help')).hint(asked, view)
        : await hinted(session.id, asked);
      // Meanwhile the game may have gone on.
      return this.#table.view.plies.length === view.plies.length ? hint : null;
    } catch (error) {
      if (asked.want !== 'warning') this.#tell(sentence(error));
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Stays until a piece is picked up. */
  #tell(text: string, spoken = ''): void {
    this.#table.tell(null);
    this.#table.told = text;
    announcer.say(spoken ? `${text} ${spoken}` : text);
  }

  #draw(uci: string, tone: 'ours' | 'theirs'): void {
    this.arrow = { uci, tone, plies: this.#table.view.plies.length };
  }
}

const hinted = (id: string, asked: AskedHint): Promise<Hint> =>
  ask(`/api/games/${encodeURIComponent(id)}/hint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });

const all = new WeakMap<Table, Training>();

/** The help of a game: made once, when it is first wanted. */
export function trainingOf(table: Table): Training {
  const known = all.get(table) ?? new Training(table);
  all.set(table, known);
  return known;
}
