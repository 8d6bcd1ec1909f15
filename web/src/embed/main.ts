// One public game in an iframe of another site (`/embed/…`): board, moves, names, result, and a
// link to the full page. A small program of its own: no framework, no settings, no use of the
// visitor's key, nothing stored. A running game shows its moves until now; the link leads to the
// live game.
import '../app.css';
import '../board/board.css';
import '../pieces/ink.css';
import type { Game, Row, Snapshot } from '../wire';
import { en } from '../words/en-embed';
import { ko } from '../words/ko-embed';
import './embed.css';
import { moveNumber, orderedPieces, results, scores } from './reading';

const asked = new URLSearchParams(location.search);
const root = document.documentElement;
const lang = /^(ko|en)$/.exec(asked.get('lang') ?? '')?.[0] ?? root.lang;
const words: Record<keyof typeof en, string> = lang === 'ko' ? ko : en;
const theme = /^(light|dark)$/.exec(asked.get('theme') ?? '')?.[0];
root.lang = lang;
if (theme) root.dataset['theme'] = theme;

const t = (key: keyof typeof en, where = ''): string => words[key].replace('{where}', where);

/** Creates an element with attributes and children. */
function made<K extends keyof HTMLElementTagNameMap>(
  name: K,
  about: Record<string, string>,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(about)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

/** Sends a request without the visitor's key: an iframe of another site must not use it. */
async function answer<T>(path: string): Promise<T | number> {
  const response = await fetch(path, { credentials: 'omit', cache: 'no-store' });
  return response.ok ? ((await response.json()) as T) : response.status;
}

const place = document.getElementById('embed') ?? document.body;

function say(text: string, again = false): void {
  const button = made('button', { type: 'button' }, t('embed.again'));
  button.addEventListener('click', () => void bring());
  const said = made('p', { role: 'status' }, text);
  place.replaceChildren(made('div', { class: 'said' }, said, ...(again ? [button] : [])));
  place.removeAttribute('aria-busy');
}

function show(row: Row, { first, plies }: Snapshot): void {
  const live = row.status === 'live';
  let turned = false;
  let at = plies.length;

  const tiles = Array.from({ length: 64 }, () => made('div', {}));
  const board = made('div', { class: 'tiles board', role: 'img' }, ...tiles);
  const strip = (side: 'white' | 'black') => {
    const won = scores(row.result)[side];
    const score = made('span', { class: 'score' }, won ?? '');
    const dot = made('span', { class: `dot ${side}` });
    const strip = made('p', { class: `player${won === '1' ? ' won' : ''}` }, dot);
    strip.append(made('b', {}, row[side]), score);
    return strip;
  };
  const [white, black] = [strip('white'), strip('black')];
  const list = made('ol', { 'aria-label': t('embed.moves') });
  const moves = plies.map((ply, index) => {
    const button = made('button', { type: 'button' }, ply.san);
    button.addEventListener('click', () => step(index + 1));
    const number = moveNumber(first.fen, index, index === 0);
    list.append(made('li', {}, ...(number ? [`${number} `] : []), button));
    return button;
  });
  const said = made('p', { class: 'visually-hidden', role: 'status' });

  function draw(): void {
    const ply = plies[at - 1];
    const shown = orderedPieces((ply?.board ?? first).fen, turned);
    const last = ply ? [ply.uci.slice(0, 2), ply.uci.slice(2, 4)] : [];
    tiles.forEach((tile, index) => {
      const { square, piece } = shown[index] ?? { square: '', piece: '' };
      tile.className = last.includes(square) ? 'last' : '';
      const there = tile.firstElementChild;
      if ((there?.className ?? '') === piece) return;
      const next = piece ? [document.createElement('piece')] : [];
      for (const element of next) element.className = piece;
      tile.replaceChildren(...next);
    });
    const where = ply ? `${moveNumber(first.fen, at - 1, true)} ${ply.san}` : t('embed.start');
    board.setAttribute('aria-label', t('embed.board', where));
    moves.forEach((move, index) => {
      if (index === at - 1) move.setAttribute('aria-current', 'true');
      else move.removeAttribute('aria-current');
    });
    const now = moves[at - 1];
    // Scrolls the list only: the page around the iframe must not move.
    if (now) list.scrollTop = now.offsetTop - list.clientHeight / 2;
    else list.scrollTop = 0;
    for (const [way, to] of ways) way.disabled = to() === at;
    place.dataset['turned'] = String(turned);
  }

  function step(to: number): void {
    at = Math.max(0, Math.min(plies.length, to));
    draw();
    said.textContent = board.getAttribute('aria-label');
  }

  const way = (name: 'first' | 'back' | 'on' | 'last', sign: string, to: () => number) => {
    const button = made('button', { type: 'button', 'aria-label': t(`embed.${name}`) }, sign);
    button.addEventListener('click', () => step(to()));
    return [button, to] as const;
  };
  const ways = [
    way('first', '«', () => 0),
    way('back', '‹', () => Math.max(0, at - 1)),
    way('on', '›', () => Math.min(plies.length, at + 1)),
    way('last', '»', () => plies.length),
  ];
  const flip = made('button', { type: 'button', 'aria-label': t('embed.flip') }, '⇅');
  flip.addEventListener('click', () => {
    turned = !turned;
    draw();
  });
  const address = `/${live ? 'game' : 'games'}/${encodeURIComponent(row.id)}`;
  const whole = made(
    'a',
    { href: address, target: '_blank', rel: 'noopener' },
    t(live ? 'embed.watch' : 'embed.whole'),
  );
  const result = live ? t('embed.live') : results(row.result, t);

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: plies.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    step(to);
  });
  document.title = `${row.white} – ${row.black}`;
  place.replaceChildren(
    black,
    board,
    white,
    made('div', { class: 'ways' }, ...ways.map(([button]) => button), flip),
    list,
    made('p', { class: 'foot' }, made('span', {}, result), whole),
    said,
  );
  place.removeAttribute('aria-busy');
  const start = /^#(\d{1,5})$/.exec(location.hash)?.[1];
  at = start === undefined ? plies.length : Math.min(Number(start), plies.length);
  draw();
}

async function bring(): Promise<void> {
  say(t('embed.loading'));
  place.setAttribute('aria-busy', 'true');
  const id = /^\/embed\/([^/]+)\/?$/.exec(location.pathname)?.[1] ?? '';
  try {
    const game = await answer<Game>(`/api/games/${id}`);
    if (typeof game === 'number') {
      return say(t(game === 404 ? 'embed.none' : 'embed.failed'), game !== 404);
    }
    // A private game may be opened by its id; another site must not show it.
    if (game.game.visibility !== 'public') return say(t('embed.private'));
    const state = await answer<Snapshot>(`/api/games/${id}/state`);
    if (typeof state === 'number') return say(t('embed.failed'), true);
    show(game.game, state);
  } catch {
    say(t('embed.failed'), true);
  }
}
void bring();
