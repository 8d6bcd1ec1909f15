// The user's settings, stored in this browser. A missing or invalid value falls back to its
// default, so that an old or broken entry never breaks the page.
import type { Language } from './wire';

export const BOARDS = ['auto', 'hanji', 'celadon', 'slate', 'contrast'] as const;
export const PIECES = ['ink', 'bold', 'letter'] as const;
export const PINKS = ['#f7a8c4', '#f5c26b', '#8fd3c4', '#9db8f2', '#c9a6ee'] as const;

/** The names of these colours for screen readers. */
export const PINK_NAMES = {
  '#f7a8c4': 'pink',
  '#f5c26b': 'amber',
  '#8fd3c4': 'mint',
  '#9db8f2': 'blue',
  '#c9a6ee': 'violet',
} as const;

export interface Settings {
  name: string;
  lang: 'auto' | Language;
  theme: 'auto' | 'light' | 'dark';
  board: (typeof BOARDS)[number];
  pieces: (typeof PIECES)[number];
  /** The colour of target squares. */
  pink: string;
  coordinates: boolean;
  motion: boolean;
  koreanNotation: boolean;
  autoQueen: boolean;
  /** Two on one screen: the board turns to the side to move. */
  autoFlip: boolean;
  /** The computer's level, 1 to 10. */
  level: number;
  /** The computer resigns a lost game. */
  resigns: boolean;
  /** Volumes, 0 to 100. */
  effects: number;
  music: number;
  musicOn: boolean;
  effectsOn: boolean;
  /** Show a notification when it is the player's turn and the page is hidden. */
  notify: boolean;
  /** Also store this browser's games at the server, when it can be reached. */
  upload: boolean;
  mute: boolean;
}

export const DEFAULTS: Readonly<Settings> = {
  name: '',
  lang: 'auto',
  theme: 'auto',
  board: 'auto',
  pieces: 'ink',
  pink: PINKS[0],
  coordinates: true,
  motion: true,
  koreanNotation: false,
  autoQueen: false,
  autoFlip: false,
  level: 3,
  resigns: false,
  effects: 70,
  music: 40,
  musicOn: false,
  effectsOn: true,
  notify: false,
  upload: false,
  mute: false,
};

const CHOICES: Partial<Record<keyof Settings, readonly string[]>> = {
  lang: ['auto', 'ko', 'en'],
  theme: ['auto', 'light', 'dark'],
  board: BOARDS,
  pieces: PIECES,
};
const KEY = 'hansu.settings';

function isSound(key: keyof Settings, value: unknown): boolean {
  if (typeof value !== typeof DEFAULTS[key]) return false;
  if (key === 'pink') return /^#[0-9a-f]{6}$/i.test(String(value));
  if (key === 'name') return String(value).length <= 40;
  if (key === 'level') return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10;
  if (typeof value === 'number') return value >= 0 && value <= 100;
  return CHOICES[key]?.includes(String(value)) ?? true;
}

/** Reads settings from a stored text, which may be anything. */
export function readSettings(text: string | null): Settings {
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    // Not JSON: the defaults are used.
  }
  const from = typeof stored === 'object' && stored !== null ? stored : {};
  const sound = Object.entries(from).filter(
    ([key, value]) => key in DEFAULTS && isSound(key as keyof Settings, value),
  );
  return { ...DEFAULTS, ...Object.fromEntries(sound) };
}

/** Local storage. It may be forbidden (private windows); then nothing is stored. */
export const store = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write(key: string, text: string): void {
    try {
      localStorage.setItem(key, text);
    } catch {
      // Full or forbidden: the page works without.
    }
  },
};

export const settings: Settings = $state(readSettings(store.read(KEY)));

/** Changes settings and remembers them. */
export function choose(change: Partial<Settings>): void {
  Object.assign(settings, change);
  store.write(KEY, JSON.stringify(settings));
}

// Another tab changed the settings.
addEventListener('storage', (event) => {
  if (event.key === KEY) Object.assign(settings, readSettings(event.newValue));
});
