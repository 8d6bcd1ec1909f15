// Statistics of the games of this browser, for where there is no server.
import type { PlayerPage, PlayerRow, Statistics } from '../wire';
import { asked } from './archive';
import { rows } from './store';

export interface Results {
  readonly page: PlayerPage | Statistics | null;
  readonly players: PlayerRow[];
}

/** Of one player, or of everybody without a name. */
export async function count(name: string): Promise<Results> {
  const games = (await rows()).map(({ row }) => row);
  const { counted } = await asked({ count: { games, player: name || null } });
  if (!counted) throw new Error('not counted');
  return { page: counted.player ?? counted.all, players: [...counted.players] };
}
