// Statistics of the games of this browser, for when no server is reachable.
import type { PlayerPage, PlayerRow, Statistics } from '../wire';
import { askArchive } from './archive';
import { rows } from './store';

export interface Results {
  readonly page: PlayerPage | Statistics | null;
  readonly players: PlayerRow[];
}

/** The statistics of one player, or of all games if the name is empty. */
export async function count(name: string): Promise<Results> {
  const games = (await rows()).map(({ row }) => row);
  const { counted } = await askArchive({ count: { games, player: name || null } });
  if (!counted) throw new Error('not counted');
  return { page: counted.player ?? counted.all, players: [...counted.players] };
}
