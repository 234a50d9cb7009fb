// The tables of a call graph that a transform has made, and the profile of what is left of them.
import { eachInSlices, inSlices } from '../../../base/slices.ts';
import type { Jumps, Spans } from '../../../model/callgraph/tables.ts';
import type { Estimated } from '../../../model/profile.ts';
import { longer, picked, pickedRows, placesOf, rowsOf } from '../../../model/table.ts';
import { type Graph, type GraphProfile, SLICE } from './call-graph-flows.ts';

type Tables = Pick<GraphProfile, 'strings' | 'routines' | 'spans' | 'lines' | 'calls' | 'jumps'>;

/** The tables that a transform has made; all others stay. Spans without rows and routines that do not occur are still in it. */
export interface Draft extends Partial<Tables> {
  /** By routine, and by row of `calls`. */
  readonly estimated: Estimated;
}

/** The estimates so far: none, for a profile without transforms. */
export function estimatedIn({ transformed, routines, calls }: GraphProfile): Estimated {
  const none = (rows: number) => new Uint8Array(rows);
  const n = routines.name.length;
  return transformed?.estimated ?? { self: none(n), inclusive: none(n), calls: none(calls?.span.length ?? 0) };
}

/** Marks as estimated the cost of a routine with its callees, where that of one of its calls is. */
export function markInclusive(
  { edges: { caller } }: Graph,
  inclusive: Uint8Array,
  known: (edge: number) => boolean,
): Generator<undefined, void> {
  const mark = (e: number) => {
    if (inclusive[caller[e]] === 0 && !known(e)) inclusive[caller[e]] = 1;
  };
  return eachInSlices(caller.length, mark, SLICE);
}

/** The remains: spans with rows, and routines that still occur. Jumps stay where both ends do. */
interface Remains {
  readonly spanRows: Uint32Array;
  readonly routineRows: Uint32Array;
  readonly jumpRows: Uint32Array | undefined;
}

function* remains({ spans, calls, jumps, routines }: Tables): Generator<undefined, Remains> {
  const spanLeft = new Uint8Array(spans.routine.length);
  const routineLeft = new Uint8Array(routines.name.length);
  yield* inSlices(spanLeft.length, (from, to) => {
    for (let s = from; s < to; s++) if (spans.start[s + 1] > spans.start[s]) spanLeft[s] = 1;
  });
  if (calls)
    yield* inSlices(calls.span.length, (from, to) => {
      for (let i = from; i < to; i++) spanLeft[calls.span[i]] = routineLeft[calls.callee[i]] = 1;
    });
  yield* inSlices(spanLeft.length, (from, to) => {
    for (let s = from; s < to; s++) if (spanLeft[s] === 1) routineLeft[spans.routine[s]] = 1;
  });
  const jumpRows = jumps && (yield* jumpsLeft(jumps, spans, routineLeft));
  if (jumps && jumpRows)
    yield* inSlices(jumpRows.length, (from, to) => {
      for (let k = from; k < to; k++) spanLeft[jumps.span[jumpRows[k]]] = 1;
    });
  return { spanRows: yield* rowsOf(spanLeft), routineRows: yield* rowsOf(routineLeft), jumpRows };
}

/** The profile of what is left. Yields between slices of work. */
export function* takeRemains(profile: GraphProfile, draft: Draft): Generator<undefined, GraphProfile> {
  const { estimated: drafted, ...tables } = { ...profile, ...draft };
  const { spans, calls, jumps, routines } = tables;
  const n = spans.routine.length;
  const { spanRows, routineRows, jumpRows } = yield* remains(tables);
  const spanOf = placesOf(new Uint32Array(n), spanRows);
  const routineOf = placesOf(new Uint32Array(routines.name.length), routineRows);
  yield;
  const { calls: doubts, ...ofRoutines } = drafted;
  const estimated: Estimated = { ...(yield* pickedRows(ofRoutines, routineRows)), calls: doubts };
  const doubtful = Object.values(estimated).some((column: Uint8Array) => column.includes(1));
  const spansLeft = yield* pickedRows(spans, spanRows);
  return {
    ...tables,
    routines: yield* pickedRows(routines, routineRows),
    spans: {
      ...spansLeft,
      routine: yield* picked(routineOf, spansLeft.routine),
      start: longer(spansLeft.start, [spans.start[n]]),
    },
    ...(calls
      ? { calls: { ...calls, span: yield* picked(spanOf, calls.span), callee: yield* picked(routineOf, calls.callee) } }
      : {}),
    ...(jumps && jumpRows ? { jumps: yield* movedJumps(jumps, jumpRows, spanOf, routineOf) } : {}),
    transformed: { from: profile.transformed?.from ?? profile, applied: [], ...(doubtful ? { estimated } : {}) },
  };
}

function* jumpsLeft(
  { span, targetRoutine }: Jumps,
  { routine }: Spans,
  routineLeft: Uint8Array,
): Generator<undefined, Uint32Array> {
  const keep = new Uint8Array(span.length);
  yield* inSlices(keep.length, (from, to) => {
    for (let j = from; j < to; j++) {
      const target = targetRoutine ? targetRoutine[j] : -1;
      keep[j] = target >= 0 && routineLeft[target] === 0 ? 0 : routineLeft[routine[span[j]]];
    }
  });
  return yield* rowsOf(keep);
}

function* movedJumps(jumps: Jumps, rows: Uint32Array, spanOf: Uint32Array, routineOf: Uint32Array): Generator<undefined, Jumps> {
  const { span, targetRoutine, ...kept } = yield* pickedRows(jumps, rows);
  return {
    ...kept,
    span: yield* picked(spanOf, span),
    ...(targetRoutine ? { targetRoutine: targetRoutine.map((r) => (r < 0 ? r : routineOf[r])) } : {}),
  };
}
