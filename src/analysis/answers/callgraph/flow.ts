// The flow of cost through a call graph. Each call passes on its cost; a routine's inflow leaves it as self cost and calls.
// For Valgrind's files this holds as recorded, even in cycles: a call costs what happens until it returns.
// If more leaves a routine than its callers pay, the rest starts in it: in the first routines of the program and its threads,
// and in routines that were running when a dump began. These rests are the roots of the tree, and add up to the total:
//   sum(leaves - paid) = sum(self) + sum(calls made) - sum(calls received) = sum(self)
// In some files (from pprof, or with calls cut off), callers claim more than a routine has.
// Such claims are scaled down, callees first, so that the sums hold and no rest is negative.
// Callgrind itself is off by a few instructions: up to a thousandth of the total is tolerated without scaling.
//
// A call graph does not record paths. Inflow is assumed to continue independently of its origin, with the share
//   P(caller, callee) = cost(edge) / into(caller)
// to each callee. A routine's calls of itself stay inside it.
// So the self costs of all paths of a routine add up to its self cost, without double counting.
import { forEachInSlices, type Sliced } from '../../../base/slices.ts';
import type { Head } from '../../../model/head.ts';
import type { Cycles, Edges } from '../costing.ts';
import { callerEdges } from '../edges.ts';
import { visitInOrder } from './cycles.ts';

export interface CostFlow {
  /** The edges with the costs of the flow: as recorded, or scaled down. */
  readonly edges: Edges;
  /** 1 for edges with a scaled cost. `scaled`: 1 for routines that have such an edge to a callee, or whose cycle has one. */
  readonly scaledEdge: Uint8Array;
  readonly scaled: Uint8Array;
  /** By raw column and routine: the total inflow, from callers and from cost that starts there. */
  readonly into: readonly Float64Array[];
  /** By raw column and routine: the cost that starts there. */
  readonly rest: readonly Float64Array[];
  /** Routines where cost starts, and uncalled routines that call others. */
  readonly starts: readonly number[];
}

/** Differences below this share are rounding noise of scaled sums. */
const NOISE_SHARE = 1e-9;

/** The share of the total that callers may claim in excess, all together, before claims are scaled. */
const CLAIM_TOLERANCE = 0.001;

/** By raw column: the column whose flow it shares. Halves of large counts share that of the counts; others have their own. */
export function primaryColumns({ columns, events }: Pick<Head, 'columns' | 'events'>): readonly number[] {
  const leads = Array.from({ length: columns }, (_, c) => c);
  for (const { terms, exact } of events) {
    if (terms.length !== 1) continue;
    for (const [, half] of [...(exact?.high ?? []), ...(exact?.low ?? [])]) leads[half] = terms[0][1];
  }
  return leads;
}

/** The totals that claims are compared with, and the column whose flow each column shares. */
export interface FlowTotals {
  readonly total: readonly Float64Array[];
  readonly primaryColumns: readonly number[];
}

/** Whether a call or a routine claims more than the `total` of the program. */
export const exceedsTotal = (cost: number, total: number) => total > 0 && cost > total * (1 + CLAIM_TOLERANCE);

/** Rounds sums of shares that should be integers: 0.8 + 5.2 of 6 gives exactly 6. */
export function roundToWhole(sum: number): number {
  const near = Math.round(sum);
  return Math.abs(sum - near) <= ROUNDING_SHARE * Math.abs(sum) ? near : sum;
}

export const ROUNDING_SHARE = 1e-12;

/** The maximum number of scaling rounds in a cycle. After these, the cycle's internal calls count 0. */
const MAX_SCALING_ROUNDS = 100;

export function* computeFlow(edges: Edges, self: readonly Float64Array[], cycles: Cycles): Sliced<CostFlow> {
  const scaledEdge = new Uint8Array(edges.caller.length);
  const columns: Pick<ColumnBalance, 'costs' | 'rest' | 'into'>[] = [];
  for (const [c, given] of edges.costs.entries())
    columns.push(yield* new ColumnBalance(edges, given, self[c], cycles, scaledEdge).run());
  const own = { ...edges, costs: columns.map(({ costs }) => costs) };
  const rest = columns.map((column) => column.rest);
  const into = columns.map((column) => column.into);
  const starts: number[] = [];
  yield* forEachInSlices(cycles.of.length, (r) => {
    if (rest.some((column) => column[r] !== 0) || (edges.from[r + 1] > edges.from[r] && callerEdges(edges, r).length === 0))
      starts.push(r);
  });
  return { edges: own, scaledEdge, scaled: yield* markScaledRoutines(edges, cycles, scaledEdge), into, rest, starts };
}

function* markScaledRoutines({ caller }: Edges, { of, count }: Cycles, scaledEdge: Uint8Array): Sliced<Uint8Array> {
  const scaled = new Uint8Array(of.length);
  if (!scaledEdge.includes(1)) return scaled;
  const cycle = new Uint8Array(count + 1);
  yield* forEachInSlices(caller.length, (e) => {
    if (scaledEdge[e] === 1) scaled[caller[e]] = cycle[of[caller[e]]] = 1;
  });
  yield* forEachInSlices(of.length, (r) => {
    if (of[r] > 0 && cycle[of[r]] === 1) scaled[r] = 1;
  });
  return scaled;
}

/** Balances one raw column: claims are scaled until every routine balances. */
class ColumnBalance {
  costs: Float64Array;
  readonly rest: Float64Array;
  readonly into: Float64Array;
  private tolerated: number;

  constructor(
    private readonly edges: Edges,
    private readonly given: Float64Array,
    private readonly self: Float64Array,
    private readonly cycles: Cycles,
    private readonly scaledEdge: Uint8Array,
  ) {
    this.costs = given;
    this.rest = new Float64Array(self.length);
    this.into = new Float64Array(self.length);
    this.tolerated = CLAIM_TOLERANCE * self.reduce((sum, cost) => sum + cost, 0);
  }

  *run(): Sliced<this> {
    const balanceCycle = (cycle: number, members: Uint32Array) => this.balanceCycle(cycle, members);
    yield* visitInOrder(this.cycles, 'callees', (r) => this.balanceRoutine(r), balanceCycle);
    return this;
  }

  /** Balances a cycle. Members have claims on each other, so scaling one makes others claim too much. */
  private *balanceCycle(cycle: number, members: Uint32Array): Sliced<void> {
    const { of } = this.cycles;
    const { from, callee } = this.edges;
    for (let round = 0; round <= MAX_SCALING_ROUNDS; round++) {
      let settled = true;
      for (const r of members) if (this.balanceRoutine(r)) settled = false;
      yield;
      if (settled) return;
    }
    for (const r of members) for (let e = from[r]; e < from[r + 1]; e++) if (of[callee[e]] === cycle) this.scale(e, 0);
    for (const r of members) this.balanceRoutine(r);
  }

  /** Sets the starting cost of a routine, or scales the claims of its callers; true if it scaled. */
  private balanceRoutine(r: number): boolean {
    const { edges, costs } = this;
    let has = this.self[r];
    for (let e = edges.from[r]; e < edges.from[r + 1]; e++) if (edges.callee[e] !== r) has += costs[e];
    let paid = 0;
    const { order, from } = edges.into;
    for (let k = from[r]; k < from[r + 1]; k++) if (edges.caller[order[k]] !== r) paid += costs[order[k]];
    const more = has - paid;
    this.rest[r] = 0;
    this.into[r] = paid;
    if (Math.abs(more) <= NOISE_SHARE * Math.abs(has)) return false;
    // A difference of two runs has negative costs, whose shares are meaningless.
    if (more > 0 || has < 0) {
      this.rest[r] = more;
      this.into[r] = has;
      return false;
    }
    if (-more <= this.tolerated) {
      this.tolerated += more;
      return false;
    }
    this.into[r] = has;
    for (let k = from[r]; k < from[r + 1]; k++) if (edges.caller[order[k]] !== r) this.scale(order[k], has / paid);
    return true;
  }

  private scale(edge: number, factor: number): void {
    if (this.costs === this.given) this.costs = this.given.slice();
    this.costs[edge] *= factor;
    this.scaledEdge[edge] = 1;
  }
}
