// Threads and dumps of a call graph as routines above all others, as --tag-root makes frames of labels: each calls the routines where cost starts
// in its parts, and costs with them exactly what these parts cost.
import type { Calls } from '../../../model/callgraph/tables.ts';
import type { Part } from '../../../model/head.ts';
import { appended, longer } from '../../../model/table.ts';
import { type GraphTotals, graphTotals } from '../../answers/callgraph/totals.ts';
import { estimatedIn, takeRemains } from './call-graph-draft.ts';
import type { GraphProfile } from './call-graph-flows.ts';
import { NewCalls, withParts } from './call-graph-hide.ts';
import { nowhere, RoutineDraft } from './routine-draft.ts';

/** The keys that tell parts apart; none if there is only one part, or no calls. */
export function partKeys({ parts, calls }: GraphProfile): readonly string[] {
  if (parts.length < 2 || !calls) return [];
  return parts.some(({ thread }) => thread !== null) ? ['thread', 'part'] : ['part'];
}

/** As in the names of columns: `part 2` as numbered in Info, `thread 1`. */
const rootName = (key: string, { thread }: Part, at: number) => `${key} ${key === 'thread' ? (thread ?? '?') : at + 1}`;

/** `keys`: some of `partKeys`, with commas between them, the outermost first. */
export function* withPartRoots(profile: GraphProfile, keys: string): Generator<undefined, GraphProfile> {
  const list = keys.split(',').filter((key) => key !== '');
  let now = profile;
  for (const key of list.reverse()) now = yield* withRoots(now, key);
  return now;
}

function* withRoots(profile: GraphProfile, key: string): Generator<undefined, GraphProfile> {
  const { parts, calls, columns, spans } = profile;
  if (!calls) return profile;
  const draft = new RoutineDraft(profile);
  const roots = yield* draft.add(parts.map((part, p) => nowhere(rootName(key, part, p))));
  const first = spans.routine.length;
  const made = new NewCalls(columns);
  for (const p of parts.keys()) {
    const of = yield* graphTotals(profile, (part) => part === p);
    const rests = yield* exactRests(of);
    for (const [i, r] of of.flow.starts.entries()) {
      // Twice the same roots: they are there already.
      if (r === roots[p]) continue;
      const costs = rests.map((rest) => rest[i]);
      // Nothing says how often it was called from outside.
      made.call({ span: first + p, line: 0, address: 0 }, r, 0, costs, of.flow.scaled[r]);
    }
  }
  const before = estimatedIn(profile);
  const more = new Uint8Array(draft.count - before.self.length);
  const start = longer(
    spans.start,
    parts.map(() => spans.start[first]),
  );
  return yield* takeRemains(profile, {
    strings: draft.head.strings,
    routines: draft.head.routines,
    spans: { ...withParts(profile, (part) => roots[part]), start },
    calls: withCalls(calls, made.finish(calls.address !== undefined)),
    estimated: {
      self: longer(before.self, more),
      // The sum of what a transform has left may be an estimate.
      inclusive: longer(before.inclusive, more.fill(before.self.includes(1) ? 1 : 0)),
      calls: longer(before.calls, made.doubt.done()),
    },
  });
}

/**
 * By column, what starts in each of the starts. What is tolerated as noise of the file, and fractions of scaled claims, go to the largest: the
 * sum is the total.
 */
function* exactRests({ flow: { rest, starts }, totals: { total } }: GraphTotals): Generator<undefined, Float64Array[]> {
  const out: Float64Array[] = [];
  for (const [c, [all]] of total.entries()) {
    const round = Number.isInteger(all) ? Math.round : (cost: number) => cost;
    const costs = Float64Array.from(starts, (r) => round(rest[c][r]));
    let over = costs.reduce((sum, cost) => sum + cost, 0) - all;
    if (over !== 0)
      for (const i of [...costs.keys()].sort((a, b) => costs[b] - costs[a])) {
        const cut = costs[i] > 0 ? Math.min(over, costs[i]) : over;
        costs[i] -= cut;
        over -= cut;
        if (over === 0) break;
      }
    out.push(costs);
    yield;
  }
  return out;
}

/** Sums of a part may need wider columns than its calls. */
function withCalls(calls: Calls, more: Calls): Calls {
  const costs = calls.costs.map((column, c) => (more.costs[c] instanceof Float64Array ? Float64Array.from(column) : column));
  return appended([{ ...calls, costs }, more]);
}
