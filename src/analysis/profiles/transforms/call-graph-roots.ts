// Makes threads and parts of a call graph routines above all others, as --tag-root does for labels. Each root calls the
// routines where cost starts in its parts, and its inclusive cost is exactly the cost of these parts.

import { groupByKey } from '../../../base/lists.ts';
import { Background, fillInSlices, type Sliced } from '../../../base/slices.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import { appendValues, concatTables, Groups, pickRowsInSlices } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import type { Part } from '../../../model/head.ts';
import { graphSums, graphTotals } from '../../answers/callgraph/totals.ts';
import { partName, threadNames } from '../../answers/part-columns.ts';
import { buildRemainingProfile, estimatesOf } from './call-graph-draft.ts';
import type { GraphProfile } from './call-graph-flows.ts';
import { addSpanPerPart, NewCalls } from './call-graph-hide.ts';
import { RoutineDraft, routineWithoutFile } from './routine-draft.ts';
import { labelKeysIn } from './transform.ts';

/** The keys that distinguish parts; none if there is only one part. */
export const partKeys = ({ parts }: Pick<GraphProfile, 'parts'>): readonly string[] =>
  parts.length < 2 ? [] : parts.some(({ thread }) => thread !== null) ? ['thread', 'part'] : ['part'];

export const rootNames = (key: string, parts: readonly Part[]): readonly string[] =>
  key === 'thread' ? threadNames(parts).map((name) => name ?? 'thread ?') : parts.map((_, at) => partName(at));

/** Adds roots. `keys`: some of partKeys(), separated by commas, outermost first. */
export function* addPartRoots(profile: GraphProfile, keys: string): Sliced<GraphProfile> {
  let now = profile;
  for (const key of labelKeysIn(keys).reverse()) now = yield* addRoots(now, key);
  return now;
}

function* addRoots(profile: GraphProfile, key: string): Sliced<GraphProfile> {
  const { parts, calls, columns, spans } = profile;
  if (!calls) return profile;
  const draft = new RoutineDraft(profile);
  const roots = yield* draft.add(rootNames(key, parts).map(routineWithoutFile));
  const first = spans.routine.length;
  const made = new NewCalls(columns);
  const { graph, partOf, routineOf } = yield* splitByPart(profile, calls);
  const { flow, totals } = yield* graphTotals(graph, new Background(graphSums(graph, undefined)));
  const whole = Groups.groupBy(partOf.length, (node) => partOf[node]);
  const wholes = whole.sums(totals.self);
  const startsOf = groupByKey(flow.starts, (node) => whole.groupOf[node]);
  for (const [g, starts] of startsOf) {
    yield;
    const rests = flow.rest.map((rest, c) => roundStartCosts(starts, rest, wholes[c][g]));
    const part = partOf[starts[0]];
    for (const [i, node] of starts.entries()) {
      // The same roots are requested twice, so this one exists.
      if (routineOf[node] === roots[part]) continue;
      const costs = rests.map((rest) => rest[i]);
      // The number of calls from outside is not known.
      made.pushCall({ span: first + part, line: 0, address: 0 }, routineOf[node], 0, costs, flow.scaled[node]);
    }
  }
  const own = made.finish(calls.address !== undefined);
  // Sums of a part may need wider columns than its calls.
  const costs = calls.costs.map((column, c) => (own.costs[c] instanceof Float64Array ? Float64Array.from(column) : column));
  const before = estimatesOf(profile);
  const more = new Uint8Array(draft.count - before.self.length);
  const starts = parts.map(() => spans.start[first]);
  const start = appendValues(spans.start, starts);
  return yield* buildRemainingProfile(profile, {
    strings: draft.head.strings,
    routines: draft.head.routines,
    spans: { ...addSpanPerPart(profile, (part) => roots[part]), start },
    calls: concatTables([{ ...calls, costs }, own]),
    estimated: {
      self: appendValues(before.self, more),
      // After transforms, the sum of the remaining cost may be an estimate.
      inclusive: appendValues(before.inclusive, more.fill(before.self.includes(1) ? 1 : 0)),
      calls: appendValues(before.calls, made.estimated.done()),
    },
  });
}

/** The graph with one node per routine and part, so that each part has its own flow. */
function* splitByPart({ transformed: _, nodes: __, estimated: ___, ...profile }: GraphProfile, calls: Calls) {
  const { spans, routines } = profile;
  const nodes = new PairTable(Uint32Array);
  const nodeOfSpan = (s: number) => nodes.numberOf(spans.part[s], spans.routine[s]);
  const routine = yield* fillInSlices(new Uint32Array(spans.routine.length), nodeOfSpan);
  const calleeOf = (i: number) => nodes.numberOf(spans.part[calls.span[i]], calls.callee[i]);
  const callee = yield* fillInSlices(new Uint32Array(calls.callee.length), calleeOf);
  const [partOf, routineOf] = [nodes.first.done(), nodes.second.done()];
  const rows = yield* pickRowsInSlices(routines, routineOf);
  const graph = { ...profile, routines: rows, spans: { ...spans, routine }, calls: { ...calls, callee } };
  return { graph, partOf, routineOf };
}

/** The costs that start in each of the starts. Noise of the file, and fractions of scaled claims, go to the largest: the sum is the total. */
function roundStartCosts(starts: readonly number[], rest: Float64Array, total: number): Float64Array {
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
