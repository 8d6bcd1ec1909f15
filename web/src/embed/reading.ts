// Reads FENs and results for an embedded game. (game/squares.ts does the same, but it is in a chunk
// that all pages share, ten times as large as this program.)

const ROLES: Record<string, string> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

/** The 64 squares in display order, each with the CSS class of its piece. */
export function orderedPieces(fen: string, turned: boolean): { square: string; piece: string }[] {
  const signs = (fen.split(' ', 1)[0] ?? '')
    .replace(/\d/g, (count) => ' '.repeat(Number(count)))
    .split('/')
    .map((row) => row.padEnd(8).slice(0, 8));
  const squares = Array.from({ length: 64 }, (_, index) => {
    const sign = signs[index >> 3]?.[index & 7] ?? ' ';
    const role = ROLES[sign.toLowerCase()];
    const color = sign === sign.toLowerCase() ? 'black' : 'white';
    return {
      square: `${'abcdefgh'[index & 7]}${8 - (index >> 3)}`,
      piece: role ? `${color} ${role}` : '',
    };
  });
  return turned ? squares.reverse() : squares;
}

/** The number before a move: `12.`; before a move of Black, if `always`, `12…`. */
export function moveNumber(first: string, index: number, always: boolean): string {
  const [, turn, , , , number] = first.split(' ');
  const plies = index + (turn === 'b' ? 1 : 0);
  const move = (Number(number) || 1) + (plies >> 1);
  if (plies % 2 === 0) return `${move}.`;
  return always ? `${move}…` : '';
}

/** The score of each side. */
export function scores(result: string): Partial<Record<'white' | 'black', string>> {
  return (
    {
      '1-0': { white: '1', black: '0' },
      '0-1': { white: '0', black: '1' },
      '1/2-1/2': { white: '½', black: '½' },
    }[result] ?? {}
  );
}

/** The result in words. */
export function results(
  result: string,
  t: (key: 'embed.white' | 'embed.black' | 'embed.draw' | 'embed.open') => string,
): string {
  const { white } = scores(result);
  if (white === undefined) return t('embed.open');
  const key = white === '½' ? 'embed.draw' : white === '1' ? 'embed.white' : 'embed.black';
  const score = result === '1/2-1/2' ? '½–½' : result.replace('-', '–');
  return `${score} ${t(key)}`;
}
