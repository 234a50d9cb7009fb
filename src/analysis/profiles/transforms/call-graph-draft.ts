// Tables that a transform builds, and the profile of their remaining rows.
import { fillInSlices, runInSlices, type Sliced } from '../../../base/slices.ts';
import type { Estimated, Jumps, Spans } from '../../../model/callgraph/tables.ts';
import { appendValues, invertRows, pickColumnInSlices, pickRowsInSlices, selectedRows } from '../../../model/column.ts';
import { renumberTargets } from '../inlined/fold.ts';
import type { GraphProfile } from './call-graph-flows.ts';

type GraphTables = Pick<GraphProfile, 'strings' | 'routines' | 'spans' | 'lines' | 'calls' | 'jumps'>;

/** The tables that a transform replaces. Spans without rows and unused routines are still included. */
export interface GraphDraft extends Partial<GraphTables> {
  /** Estimate flags by routine, and by row of `calls`. */
  readonly estimated: Estimated;
}

/** The estimate flags of a profile; all 0 if everything is exact. */
export function estimatesOf({ estimated, routines, calls }: GraphProfile): Estimated {
  const none = (rows: number) => new Uint8Array(rows);
  const n = routines.name.length;
  return estimated ?? { self: none(n), inclusive: none(n), calls: none(calls?.span.length ?? 0) };
}

/** Rows to keep: spans with rows, and routines that occur. A jump stays if both of its ends do. */
function* selectRemainingRows({ spans, calls, jumps, routines }: GraphTables) {
  const spanLeft = new Uint8Array(spans.routine.length);
  const routineLeft = new Uint8Array(routines.name.length);
  yield* fillInSlices(spanLeft, (s) => (spans.start[s + 1] > spans.start[s] ? 1 : 0));
  if (calls)
    yield* runInSlices(calls.span.length, (from, to) => {
      for (let i = from; i < to; i++) spanLeft[calls.span[i]] = routineLeft[calls.callee[i]] = 1;
    });
  yield* runInSlices(spanLeft.length, (from, to) => {
    for (let s = from; s < to; s++) if (spanLeft[s] === 1) routineLeft[spans.routine[s]] = 1;
  });
  const jumpRows = jumps && (yield* selectJumps(jumps, spans, routineLeft));
  if (jumps && jumpRows)
    yield* runInSlices(jumpRows.length, (from, to) => {
      for (let k = from; k < to; k++) spanLeft[jumps.span[jumpRows[k]]] = 1;
    });
  return { spanRows: yield* selectedRows(spanLeft), routineRows: yield* selectedRows(routineLeft), jumpRows };
}

/** Builds the profile of the remaining rows. Yields between slices of work. */
export function* buildRemainingProfile(profile: GraphProfile, draft: GraphDraft): Sliced<GraphProfile> {
  const { estimated: drafted, ...tables } = { ...profile, ...draft };
  const { spans, calls, jumps, routines } = tables;
  const n = spans.routine.length;
  const { spanRows, routineRows, jumpRows } = yield* selectRemainingRows(tables);
  const spanOf = invertRows(new Uint32Array(n), spanRows);
  const routineOf = invertRows(new Uint32Array(routines.name.length), routineRows);
  yield;
  const { calls: callEstimates, ...ofRoutines } = drafted;
  const estimated: Estimated = { ...(yield* pickRowsInSlices(ofRoutines, routineRows)), calls: callEstimates };
  const hasEstimates = Object.values(estimated).some((column: Uint8Array) => column.includes(1));
  const spansLeft = yield* pickRowsInSlices(spans, spanRows);
  const jumpsLeft = jumps && jumpRows && (yield* pickRowsInSlices(jumps, jumpRows));
  return {
    ...tables,
    ...(hasEstimates ? { estimated } : {}),
    routines: yield* pickRowsInSlices(routines, routineRows),
    spans: {
      ...spansLeft,
      routine: yield* pickColumnInSlices(routineOf, spansLeft.routine),
      start: appendValues(spansLeft.start, [spans.start[n]]),
    },
    ...(calls
      ? {
          calls: {
            ...calls,
            span: yield* pickColumnInSlices(spanOf, calls.span),
            callee: yield* pickColumnInSlices(routineOf, calls.callee),
          },
        }
      : {}),
    ...(jumpsLeft
      ? { jumps: renumberTargets({ ...jumpsLeft, span: yield* pickColumnInSlices(spanOf, jumpsLeft.span) }, routineOf) }
      : {}),
    transformed: { from: profile.transformed?.from ?? profile, applied: [] },
  };
}

function* selectJumps({ span, targetRoutine }: Jumps, { routine }: Spans, routineLeft: Uint8Array) {
  const isKept = (j: number) => {
    const target = targetRoutine ? targetRoutine[j] : -1;
    return target >= 0 && routineLeft[target] === 0 ? 0 : routineLeft[routine[span[j]]];
  };
  return yield* selectedRows(yield* fillInSlices(new Uint8Array(span.length), isKept));
}
