// Groups of routines by one key or by several, one within the other, as the sort keys of perf report.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { type SplitRoutines, splitRoutines, splitsByFile } from '../analysis/profiles/granularity/groups.ts';
import { groupByKey, memo } from '../base/lists.ts';
import { withSlashes } from '../base/paths.ts';
import { divisorTerms, type Event, eventValue } from '../model/head.ts';
import type { RoutineGroup, RoutineRow } from './routine-row.ts';
import { routinesBySelf } from './routines.ts';

const columnsOf = (event: Event): number[] => [...new Set([...event.terms, ...divisorTerms(event)].map(([, column]) => column))];

/** The groups at a depth, from 1, of the routines in `order`; the most expensive first. Inclusive costs are of `columns`. */
function groupsAt(of: SplitRoutines, event: Event, order: Uint32Array, depth: number, columns: readonly number[]) {
  const { analysis, keys, groupOf: nameOf } = of;
  const { totals, profile, costing } = analysis;
  const path = (r: number) => keys.slice(0, depth).map((_, key) => nameOf(key, r));
  const found = [...groupByKey(order, (r) => JSON.stringify(path(r))).values()].map((list) => Uint32Array.from(list));
  const groupOf = new Int32Array(profile.routines.name.length).fill(-1);
  const self = totals.self.map(() => new Float64Array(found.length));
  found.forEach((routines, g) => {
    for (const r of routines) {
      groupOf[r] = g;
      for (let c = 0; c < self.length; c++) self[c][g] += totals.self[c][r];
    }
  });
  const costs = costing.groups({ groupOf, groups: found.length, columns });
  const paths = found.map(([first]) => path(first));
  const last = (g: number) => paths[g][depth - 1];
  const distinct = [...new Set(paths.map((_, g) => last(g)))];
  const isPath = ['file', 'directory', 'object', 'dso'].includes(keys[depth - 1]);
  const short = new Map(isPath ? shortPaths(distinct).map((label, i) => [distinct[i], label]) : []);
  const groups = found.map((routines, g): RoutineGroup => {
    const cost = costs ? eventValue(event, costs.costs, g) : Number.NaN;
    return {
      ...{ name: paths[g].join(' › '), label: short.get(last(g)) ?? last(g), path: paths[g], routines, cycle: 0 },
      self: eventValue(event, self, g),
      inclusive: Number.isNaN(cost) ? undefined : cost,
      estimated: costs?.estimated[g] === 1,
      costs: { self, inclusive: costs?.costs, row: g },
    };
  });
  return groups.sort((a, b) => Math.abs(b.self) - Math.abs(a.self));
}

/** The groups of all depths, those of the first depth first. `order`: routines, of which those without cost may be left out. */
export const groupsOf = memo(
  (of: SplitRoutines, event: Event, order: Uint32Array, columns: readonly number[] = columnsOf(event)): readonly RoutineGroup[] =>
    of.keys.flatMap((_, k) => {
      const groups = groupsAt(of, event, order, k + 1, columns);
      const outerKeys = of.keys.slice(0, k + 1);
      if (splitsByFile(outerKeys) || !splitsByFile(of.keys) || order.length < costlyRoutines(of, event).length) return groups;
      const outer = splitRoutines(of.shown, outerKeys.join());
      // Routines that a later key splits are whole here, so that the cost of a group does not depend on what is within it.
      const whole = groupsAt(outer, event, costlyRoutines(outer, event), k + 1, columns);
      const known = new Map(whole.map((group) => [group.name, group]));
      return groups.map((group) => ({ ...group, ...known.get(group.name), routines: group.routines }));
    }),
);

/** The routines that a grouping lists, as far as they cost anything; the most expensive first. */
export function costlyRoutines({ analysis, isShown }: SplitRoutines, event: Event): Uint32Array {
  const { self, inclusive } = analysis.totals;
  return routinesBySelf(analysis, event).filter((r) => isShown(r) && [...self, ...inclusive].some((column) => column[r] !== 0));
}

/** Groups of routines by whose code they are, as rows; the highest self cost first. */
export const rowsByCode = (analysis: Analysis, event: Event): readonly RoutineRow[] =>
  groupsOf(splitRoutines(analysis, 'code'), event, routinesBySelf(analysis, event)).map((group) => ({ routine: -1, group }));

/** Groups in the order of a tree: those within an open group follow it. */
export function* nestedGroups<G extends { readonly path: readonly string[] }>(
  groups: readonly G[],
  isOpen: (group: G) => boolean,
): Generator<G> {
  const within = groupByKey(groups, ({ path }) => JSON.stringify(path.slice(0, -1)));
  const waiting = (within.get('[]') ?? []).toReversed();
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    yield group;
    const inside = isOpen(group) ? within.get(JSON.stringify(group.path)) : undefined;
    for (const each of inside?.toReversed() ?? []) waiting.push(each);
  }
}

/** Shortens each path to as many of its last components as make it unique. */
export function shortPaths(paths: readonly string[]): string[] {
  const parts = paths.map((path) => withSlashes(path).split('/'));
  const out: string[] = [];
  let open = parts.map((_, i) => i);
  for (let n = 1; open.length > 0; n++) {
    const ends = groupByKey(open, (i) => parts[i].slice(-n).join('/'));
    open = [];
    for (const [end, same] of ends) {
      if (same.length === 1 || same.every((i) => parts[i].length <= n)) for (const i of same) out[i] = end;
      else for (const i of same) open.push(i);
    }
  }
  return out;
}
