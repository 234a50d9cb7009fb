// Costs of routines in a cycle, each cost counted once. Flow (flow.ts) that returns to a routine was counted before.
// N(u,v) is how often a visit of u comes to v on average: N = 1 + P + P² + ... = (1 - P)⁻¹. Then:
//   inclusive(r) = into(r) / N(r,r)
//   cost of the calls u -> v, each cost once = f / (1 + N(v,u) P(u,v))
// With M = diag(into) - F and its inverse Z, N(v,u) = Z(v,u) into(u). So these are 1 / Z(r,r) and f / (1 + f Z(v,u)).
// They are estimates, unless names prove that a routine is on a stack at most once (levels.ts), or a cycle has one entry.
import type { Sliced, SlicedResult } from '../../../base/slices.ts';
import { GrowableColumn, rowsOfKey } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Cycles, Edges } from '../costing.ts';
import { calleeEdges } from '../edges.ts';
import { Elimination, type InverseEntry, planElimination } from './elimination.ts';
import { type CostFlow, exceedsTotal, type FlowTotals } from './flow.ts';
import { onStackOnceByName } from './levels.ts';

export type CycleEdges = SlicedResult<typeof collectCycleEdges>;

export interface Recursion {
  /** By cycle number, from 1: its calls. */
  readonly loops: readonly (CycleEdges | undefined)[];
  /** By routine in a cycle: 1 if it is on a stack at most once. */
  readonly once: Uint8Array;
  /** Z(from, to) in a raw column: the share of a cost that returns, divided by that cost. They are equal, or call each other. */
  returnShare(column: number, from: number, to: number): number;
  /** By cycle number: its only member that is called from outside, or -1. */
  readonly entry: Int32Array;
  /** By raw column and cycle number: the cost that arrives from outside. */
  readonly arrives: readonly Float64Array[];
}

/** Computes the recursion of all cycles. Yields between slices of work. */
export function* computeRecursion(
  profile: ProfileOf<'callgraph'>,
  flow: CostFlow,
  self: readonly Float64Array[],
  { of, count, calleesFirst }: Cycles,
): Sliced<Recursion> {
  const { edges, into } = flow;
  const local = new Uint32Array(of.length);
  const members = Array.from({ length: count + 1 }, () => new GrowableColumn(Uint32Array));
  for (const r of calleesFirst) {
    if (of[r] === 0) continue;
    local[r] = members[of[r]].length;
    members[of[r]].push(r);
  }
  yield;
  const { entry, arrives } = cycleArrivals(flow, of, count);
  yield;
  const once = onStackOnceByName(profile, edges, of);
  // A name is wrong if more cost arrives in the routine than in its cycle. After transforms, shares add up less exactly.
  const most = 1 + (profile.estimated ? ESTIMATE_TOLERANCE : INFLOW_TOLERANCE);
  for (let r = 0; r < of.length; r++)
    if (once[r] === 1 && into.some((column, c) => column[r] > arrives[c][of[r]] * most)) once[r] = 0;
  const loops: (CycleEdges | undefined)[] = [undefined];
  for (let cycle = 1; cycle <= count; cycle++) loops.push(yield* collectCycleEdges(edges, members[cycle].done(), of, local));
  const inverses: (readonly InverseEntry[])[] = [];
  for (const [c, column] of self.entries()) {
    const ofColumn: InverseEntry[] = [];
    for (const [cycle, loop] of loops.entries()) {
      const isKnown = loop?.members.every((r) => once[r] === 1 || entry[cycle] === r) ?? true;
      ofColumn.push(isKnown || !loop ? () => 0 : yield* (yield* eliminateCycle(edges, edges.costs[c], loop, column)).inverse());
    }
    inverses.push(ofColumn);
  }
  const returnShare = (c: number, from: number, to: number) =>
    of[from] > 0 ? inverses[c][of[from]](local[from], local[to]) : 1 / into[c][from];
  return { loops, once, returnShare, entry, arrives };
}

/** The cost that arrives in each cycle from outside, by raw column, and its entry if it has only one. */
function cycleArrivals({ edges, rest }: CostFlow, of: Uint32Array, count: number): Pick<Recursion, 'entry' | 'arrives'> {
  const entry = new Int32Array(count + 1).fill(NO_ENTRY);
  const arrives = rest.map(() => new Float64Array(count + 1));
  const { caller, into } = edges;
  const enter = (r: number, costs: readonly Float64Array[], row: number) => {
    let some = false;
    for (let c = 0; c < costs.length; c++) {
      const cost = costs[c][row];
      if (cost === 0) continue;
      some = true;
      arrives[c][of[r]] += cost;
    }
    if (some) entry[of[r]] = combineEntries(entry[of[r]], r);
  };
  for (let r = 0; r < of.length; r++) {
    if (of[r] === 0) continue;
    enter(r, rest, r);
    for (const e of rowsOfKey(into, r)) if (of[caller[e]] !== of[r]) enter(r, edges.costs, e);
  }
  return { entry, arrives };
}

/** The entry of a cycle or component: a routine or call row, none so far, or several. */
export const NO_ENTRY = -1;
export const SEVERAL_ENTRIES = -2;
export const combineEntries = (a: number, b: number): number =>
  a === NO_ENTRY || a === b ? b : b === NO_ENTRY ? a : SEVERAL_ENTRIES;

const INFLOW_TOLERANCE = 1e-6;
const ESTIMATE_TOLERANCE = 0.01;

/**
 * Collects the calls inside a cycle, whose members are numbered from 0: calls among the members, except of a member to itself, from member
 * `tail` to member `head`. If there are too many, the cheaper half of them is dropped, repeatedly.
 */
function* collectCycleEdges(edges: Edges, members: Uint32Array, of: Uint32Array, local: Uint32Array) {
  const inner = new GrowableColumn(Uint32Array);
  for (const r of members) for (const e of calleeEdges(edges, r)) if (of[edges.callee[e]] === of[r]) inner.push(e);
  const cost = (e: number) => edges.costs[0]?.[e] ?? 0;
  for (let edge = inner.done(); ; edge = edge.sort((a, b) => cost(b) - cost(a)).slice(0, edge.length >>> 1)) {
    const tail = edge.map((e) => local[edges.caller[e]]);
    const head = edge.map((e) => local[edges.callee[e]]);
    const pattern = yield* planElimination(members.length, tail, head);
    if (pattern) return { members, edge, tail, head, pattern };
  }
}

/** Eliminates a cycle. Calls to routines in `hit` count as leaving the cycle; calls that these routines make do not count. */
export function* eliminateCycle(
  { callee, from }: Edges,
  cost: Float64Array,
  loop: CycleEdges,
  self: Float64Array,
  hit?: Uint8Array,
): Sliced<Elimination> {
  const { members, edge, tail, head } = loop;
  const inside = new Set(edge);
  const isHit = (r: number) => hit?.[r] === 1;
  // A difference of two runs has negative costs, whose shares are meaningless.
  const leaves = Float64Array.from(members, (r) => {
    if (isHit(r)) return 1;
    let sum = Math.max(0, self[r]);
    for (let e = from[r]; e < from[r + 1]; e++)
      if (callee[e] !== r && (!inside.has(e) || isHit(callee[e]))) sum += Math.max(0, cost[e]);
    return sum;
  });
  const weight = Float64Array.from(edge, (e, k) => (isHit(members[tail[k]]) || isHit(callee[e]) ? 0 : Math.max(0, cost[e])));
  const out = new Elimination(loop.pattern);
  yield* out.run(tail, head, weight, leaves);
  return out;
}

/** The recursion of a graph without cycles. `inclusive`: by raw column and routine. */
export const noRecursion = (inclusive: readonly Float64Array[]): Recursion => ({
  loops: [],
  once: new Uint8Array(0),
  returnShare: (c, from) => 1 / inclusive[c][from],
  entry: new Int32Array(0),
  arrives: [],
});

/** Computes the inclusive costs of cycle members, each cost once. Returns which routines have estimates. */
export function inclusiveInCycles(inclusive: readonly Float64Array[], { of, count }: Cycles, recursion: Recursion): Uint8Array {
  const { once, entry, arrives, returnShare } = recursion;
  const estimated = new Uint8Array(of.length);
  for (let r = 0; r < of.length && count > 0; r++) {
    if (of[r] === 0 || once[r] === 1) continue;
    const alone = entry[of[r]] === r;
    if (!alone) estimated[r] = 1;
    for (const [c, out] of inclusive.entries()) {
      if (out[r] === 0) continue;
      // If cost never leaves the cycle, the share is unknown.
      const share = alone ? Number.NaN : 1 / returnShare(c, r, r);
      out[r] = Number.isFinite(share) ? share : arrives[c][of[r]];
    }
  }
  return estimated;
}

/**
 * The edges with the cost of each counted once, and none more than the total. `inside`: those of them in cycles, and of routines to themselves;
 * `wrong`: those that claim more.
 */
export function countEdgesOnce(
  recorded: Edges,
  { costs }: Edges,
  { inside, wrong }: { readonly inside: readonly number[]; readonly wrong: ReadonlySet<number> },
  { once, returnShare }: Recursion,
  { total, primaryColumns }: FlowTotals,
): Edges {
  const { caller, callee } = recorded;
  const changed = inside.filter((e) => once[caller[e]] !== 1 && once[callee[e]] !== 1 && costs.some((column) => column[e] !== 0));
  const isWrong = (c: number, e: number) => exceedsTotal(recorded.costs[primaryColumns[c]][e], total[primaryColumns[c]][0]);
  if (changed.length === 0 && wrong.size === 0) return recorded;
  const estimated = recorded.estimated?.slice() ?? new Uint8Array(caller.length);
  for (const e of [...wrong, ...changed]) estimated[e] = 1;
  const out = recorded.costs.map((column, c) => {
    const own = column.slice();
    for (const e of wrong) if (isWrong(c, e)) own[e] = total[c][0];
    for (const e of changed)
      own[e] = costs[c][e] > 0 ? costs[c][e] / (1 + costs[c][e] * returnShare(c, callee[e], caller[e])) : 0;
    return own;
  });
  const overclaim = new Uint8Array(recorded.from.length - 1);
  for (const e of wrong) overclaim[caller[e]] = 1;
  return { ...recorded, costs: out, recorded: recorded.costs, estimated, ...(wrong.size > 0 ? { overclaim } : {}) };
}
