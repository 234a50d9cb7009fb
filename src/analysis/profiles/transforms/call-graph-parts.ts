// A root for each thread or dump of a call graph: it calls the routines where the cost of its parts starts, so it costs what they cost.

import { longer, withRows } from '../../../model/table.ts';
import { graphTotals } from '../../answers/callgraph/totals.ts';
import type { PartColumn } from '../../answers/part-columns.ts';
import { estimatedIn } from './call-graph-draft.ts';
import type { GraphProfile } from './call-graph-flows.ts';
import { nowhere, RoutineDraft } from './routine-draft.ts';

/** `roots`: the parts of each, and its name. Yields between slices of work. */
export function* rootParts(profile: GraphProfile, roots: readonly PartColumn[]): Generator<undefined, GraphProfile> {
  const { spans, lines, calls, columns } = profile;
  if (!calls) return profile;
  const draft = new RoutineDraft(profile);
  const routines = yield* draft.add(roots.map(({ name }) => nowhere(name)));
  const made: { readonly root: number; readonly part: number }[] = [];
  const starts: { readonly span: number; readonly callee: number; readonly estimated: number }[] = [];
  const costs: number[][] = Array.from({ length: columns }, () => []);
  for (const [k, { parts }] of roots.entries())
    for (const part of parts) {
      const { flow } = yield* graphTotals(profile, (p) => p === part);
      const span = spans.routine.length + made.push({ root: routines[k], part }) - 1;
      for (const r of flow.starts) {
        starts.push({ span, callee: r, estimated: flow.scaled[r] });
        for (let c = 0; c < columns; c++) costs[c].push(flow.rest[c][r]);
      }
    }
  const { start, ...spanRows } = spans;
  const { costs: recorded, ...callRows } = calls;
  const { self, inclusive, calls: doubts } = estimatedIn(profile);
  const none = new Uint8Array(draft.count - self.length);
  const estimated = {
    self: longer(self, none),
    inclusive: longer(inclusive, none),
    calls: longer(
      doubts,
      starts.map((row) => row.estimated),
    ),
  };
  return {
    ...profile,
    strings: draft.head.strings,
    routines: draft.head.routines,
    spans: {
      ...withRows(
        spanRows,
        made.map(({ root, part }) => ({ routine: root, file: -1, part, high: 0 })),
      ),
      start: longer(start, new Uint32Array(made.length).fill(lines.line.length)),
    },
    calls: {
      ...withRows(
        callRows,
        starts.map(({ span, callee }) => ({ span, callee, line: 0, address: 0, count: 0 })),
      ),
      costs: recorded.map((column, c) => longer(Float64Array.from(column), costs[c])),
    },
    ...(Object.values(estimated).some((column) => column.includes(1))
      ? { transformed: { from: profile.transformed?.from ?? profile, applied: [], estimated } }
      : {}),
  };
}
