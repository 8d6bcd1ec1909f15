// What stands in the reserved place beside the board, the most pressing first.
import type { PromptContent } from '../parts/Prompt.svelte';
import { t } from '../words/index.svelte';
import { shown } from './clock';
import type { Deed, Table } from './table.svelte';
import { colorName, offerText } from './words';
import { other } from './squares';

/** A question before something that cannot be undone. */
function confirmation(deed: Deed, table: Table, reset: () => void): PromptContent {
  const does: Record<Deed, () => void> = {
    resign: () => table.wish({ type: 'resign' }),
    abort: () => table.wish({ type: 'abort' }),
    draw: () => table.offer('draw'),
    takeback: () => table.offer('takeback'),
    adjournment: () => table.offer('adjournment'),
    reset,
  };
  return {
    text: t(table.local ? `confirm.local.${deed}` : `confirm.${deed}`, {
      color: colorName(table.turn),
    }),
    asks: true,
    takesFocus: true,
    choices: [
      {
        label: t(`do.${deed}`),
        look: deed === 'resign' || deed === 'abort' ? 'danger' : 'primary',
        run: does[deed],
      },
      { label: t('confirm.no'), run: () => (table.confirming = null) },
    ],
  };
}

/** `now` is the server's time. */
export function promptFor(table: Table, now: number, reset: () => void): PromptContent | null {
  const { view, us } = table;
  if (table.confirming) return confirmation(table.confirming, table, reset);
  if (table.offered) {
    const what = table.offered;
    return {
      text: offerText(what, us ? view.start.names[other(us)] : ''),
      choices: [
        { label: t('offer.accept'), look: 'primary', run: () => table.answer(what, true) },
        { label: t('offer.decline'), run: () => table.answer(what, false) },
      ],
    };
  }
  if (table.castlings.length > 0) {
    const sides = table.castlings.map(({ direction, uci }) => ({
      label: t(`castling.${direction}`),
      look: 'primary' as const,
      run: () => table.wish({ type: 'move', uci }),
    }));
    const [one] = table.castlings;
    const both = table.castlings.length > 1;
    return {
      text: both ? t('castling.both') : t(`castling.only.${one?.direction ?? 'left'}`),
      asks: true,
      choices: [...sides, { label: t('castling.cancel'), run: () => table.unselect() }],
    };
  }
  if (view.denied) return { text: view.denied.refusal.text, tone: 'wrong' };
  if (table.passing.length > 0) {
    const squares = table.passing.map((uci) => uci.slice(2, 4)).join(', ');
    return { text: t('passing.text', { squares }), asks: true };
  }
  if (table.told) return { text: table.told };
  if (!table.live) {
    return {
      text: t('review.at', { at: table.at, of: view.plies.length }),
      choices: [{ label: t('review.back'), look: 'primary', run: () => table.step(Infinity) }],
    };
  }
  if (view.phase === 'adjourned') {
    if (table.offering === 'resumption') return { text: t('offering.resumption') };
    return {
      text: t('adjourned.text'),
      choices: table.seated
        ? [{ label: t('adjourned.resume'), look: 'primary', run: () => table.offer('resumption') }]
        : undefined,
    };
  }
  const claim = table.toMove ? view.moves?.claim : null;
  if (claim) {
    return {
      text: t(claim === 'fifty_moves' ? 'claim.fifty_moves' : 'claim.threefold_repetition'),
      asks: true,
      choices: [
        { label: t('claim.draw'), look: 'primary', run: () => table.wish({ type: 'claim_draw' }) },
      ],
    };
  }
  if (table.claimableAt !== null && us) {
    const name = view.start.names[other(us)];
    const wait = table.claimableAt - now;
    if (wait > 0)
      return { text: t('absence.wait', { name, time: shown(Math.ceil(wait / 1000) * 1000) }) };
    return {
      text: t('absence.claim', { name }),
      asks: true,
      choices: [
        { label: t('absence.win'), look: 'primary', run: () => table.claimAbsence('win') },
        { label: t('absence.draw'), run: () => table.claimAbsence('draw') },
      ],
    };
  }
  if (table.offering) return { text: t(`offering.${table.offering}`) };
  if (view.declined && us && view.declined.by !== us) {
    return { text: t(`declined.${view.declined.what}`) };
  }
  if (view.premoves.length > 0) {
    return {
      text: t('premove.text', { count: view.premoves.length }),
      choices: [{ label: t('premove.clear'), run: () => table.session.unpremove() }],
    };
  }
  if (view.seat === null && view.known) return { text: t('watching.text') };
  return null;
}
