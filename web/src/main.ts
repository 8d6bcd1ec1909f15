// Where the page begins.
import { mount } from 'svelte';
import './app.css';
import './board/board.css';
import './pieces/ink.css';
import App from './App.svelte';

const target = document.getElementById('app');
if (target) mount(App, { target });
