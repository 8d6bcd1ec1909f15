// "Your turn" for somebody who looks elsewhere: a dot on the tab's icon, a sound, and a notification
// where that was allowed. Nothing leaves this browser.
import { settings } from './settings.svelte';
import { play } from './sound';
import { t } from './words/index.svelte';

const DOT = '<circle cx="50" cy="14" r="13" fill="#d64545" stroke="#fffdf8" stroke-width="3"/>';
const ICON = `${import.meta.env.BASE_URL}icon.svg`;
let dotted: string | null = null;

/** The icon of the tab, with a dot or without. */
export async function mark(on: boolean): Promise<void> {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!icon) return;
  if (on && !dotted) {
    const plain = await fetch(ICON).then((answer) => answer.text());
    dotted = `data:image/svg+xml,${encodeURIComponent(plain.replace('</svg>', `${DOT}</svg>`))}`;
  }
  icon.href = on && dotted ? dotted : ICON;
}

/** Whether this browser can notify at all; over plain http to another machine it cannot. */
export const canNotify = (): boolean => 'Notification' in window && isSecureContext;

/** Asks the person; the answer is whether notifications may be shown. */
export async function allowed(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** It has become one's turn while the tab was out of sight. */
export function call(): void {
  if (!document.hidden) return;
  play('offer');
  if (!settings.notify || !canNotify() || Notification.permission !== 'granted') return;
  const options = {
    body: t('app.name'),
    tag: 'hansu-turn',
    icon: `${import.meta.env.BASE_URL}icon-192.png`,
  };
  try {
    const shown = new Notification(t('title.turn'), options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones notify only through their worker.
    void navigator.serviceWorker?.getRegistration().then((worker) => {
      void worker?.showNotification(t('title.turn'), options);
    });
  }
}
