// Focus, ignore, show-from and prune-from of a call graph: every row keeps a share of its cost. In a routine r, let b be the share of its
// cost that arrived through a routine that matches (1 in one), and a the share that goes into one below it (1 in one).
//
// Focus keeps the paths that contain a match: of self cost b; of a call, b(caller) + (1 - b(caller)) * a(callee). What then arrives in r
// is the sum over its callers of cost * (b + (1 - b) * a(r)), and what starts in it counts with b = 0: all * (b(r) + (1 - b(r)) * a(r)). What
// leaves it is b * self + sum(cost * (b + (1 - b) * a(callee))) = b * whole + (1 - b) * a * whole, the same: so totals still balance.
//
// Ignore keeps what focus removes. Show-from drops what is above the first match: it keeps b of self cost and b(caller) of calls.
// Prune-from cuts a path below its last match. A call stays if a match comes below it, or if its path has no match:
// a(callee) + (1 - b(caller)) * (1 - a(callee)). The cost that was cut is self cost of the last match, on the line of its call.
import { forEachInSlices, type Sliced } from '../../../base/slices.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import { type Costs, type CountColumn, pickColumnInSlices, pickRowsInSlices, selectedRows } from '../../../model/column.ts';
import { findEdge } from '../../answers/callgraph/call-sites.ts';
import type { ThroughShares } from '../../answers/callgraph/shares.ts';
import { buildRemainingProfile, estimatesOf } from './call-graph-draft.ts';
import { type GraphProfile, type MatchOutflow, matchOutflows, sharesThrough, type TransformGraph } from './call-graph-flows.ts';
import { keepLines, NewLines, type SelfShares } from './call-graph-rows.ts';

export type ShareWord = 'focus' | 'ignore' | 'show-from' | 'prune-from';

/** The remaining cost. `b`: as above. `below`: the part of the cost that goes into a match below the call. */
type KeptCost = (cost: number, b: number, below: number) => number;

const focusedCost: KeptCost = (cost, b, below) => {
  if (b === 1 || below === cost) return cost;
  return b === 0 ? below : b * cost + (1 - b) * below;
};

const KEPT_COST: Readonly<Record<ShareWord, KeptCost>> = {
  focus: focusedCost,
  ignore: (cost, b, below) => cost - focusedCost(cost, b, below),
  'show-from': (cost, b) => b * cost,
  'prune-from': (cost, b, below) => {
    if (b === 0 || below === cost) return cost;
    return b === 1 ? below : below + (1 - b) * (cost - below);
  },
};

/**
 * Whether the remaining cost is exact, not a share of several paths. `known`: whether the part that goes into matches is exact.
 */
function isKeptCostExact(word: ShareWord, b: number, all: boolean, known: boolean): boolean {
  if (word === 'show-from') return b === 0 || b === 1;
  // In these cases, the other share does not matter.
  if (all || b === (word === 'prune-from' ? 0 : 1)) return true;
  return b === (word === 'prune-from' ? 1 : 0) && known;
}

interface ShareTransform {
  readonly word: ShareWord;
  readonly graph: TransformGraph;
  readonly hit: Uint8Array;
  readonly through: readonly ThroughShares[];
  /** The cost that goes into matches. Absent if only cost from above counts. */
  readonly into: readonly MatchOutflow[] | undefined;
  readonly primaryColumns: readonly number[];
  /** By routine: 1 in `below` if some inflow came through a match; 1 in `above` if some cost goes into one. */
  readonly below: Uint8Array;
  readonly above: Uint8Array;
}

export function* keepShares(graph: TransformGraph, hit: Uint8Array, word: ShareWord): Sliced<GraphProfile> {
  const { profile } = graph;
  const through = yield* sharesThrough(graph, hit);
  const into = word === 'show-from' ? undefined : yield* matchOutflows(graph, hit, through, word === 'prune-from');
  const leading = graph.leads.flatMap((lead, c) => (lead === c ? [c] : []));
  const parts = (into ?? []).map(({ part }) => part);
  const above = routinesWithCost(hit.length, parts);
  const shares = through.map(({ routine }) => routine);
  const below = routinesWithCost(hit.length, shares);
  const sharing: ShareTransform = { word, graph, hit, through, into, primaryColumns: leading, below, above };
  const share = word === 'prune-from' ? shares.map((column) => column.map((b, r) => (hit[r] === 1 ? 0 : b))) : shares;
  const self = { share, complement: word === 'prune-from' || word === 'ignore' };
  const before = estimatesOf(profile);
  const selfDoubt = before.self.slice();
  for (const c of leading) {
    const cost = graph.totals.self[c];
    for (let r = 0; r < cost.length; r++) if (cost[r] !== 0 && !isAllOrNothing(self.share[c][r])) selfDoubt[r] = 1;
    yield;
  }
  const cut = new NewLines(profile.columns);
  const made = profile.calls && (yield* keepCalls(sharing, profile.calls, cut, selfDoubt));
  if (word === 'prune-from') for (const [c, column] of cut.costs.entries()) scaleToSum(column, removedSelfCost(sharing, self, c));
  const { lines, start } = yield* keepLines(profile, profile.spans, self, cut);
  // An inclusive cost is an estimate if that of one of its calls is.
  const inclusive = before.inclusive.map((doubt, r) => doubt | selfDoubt[r]);
  const { caller, callee, costs } = graph.edges;
  const markInclusive = (e: number) => {
    if (inclusive[caller[e]] === 0 && !isExactInAllColumns(sharing, costs, e, caller[e], callee[e])) inclusive[caller[e]] = 1;
  };
  yield* forEachInSlices(caller.length, markInclusive);
  const tables = { spans: { ...profile.spans, start }, lines, ...(made ? { calls: made.calls } : {}) };
  const estimated = { self: selfDoubt, inclusive, calls: made?.doubt ?? before.calls };
  return yield* buildRemainingProfile(profile, { ...tables, estimated });
}

/** The self cost removed from routines below a match. The cut-off calls must add up to it. */
const removedSelfCost = ({ graph, hit }: ShareTransform, { share }: SelfShares, column: number): number =>
  graph.totals.self[column].reduce((sum, cost, r) => (hit[r] === 1 ? sum : sum + cost * share[column][r]), 0);

/** Scales costs whose shares do not add up to a known sum. */
function scaleToSum(costs: CountColumn, wanted: number): void {
  let sum = 0;
  for (let k = 0; k < costs.length; k++) sum += costs.data[k];
  if (sum <= 0 || Math.abs(sum - wanted) <= SUM_TOLERANCE * sum) return;
  for (let k = 0; k < costs.length; k++) costs.set(k, (costs.data[k] * wanted) / sum);
}

const SUM_TOLERANCE = 1e-9;

const isAllOrNothing = (share: number) => share === 0 || share === 1;

/** By routine: 1 if its cost in any column is not 0. */
function routinesWithCost(routines: number, columns: readonly Float64Array[]): Uint8Array {
  const out = new Uint8Array(routines);
  for (const column of columns) for (let r = 0; r < routines; r++) if (column[r] !== 0) out[r] = 1;
  return out;
}

/** The share of a call that came through a match: that of its caller, unless calls have their own. */
function callShareThrough({ through, graph: { edges } }: ShareTransform, c: number, caller: number, callee: number): number {
  const { routine, edge } = through[c];
  return edge?.[findEdge(edges, caller, callee)] ?? routine[caller];
}

const isUnrelated = ({ below, above }: ShareTransform, caller: number, callee: number) =>
  below[caller] === 0 && above[callee] === 0;

/** Whether the remaining part of the cost of a row of calls, or of an edge, is known exactly in all columns. */
function isExactInAllColumns(sharing: ShareTransform, costs: Costs, row: number, caller: number, callee: number): boolean {
  if (isUnrelated(sharing, caller, callee)) return true;
  for (const c of sharing.primaryColumns) {
    const cost = costs[c][row];
    if (cost === 0) continue;
    const of = sharing.into?.[c];
    const share = callShareThrough(sharing, c, caller, callee);
    const leadsOn = of?.costIntoMatches(callee, cost) === cost;
    if (!isKeptCostExact(sharing.word, share, leadsOn, of?.isExact(callee, cost) ?? true)) return false;
  }
  return true;
}

/** Keeps the remaining calls, and marks which are estimates. The cost that is cut off is added to `cut`. */
function* keepCalls(sharing: ShareTransform, calls: Calls, cut: NewLines, selfDoubt: Uint8Array) {
  const { word, graph, hit } = sharing;
  const { spans, columns } = graph.profile;
  const rows = calls.span.length;
  const doubt = estimatesOf(graph.profile).calls.slice();
  const keep = new Uint8Array(rows);
  const out = Array.from({ length: columns }, () => new Float64Array(rows));
  const count = new Float64Array(rows);
  const rest = new Float64Array(columns);
  const keepsUnrelated = word === 'ignore' || word === 'prune-from';
  const keepShare = (i: number) => {
    const [caller, callee] = [spans.routine[calls.span[i]], calls.callee[i]];
    if (!keepsUnrelated && isUnrelated(sharing, caller, callee)) return;
    const most = writeKeptRow(sharing, calls, i, caller, out);
    for (let c = 0; c < columns; c++) if (out[c][i] !== 0) keep[i] = 1;
    count[i] = remainingCount(calls.count[i], most);
    if (doubt[i] === 0 && !isExactInAllColumns(sharing, calls.costs, i, caller, callee)) doubt[i] = 1;
    if (word !== 'prune-from' || hit[caller] === 0) return;
    for (let c = 0; c < columns; c++) rest[c] = calls.costs[c][i] - out[c][i];
    const added = cut.add(calls.span[i], calls.line[i], calls.address?.[i] ?? 0, rest);
    if (added && doubt[i] === 1) selfDoubt[caller] = 1;
  };
  yield* forEachInSlices(rows, keepShare);
  const kept = yield* selectedRows(keep);
  const left = yield* pickRowsInSlices({ ...calls, count, costs: out }, kept);
  return { calls: left, doubt: yield* pickColumnInSlices(doubt, kept) };
}

/** Writes the remaining costs of a row. Returns the largest share that a column keeps. */
function writeKeptRow(sharing: ShareTransform, calls: Calls, row: number, caller: number, out: readonly Float64Array[]): number {
  const { word, graph, into } = sharing;
  const { leads } = graph;
  const { costs } = calls;
  const callee = calls.callee[row];
  const keeps = KEPT_COST[word];
  let most = 0;
  for (let c = 0; c < out.length; c++) {
    const lead = leads[c];
    const cost = costs[c][row];
    if (cost === 0) continue;
    // A column with half of a large count keeps the same share as its primary column.
    const kept =
      c === lead
        ? keeps(cost, callShareThrough(sharing, c, caller, callee), into ? into[c].costIntoMatches(callee, cost) : 0)
        : scaleHalf(cost, out[lead][row], costs[lead][row]);
    out[c][row] = kept;
    most = Math.max(most, kept / cost);
  }
  return most;
}

const scaleHalf = (cost: number, stays: number, whole: number) =>
  stays === whole ? cost : whole === 0 ? 0 : (cost * stays) / whole;

/** The remaining number of calls: at least 1 if cost remains. 0 stays 0: unknown, or counted elsewhere. */
export const remainingCount = (count: number, share: number): number =>
  share > 0 && count > 0 ? Math.max(1, Math.ceil(count * Math.min(1, share) - 1e-9)) : 0;
