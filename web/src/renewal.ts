// A new build of the page: it takes over when no game is under way, and says so.
import { mount } from 'svelte';
import { attention } from './attention.svelte';
import { hasLocal } from './local/here';
import Renewed from './parts/Renewed.svelte';
import { router } from './router.svelte';
import { settings } from './settings.svelte';
import { loadHere } from './words/index.svelte';

/** How often it is looked whether a game is still under way. */
const OFTEN = 5_000;

const busy = (): boolean => attention.game !== null || router.route.page === 'game';

/** The build that this page is of. */
const own = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name=hansu-version]')?.content;

/** The build that the server has now. */
async function current(): Promise<string | undefined> {
  const html = await (await fetch(STATIC ? location.pathname : '/', { cache: 'no-store' })).text();
  return /name="hansu-version" content="(\w+)"/.exec(html)?.[1];
}

let told = false;
async function tell(): Promise<void> {
  const now = await current();
  if (told || !now || now === own()) return;
  told = true;
  await loadHere();
  mount(Renewed, { target: document.body });
}

export function attend(registration: ServiceWorkerRegistration): void {
  // A server that is away now is asked the next time a page is opened.
  if (settings.upload && hasLocal()) {
    import('./local/upload').then(({ upload }) => upload()).catch(() => undefined);
  }
  const renew = (): void => {
    const { waiting } = registration;
    if (!waiting) return;
    if (busy()) {
      setTimeout(renew, OFTEN);
      return;
    }
    waiting.postMessage('take over');
    tell().catch(() => undefined);
  };
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') renew();
    });
  });
  renew();
  // To register what is registered looks for nothing new, and the browser takes its time to.
  registration.update().catch(() => undefined);
}
