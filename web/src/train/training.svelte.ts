// Help in a game against the computer: a hint in two steps, the opponent's threat, and a warning
// before a blunder. The server answers (it refuses in games between people), or this browser.
import { announcer } from '../announce.svelte';
import { ask, errorText } from '../api';
import type { GameController } from '../game/game-controller.svelte';
import { isLocal } from '../local/here';
import { spokenMove, writtenMove } from '../game/words';
import { store } from '../settings.svelte';
import type { AskedHint, Hint, Wish } from '../wire';
import { loadTeach, t } from '../words/index.svelte';

const WARN = 'hansu.warn';

export class Training {
  readonly #game: GameController;
  /** True if the player is warned of blunders; off by default. */
  warns = $state(store.read(WARN) === '1');
  busy = $state(false);
  /** The best move of this position, after the first step of the hint named its piece. */
  #nudged: { plies: number; hint: Hint } | null = null;
  /** True while a move waits for its evaluation. */
  #judging = false;
  /** The move that was warned of: when it is made again, it is played. */
  #warned: string | null = null;
  /** The arrow on the board, or the ring around a square, and the number of moves for which it is
   * valid. */
  arrow: { uci: string; tone: 'ours' | 'theirs'; plies: number } | null = $state.raw(null);

  constructor(game: GameController) {
    this.#game = game;
    const { session } = game;
    const wish = session.wish.bind(session);
    // All moves pass here first.
    session.wish = (wanted) => {
      if (wanted.type === 'move' && this.warns && this.mayAsk) void this.#check(wanted, wish);
      else wish(wanted);
    };
  }

  /** True if the player may ask for help now. */
  get mayAsk(): boolean {
    return this.#game.toMove && this.#game.us !== null;
  }

  setWarns(on: boolean): void {
    this.warns = on;
    store.write(WARN, on ? '1' : '0');
  }

  /** The first call names the piece, the second shows the move. */
  async hint(): Promise<void> {
    const plies = this.#game.view.plies.length;
    const before = this.#nudged?.plies === plies ? this.#nudged.hint : null;
    const hint = before ?? (await this.#ask({ want: 'move' }));
    const { uci, san } = hint ?? {};
    if (!hint || !uci || !san) return;
    if (!before) {
      this.#nudged = { plies, hint };
      const from = uci.slice(0, 2);
      const role = this.#game.pieces.get(from)?.role ?? 'pawn';
      this.#draw(from, 'ours');
      this.#show(t('train.nudge', { piece: t(`role.${role}`), square: from }));
    } else {
      this.#draw(uci, 'ours');
      this.#show(t('train.move', { move: writtenMove(san) }), spokenMove(san));
    }
  }

  /** Shows what the computer would play if it were its turn. */
  async threat(): Promise<void> {
    const hint = await this.#ask({ want: 'threat' });
    if (!hint) return;
    const { uci, san } = hint;
    if (uci) this.#draw(uci, 'theirs');
    if (san) this.#show(t('train.threatens', { move: writtenMove(san) }), spokenMove(san));
    else this.#show(t(this.#game.board.check ? 'train.check' : 'train.quiet'));
  }

  async #check(wanted: Wish & { type: 'move' }, play: (wish: Wish) => void): Promise<void> {
    // One move at a time: the second piece is put back.
    if (this.#judging) return this.#putBack();
    const again = this.#warned === wanted.uci;
    this.#warned = null;
    this.#judging = true;
    // If a hint is being asked for there is no answer, and the move is played.
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
    this.#show(`${text} ${t('train.anyway')}`);
  }

  /** Puts the piece back on its square. */
  #putBack(): void {
    this.#game.session.view = { ...this.#game.session.view };
  }

  async #ask(asked: AskedHint): Promise<Hint | null> {
    const { view, session } = this.#game;
    if (this.busy || !this.mayAsk) return null;
    this.busy = true;
    try {
      await loadTeach();
      const hint = isLocal(session.id)
        ? await (await import('../local/help')).hint(asked, view)
        : await hinted(session.id, asked);
      // The game may have continued in the meantime.
      return this.#game.view.plies.length === view.plies.length ? hint : null;
    } catch (error) {
      if (asked.want !== 'warning') this.#show(errorText(error));
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Shows a message until a piece is picked up. */
  #show(text: string, spoken = ''): void {
    this.#game.showMessage(null);
    this.#game.message = text;
    announcer.say(spoken ? `${text} ${spoken}` : text);
  }

  #draw(uci: string, tone: 'ours' | 'theirs'): void {
    this.arrow = { uci, tone, plies: this.#game.view.plies.length };
  }
}

const hinted = (id: string, asked: AskedHint): Promise<Hint> =>
  ask(`/api/games/${encodeURIComponent(id)}/hint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });

const all = new WeakMap<GameController, Training>();

/** The help of a game, created at the first call. */
export function trainingOf(game: GameController): Training {
  const known = all.get(game) ?? new Training(game);
  all.set(game, known);
  return known;
}
