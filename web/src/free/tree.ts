// A game with variations as a list in which every move names its parent. Moves are added, deleted
// and reordered here; if they are legal is decided by the rules (rules.ts).
import { turnOf } from '../game/squares';
import type { Branch, Tree } from '../local/shapes';

/** The indices of the moves after each move, the main line first; -1 stands for the start. */
export type Children = ReadonlyMap<number, readonly number[]>;

export function childrenOf(branches: readonly Branch[]): Map<number, number[]> {
  const all = new Map<number, number[]>();
  branches.forEach(({ parent }, at) => {
    const before = parent ?? -1;
    const beside = all.get(before);
    if (beside) beside.push(at);
    else all.set(before, [at]);
  });
  return all;
}

/** The indices of the moves that lead to a move, including itself. */
export function pathTo({ branches }: Pick<Tree, 'branches'>, at: number): number[] {
  const path: number[] = [];
  for (let now: number | null = at; now !== null && now >= 0; now = branches[now]?.parent ?? null) {
    path.unshift(now);
  }
  return path;
}

/** The last move of the line that continues from a move. */
export function endOf({ branches }: Pick<Tree, 'branches'>, at: number): number {
  const children = childrenOf(branches);
  let now = at;
  for (let next = children.get(now)?.[0]; next !== undefined; next = children.get(now)?.[0]) {
    now = next;
  }
  return now;
}

/** Adds a move after another one; if it exists already, finds it. */
export function addMove<T extends Tree>(
  tree: T,
  at: number,
  move: Branch,
): { tree: T; at: number } {
  const parent = at < 0 ? null : at;
  const there = tree.branches.findIndex(
    (branch) => branch.parent === parent && branch.uci === move.uci,
  );
  if (there >= 0) return { tree, at: there };
  const branches = [...tree.branches, { ...move, parent }];
  return { tree: { ...tree, branches }, at: branches.length - 1 };
}

/** Rebuilds the list from `children`. Unreachable moves are dropped. `to` maps old to new
 *  indices. */
function rebuild<T extends Tree>(
  tree: T,
  children: Children,
): { tree: T; to: Map<number, number> } {
  const branches: Branch[] = [];
  const to = new Map<number, number>();
  const waiting = [...(children.get(-1) ?? [])].reverse();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const branch = tree.branches[at];
    if (!branch) continue;
    to.set(at, branches.length);
    const parent = branch.parent === null ? null : (to.get(branch.parent) ?? null);
    branches.push({ ...branch, parent });
    waiting.push(...[...(children.get(at) ?? [])].reverse());
  }
  return { tree: { ...tree, branches }, to };
}

/** Deletes a move and all that follow it; `at` is then the move before. */
export function deleteMove<T extends Tree>(tree: T, at: number): { tree: T; at: number } {
  const parent = tree.branches[at]?.parent ?? -1;
  const children = childrenOf(tree.branches);
  children.set(
    parent,
    (children.get(parent) ?? []).filter((one) => one !== at),
  );
  const { tree: next, to } = rebuild(tree, children);
  return { tree: next, at: to.get(parent) ?? -1 };
}

/** Makes the line that leads to a move the main line, from the start. */
export function makeMain<T extends Tree>(tree: T, at: number): { tree: T; at: number } {
  const children = childrenOf(tree.branches);
  for (const one of pathTo(tree, at)) {
    const parent = tree.branches[one]?.parent ?? -1;
    const rest = (children.get(parent) ?? []).filter((other) => other !== one);
    children.set(parent, [one, ...rest]);
  }
  const { tree: next, to } = rebuild(tree, children);
  return { tree: next, at: to.get(at) ?? -1 };
}

/** True if a move is on the main line. */
export function isMain(tree: Pick<Tree, 'branches'>, at: number): boolean {
  const children = childrenOf(tree.branches);
  return pathTo(tree, at).every(
    (one) => children.get(tree.branches[one]?.parent ?? -1)?.[0] === one,
  );
}

/** The number before a move: `12.`, or `12…` for Black. */
export function moveNumber(tree: Tree, at: number): { number: string; white: boolean } {
  const parent = tree.branches[at]?.parent ?? -1;
  const fen = tree.branches[parent]?.board.fen ?? tree.start;
  const white = turnOf(fen) === 'white';
  return { number: `${fen.split(' ')[5] ?? '1'}${white ? '.' : '…'}`, white };
}
