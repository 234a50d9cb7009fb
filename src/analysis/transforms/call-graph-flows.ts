// What a transform asks of a call graph: which share of what arrives in a routine came through the routines that match, and which part
// of what a routine costs goes into them below it. All parts of the profile count together: a routine calls the same ones whichever part
// is shown, and each part's rows get the shares of the whole.
import type { ProfileOf } from '../../model/profile.ts';
import { type Arrivals, arrivalsOf } from '../callgraph/arrivals.ts';
import { callGraph } from '../callgraph/edges.ts';
import { Flow, inRounds } from '../callgraph/flow.ts';
import { routineTotals } from '../callgraph/totals.ts';
import type { Edges, Totals } from '../costing.ts';

export type GraphProfile = ProfileOf<'callgraph'>;

export interface Graph {
  readonly profile: GraphProfile;
  readonly edges: Edges;
  readonly totals: Totals;
  readonly arrivals: Arrivals;
  /** By raw column: the one whose shares it has. Halves of large counts have those of the counts; any other column has its own. */
  readonly leads: readonly number[];
}

/** True once so many milliseconds of work have passed, when it is time to hear keys. */
export function pauses(ms = 20): () => boolean {
  let until = performance.now() + ms;
  return () => {
    if (performance.now() < until) return false;
    until = performance.now() + ms;
    return true;
  };
}

/** So many rows are worked on between two looks at the clock. */
export const SLICE = 1 << 15;

export function* graphOf(profile: GraphProfile): Generator<undefined, Graph> {
  const edges = callGraph(profile, undefined);
  yield;
  const totals = routineTotals(profile, edges, undefined);
  yield;
  const arrivals = arrivalsOf(edges, totals);
  yield;
  const leads = Array.from({ length: profile.columns }, (_, c) => c);
  for (const { terms, exact } of profile.events) {
    if (terms.length !== 1) continue;
    for (const [, half] of [...(exact?.high ?? []), ...(exact?.low ?? [])]) leads[half] = terms[0][1];
  }
  return { profile, edges, totals, arrivals, leads };
}

/** By column, what `make` gives for it, or for the one that it follows. */
export function* byLead<T>({ leads }: Graph, make: (column: number) => T): Generator<undefined, T[]> {
  const made = new Map<number, T>();
  const due = pauses();
  const out: T[] = [];
  for (const lead of leads) {
    if (due()) yield;
    const known = made.get(lead) ?? make(lead);
    made.set(lead, known);
    out.push(known);
  }
  return out;
}

/** By column and routine: the share of what arrives there that came through a routine with `hit`. */
export function throughOf(graph: Graph, hit: Uint8Array): Generator<undefined, Float64Array[]> {
  const groupOf = Int32Array.from(hit, (h) => h - 1);
  return byLead(graph, (c) =>
    new Flow(graph.totals, graph.arrivals, c).below(groupOf, 0).map((share) => Math.min(1, Math.max(0, share))),
  );
}

/** Shares of whole numbers that make a whole number again do so to the last bit: 0.8 + 5.2 of 6 are 6. */
export function whole(sum: number): number {
  const near = Math.round(sum);
  return Math.abs(sum - near) <= ROUNDING * Math.abs(sum) ? near : sum;
}

const ROUNDING = 1e-12;

/** What of a cost goes the way of `part` of the `whole`: exact if that is all, or nothing. */
export function portion(cost: number, part: number, whole: number): number {
  if (part === 0 || whole === 0) return 0;
  if (cost === whole) return part;
  return part === whole ? cost : cost * Math.min(1, Math.max(0, part / whole));
}

/** One column: where the cost of each routine goes. */
export interface Into {
  /** What the routine costs: by itself, and by its calls of others. */
  readonly whole: Float64Array;
  /** What of that goes into the routines that match, or is spent in one. */
  readonly part: Float64Array;
  /** What a call of that cost brings into them, through the routine called. */
  through(callee: number, cost: number): number;
  /** Whether that is known, not a share of what several calls have. */
  known(callee: number, cost: number): boolean;
}

/** The mirror of `throughOf`: callees first, members of a cycle by going round. */
export function intoOf(graph: Graph, hit: Uint8Array): Generator<undefined, Into[]> {
  return byLead(graph, (c) => intoOfColumn(graph, hit, c));
}

function intoOfColumn({ edges, totals, arrivals }: Graph, hit: Uint8Array, c: number): Into {
  const { caller, callee, from } = edges;
  const cost = edges.costs[c];
  const { of } = totals.cycles;
  const whole = totals.self[c].slice();
  const arrives = new Float64Array(whole.length);
  arrivals.starts.forEach((start, k) => {
    arrives[start] += arrivals.rests[c][k];
  });
  for (let e = 0; e < cost.length; e++) {
    if (caller[e] === callee[e]) continue;
    whole[caller[e]] += cost[e];
    arrives[callee[e]] += cost[e];
  }
  const part = new Float64Array(whole.length);
  /** Where the part is known exactly, although it is not all and not nothing. */
  const exact = new Uint8Array(whole.length);
  const through = (r: number, paid: number) => portion(paid, part[r], whole[r]);
  const known = (r: number, paid: number) =>
    paid === 0 || part[r] === 0 || part[r] === whole[r] || (exact[r] === 1 && paid === whole[r] && paid === arrives[r]);
  inRounds(totals.cycles, 'callees', (r) => {
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
