// Exact trees of paths, unfolded on demand: a node is the set of rows whose paths begin alike; its children are found by looking one
// place further.
import type { Event } from '../../model/head.ts';
import { addNode, type Tree, type TreeNode, type TreeSource, termsValue } from './tree.ts';

export interface Paths {
  /** Rows, and the place where the path of each begins; below 0 for those that are left out. */
  starts(): Held;
  /** The place after this one; below 0 at the end. */
  next(row: number, place: number): number;
  routineAt(place: number): number;
  /** By row. */
  readonly costs: readonly ArrayLike<number>[];
  /** The node of a cost is where its path ends, not where it begins. */
  readonly downwards?: boolean;
  /** How often the rows of a root were called; unknown if absent. */
  readonly calls?: ArrayLike<number>;
  /** By place. */
  inlinedAt?(place: number): boolean;
}

interface Held {
  readonly rows: readonly number[];
  readonly places: readonly number[];
}

export function pathTree({ starts, next, routineAt, costs, downwards, calls, inlinedAt }: Paths): TreeSource {
  const held: Held[] = [];
  const group = (tree: Tree, parent: TreeNode | undefined, rows: readonly number[], placeOf: (i: number) => number): number[] => {
    const members = new Map<number, { rows: number[]; places: number[] }>();
    for (let i = 0; i < rows.length; i++) {
      const place = placeOf(i);
      if (place < 0) continue;
      const r = routineAt(place);
      let own = members.get(r);
      if (!own) members.set(r, (own = { rows: [], places: [] }));
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
      held[id] = own;
      return id;
    });
  };
  return {
    exact: true,
    roots(tree: Tree, event: Event, most: number) {
      const value = (id: number) => termsValue(event, tree.nodes[id].inclusive);
      const { rows, places } = starts();
      const roots = group(tree, undefined, rows, (i) => places[i]).sort((a, b) => value(b) - value(a));
      return { shown: roots.slice(0, most), leftOut: Math.max(0, roots.length - most) };
    },
    canUnfold: (_, { id }) => held[id].rows.some((row, i) => next(row, held[id].places[i]) >= 0),
    unfold(tree, node) {
      const { rows, places } = held[node.id];
      return group(tree, node, rows, (i) => next(rows[i], places[i]));
    },
  };
}
