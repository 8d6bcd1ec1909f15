// Reads moves in standard algebraic notation, as the server writes them, for sentences and for
// Korean piece letters.
import type { Role } from './squares';

const ROLES: Record<string, Role> = {
  K: 'king',
  Q: 'queen',
  R: 'rook',
  B: 'bishop',
  N: 'knight',
};

export interface SpokenMove {
  readonly castling: 'left' | 'right' | null;
  readonly role: Role;
  /** The file, rank or square that distinguishes two pieces. */
  readonly from: string;
  readonly capture: boolean;
  readonly to: string;
  readonly promotion: Role | null;
  readonly end: 'check' | 'mate' | null;
}

const SAN = /^([KQRBN])?([a-h]?[1-8]?)(x)?([a-h][1-8])(?:=([QRBN]))?([+#])?$/;

/** The parts of a move in algebraic notation; null if it is not one. */
export function parseSan(san: string): SpokenMove | null {
  const end = san.endsWith('#') ? 'mate' : san.endsWith('+') ? 'check' : null;
  const none = { role: 'king' as const, from: '', capture: false, to: '', promotion: null };
  if (/^O-O-O/.test(san)) return { ...none, castling: 'left', end };
  if (/^O-O/.test(san)) return { ...none, castling: 'right', end };
  const match = SAN.exec(san);
  if (!match) return null;
  const [, letter, from = '', x, to = '', as] = match;
  return {
    castling: null,
    role: letter ? (ROLES[letter] ?? 'pawn') : 'pawn',
    from,
    capture: !!x,
    to,
    promotion: as ? (ROLES[as] ?? null) : null,
    end,
  };
}

const HANGUL: Record<string, string> = { K: '킹', Q: '퀸', R: '룩', B: '비', N: '나' };

/** A move with Korean piece letters: `나f3`, `비xb5+`, `e8=퀸`. */
export function inKorean(san: string): string {
  return san.replace(/[KQRBN]/g, (letter) => HANGUL[letter] ?? letter);
}
