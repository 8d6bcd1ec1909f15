// Where the page begins.
import { mount } from 'svelte';
import './app.css';
import './board/board.css';
import './pieces/ink.css';
import App from './App.svelte';

import { introduced } from './server.svelte';
import { language, load } from './words/index.svelte';

// Nobody waits for sound.
import('./begin').catch(() => undefined);

const target = document.getElementById('app');
// The words first: a page never shows keys.
if (target) {
  void load(language())
    .catch(() => load('en'))
    .finally(() => mount(App, { target }));
  void introduced();
}
