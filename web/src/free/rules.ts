// The rules for the free board; they run in this browser.
import { ApiError } from '../api';
import { rules } from '../local/module';
import type { Branch, FreeAnswer, FreeRequest, Tree } from '../local/shapes';
import type { Kind, LegalMoves, Why } from '../wire';
import { language, t } from '../words/index.svelte';

async function ask(request: FreeRequest): Promise<FreeAnswer> {
  let answer;
  try {
    answer = (await rules()).ask({ free: request });
  } catch {
    throw new ApiError(0, { code: 'no_rules', text: t('free.none') });
  }
  if (answer.error) throw new ApiError(422, answer.error);
  return answer.free ?? {};
}

function requireAnswer<T>(answer: T | undefined): T {
  if (answer === undefined) throw new ApiError(0, { code: 'no_rules', text: t('free.none') });
  return answer;
}

export const free = {
  /** The legal moves; throws, with a reason, for a position that cannot be played. */
  moves: async (fen: string, variant: Kind): Promise<LegalMoves> =>
    requireAnswer((await ask({ moves: { fen, variant, lang: language() } })).moves),
  play: async (fen: string, variant: Kind, move: string): Promise<Branch> =>
    requireAnswer((await ask({ play: { fen, variant, move, lang: language() } })).played),
  /** Why a move is not legal. */
  why: async (fen: string, move: string): Promise<Why | null> =>
    (await rules()).ask({ why: { fen, move, lang: language() } }).why ?? null,
  /** Reads a FEN, or the first game of a PGN. */
  read: async (text: string): Promise<Tree> =>
    requireAnswer((await ask({ read: { text, lang: language() } })).tree),
  write: async (tree: Tree): Promise<string> =>
    requireAnswer((await ask({ write: { tree, lang: language() } })).pgn),
};
