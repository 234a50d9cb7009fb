// Questions of transforms to a call graph: the share of a routine's inflow that came through the routines that match, and which part
// of what a routine costs goes into them below it. All parts of the profile count together: a routine calls the same ones whichever part
// is shown, and each part's rows get the shares of the whole.
import { inSlices } from '../../../base/slices.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { prepared } from '../../answers/analyse.ts';
import { type Arrivals, arrivalsOf } from '../../answers/callgraph/arrivals.ts';
import { Flow, inRounds } from '../../answers/callgraph/flow.ts';
import type { Edges, Totals } from '../../answers/costing.ts';

export type GraphProfile = ProfileOf<'callgraph'>;

export interface Graph {
  readonly profile: GraphProfile;
  readonly edges: Edges;
  readonly totals: Totals;
  readonly arrivals: Arrivals;
  /** By raw column: the one whose shares it has. Halves of large counts have those of the counts; any other column has its own. */
  readonly leads: readonly number[];
}

/** Rows between pauses, where a row takes longer than a copy of it. */
export const SLICE = 1 << 14;

const NO_PARTS: ReadonlySet<number> = new Set();

export function* graphOf(profile: GraphProfile): Generator<undefined, Graph> {
  const costing = yield* prepared(profile, NO_PARTS);
  const edges = costing.edges();
  const totals = costing.totals();
  const arrivals = yield* arrivalsOf(edges, totals);
  const leads = Array.from({ length: profile.columns }, (_, c) => c);
  for (const { terms, exact } of profile.events) {
    if (terms.length !== 1) continue;
    for (const [, half] of [...(exact?.high ?? []), ...(exact?.low ?? [])]) leads[half] = terms[0][1];
  }
  return { profile, edges, totals, arrivals, leads };
}

/** By column, what `make` gives for it, or for the one that it follows. */
function* byLead<T>({ leads }: Graph, make: (column: number) => Generator<undefined, T>): Generator<undefined, T[]> {
  const made = new Map<number, T>();
  const out: T[] = [];
  for (const lead of leads) {
    const known = made.get(lead) ?? (yield* make(lead));
    made.set(lead, known);
    out.push(known);
  }
  return out;
}

/** By column and routine: the share of what arrives there that came through a routine with `hit`. */
export function* throughOf(graph: Graph, hit: Uint8Array): Generator<undefined, Float64Array[]> {
  const groupOf = new Int32Array(hit.length);
  for (let r = 0; r < hit.length; r++) groupOf[r] = hit[r] - 1;
  yield;
  return yield* byLead(graph, function* (c) {
    const flow = new Flow(graph.totals, graph.arrivals, c);
    yield;
    const shares = yield* flow.belowInSlices(groupOf, 0);
    return shares.map((share) => Math.min(1, Math.max(0, share)));
  });
}

/** Shares of whole numbers that make a whole number again do so to the last bit: 0.8 + 5.2 of 6 are 6. */
export function whole(sum: number): number {
  const near = Math.round(sum);
  return Math.abs(sum - near) <= ROUNDING * Math.abs(sum) ? near : sum;
}

const ROUNDING = 1e-12;

/** The portion of a cost that goes the way of `part` of the `whole`: exact if that is all, or nothing. */
export function portion(cost: number, part: number, whole: number): number {
  if (part === 0 || whole === 0) return 0;
  if (cost === whole) return part;
  return part === whole ? cost : cost * Math.min(1, Math.max(0, part / whole));
}

/** One column: where the cost of each routine goes. */
export interface Into {
  /** The cost of the routine: self, and its calls of others. */
  readonly whole: Float64Array;
  /** The part of it that goes into the routines that match, or is spent in one. */
  readonly part: Float64Array;
  /** The cost that such a call brings into them, through the routine called. */
  through(callee: number, cost: number): number;
  /** Whether that is known, not a share of what several calls have. */
  known(callee: number, cost: number): boolean;
}

/** The mirror of `throughOf`: callees first, members of a cycle by going round. */
export function intoOf(graph: Graph, hit: Uint8Array): Generator<undefined, Into[]> {
  return byLead(graph, (c) => intoOfColumn(graph, hit, c));
}

function* intoOfColumn({ edges, totals, arrivals }: Graph, hit: Uint8Array, c: number): Generator<undefined, Into> {
  const { caller, callee, from } = edges;
  const cost = edges.costs[c];
  const { of } = totals.cycles;
  const whole = totals.self[c].slice();
  const arrives = new Float64Array(whole.length);
  arrivals.starts.forEach((start, k) => {
    arrives[start] += arrivals.rests[c][k];
  });
  yield* inSlices(cost.length, (first, end) => {
    for (let e = first; e < end; e++) {
      if (caller[e] === callee[e]) continue;
      whole[caller[e]] += cost[e];
      arrives[callee[e]] += cost[e];
    }
  });
  const part = new Float64Array(whole.length);
  /** Where the part is known exactly, although it is not all and not nothing. */
  const exact = new Uint8Array(whole.length);
  const through = (r: number, paid: number) => portion(paid, part[r], whole[r]);
  const known = (r: number, paid: number) =>
    paid === 0 || part[r] === 0 || part[r] === whole[r] || (exact[r] === 1 && paid === whole[r] && paid === arrives[r]);
  yield* inRounds(totals.cycles, 'callees', (r) => {
    const before = part[r];
    let [sum, sure] = [0, of[r] === 0];
    for (let e = from[r]; e < from[r + 1] && hit[r] === 0; e++) {
      if (callee[e] === r) continue;
      sum += through(callee[e], cost[e]);
      sure &&= edges.estimated?.[e] !== 1 && known(callee[e], cost[e]);
    }
    part[r] = hit[r] === 1 ? whole[r] : sum;
    exact[r] = Number(sure);
    return whole[r] === 0 ? 0 : Math.abs((part[r] - before) / whole[r]);
  });
  return { whole, part, through, known };
}
