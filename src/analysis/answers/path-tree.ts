// Exact trees of paths, unfolded on demand. A node is the set of rows whose paths share a beginning; its children come from one
// step further along these paths.
import { getOrMake } from '../../base/lists.ts';
import type { Event } from '../../model/head.ts';
import { addNode, type Tree, type TreeNode, type TreeSource, termsValue } from './tree.ts';

export interface PathSource {
  rows(): readonly number[];
  /** The position where a row's path begins; negative for rows that are left out. */
  start(row: number): number;
  /** The next position on a row's path; negative at its end. */
  next(row: number, place: number): number;
  routineAt(place: number): number;
  readonly costs: readonly ArrayLike<number>[];
  /** Whether a cost belongs to the end of its path instead of the beginning. */
  readonly downwards?: boolean;
  /** How often the rows of a root were called; unknown if absent. */
  readonly calls?: ArrayLike<number>;
  /** Whether the routine at a position is inlined. */
  inlinedAt?(place: number): boolean;
}

export function pathTree({ rows: allRows, start, next, routineAt, costs, downwards, calls, inlinedAt }: PathSource): TreeSource {
  const pathsOfNode: { readonly rows: readonly number[]; readonly places: readonly number[] }[] = [];
  const group = (tree: Tree, parent: TreeNode | undefined, rows: readonly number[], placeOf: (i: number) => number): number[] => {
    const members = new Map<number, { rows: number[]; places: number[] }>();
    for (let i = 0; i < rows.length; i++) {
      const place = placeOf(i);
      if (place < 0) continue;
      const own = getOrMake(members, routineAt(place), () => ({ rows: [], places: [] }));
      own.rows.push(rows[i]);
      own.places.push(place);
    }
    return Array.from(members, ([routine, own]) => {
      const sum = (rows: readonly number[]) =>
        Float64Array.from(costs, (column) => rows.reduce((all, row) => all + column[row], 0));
      const inclusive = sum(own.rows);
      const self = downwards ? sum(own.rows.filter((row, i) => next(row, own.places[i]) < 0)) : inclusive;
      const called = parent || !calls ? -1 : own.rows.reduce((all, row) => all + calls[row], 0);
      const inlined = inlinedAt && own.places.every(inlinedAt) ? { inlined: true } : {};
      const id = addNode(tree, parent, { routine, calls: called, inclusive, self, ...inlined });
      pathsOfNode[id] = own;
      return id;
    });
  };
  return {
    exact: true,
    roots(tree: Tree, event: Event, most: number) {
      const value = (id: number) => termsValue(event, tree.nodes[id].inclusive);
      const rows = allRows();
      const roots = group(tree, undefined, rows, (i) => start(rows[i])).sort((a, b) => value(b) - value(a));
      return { shown: roots.slice(0, most), leftOut: Math.max(0, roots.length - most) };
    },
    canUnfold: (_, { id }) => pathsOfNode[id].rows.some((row, i) => next(row, pathsOfNode[id].places[i]) >= 0),
    unfold(tree, node) {
      const { rows, places } = pathsOfNode[node.id];
      return group(tree, node, rows, (i) => next(rows[i], places[i]));
    },
  };
}
