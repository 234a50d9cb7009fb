// Threads and dumps of a call graph as routines above all others, as --tag-root makes frames of labels: each calls the routines where cost starts
// in its parts, and costs with them exactly what these parts cost.
import { listsBy } from '../../../base/lists.ts';
import { eachInSlices } from '../../../base/slices.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import { Grow } from '../../../model/column.ts';
import { Groups, Numbering } from '../../../model/groups.ts';
import type { Part } from '../../../model/head.ts';
import { appended, longer, pickedRows } from '../../../model/table.ts';
import { graphTotals } from '../../answers/callgraph/totals.ts';
import { partName, threadNames } from '../../answers/part-columns.ts';
import { estimatedIn, takeRemains } from './call-graph-draft.ts';
import type { GraphProfile } from './call-graph-flows.ts';
import { NewCalls, withParts } from './call-graph-hide.ts';
import { nowhere, RoutineDraft } from './routine-draft.ts';
import { keysOf } from './transform.ts';

/** The keys that tell parts apart; none if there is only one part. */
export function partKeys({ parts }: Pick<GraphProfile, 'parts'>): readonly string[] {
  if (parts.length < 2) return [];
  return parts.some(({ thread }) => thread !== null) ? ['thread', 'part'] : ['part'];
}

/** The root of each part, named as its column is. */
export const rootNames = (key: string, parts: readonly Part[]): readonly string[] =>
  key === 'thread' ? threadNames(parts).map((name) => name ?? 'thread ?') : parts.map((_, at) => partName(at));

/** `keys`: some of `partKeys`, with commas between them, the outermost first. */
export function* withPartRoots(profile: GraphProfile, keys: string): Generator<undefined, GraphProfile> {
  let now = profile;
  for (const key of keysOf(keys).reverse()) now = yield* withRoots(now, key);
  return now;
}

function* withRoots(profile: GraphProfile, key: string): Generator<undefined, GraphProfile> {
  const { parts, calls, columns, spans } = profile;
  if (!calls) return profile;
  const draft = new RoutineDraft(profile);
  const roots = yield* draft.add(rootNames(key, parts).map(nowhere));
  const first = spans.routine.length;
  const made = new NewCalls(columns);
  const { graph, partOf, routineOf } = yield* apart(profile, calls);
  const { flow, totals } = yield* graphTotals(graph, undefined);
  const whole = Groups.by(partOf.length, (node) => partOf[node]);
  const wholes = whole.sums(totals.self);
  const startsOf = listsBy(flow.starts, (node) => whole.of[node]);
  for (const [g, starts] of startsOf) {
    yield;
    const rests = flow.rest.map((rest, c) => exactRests(starts, rest, wholes[c][g]));
    const part = partOf[starts[0]];
    for (const [i, node] of starts.entries()) {
      // Twice the same roots: they are there already.
      if (routineOf[node] === roots[part]) continue;
      const costs = rests.map((rest) => rest[i]);
      // Nothing says how often it was called from outside.
      made.call({ span: first + part, line: 0, address: 0 }, routineOf[node], 0, costs, flow.scaled[node]);
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

/** The graph in which a routine is another one in each part: one flow through it is that of each part alone. */
function* apart({ transformed: _, nodes: __, ...profile }: GraphProfile, calls: Calls) {
  const { spans, routines } = profile;
  const known = new Numbering<number>();
  const [partOf, routineOf] = [new Grow(Uint32Array), new Grow(Uint32Array)];
  const nodeOf = (part: number, routine: number) => {
    const node = known.of(part * routines.name.length + routine);
    if (node === partOf.length) {
      partOf.push(part);
      routineOf.push(routine);
    }
    return node;
  };
  const routine = new Uint32Array(spans.routine.length);
  yield* eachInSlices(routine.length, (s) => {
    routine[s] = nodeOf(spans.part[s], spans.routine[s]);
  });
  const callee = new Uint32Array(calls.callee.length);
  yield* eachInSlices(callee.length, (i) => {
    callee[i] = nodeOf(spans.part[calls.span[i]], calls.callee[i]);
  });
  const graph: GraphProfile = {
    ...profile,
    routines: yield* pickedRows(routines, routineOf.done()),
    spans: { ...spans, routine },
    calls: { ...calls, callee },
  };
  return { graph, partOf: partOf.done(), routineOf: routineOf.done() };
}

/** The costs that start in each of the starts. Noise of the file, and fractions of scaled claims, go to the largest: the sum is the total. */
function exactRests(starts: readonly number[], rest: Float64Array, total: number): Float64Array {
  const round = Number.isInteger(total) ? Math.round : (cost: number) => cost;
  const costs = Float64Array.from(starts, (r) => round(rest[r]));
  let over = costs.reduce((sum, cost) => sum + cost, 0) - total;
  if (over === 0) return costs;
  for (const i of [...costs.keys()].sort((a, b) => costs[b] - costs[a])) {
    const cut = costs[i] > 0 ? Math.min(over, costs[i]) : over;
    costs[i] -= cut;
    over -= cut;
    if (over === 0) break;
  }
  return costs;
}

/** Sums of a part may need wider columns than its calls. */
function withCalls(calls: Calls, more: Calls): Calls {
  const costs = calls.costs.map((column, c) => (more.costs[c] instanceof Float64Array ? Float64Array.from(column) : column));
  return appended([{ ...calls, costs }, more]);
}
