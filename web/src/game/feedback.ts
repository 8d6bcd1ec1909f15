// Turns the notices of a game into sounds and announcements.
import { announcer } from '../announce.svelte';
import { play, type Cue } from '../sound';
import type { Ending, Turn } from '../wire';
import { t } from '../words/index.svelte';
import type { Notice } from './notices';
import type { GameController } from './game-controller.svelte';
import { colorName, offerText, spokenMove, statusText } from './words';

function endCue({ winner }: Ending, us: Turn | null): Cue {
  if (winner === 'none') return 'draw';
  return us && winner !== us ? 'loss' : 'win';
}

/** Plays the sound of a notice and announces it. */
export function announceNotice(notice: Notice, game: GameController): void {
  const { view } = game;
  switch (notice.kind) {
    case 'moved': {
      const { castling, capture, check, promotion, passing, ply, by } = notice;
      play(castling ? 'castling' : promotion ? 'promotion' : capture ? 'capture' : 'move');
      if (check) play('check');
      const move = spokenMove(ply.san, game.orientation);
      const said = t('announce.move', { color: colorName(by), move });
      const whole = passing ? `${said}, ${t('spoken.passing')}` : said;
      announcer.say(whole);
      // A special move is shown as a message, too.
      game.showMessage(castling || promotion || passing ? whole : null);
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
      if (game.local) break;
      if (notice.by !== game.us) play('offer');
      announcer.say(
        notice.by === game.us
          ? t(`offering.${notice.what}`)
          : offerText(notice.what, view.start.names[notice.by]),
      );
      break;
    case 'declined':
      if (notice.by !== game.us) announcer.say(t(`declined.${notice.what}`));
      break;
    case 'left':
    case 'returned':
      announcer.say(t(`announce.${notice.kind}`, { name: view.start.names[notice.side] }));
      break;
    case 'chatted':
      // The player's own message is not announced.
      if (game.us && notice.said.from === game.us) break;
      play('chat');
      announcer.say(`${notice.said.name || t('player.guest')}: ${notice.said.text}`);
      break;
    case 'refused':
      play('refused');
      announcer.say(notice.refusal.text);
      break;
    case 'ended':
      play(endCue(notice.ending, game.us));
      announcer.say(statusText(game.status));
      break;
    case 'rematch':
      break;
  }
}

export function sayLow(side: Turn, game: GameController): void {
  if (game.us !== null && side !== game.us) return;
  play('low_time');
  announcer.say(t('announce.low', { color: colorName(side) }));
}
