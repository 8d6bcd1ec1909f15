// Conventions of the page: every sentence in both catalogues and used, nothing that the content
// security policy refuses, no requests to other sites, one file for chessground, pieces as drawn.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en as enFirst } from '../src/words/en';
import { en as enEmbed } from '../src/words/en-embed';
import { en as enFree } from '../src/words/en-free';
import { en as enHere } from '../src/words/en-here';
import { en as enLog } from '../src/words/en-log';
import { en as enPages } from '../src/words/en-pages';
import { en as enTeach } from '../src/words/en-teach';
import { ko as koFirst } from '../src/words/ko';
import { ko as koEmbed } from '../src/words/ko-embed';
import { ko as koFree } from '../src/words/ko-free';
import { ko as koHere } from '../src/words/ko-here';
import { ko as koLog } from '../src/words/ko-log';
import { ko as koPages } from '../src/words/ko-pages';
import { ko as koTeach } from '../src/words/ko-teach';
import { files as drawnPieces } from '../tools/pieces.mjs';

const en = { ...enFirst, ...enPages, ...enLog, ...enTeach, ...enHere, ...enFree, ...enEmbed };
const ko = { ...koFirst, ...koPages, ...koLog, ...koTeach, ...koHere, ...koFree, ...koEmbed };

const src = new URL('../src/', import.meta.url).pathname;
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte|css)$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(src, name), 'utf8') }));

describe('words', () => {
  const code = sources
    .filter(({ name }) => !/words\/(en|ko)/.test(name))
    .map(({ text }) => text)
    .join('\n');

  it('are the same in both languages', () => {
    expect(Object.keys(ko).sort()).toEqual(Object.keys(en).sort());
  });

  it('have the same placeholders', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
    for (const [key, text] of Object.entries(en)) {
      expect({ key, places: places(ko[key as keyof typeof en]) }).toEqual({
        key,
        places: places(text),
      });
    }
  });

  it('are all used', () => {
    const patterns = [...code.matchAll(/`([a-z_]+\.[a-z_.]*\$\{[^`]*)`/g)].map(
      ([, template = '']) => {
        const parts = template.split(/\$\{[^}]*\}/).map((part) => part.replace(/\W/g, '\\$&'));
        return new RegExp(`^${parts.join('[a-z_]+')}$`);
      },
    );
    const unused = Object.keys(en).filter(
      (key) => !code.includes(`'${key}'`) && !patterns.some((pattern) => pattern.test(key)),
    );
    expect(unused).toEqual([]);
  });

  it('use one Korean word for one thing, as docs/glossary.md has it', () => {
    const root = new URL('../../', import.meta.url);
    const glossary = readFileSync(new URL('docs/glossary.md', root), 'utf8');
    const rows = [...glossary.matchAll(/^\| ([가-힣]+(?: [가-힣]+)?) \| [^|]+ \| ([^|]+) \|$/gm)];
    const wrong = rows.flatMap(([, , not = '']) => not.split(',').map((word) => word.trim()));
    expect(wrong).toContain('구경');
    const stems = wrong.map((word) => word.replace(/다$/, ''));
    const crates = ['words/src', 'console/src'].flatMap((crate) => {
      const folder = new URL(`crates/${crate}/`, root);
      return readdirSync(folder)
        .filter((name) => name.endsWith('.rs'))
        .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
    });
    const pages = Object.entries(ko).map(([name, text]) => ({ name, text }));
    for (const { name, text } of [...pages, ...crates]) {
      const found = stems.filter((stem) => text.includes(stem));
      expect({ name, found }).toEqual({ name, found: [] });
    }
  });

  it('have the status line of the specification', () => {
    expect(en['status.turn.white']).toBe("WHITE'S TURN");
    expect(en['status.check.black']).toBe("BLACK'S TURN | CHECK");
    expect(en['status.mate.white']).toBe("WHITE'S TURN | CHECKMATE");
    expect(en['status.wins.white']).toBe('WHITE WINS!');
    expect(en['status.wins.black']).toBe('BLACK WINS!');
  });
});

describe('the page', () => {
  it('has no style attributes, no raw HTML, no inline scripts', () => {
    const index = readFileSync(new URL('../index.html', import.meta.url), 'utf8');
    expect(index).not.toMatch(/<script(?![^>]*src=)/);
    for (const { name, text } of [...sources, { name: 'index.html', text: index }]) {
      expect({ name, bad: /\sstyle="|\{@html|innerHTML|\beval\(/.test(text) }).toEqual({
        name,
        bad: false,
      });
    }
  });

  it('sends no request to another site', () => {
    for (const { name, text } of sources) {
      const addresses = [...text.matchAll(/https?:\/\/[^\s'"`)]+/g)].map(([address]) => address);
      expect({ name, addresses }).toEqual({ name, addresses: [] });
    }
  });

  it('imports chessground in one file', () => {
    const users = sources.filter(({ text }) => text.includes('@lichess-org/chessground'));
    expect(users.map(({ name }) => name)).toEqual([join('board', 'ground.ts')]);
  });

  it('has the purpose of each file in its first line', () => {
    for (const { name, text } of sources) {
      if (name === 'wire.ts') continue;
      expect({ name, first: /^(\/\/ |<!-- |\/\* )/.test(text) }).toEqual({ name, first: true });
    }
  });

  it('has the pieces that tools/pieces.mjs draws', () => {
    for (const [name, text] of drawnPieces() as Map<string, string>) {
      expect(readFileSync(join(src, 'pieces', name), 'utf8')).toBe(text);
    }
  });
});
