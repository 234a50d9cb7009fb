// The Costing of a call graph in which a routine stands for several nodes, one per place where the function is inlined.
// Costs are summed from the graph of nodes. If nodes of a routine are ancestors of one another, they share costs.
// Shared costs are counted once, as for any group of routines (shares.ts).

import { groupByKey } from '../../../base/lists.ts';
import { concatTables, Groups, type Index, indexBy, pickColumn, pickRows, rowsOfKey } from '../../../model/column.ts';
import type { NodeGraph } from '../../../model/profile.ts';
import type { CallSiteQuery, CallSites, Costing, Edges, MergedInstrs, Totals } from '../costing.ts';
import { instrCallsOf, mergeSitesByLine, sitesInFile } from '../line-calls.ts';
import { once } from '../once.ts';
import type { TreeSource } from '../tree.ts';
import { noInstrs } from '../without.ts';
import { withinRoutine } from './call-sites.ts';
import { summedTree } from './summed-tree.ts';

export interface GraphCosting extends Costing {
  /** The inverted tree of several routines. `alone`: none of them calls another or itself, even indirectly. */
  routinesTree(routines: readonly number[], alone: boolean, inverted: boolean): TreeSource;
}

/** `estimated`: by routine, whether its self cost is; `own`: answers from the profile's rows; `inner`: answers from the nodes' graph. */
export function foldedCosting(nodes: NodeGraph, estimated: Uint8Array, own: Costing, inner: GraphCosting): Costing {
  const { graph, routineOf } = nodes;
  const { within } = graph.routines;
  const isInlined = (node: number) => within !== undefined && within[node] >= 0;
  const nodesOf = once(() => indexBy(routineOf, estimated.length));
  const nodesIn = (r: number) => rowsOfKey(nodesOf(), r);
  const chains = once(() => new InlineChains(inner.edges(), routineOf, isInlined));
  const nested = once(() => nestedRoutines(inner, nodesOf(), chains()));
  const totals = once(() => foldTotals(inner, nodesOf(), nested(), chains(), estimated));
  const edges = once(() => foldEdges(inner.edges(), totals(), nested(), chains()));
  const shown = { routineOf, inlined: isInlined };
  const sitesFrom = (nodes: Iterable<number>) => concatSites(Array.from(nodes, (node) => inner.callSites({ from: node })));
  /** The call sites of all nodes, without duplicates. */
  const innerSites = (of: CallSiteQuery): CallSites | undefined => {
    if (of === 'all' || 'inFile' in of) return inner.callSites(of);
    if ('from' in of) return sitesFrom(nodesIn(of.from));
    const found = Array.from(nodesIn(of.around), (node) => {
      const sites = inner.callSites({ around: node });
      if (!sites) return undefined;
      const { callee } = sites;
      const rows = Array.from(callee.keys()).filter((i) => callee[i] === node || routineOf[callee[i]] !== of.around);
      return pickRows(sites, rows);
    });
    return concatSites(found);
  };
  const callSites = (of: CallSiteQuery) => {
    const sites = innerSites(of);
    return sites && foldSites(sites, chains());
  };
  return {
    ...own,
    totals,
    edges,
    ...(inner.preparing ? { preparing: inner.preparing } : {}),
    totalsSoFar: undefined,
    callSites,
    instrCalls: (routine) => instrCallsOf(own.instrs(routine), callSites({ from: routine }), totals().cycles.of),
    inclusiveLines(file, routine, self) {
      const sites = innerSites(routine < 0 ? { inFile: file } : { from: routine });
      const costs = inner.inclusiveLines(file, -1, self, sites && sitesInFile(sites, file));
      return nested()[routine] === 1 ? withinRoutine(costs, totals(), routine) : costs;
    },
    lineCalls: (_, __, sites) => mergeSitesByLine(sites, totals().cycles.of),
    code(routine) {
      const nodes = chains().withInlined(nodesIn(routine));
      const instrs = once(() => mergeCode(nodes, inner, routineOf));
      return {
        instrs,
        instrCalls() {
          const found = sitesFrom(nodes);
          return instrCallsOf(instrs(), found && foldSites(found, chains()), totals().cycles.of);
        },
        jumps: () => nodes.flatMap((node) => inner.jumps(node)),
      };
    },
    groups: (of) => inner.groups({ ...of, groupOf: pickColumn(of.groupOf, routineOf) }),
    tree: (inverted) => summedTree([inner.tree(inverted)], inverted, shown),
    routineTree(routine, inverted) {
      const nodes = Array.from(nodesIn(routine)).filter((node) => !chains().isBelowItself(node));
      const alone = nested()[routine] === 0 && nodes.every((node) => inner.totals().cycles.of[node] === 0);
      return summedTree([inner.routinesTree(nodes, alone, inverted)], inverted, shown);
    },
    ...(inner.paths
      ? {
          paths(event, least, most) {
            const paths = inner.paths?.(event, least, most) ?? { parent: [], routine: [], self: [] };
            return { ...paths, routine: paths.routine.map((node) => routineOf[node]), inlined: paths.routine.map(isInlined) };
          },
        }
      : {}),
  };
}

function concatSites(all: readonly (CallSites | undefined)[]): CallSites | undefined {
  const found = all.filter((sites) => sites !== undefined).filter(({ caller }) => caller.length > 0);
  // Only sites of recursions have these columns.
  const estimated = found.some((sites) => sites.estimated);
  const recorded = found.some((sites) => sites.recorded);
  const alike = found.map((sites) => ({
    ...sites,
    ...(recorded ? { recorded: sites.recorded ?? sites.costs } : {}),
    ...(estimated ? { estimated: sites.estimated ?? new Uint8Array(sites.caller.length) } : {}),
  }));
  return alike.length > 0 ? concatTables(alike) : undefined;
}

/** Merges the instructions of nodes by address. An address belongs to one function, or to levels of one. */
function mergeCode(nodes: readonly number[], inner: Costing, routineOf: Uint32Array): MergedInstrs {
  const tables = nodes.map((node) => {
    const instrs = inner.instrs(node);
    return { ...instrs, function: new Uint32Array(instrs.low.length).fill(routineOf[node]) };
  });
  if (tables.length === 0) return noInstrs();
  const { costs, ...names } = concatTables(tables);
  const { high, low } = names;
  const groups = Groups.groupBy(low.length, (i) => `${high[i]}.${low[i]}`).sortBy(high, low);
  return { ...pickRows(names, groups.first), costs: groups.sums(costs) };
}

/** Chains of inlined nodes: each node is called by exactly one other. */
class InlineChains {
  /** By node: the node that it is inlined into; -1 if it is not inlined. */
  private readonly parent: Int32Array;
  private children: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(
    { caller, into }: Edges,
    readonly routineOf: Uint32Array,
    readonly isInlined: (node: number) => boolean,
  ) {
    this.parent = Int32Array.from(routineOf, (_, n) =>
      isInlined(n) && into.from[n + 1] - into.from[n] === 1 ? caller[into.order[into.from[n]]] : -1,
    );
  }

  /** The nodes, and all nodes inlined into them. */
  withInlined(nodes: Iterable<number>): number[] {
    this.children ??= groupByKey(this.parent.keys(), (n) => this.parent[n]);
    const out = new Set(nodes);
    // The loop also visits members that it adds.
    for (const node of out) for (const child of this.children.get(node) ?? []) out.add(child);
    return [...out];
  }

  /** Whether a node is inlined below another node of its routine, whose cost then includes it. */
  isBelowItself(node: number): boolean {
    for (let n = this.parent[node]; n >= 0; n = this.parent[n]) if (this.routineOf[n] === this.routineOf[node]) return true;
    return false;
  }

  /** Whether an inlined call lies below another call between the same two routines. */
  isRepeated(caller: number, callee: number): boolean {
    const { routineOf, parent } = this;
    for (let n = caller; parent[n] >= 0; n = parent[n])
      if (routineOf[n] === routineOf[callee] && routineOf[parent[n]] === routineOf[caller]) return true;
    return false;
  }

  withoutRepeatedCalls(columns: readonly Float64Array[], { caller, callee }: Pick<Edges, 'caller' | 'callee'>): Float64Array[] {
    return columns.map((column) => column.map((cost, i) => (cost !== 0 && this.isRepeated(caller[i], callee[i]) ? 0 : cost)));
  }
}

function foldTotals(inner: Costing, nodes: Index, nested: Uint8Array, chains: InlineChains, estimated: Uint8Array): Totals {
  const { routineOf, isInlined } = chains;
  const of = inner.totals();
  const routines = nested.length;
  const firstNodes = Array.from(nodes.from.subarray(0, routines), (at) => nodes.order[at]);
  const groups = new Groups(routineOf, firstNodes);
  const inclusive = groups.sums(of.inclusive.map((column) => column.map((cost, n) => (chains.isBelowItself(n) ? 0 : cost))));
  const doubted = of.estimated?.inclusive;
  const doubts = { self: estimated, inclusive: doubted ? groups.combineBits(doubted) : new Uint8Array(routines) };
  countSharedCostsOnce(inner, routineOf, nested, inclusive, doubts.inclusive);
  const inlined = new Uint8Array(routines);
  const calls = new Float64Array(routines);
  const cycleOf = new Uint32Array(routines);
  for (let r = 0; r < routines; r++) {
    const own = rowsOfKey(nodes, r);
    // In a comparison, only one of the runs may have it.
    inlined[r] = Number(own.length > 0 && own.every(isInlined));
    // How often an inlined function runs is not recorded.
    calls[r] = inlined[r] === 1 ? Number.NaN : own.reduce((sum, n) => sum + (isInlined(n) ? 0 : of.calls[n]), 0);
    cycleOf[r] = own.reduce((cycle, n) => cycle || of.cycles.of[n], 0);
  }
  return {
    ...of,
    self: groups.sums(of.self),
    inclusive,
    recorded: of.recorded && groups.sums(of.recorded),
    calls,
    inlined,
    cycles: { of: cycleOf, count: of.cycles.count, calleesFirst: new Uint32Array(0) },
    ...(of.estimated || doubts.inclusive.includes(1) ? { estimated: doubts, selfEstimated: doubts.self } : {}),
  };
}

/** Computes the inclusive costs of routines whose nodes share costs. */
function countSharedCostsOnce(
  inner: Costing,
  routineOf: Uint32Array,
  nested: Uint8Array,
  inclusive: readonly Float64Array[],
  doubts: Uint8Array,
): void {
  const several = Array.from(nested.keys()).filter((r) => nested[r] === 1);
  if (several.length === 0) return;
  const groupOfRoutine = new Int32Array(nested.length).fill(-1);
  for (const [g, r] of several.entries()) groupOfRoutine[r] = g;
  const columns = [...inclusive.keys()];
  const found = inner.groups({ groupOf: pickColumn(groupOfRoutine, routineOf), groups: several.length, columns });
  const { total } = inner.totals();
  several.forEach((r, g) => {
    doubts[r] |= found?.estimated[g] ?? 1;
    for (const c of columns) {
      const cost = found?.costs[c][g] ?? Number.NaN;
      if (Number.isNaN(cost)) doubts[r] = 1;
      inclusive[c][r] = Number.isNaN(cost) ? Math.min(inclusive[c][r], total[c][0]) : cost;
    }
  });
}

/** The number of words in a bit set. Each word holds 32 routines, which are examined together. */
const BIT_SET_WORDS = 32;

/** By routine: 1 if one of its nodes calls another or itself, even indirectly. Nesting within inline chains does not count. */
function nestedRoutines(inner: Costing, nodes: Index, chains: InlineChains): Uint8Array {
  const { routineOf } = chains;
  const { from, callee } = inner.edges();
  const { of, calleesFirst } = inner.totals().cycles;
  const nested = new Uint8Array(nodes.from.length - 1);
  const several = Array.from(nested.keys()).filter((r) => nodes.from[r + 1] - nodes.from[r] > 1);
  const bit = new Int32Array(nested.length);
  const counts = routineOf.map((_, node) => Number(!chains.isBelowItself(node)));
  const bitOf = (node: number) => (counts[node] === 1 ? bit[routineOf[node]] : -1);
  for (let first = 0; first < several.length; first += BIT_SET_WORDS * 32) {
    bit.fill(-1);
    for (const [k, r] of several.slice(first, first + BIT_SET_WORDS * 32).entries()) bit[r] = k;
    const below = new Int32Array(routineOf.length * BIT_SET_WORDS);
    const some = new Uint8Array(routineOf.length);
    const sum = new Int32Array(BIT_SET_WORDS);
    for (let k = 0; k < calleesFirst.length; ) {
      const cycle = of[calleesFirst[k]];
      let end = k + 1;
      while (cycle > 0 && end < calleesFirst.length && of[calleesFirst[end]] === cycle) end++;
      sum.fill(0);
      for (let m = k; m < end; m++)
        for (let e = from[calleesFirst[m]]; e < from[calleesFirst[m] + 1]; e++) {
          const v = callee[e];
          if (some[v] === 1) for (let w = 0; w < BIT_SET_WORDS; w++) sum[w] |= below[v * BIT_SET_WORDS + w];
          const own = bitOf(v);
          if (own >= 0) sum[own >>> 5] |= 1 << (own & 31);
        }
      const isSome = Number(sum.some((word) => word !== 0));
      for (; k < end; k++) {
        if (isSome) below.set(sum, calleesFirst[k] * BIT_SET_WORDS);
        some[calleesFirst[k]] = isSome;
        const own = bitOf(calleesFirst[k]);
        if (own >= 0 && (sum[own >>> 5] >>> (own & 31)) & 1) nested[routineOf[calleesFirst[k]]] = 1;
      }
    }
  }
  return nested;
}

/** Computes the edges between routines. A cost is counted once if one of the two has no nodes above one another. */
function foldEdges(inner: Edges, totals: Totals, nested: Uint8Array, chains: InlineChains): Edges {
  const { routineOf, isInlined } = chains;
  const routines = nested.length;
  const [caller, callee] = [pickColumn(routineOf, inner.caller), pickColumn(routineOf, inner.callee)];
  const groups = Groups.groupBy(caller.length, (e) => caller[e] * routines + callee[e]).sortBy(caller, callee);
  const ends = pickRows({ caller, callee }, groups.first);
  const { inlined, count } = inlinedGroups(groups, inner, isInlined);
  const estimated = inner.estimated ? groups.combineBits(inner.estimated) : new Uint8Array(ends.caller.length);
  const costs = groups.sums(chains.withoutRepeatedCalls(inner.costs, inner)).map((column, c) =>
    column.map((cost, e) => {
      if (nested[ends.caller[e]] === 0 || nested[ends.callee[e]] === 0) return cost;
      estimated[e] = 1;
      return Math.min(cost, totals.inclusive[c][ends.caller[e]], totals.inclusive[c][ends.callee[e]]);
    }),
  );
  return {
    ...ends,
    count,
    costs,
    ...(inner.recorded ? { recorded: groups.sums(inner.recorded) } : {}),
    ...(estimated.includes(1) ? { estimated } : {}),
    inlined,
    from: indexBy(ends.caller, routines).from,
    into: indexBy(ends.callee, routines),
  };
}

/** Merges the call sites of nodes at the same place. */
function foldSites(sites: CallSites, chains: InlineChains): CallSites {
  const { routineOf, isInlined } = chains;
  const [caller, callee] = [pickColumn(routineOf, sites.caller), pickColumn(routineOf, sites.callee)];
  const { file, line, high, low, recorded, estimated } = sites;
  const at = high && low ? (i: number) => `${high[i]}.${low[i]}` : () => '';
  const key = (i: number) => `${caller[i]}.${callee[i]}.${file[i]}.${line[i]}.${at(i)}`;
  const groups = Groups.groupBy(caller.length, key).sortBy(caller, file, line, high, low);
  return {
    ...pickRows({ caller, callee, file, line, ...(high && low ? { high, low } : {}) }, groups.first),
    ...inlinedGroups(groups, sites, isInlined),
    costs: groups.sums(chains.withoutRepeatedCalls(sites.costs, sites)),
    ...(recorded ? { recorded: groups.sums(recorded) } : {}),
    ...(estimated ? { estimated: groups.combineBits(estimated) } : {}),
  };
}

/** By group of calls: whether it is inlined, and the count of its other calls; NaN is unknown. */
function inlinedGroups(groups: Groups, { callee, count }: Pick<Edges, 'callee' | 'count'>, isInlined: (node: number) => boolean) {
  const called = groups.combineBits(Uint8Array.from(callee, (node) => Number(!isInlined(node))));
  const known = groups.sum(count.map((calls, i) => (isInlined(callee[i]) ? 0 : calls)));
  return { inlined: called.map((is) => 1 - is), count: known.map((calls, g) => (called[g] === 1 ? calls : Number.NaN)) };
}
