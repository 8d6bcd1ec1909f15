// Derives from two successive views what is worth a sound or an announcement. Pure.
import type { ChatMessage, Ending, Offer, Ply, Refusal, Turn } from '../wire';
import { placement, turnOf } from './squares';
import type { GameView } from './view';

export interface Moved {
  readonly kind: 'moved';
  readonly ply: Ply;
  readonly by: Turn;
  readonly capture: boolean;
  readonly check: boolean;
  readonly castling: boolean;
  readonly promotion: boolean;
  /** A pawn captured en passant. */
  readonly passing: boolean;
}

export type Notice =
  | Moved
  | { readonly kind: 'started' }
  | { readonly kind: 'taken_back' }
  | { readonly kind: 'adjourned' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'offered'; readonly what: Offer; readonly by: Turn }
  | { readonly kind: 'declined'; readonly what: Offer; readonly by: Turn }
  | { readonly kind: 'left' | 'returned'; readonly side: Turn }
  | { readonly kind: 'chatted'; readonly said: ChatMessage }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'rematch'; readonly next: string }
  | { readonly kind: 'ended'; readonly ending: Ending };

/** A pawn that captures on an empty square. */
function inPassing({ san, uci }: Ply, before: string): boolean {
  return /^[a-h]x/.test(san) && !placement(before).has(uci.slice(2, 4));
}

function movedNotice(ply: Ply, before: string): Moved {
  const { san } = ply;
  return {
    kind: 'moved',
    ply,
    by: turnOf(before),
    capture: san.includes('x'),
    check: /[+#]$/.test(san),
    castling: san.startsWith('O-O'),
    promotion: san.includes('='),
    passing: inPassing(ply, before),
  };
}

export function notices(before: GameView, after: GameView): Notice[] {
  const found: Notice[] = [];
  if (after.denied && after.denied !== before.denied) {
    found.push({ kind: 'refused', refusal: after.denied.refusal });
  }
  // The state at arrival is not news.
  if (!before.known || !after.known) return found;
  if (before.phase === 'waiting' && after.phase === 'playing') found.push({ kind: 'started' });
  for (let at = before.plies.length; at < after.plies.length; at++) {
    const ply = after.plies[at];
    const board = at === 0 ? after.first : after.plies[at - 1]?.board;
    if (ply && board) found.push(movedNotice(ply, board.fen));
  }
  if (after.plies.length < before.plies.length) found.push({ kind: 'taken_back' });
  if (before.phase === 'playing' && after.phase === 'adjourned') found.push({ kind: 'adjourned' });
  if (before.phase === 'adjourned' && after.phase === 'playing') found.push({ kind: 'resumed' });
  for (const offer of after.offers) {
    if (!before.offers.some(({ what, by }) => what === offer.what && by === offer.by)) {
      found.push({ kind: 'offered', what: offer.what, by: offer.by });
    }
  }
  if (after.declined && after.declined.seq !== before.declined?.seq) {
    found.push({ kind: 'declined', what: after.declined.what, by: after.declined.by });
  }
  for (const side of ['white', 'black'] as const) {
    if (!before.left[side] && after.left[side]) found.push({ kind: 'left', side });
    if (before.left[side] && !after.left[side]) found.push({ kind: 'returned', side });
  }
  for (const said of after.chat.slice(before.chat.length)) found.push({ kind: 'chatted', said });
  if (!before.ending && after.ending) found.push({ kind: 'ended', ending: after.ending });
  if (!before.next && after.next) found.push({ kind: 'rematch', next: after.next });
  return found;
}
