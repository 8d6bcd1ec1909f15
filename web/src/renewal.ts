// A new build of the page takes over when no game is under way, and the page says so.
import { mount } from 'svelte';
import { attention } from './attention.svelte';
import { hasLocal } from './local/here';
import Renewed from './parts/Renewed.svelte';
import { router } from './router.svelte';
import { settings } from './settings.svelte';
import { loadHere } from './words/index.svelte';

/** Milliseconds between two checks whether a game is still under way. */
const CHECK_INTERVAL = 5_000;

const busy = (): boolean => attention.game !== null || router.route.page === 'game';

/** The id of the build that this page belongs to. */
const ownBuild = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name=hansu-version]')?.content;

/** The id of the build that the server has now. */
async function serverBuild(): Promise<string | undefined> {
  const html = await (await fetch(STATIC ? location.pathname : '/', { cache: 'no-store' })).text();
  return /name="hansu-version" content="(\w+)"/.exec(html)?.[1];
}

let told = false;
async function showRenewed(): Promise<void> {
  const now = await serverBuild();
  if (told || !now || now === ownBuild()) return;
  told = true;
  await loadHere();
  mount(Renewed, { target: document.body });
}

export function watchForUpdates(registration: ServiceWorkerRegistration): void {
  // If the server is away, the upload is tried again when a page is opened the next time.
  if (settings.upload && hasLocal()) {
    import('./local/upload').then(({ upload }) => upload()).catch(() => undefined);
  }
  const renew = (): void => {
    const { waiting } = registration;
    if (!waiting) return;
    if (busy()) {
      setTimeout(renew, CHECK_INTERVAL);
      return;
    }
    waiting.postMessage('take over');
    showRenewed().catch(() => undefined);
  };
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') renew();
    });
  });
  renew();
  // `register` does not look for a new version of a registered worker; the browser does so late.
  registration.update().catch(() => undefined);
}
