// Notifies a player who looks at another tab that it is their turn: a dot on the tab's icon, a
// sound, and a notification if that is allowed. Nothing is sent to a server.
import { settings } from './settings.svelte';
import { play } from './sound';
import { t } from './words/index.svelte';

const DOT = '<circle cx="50" cy="14" r="13" fill="#d64545" stroke="#fffdf8" stroke-width="3"/>';
const ICON = `${import.meta.env.BASE_URL}icon.svg`;
let dotted: string | null = null;

/** Draws the tab's icon, with a dot or without. */
export async function drawIcon(on: boolean): Promise<void> {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!icon) return;
  if (on && !dotted) {
    const plain = await fetch(ICON).then((answer) => answer.text());
    dotted = `data:image/svg+xml,${encodeURIComponent(plain.replace('</svg>', `${DOT}</svg>`))}`;
  }
  icon.href = on && dotted ? dotted : ICON;
}

/** True if this browser can show notifications; over plain HTTP from another machine it cannot. */
export const canNotify = (): boolean => 'Notification' in window && isSecureContext;

/** Asks the user for permission; resolves to true if notifications may be shown. */
export async function requestPermission(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** Notifies the player if the tab is hidden. */
export function notifyTurn(): void {
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
    // Some phones show notifications only through the service worker.
    void navigator.serviceWorker?.getRegistration().then((worker) => {
      void worker?.showNotification(t('title.turn'), options);
    });
  }
}
