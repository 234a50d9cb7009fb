// The Costing of two compared runs. Each run answers separately, and corresponding rows are merged.
// Raw columns are this run's, the base's, and the base's call counts, which are summed like costs.
import { memo, pairByKey } from '../../../base/lists.ts';
import { indexBy } from '../../../model/column.ts';
import { type Event, type Question, withCalls, zeroCosts } from '../../../model/head.ts';
import type { Costing, Edges, GroupCosts, GroupQuery, SelfLines, Totals } from '../costing.ts';
import { once } from '../once.ts';
import { addNode, canUnfold, openTree, sortByCost, type Tree, type TreeNode, type TreeSource } from '../tree.ts';
import { eventInEachRun } from './events.ts';
import { type ComparedColumns, type CostingPair, TableMerge } from './merge.ts';
import { mergeCallSites, mergeCalls, mergeInstrCalls, mergeInstrs, mergeLines, ownSites } from './rows.ts';

/** Questions that can be asked of one run's samples, but not of a comparison. */
const SINGLE_RUN_QUESTIONS: ReadonlySet<Question> = new Set(['samples', 'labels', 'times', 'snapshots']);

export function comparedCosting(pair: CostingPair): Costing {
  const { now, before, join, sides, lineMaps } = pair;
  const edges = once(() => comparedEdges(now.edges(), before.edges(), sides.length, join));
  const totals = once(() => comparedTotals(pair));
  const answers: Costing = {
    can: new Set([...now.can].filter((question) => before.can.has(question) && !SINGLE_RUN_QUESTIONS.has(question))),
    counts: now.counts,
    totals,
    edges,
    callSites: (of) => mergeCallSites(pair, of),
    lines: (of) => mergeLines(pair, of),
    instrs: memo((routine) => mergeInstrs(pair, routine), 3),
    instrCalls: (routine) => mergeInstrCalls(pair, routine, answers.instrs(routine)),
    // The base's jumps cannot be mapped to moved code. They are shown only if this run lacks the routine.
    jumps: (routine) => (sides[routine] === 2 ? before : now).jumps(routine),
    ...(now.code && before.code
      ? {
          code(routine) {
            const codeOf = (of: Costing) => ({ ...of, ...of.code?.(routine) });
            const code = { ...pair, now: codeOf(now), before: codeOf(before) };
            const instrs = once(() => mergeInstrs(code, routine));
            return {
              instrs,
              instrCalls: () => mergeInstrCalls(code, routine, instrs()),
              jumps: (sides[routine] === 2 ? code.before : code.now).jumps,
            };
          },
        }
      : {}),
    inclusiveLines(file, routine, self) {
      const map = lineMaps(file);
      const part = (of: Costing, rowOf: SelfLines['rowOf'], costs: readonly Float64Array[]) =>
        of.inclusiveLines(file, routine, { rowOf, costs }, ownSites(of, file, routine));
      const moved = { get: (line: number) => self.rowOf.get(map.now(line)) };
      const none = new Float64Array(self.costs[0]?.length ?? 0);
      return join.combine(part(now, self.rowOf, join.now(self.costs)), part(before, moved, join.before(self.costs)), none);
    },
    lineCalls: (file, routine) => {
      const calls = (of: Costing) => {
        const sites = ownSites(of, file, routine);
        return sites && of.lineCalls(file, routine, sites);
      };
      return mergeCalls(calls(now), calls(before), { now: (line) => line, before: lineMaps(file).now }, join);
    },
    groups: (of) => comparedGroups(pair, of),
    tree: (inverted) => comparedTree(now.tree(inverted), before.tree(inverted), inverted, pair),
    routineTree: (routine, inverted) =>
      comparedTree(now.routineTree(routine, inverted), before.routineTree(routine, inverted), inverted, pair),
    lineMaps,
    withLines: (maps) => ({ ...comparedCosting({ ...pair, lineMaps: maps }), totals, edges }),
  };
  return answers;
}

function comparedTotals({ now, before, join, sides }: CostingPair): Totals {
  const routines = sides.length;
  const [a, b] = [now.totals(), before.totals()];
  const cycles = zeroCosts(1, a.cycles.count + 1)[0];
  const { self, inclusive } = cycleCostsInBase(a, b, before.edges());
  return {
    total: join.combine(a.total, b.total, new Float64Array(1)),
    whole: join.combine(a.whole, b.whole, new Float64Array(1)),
    self: withCalls(join.combine(a.self, b.self, b.calls), a.calls),
    inclusive: withCalls(join.combine(a.inclusive, b.inclusive, b.calls), a.calls),
    recorded: (a.recorded || b.recorded) && join.combine(a.recorded ?? a.inclusive, b.recorded ?? b.inclusive, b.calls),
    unrecorded:
      (a.unrecorded || b.unrecorded) &&
      join.combine(unrecordedOf(a, routines), unrecordedOf(b, routines), new Float64Array(routines)),
    calls: a.calls,
    ...combineEstimates(a, b, routines),
    inlined: a.inlined?.map((inlined, r) => inlined | (b.inlined?.[r] ?? 0)),
    cycles: a.cycles,
    cycleSelf: join.combine(a.cycleSelf, self, cycles),
    cycleInclusive: join.combine(a.cycleInclusive, inclusive, cycles),
  };
}

const unrecordedOf = ({ unrecorded, self }: Totals, routines: number) => unrecorded ?? zeroCosts(self.length, routines);

/** Combines estimate flags: a difference is an estimate if either of its sides is. */
function combineEstimates(a: Totals, b: Totals, routines: number): Pick<Totals, 'estimated' | 'selfEstimated'> {
  if (!a.estimated && !b.estimated) return {};
  const combineFlags = (what: 'self' | 'inclusive') =>
    Uint8Array.from({ length: routines }, (_, r) => (a.estimated?.[what][r] ?? 0) | (b.estimated?.[what][r] ?? 0));
  const self = combineFlags('self');
  return { selfEstimated: self, estimated: { self, inclusive: combineFlags('inclusive') } };
}

/** The base's cost of this run's cycles: self cost of the members, and that cost with the calls that leave the cycle. */
function cycleCostsInBase({ cycles }: Totals, before: Totals, edges: Edges) {
  const self = zeroCosts(before.self.length, cycles.count + 1);
  const inclusive = zeroCosts(before.self.length, cycles.count + 1);
  if (cycles.count === 0) return { self, inclusive };
  for (let c = 0; c < self.length; c++) {
    for (const [r, cycle] of cycles.of.entries()) if (cycle > 0) self[c][cycle] += before.self[c][r];
    inclusive[c].set(self[c]);
    for (const [r, cost] of before.unrecorded?.[c].entries() ?? []) if (cycles.of[r] > 0) inclusive[c][cycles.of[r]] += cost;
    for (let e = 0; e < edges.caller.length; e++) {
      const cycle = cycles.of[edges.caller[e]];
      if (cycle > 0 && cycles.of[edges.callee[e]] !== cycle) inclusive[c][cycle] += edges.costs[c][e];
    }
  }
  return { self, inclusive };
}

function comparedEdges(a: Edges, b: Edges, routines: number, join: ComparedColumns): Edges {
  const from = new Uint32Array(routines + 1);
  /** By callee: its edge, valid only for the caller whose stamp it has. */
  const edgeOf = new Uint32Array(routines);
  const stamp = new Int32Array(routines).fill(-1);
  const merge = new TableMerge();
  for (let r = 0; r < routines; r++) {
    for (const [side, { callee, from: start }] of [a, b].entries())
      for (let e = start[r]; e < start[r + 1]; e++) {
        const to = callee[e];
        if (stamp[to] !== r) edgeOf[to] = merge.length;
        stamp[to] = r;
        merge.addAsRow(side, edgeOf[to]);
      }
    from[r + 1] = merge.length;
  }
  const known = Boolean(a.inlined && b.inlined);
  const plain = ({ from: _, into: __, inlined, ...rest }: Edges) => ({ ...rest, ...(known && inlined ? { inlined } : {}) });
  const rows = merge.rows(plain(a), plain(b), join);
  return { ...rows, from, into: indexBy(rows.callee, routines) };
}

function comparedGroups({ now, before, join }: CostingPair, of: GroupQuery): GroupCosts | undefined {
  const a = now.groups({ ...of, columns: join.wantedNow(of.columns) });
  const b = before.groups({ ...of, columns: join.wantedBefore(of.columns) });
  if (!a || !b) return undefined;
  return {
    costs: join.combine(a.costs, b.costs, new Float64Array(of.groups).fill(Number.NaN)),
    estimated: a.estimated.map((estimated, g) => estimated | b.estimated[g]),
  };
}

// Each run's tree unfolds separately, so shares are estimated within a run before they are compared.
function comparedTree(now: TreeSource, before: TreeSource, inverted: boolean, { join, sides }: CostingPair): TreeSource {
  let trees: readonly Tree[] = [];
  /** By node: its nodes in both trees; undefined if a run lacks the node. */
  const innerOf: (readonly (TreeNode | undefined)[])[] = [];
  /** The costs of a node in the columns of both runs, and the base's calls. */
  const joinCosts = (ours: Float64Array | undefined, theirs: Float64Array | undefined, calls: number): Float64Array => {
    const out = new Float64Array(join.callsBefore + 1);
    if (ours) out.set(ours);
    if (theirs) out.set(theirs, join.callsBefore - theirs.length);
    out[join.callsBefore] = calls;
    return out;
  };
  const add = (tree: Tree, parent: TreeNode | undefined, a: TreeNode | undefined, b: TreeNode | undefined): number => {
    const either = a ?? b;
    if (!either) throw new Error('a node of neither run');
    const id = addNode(tree, parent, {
      routine: either.routine,
      calls: a ? a.calls : 0,
      inclusive: joinCosts(a?.inclusive, b?.inclusive, b?.calls ?? 0),
      self: joinCosts(a?.self, b?.self, b?.calls ?? 0),
      estimated: either.estimated,
      selfEstimated: either.selfEstimated,
      ...(b ? { before: { estimated: b.estimated, selfEstimated: b.selfEstimated } } : {}),
      recursive: either.recursive,
      ...(a?.context === undefined ? {} : { context: a.context }),
      ...(either.inlined ? { inlined: true } : {}),
      sides: a && b ? 3 : a ? 1 : 2,
      ...(inverted && parent ? { top: parent.top ?? parent } : {}),
    });
    innerOf[id] = [a, b];
    return id;
  };
  const pairs = (tree: Tree, parent: TreeNode | undefined, idsOf: (of: Tree, side: number) => readonly number[]): number[] => {
    const [ours, theirs] = trees.map((of, side) => idsOf(of, side).map((id) => of.nodes[id]));
    const paired = pairByKey(ours, theirs, (node) => node.routine);
    const counterparts = new Map(paired.pairs);
    const ids = ours.map((node) => add(tree, parent, node, counterparts.get(node)));
    return [...ids, ...paired.left.map((node) => add(tree, parent, undefined, node))];
  };
  return {
    exact: now.exact && before.exact,
    roots(tree, event: Event, most) {
      const events = eventInEachRun(event);
      trees = [now, before].map((source, side) => openTree(source, inverted, events[side]));
      // A routine that a run lacks is not a root of that run.
      const ofRun = (of: Tree, side: number) => of.roots.filter((id) => sides[of.nodes[id].routine] & (side + 1));
      const roots = sortByCost(tree, pairs(tree, undefined, ofRun), event);
      const leftOut = Math.max(...trees.map((of) => of.rootsLeftOut), roots.length - most);
      return { shown: roots.slice(0, most), leftOut: Math.max(0, leftOut) };
    },
    canUnfold: (_, { id }) => innerOf[id].some((node, side) => node && canUnfold(trees[side], node.id)),
    unfold: (tree, parent) =>
      pairs(tree, parent, (of, side) => {
        const node = innerOf[parent.id][side];
        return node && canUnfold(of, node.id) ? of.source.unfold(of, node) : [];
      }),
  };
}
