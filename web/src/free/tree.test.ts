// Games with variations: adding, deleting and reordering moves.
import { expect, it } from 'vitest';
import type { Branch, Tree } from '../local/shapes';
import {
  childrenOf,
  deleteMove,
  endOf,
  addMove,
  isMain,
  moveNumber,
  pathTo,
  makeMain,
} from './tree';

const move = (uci: string, turn: 'w' | 'b', number: number): Branch => ({
  parent: null,
  uci,
  san: uci,
  board: { fen: `x ${turn} - - 0 ${number}` },
});
const empty: Tree = {
  variant: 'standard',
  start: 'x w - - 0 1',
  tags: [],
  result: '*',
  comments: [],
  branches: [],
};

/** 1. a b (1… c 2. d) 2. e, and 1. f */
function sample(): Tree {
  let tree = empty;
  const add = (at: number, uci: string, turn: 'w' | 'b', number: number) => {
    const next = addMove(tree, at, move(uci, turn, number));
    tree = next.tree;
    return next.at;
  };
  const a = add(-1, 'a', 'b', 1);
  const b = add(a, 'b', 'w', 2);
  const c = add(a, 'c', 'w', 2);
  add(c, 'd', 'b', 2);
  add(b, 'e', 'b', 2);
  add(-1, 'f', 'b', 1);
  return tree;
}
const names = ({ branches }: Tree, path: number[]) => path.map((at) => branches[at]?.uci).join('');
const find = ({ branches }: Tree, uci: string) => branches.findIndex((one) => one.uci === uci);

it('finds an existing move and adds a new one', () => {
  const tree = sample();
  expect(tree.branches).toHaveLength(6);
  expect(addMove(tree, 0, move('c', 'w', 2))).toEqual({ tree, at: find(tree, 'c') });
  expect(names(tree, pathTo(tree, find(tree, 'd')))).toBe('acd');
  expect(names(tree, pathTo(tree, endOf(tree, -1)))).toBe('abe');
  expect(names(tree, pathTo(tree, endOf(tree, find(tree, 'c'))))).toBe('acd');
});

it('deletes a move with all that follow it', () => {
  const { tree, at } = deleteMove(sample(), find(sample(), 'c'));
  expect(tree.branches.map(({ uci }) => uci)).toEqual(['a', 'b', 'e', 'f']);
  expect(tree.branches[at]?.uci).toBe('a');
  const none = deleteMove(sample(), 0);
  expect(none.tree.branches.map(({ uci }) => uci)).toEqual(['f']);
  expect(none.at).toBe(-1);
});

it('makes a variation the main line, wherever it begins', () => {
  const before = sample();
  expect(isMain(before, find(before, 'e'))).toBe(true);
  expect(isMain(before, find(before, 'd'))).toBe(false);
  const { tree, at } = makeMain(before, find(before, 'd'));
  expect(tree.branches[at]?.uci).toBe('d');
  expect(names(tree, pathTo(tree, endOf(tree, -1)))).toBe('acd');
  expect(isMain(tree, at)).toBe(true);
  const all = tree.branches.map(({ uci }) => uci).sort();
  expect(all).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  // Every move comes after its parent in the list.
  tree.branches.forEach(({ parent }, place) => expect(parent ?? -1).toBeLessThan(place));
  const first = makeMain(before, find(before, 'f')).tree;
  expect(
    childrenOf(first.branches)
      .get(-1)
      ?.map((one) => first.branches[one]?.uci),
  ).toEqual(['f', 'a']);
});

it('numbers moves by the position before them', () => {
  const tree = sample();
  expect(moveNumber(tree, 0)).toEqual({ number: '1.', white: true });
  expect(moveNumber(tree, find(tree, 'b'))).toEqual({ number: '1…', white: false });
  expect(moveNumber(tree, find(tree, 'e'))).toEqual({ number: '2.', white: true });
});
