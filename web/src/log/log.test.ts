// The pure parts of past games: filters, timing, pictures.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Bonus, Ply, Snapshot } from '../wire';
import { clockText } from './clock';
import { toRequest, isNarrow, NONE, readFilters, toQuery } from './filters';
import { formatShort, isTimed, thinkingTimes, pauseBefore } from '../game/pace';
import { picture } from './picture';
import { Replay } from './replay.svelte';

// The settings listen for changes in other tabs; this test has no window.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined));

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

describe('filters', () => {
  it('go into the address and come back', () => {
    fc.assert(
      fc.property(
        fc.record({
          whose: fc.constantFrom('mine' as const, 'public' as const),
          player: fc.string({ maxLength: 40 }),
          text: fc.string({ unit: 'grapheme', maxLength: 40 }),
          opening: fc.constantFrom('', 'C60', 'ruy lopez & co'),
          result: fc.constantFrom('', '1/2-1/2', '*'),
          reason: fc.constantFrom('', 'checkmate'),
          source: fc.constantFrom('', 'import'),
          since: fc.constantFrom('', '2026', '2026-11-15'),
          until: fc.constantFrom('', '2026-11'),
          tag: fc.string({ maxLength: 20 }),
        }),
        (filters) => {
          const back = readFilters(toQuery(filters));
          const trimmed = Object.fromEntries(
            Object.entries(filters).map(([name, value]) => [name, value.trim()]),
          );
          expect(back).toEqual(trimmed);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('leave out what no server would accept', () => {
    expect(readFilters('?result=2-0&reason=boredom&source=moon&since=yesterday&x=1')).toEqual(NONE);
    expect(readFilters(`?player=${'a'.repeat(300)}`)).toEqual(NONE);
  });

  it('ask for our own games or the public ones, page by page', () => {
    const page = { after: null, limit: 24 };
    expect(toRequest(NONE, page)).toBe('mine=true&shortest=1&limit=24');
    expect(toRequest({ ...NONE, whose: 'public', result: '1/2-1/2' }, page)).toBe(
      'result=1%2F2-1%2F2&shortest=1&limit=24',
    );
    expect(toRequest(NONE, { after: 'x:1', limit: 5 })).toBe(
      'mine=true&shortest=1&limit=5&after=x%3A1',
    );
  });

  it('leave out games aborted before a move, unless the filter asks for them', () => {
    const page = { after: null, limit: 5 };
    expect(toRequest({ ...NONE, reason: 'abort' }, page)).toBe('reason=abort&mine=true&limit=5');
  });

  it('know whether they narrow anything', () => {
    expect(isNarrow({ ...NONE, whose: 'public' })).toBe(false);
    expect(isNarrow({ ...NONE, player: '  ' })).toBe(false);
    expect(isNarrow({ ...NONE, player: 'Mina' })).toBe(true);
  });
});

it('a clock of a file is written in readable form', () => {
  expect(clockText('180+2')).toBe('3+2');
  expect(clockText('90')).toBe('1.5');
  expect(clockText('600+0')).toBe('10');
  expect(clockText('40/7200:3600')).toBe('40/7200:3600');
  expect(clockText('-')).toBe('');
  expect(clockText(null)).toBe('');
  // Without a catalogue a key stands for its text.
  expect(clockText('W180+2 B60')).toBe('color.white 3+2 · color.black 1');
  expect(clockText('W180 + 2')).toBe('W180 + 2');
});

describe('timing', () => {
  const ply = (turn: 'w' | 'b', white?: number, black?: number): Ply => ({
    uci: 'e2e4',
    san: 'e4',
    board: { fen: `${START} ${turn} KQkq - 0 1` },
    clocks: white === undefined || black === undefined ? null : { white, black },
  });
  const game = (bonus: Bonus, plies: Ply[], stages = 1): Snapshot =>
    ({
      first: { fen: `${START} w KQkq - 0 1` },
      plies,
      start: {
        time: {
          kind: 'clock',
          stages: Array.from({ length: stages }, () => ({ time: 60_000, bonus })),
        },
      },
    }) as unknown as Snapshot;

  it('is the difference of the mover’s clock, plus the bonus of the move', () => {
    const opening = [ply('b', 60_000, 60_000), ply('w', 60_000, 60_000)];
    const plies = [...opening, ply('b', 50_000, 60_000), ply('w', 50_000, 60_000)];
    expect(thinkingTimes(game('none', plies))).toEqual([null, null, 10_000, 0]);
    expect(thinkingTimes(game({ increment: 2_000 }, plies))).toEqual([null, null, 12_000, 2_000]);
    expect(thinkingTimes(game({ delay: 5_000 }, plies))).toEqual([null, null, 15_000, 2_500]);
  });

  it('follows each side’s own clock', () => {
    const opening = [ply('b', 60_000, 30_000), ply('w', 60_000, 30_000)];
    const plies = [...opening, ply('b', 50_000, 30_000), ply('w', 50_000, 29_000)];
    const odds = game('none', plies);
    odds.start.time = {
      kind: 'odds',
      white: [{ time: 60_000, bonus: { increment: 2_000 } }],
      black: [{ time: 30_000, bonus: 'none' }],
    };
    expect(thinkingTimes(odds)).toEqual([null, null, 12_000, 1_000]);
  });

  it('says nothing where no clock tells it', () => {
    expect(thinkingTimes(game('none', [ply('b'), ply('w')]))).toEqual([null, null]);
    expect(isTimed([null, null])).toBe(false);
    // After a gap the first clock is only the new start of counting.
    expect(
      thinkingTimes(game('none', [ply('b'), ply('w', 50_000, 50_000), ply('b', 45_000, 50_000)])),
    ).toEqual([null, null, 5_000]);
    // A second stage gave time in between.
    const staged = [ply('b', 1_000, 60_000), ply('w', 1_000, 60_000), ply('b', 61_000, 60_000)];
    expect(thinkingTimes(game('none', [...staged, ply('w', 61_000, 2_000)], 2))).toEqual([
      null,
      null,
      null,
      58_000,
    ]);
  });

  it('keeps a replay watchable', () => {
    expect(pauseBefore(null, 'original')).toBe(pauseBefore(5, 'steady'));
    expect(pauseBefore(10, 'original')).toBe(300);
    expect(pauseBefore(8_000, 'original')).toBe(8_000);
    expect(pauseBefore(8_000, 'fourfold')).toBe(2_000);
    expect(pauseBefore(3_600_000, 'original')).toBe(60_000);
  });

  it('is written briefly', () => {
    expect([420, 9_940, 9_960, 59_600, 185_000].map(formatShort)).toEqual([
      '0.4 s',
      '9.9 s',
      '10 s',
      '1:00',
      '3:05',
    ]);
  });
});

describe('a replay', () => {
  it('plays by itself, stops at the end and at a step by hand', () => {
    vi.useFakeTimers();
    const replay = new Replay(() => [null, null, null]);
    replay.toggle();
    vi.advanceTimersByTime(1_250);
    expect([replay.at, replay.playing]).toEqual([1, true]);
    replay.step(0);
    vi.advanceTimersByTime(10_000);
    expect([replay.at, replay.playing]).toEqual([0, false]);
    replay.toggle();
    vi.advanceTimersByTime(10_000);
    expect([replay.at, replay.playing]).toEqual([3, false]);
    replay.step(99);
    expect(replay.at).toBe(3);
    vi.useRealTimers();
  });
});

describe('a picture', () => {
  const look = { light: '#eee', dark: '#a86', onLight: '#111', onDark: '#fff', last: '#fe8' };
  const drawing = (name: string) =>
    readFileSync(new URL(`../pieces/ink/${name}.svg`, import.meta.url), 'utf8');
  const scene = {
    fen: `${START} w KQkq - 0 1`,
    orientation: 'white' as const,
    lastMove: null,
    coordinates: true,
  };

  it('has 32 dark tiles, every piece and the coordinates', () => {
    const svg = picture(scene, look, drawing);
    expect(svg.startsWith('<svg xmlns=')).toBe(true);
    expect(svg.match(/fill="#a86"/g)).toHaveLength(32);
    expect(svg.match(/<g transform="translate/g)).toHaveLength(32);
    expect(svg.match(/<text/g)).toHaveLength(16);
    expect(svg.match(/<svg/g)).toHaveLength(1);
  });

  it('turns with the board, and a1 stays dark', () => {
    const lone = { ...scene, fen: '8/8/8/8/8/8/8/K7 w - - 0 1', coordinates: false };
    expect(picture(lone, look, drawing)).toContain('translate(0 448)');
    const turned = picture({ ...lone, orientation: 'black' }, look, drawing);
    expect(turned).toContain('translate(448 0)');
    expect(turned).toContain('<rect x="448" y="0" width="64" height="64" fill="#a86"/>');
    expect(picture({ ...lone, lastMove: ['a1', 'b2'] }, look, drawing).match(/#fe8/g)).toHaveLength(
      2,
    );
  });

  it('accepts only colours as colours', () => {
    expect(picture(scene, { ...look, light: '"/><script>' }, drawing)).not.toContain('<script');
  });
});
