// What of a game is heard: a sound and a sentence for everything that happens at a table.
import { announcer } from '../announce.svelte';
import { play, type Cue } from '../sound';
import type { Ending, Turn } from '../wire';
import { t } from '../words/index.svelte';
import type { Notice } from './notices';
import type { Table } from './table.svelte';
import { colorName, offerText, spokenMove, statusText } from './words';

function endCue({ winner }: Ending, us: Turn | null): Cue {
  if (winner === 'none') return 'draw';
  return us && winner !== us ? 'loss' : 'win';
}

/** Sounds and says what has happened. */
export function tell(notice: Notice, table: Table): void {
  const { view } = table;
  switch (notice.kind) {
    case 'moved': {
      const { castling, capture, check, promotion, passing, ply, by } = notice;
      play(castling ? 'castling' : promotion ? 'promotion' : capture ? 'capture' : 'move');
      if (check) play('check');
      const move = spokenMove(ply.san, table.orientation);
      const said = t('announce.move', { color: colorName(by), move });
      const whole = passing ? `${said}, ${t('spoken.passing')}` : said;
      announcer.say(whole);
      // What is more than a move is told to the eye, too.
      table.tell(castling || promotion || passing ? whole : null);
      break;
    }
    case 'started':
      play('start');
      announcer.say(t('announce.started'));
      break;
    case 'taken_back':
    case 'adjourned':
    case 'resumed':
      announcer.say(t(`announce.${notice.kind}`));
      break;
    case 'offered':
      if (table.local) break;
      if (notice.by !== table.us) play('offer');
      announcer.say(
        notice.by === table.us
          ? t(`offering.${notice.what}`)
          : offerText(notice.what, view.start.names[notice.by]),
      );
      break;
    case 'declined':
      if (notice.by !== table.us) announcer.say(t(`declined.${notice.what}`));
      break;
    case 'left':
    case 'returned':
      announcer.say(t(`announce.${notice.kind}`, { name: view.start.names[notice.side] }));
      break;
    case 'chatted':
      // One's own words are not read back.
      if (table.us && notice.said.from === table.us) break;
      play('chat');
      announcer.say(`${notice.said.name || t('player.guest')}: ${notice.said.text}`);
      break;
    case 'refused':
      play('refused');
      announcer.say(notice.refusal.text);
      break;
    case 'ended':
      play(endCue(notice.ending, table.us));
      announcer.say(statusText(table.status));
      break;
    case 'rematch':
      break;
  }
}

export function sayLow(side: Turn, table: Table): void {
  if (table.us !== null && side !== table.us) return;
  play('low_time');
  announcer.say(t('announce.low', { color: colorName(side) }));
}
