// The parts of an analysis that need no words.
import type { Analysis, Grade, SeenPosition } from '../wire';

/** The sign of a move's grade. */
export const SIGNS: Record<Grade, string> = {
  fine: '',
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
};

/** A score for White as text: `+0.34`, `−1.20`, `#3`, `#` for a mate on the board. */
export function scoreText({ score, mate }: Pick<SeenPosition, 'score' | 'mate'>): string {
  if (mate === 0) return '#';
  if (mate !== null) return mate < 0 ? `#−${-mate}` : `#${mate}`;
  const pawns = Math.abs((score ?? 0) / 100).toFixed(2);
  return (score ?? 0) > 0 ? `+${pawns}` : (score ?? 0) < 0 ? `−${pawns}` : pawns;
}

/** Thousandths as whole percent. */
export const percent = (thousandths: number): number => Math.round(thousandths / 10);

/** The plies of mistakes and blunders. */
export function turningPoints({ moves }: Pick<Analysis, 'moves'>): number[] {
  return moves.flatMap(({ grade }, index) =>
    grade === 'mistake' || grade === 'blunder' ? [index + 1] : [],
  );
}

/** White's chances as an SVG area: one unit wide per move, 100 high. */
export function area(positions: readonly Pick<SeenPosition, 'chance'>[]): string {
  if (positions.length === 0) return '';
  const top = positions.map(({ chance }, index) => `L${index} ${(1000 - chance) / 10}`);
  return `M0 100${top.join('')}L${positions.length - 1} 100Z`;
}

/** The centre of a square, in squares from the upper left corner. */
export function middle(square: string, white: boolean): { x: number; y: number } {
  const file = square.charCodeAt(0) - 97;
  const rank = square.charCodeAt(1) - 49;
  return white ? { x: file + 0.5, y: 7.5 - rank } : { x: 7.5 - file, y: rank + 0.5 };
}
