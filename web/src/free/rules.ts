// What the free board asks of the rules, which run in this browser.
import { Failure } from '../api';
import { rules } from '../local/module';
import type { Branch, FreeAnswer, FreeRequest, Tree } from '../local/shapes';
import type { Kind, LegalMoves, Why } from '../wire';
import { language, t } from '../words/index.svelte';

async function ask(request: FreeRequest): Promise<FreeAnswer> {
  let answer;
  try {
    answer = (await rules()).ask({ free: request });
  } catch {
    throw new Failure(0, { code: 'no_rules', text: t('free.none') });
  }
  if (answer.error) throw new Failure(422, answer.error);
  return answer.free ?? {};
}

function known<T>(answer: T | undefined): T {
  if (answer === undefined) throw new Failure(0, { code: 'no_rules', text: t('free.none') });
  return answer;
}

export const free = {
  /** Where one may go; a position that cannot be played is a failure that says why. */
  moves: async (fen: string, variant: Kind): Promise<LegalMoves> =>
    known((await ask({ moves: { fen, variant, lang: language() } })).moves),
  play: async (fen: string, variant: Kind, move: string): Promise<Branch> =>
    known((await ask({ play: { fen, variant, move, lang: language() } })).played),
  /** Why a move may not be played. */
  why: async (fen: string, move: string): Promise<Why | null> =>
    (await rules()).ask({ why: { fen, move, lang: language() } }).why ?? null,
  /** A FEN, or the first game of a PGN. */
  read: async (text: string): Promise<Tree> =>
    known((await ask({ read: { text, lang: language() } })).tree),
  write: async (tree: Tree): Promise<string> =>
    known((await ask({ write: { tree, lang: language() } })).pgn),
};
