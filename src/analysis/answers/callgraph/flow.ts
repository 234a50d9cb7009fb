// The flow of cost through a call graph: by each call as much as it costs, into a routine as much as leaves it as its own cost and in its
// calls. In the files of Valgrind that holds for the numbers as they are recorded, in cycles, too: a call costs what happens until it
// returns. Where more leaves a routine than its callers pay, the rest starts in it: the first routine of a program and of its threads, and what
// was running when a dump began. The rests are the roots of the tree, and add up to the total self cost:
//   sum(leaves - paid) = sum(self) + sum(calls made) - sum(calls received) = sum(self)
// In some files (those of pprof; those whose calls were cut off) callers claim more than a routine has. Such claims are scaled down, callees
// first, so that the sums above hold and no rest is below zero. Callgrind itself is off by a handful of instructions: up to a thousandth
// of the total in all, the file's numbers stay as they are.
//
// A call graph does not record paths. The flow goes on in a routine as if it did not matter where it came from: by the share
//   P(caller, callee) = cost(edge) / into(caller)
// to each callee, calls of itself left out: these stay in the routine. So the self costs of all paths of a routine add up to its own, and
// nothing is counted twice.
import { eachInSlices, inSlices } from '../../../base/slices.ts';
import type { Head } from '../../../model/head.ts';
import type { Cycles, Edges } from '../costing.ts';

export interface Flow {
  /** The edges with the costs of the flow: the file's, or scaled down. */
  readonly edges: Edges;
  /** 1 for edges with a scaled cost, and for routines that have such an edge to a callee, they or their cycle. */
  readonly scaledEdge: Uint8Array;
  readonly scaled: Uint8Array;
  /** By raw column and routine: all that arrives, from other callers and from nowhere. */
  readonly into: readonly Float64Array[];
  /** By raw column and routine: the rest with which it begins. */
  readonly rest: readonly Float64Array[];
  /** Routines where cost starts, and uncalled routines that call others. */
  readonly starts: readonly number[];
}

/** Differences below this share are noise of scaled sums. */
const NOISE = 1e-9;

/** The share of the total by which callers may claim too much, together, before any claim is scaled. */
const TOLERANCE = 0.001;

/** By raw column: the column whose flow it shares. Halves of large counts share that of the counts; others have their own. */
export function primaryColumns({ columns, events }: Pick<Head, 'columns' | 'events'>): readonly number[] {
  const leads = Array.from({ length: columns }, (_, c) => c);
  for (const { terms, exact } of events) {
    if (terms.length !== 1) continue;
    for (const [, half] of [...(exact?.high ?? []), ...(exact?.low ?? [])]) leads[half] = terms[0][1];
  }
  return leads;
}

/** The totals that claims are judged by, and leadsOf(). */
export interface FlowTotals {
  readonly total: readonly Float64Array[];
  readonly primaryColumns: readonly number[];
}

/** Whether a call or a routine claims more than the `total` of the program. */
export const isTooMuch = (cost: number, total: number) => total > 0 && cost > total * (1 + TOLERANCE);

/** Rounds sums of shares that should be integers: 0.8 + 5.2 of 6 gives exactly 6. */
export function roundToWhole(sum: number): number {
  const near = Math.round(sum);
  return Math.abs(sum - near) <= ROUNDING * Math.abs(sum) ? near : sum;
}

const ROUNDING = 1e-12;

/** Routines between pauses. */
const SLICE = 1 << 14;

/** Rounds of scaling inside a cycle; after these, the cycle's internal calls count 0. */
const MOST_ROUNDS = 100;

/** Yields between slices of work. */
export function* flowOf(edges: Edges, self: readonly Float64Array[], cycles: Cycles): Generator<undefined, Flow> {
  const routines = cycles.of.length;
  const scaledEdge = new Uint8Array(edges.caller.length);
  const columns: Pick<Balance, 'costs' | 'rest' | 'into'>[] = [];
  for (const [c, given] of edges.costs.entries())
    columns.push(yield* new Balance(edges, given, self[c], cycles, scaledEdge).run());
  const own = { ...edges, costs: columns.map(({ costs }) => costs) };
  const rest = columns.map((column) => column.rest);
  const into = columns.map((column) => column.into);
  const starts: number[] = [];
  yield* inSlices(routines, (first, end) => {
    for (let r = first; r < end; r++)
      if (hasStartingCost(rest, r) || (edges.from[r + 1] > edges.from[r] && !isCalled(edges, r))) starts.push(r);
  });
  return { edges: own, scaledEdge, scaled: yield* markScaled(edges, cycles, scaledEdge), into, rest, starts };
}

function hasStartingCost(rest: readonly Float64Array[], routine: number): boolean {
  for (const column of rest) if (column[routine] !== 0) return true;
  return false;
}

function isCalled({ caller, into }: Edges, routine: number): boolean {
  for (let k = into.from[routine]; k < into.from[routine + 1]; k++) if (caller[into.order[k]] !== routine) return true;
  return false;
}

function* markScaled({ caller }: Edges, { of, count }: Cycles, scaledEdge: Uint8Array): Generator<undefined, Uint8Array> {
  const scaled = new Uint8Array(of.length);
  if (!scaledEdge.includes(1)) return scaled;
  const cycle = new Uint8Array(count + 1);
  yield* eachInSlices(caller.length, (e) => {
    if (scaledEdge[e] === 1) scaled[caller[e]] = cycle[of[caller[e]]] = 1;
  });
  yield* eachInSlices(of.length, (r) => {
    if (of[r] > 0 && cycle[of[r]] === 1) scaled[r] = 1;
  });
  return scaled;
}

/** One raw column: claims are scaled until every routine balances. */
class Balance {
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
    this.tolerated = TOLERANCE * self.reduce((sum, cost) => sum + cost, 0);
  }

  *run(): Generator<undefined, this> {
    const { of, calleesFirst } = this.cycles;
    for (let at = 0, paused = 0; at < calleesFirst.length; ) {
      if (at - paused >= SLICE) {
        paused = at;
        yield;
      }
      const first = at++;
      const cycle = of[calleesFirst[first]];
      if (cycle > 0) while (at < calleesFirst.length && of[calleesFirst[at]] === cycle) at++;
      const members = calleesFirst.subarray(first, at);
      if (cycle === 0) this.balanceRoutine(members[0]);
      else yield* this.balanceCycle(members, cycle);
    }
    return this;
  }

  /** Members have claims on each other: scaling one makes others claim too much. */
  private *balanceCycle(members: Uint32Array, cycle: number): Generator<undefined, void> {
    const { of } = this.cycles;
    const { from, callee } = this.edges;
    for (let round = 0; round <= MOST_ROUNDS; round++) {
      let settled = true;
      for (const r of members) if (this.balanceRoutine(r)) settled = false;
      yield;
      if (settled) return;
    }
    for (const r of members) for (let e = from[r]; e < from[r + 1]; e++) if (of[callee[e]] === cycle) this.scale(e, 0);
    for (const r of members) this.balanceRoutine(r);
  }

  /** Sets the rest of a routine, or scales its callers' claims; true if it scaled. */
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
    if (Math.abs(more) <= NOISE * Math.abs(has)) return false;
    // A difference of two runs has negative costs, and shares of these are meaningless.
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
