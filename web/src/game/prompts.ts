// The content of the reserved area beside the board (parts/Prompt.svelte): the most urgent first.
import type { PromptContent } from '../parts/Prompt.svelte';
import { t } from '../words/index.svelte';
import { formatClock } from './clock';
import type { Deed, GameController } from './game-controller.svelte';
import { colorName, offerText } from './words';
import { other } from './squares';

/** The confirmation of something that cannot be undone. */
function confirmation(deed: Deed, game: GameController, reset: () => void): PromptContent {
  const does: Record<Deed, () => void> = {
    resign: () => game.wish({ type: 'resign' }),
    abort: () => game.wish({ type: 'abort' }),
    draw: () => game.offer('draw'),
    takeback: () => game.offer('takeback'),
    adjournment: () => game.offer('adjournment'),
    reset,
  };
  return {
    text: t(game.local ? `confirm.local.${deed}` : `confirm.${deed}`, {
      color: colorName(game.turn),
    }),
    asks: true,
    takesFocus: true,
    choices: [
      {
        label: t(`do.${deed}`),
        look: deed === 'resign' || deed === 'abort' ? 'danger' : 'primary',
        run: does[deed],
      },
      { label: t('confirm.no'), run: () => (game.confirming = null) },
    ],
  };
}

/** `now` is in the server's time. */
export function promptFor(
  game: GameController,
  now: number,
  reset: () => void,
): PromptContent | null {
  const { view, us } = game;
  if (game.confirming) return confirmation(game.confirming, game, reset);
  if (game.offered) {
    const what = game.offered;
    return {
      text: offerText(what, us ? view.start.names[other(us)] : ''),
      choices: [
        { label: t('offer.accept'), look: 'primary', run: () => game.answer(what, true) },
        { label: t('offer.decline'), run: () => game.answer(what, false) },
      ],
    };
  }
  if (game.castlings.length > 0) {
    const sides = game.castlings.map(({ direction, uci }) => ({
      label: t(`castling.${direction}`),
      look: 'primary' as const,
      run: () => game.wish({ type: 'move', uci }),
    }));
    const [one] = game.castlings;
    const both = game.castlings.length > 1;
    return {
      text: both ? t('castling.both') : t(`castling.only.${one?.direction ?? 'left'}`),
      asks: true,
      choices: [...sides, { label: t('castling.cancel'), run: () => game.unselect() }],
    };
  }
  if (view.denied) return { text: view.denied.refusal.text, tone: 'wrong' };
  if (game.passing.length > 0) {
    const squares = game.passing.map((uci) => uci.slice(2, 4)).join(', ');
    return { text: t('passing.text', { squares }), asks: true };
  }
  if (game.message) return { text: game.message };
  if (!game.live) {
    return {
      text: t('review.at', { at: game.at, of: view.plies.length }),
      choices: [{ label: t('review.back'), look: 'primary', run: () => game.step(Infinity) }],
    };
  }
  if (view.phase === 'adjourned') {
    if (game.offering === 'resumption') return { text: t('offering.resumption') };
    return {
      text: t('adjourned.text'),
      choices: game.seated
        ? [
            {
              label: t('adjourned.resume'),
              look: 'primary',
              run: () => game.offer('resumption'),
            },
          ]
        : undefined,
    };
  }
  const claim = game.toMove ? view.moves?.claim : null;
  if (claim) {
    return {
      text: t(claim === 'fifty_moves' ? 'claim.fifty_moves' : 'claim.threefold_repetition'),
      asks: true,
      choices: [
        {
          label: t('claim.draw'),
          look: 'primary',
          run: () => game.wish({ type: 'claim_draw' }),
        },
      ],
    };
  }
  if (game.claimableAt !== null && us) {
    const name = view.start.names[other(us)];
    const wait = game.claimableAt - now;
    if (wait > 0)
      return {
        text: t('absence.wait', { name, time: formatClock(Math.ceil(wait / 1000) * 1000) }),
      };
    return {
      text: t('absence.claim', { name }),
      asks: true,
      choices: [
        { label: t('absence.win'), look: 'primary', run: () => game.claimAbsence('win') },
        { label: t('absence.draw'), run: () => game.claimAbsence('draw') },
      ],
    };
  }
  if (game.offering) return { text: t(`offering.${game.offering}`) };
  if (view.declined && us && view.declined.by !== us) {
    return { text: t(`declined.${view.declined.what}`) };
  }
  if (view.premoves.length > 0) {
    return {
      text: t('premove.text', { count: view.premoves.length }),
      choices: [{ label: t('premove.clear'), run: () => game.session.unpremove() }],
    };
  }
  if (view.seat === null && view.known) return { text: t('watching.text') };
  return null;
}
