// The tables of a call graph that a transform has made, and the profile of what is left of them.
import { inSlices } from '../../base/slices.ts';
import type { Calls, Jumps, Lines, Spans } from '../../model/callgraph/tables.ts';
import type { Routines } from '../../model/head.ts';
import type { Estimated } from '../../model/profile.ts';
import { type Strings, stringAt } from '../../model/strings.ts';
import { staysInside } from '../line-calls.ts';
import { type Graph, type GraphProfile, SLICE } from './call-graph-flows.ts';
import { picked, rowsOf } from './columns.ts';

/** Spans without rows and routines that do not occur are still in it. */
export interface Draft {
  readonly strings: Strings;
  readonly routines: Routines;
  readonly spans: Spans;
  readonly lines: Lines;
  readonly calls: Calls | undefined;
  readonly jumps: Jumps | undefined;
  /** By routine, and by row of `calls`. */
  readonly estimated: Estimated;
}

/** The routine of that name in no file and no object, and the tables with it if there was none. */
export function withRoutine(
  { strings, routines }: Pick<Draft, 'strings' | 'routines'>,
  name: string,
  like?: number,
): Pick<Draft, 'strings' | 'routines'> & { readonly routine: number } {
  const [file, object, line] =
    like === undefined ? [-1, -1, 0] : [routines.file[like], routines.object[like], routines.line?.[like] ?? 0];
  const same = (id: number, r: number) =>
    routines.file[r] === file &&
    routines.object[r] === object &&
    (routines.line?.[r] ?? 0) === line &&
    stringAt(strings, id) === name;
  const routine = routines.name.findIndex(same);
  if (routine >= 0) return { strings, routines, routine };
  const bytes = new TextEncoder().encode(name);
  const all = new Uint8Array(strings.bytes.length + bytes.length);
  all.set(strings.bytes);
  all.set(bytes, strings.bytes.length);
  const n = routines.name.length;
  return {
    strings: { bytes: all, start: longer(strings.start, Uint32Array, [all.length]) },
    routines: {
      name: longer(routines.name, Uint32Array, [strings.start.length - 1]),
      file: longer(routines.file, Int32Array, [file]),
      object: longer(routines.object, Int32Array, [object]),
      ...(routines.line ? { line: longer(routines.line, Uint32Array, [line]) } : {}),
    },
    routine: n,
  };
}

/** The column, and values behind it. */
export function longer<A extends Uint32Array | Int32Array>(
  column: A,
  make: new (length: number) => A,
  values: readonly number[],
): A {
  const out = new make(column.length + values.length);
  out.set(column);
  out.set(values, column.length);
  return out;
}

/** What was estimated before: nothing, of a profile without transforms. */
export function estimatedIn({ transformed, routines, calls }: GraphProfile): Estimated {
  const none = (rows: number) => new Uint8Array(rows);
  const n = routines.name.length;
  return transformed?.estimated ?? { self: none(n), inclusive: none(n), calls: none(calls?.span.length ?? 0) };
}

/** Marks as estimated what a routine costs with its callees, where an edge that leaves it and its cycle is. */
export function markInclusive(
  { edges, totals }: Graph,
  inclusive: Uint8Array,
  known: (edge: number) => boolean,
): Generator<undefined, void> {
  const { caller, callee } = edges;
  const mark = (from: number, to: number) => {
    for (let e = from; e < to; e++)
      if (inclusive[caller[e]] === 0 && !staysInside(totals.cycles.of, caller[e], callee[e]) && !known(e))
        inclusive[caller[e]] = 1;
  };
  return inSlices(caller.length, mark, SLICE);
}

/** What is left: spans with rows, and routines that still occur. Jumps stay where both ends do. */
interface Remains {
  readonly spanRows: Uint32Array;
  readonly routineRows: Uint32Array;
  readonly jumpRows: Uint32Array | undefined;
}

function* remains({ spans, calls, jumps, routines }: Draft): Generator<undefined, Remains> {
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
export function* left(profile: GraphProfile, draft: Draft): Generator<undefined, GraphProfile> {
  const { spans, lines, calls, jumps, routines } = draft;
  const n = spans.routine.length;
  const { spanRows, routineRows, jumpRows } = yield* remains(draft);
  const [spanOf, routineOf] = [numbersOf(spanRows, n), numbersOf(routineRows, routines.name.length)];
  yield;
  const estimated: Estimated = {
    self: yield* picked(draft.estimated.self, routineRows),
    inclusive: yield* picked(draft.estimated.inclusive, routineRows),
    calls: draft.estimated.calls,
  };
  const doubtful = Object.values(estimated).some((column: Uint8Array) => column.includes(1));
  return {
    ...profile,
    strings: draft.strings,
    routines: {
      name: yield* picked(routines.name, routineRows),
      file: yield* picked(routines.file, routineRows),
      object: yield* picked(routines.object, routineRows),
      ...(routines.line ? { line: yield* picked(routines.line, routineRows) } : {}),
    },
    spans: {
      routine: yield* picked(routineOf, yield* picked(spans.routine, spanRows)),
      file: yield* picked(spans.file, spanRows),
      part: yield* picked(spans.part, spanRows),
      high: yield* picked(spans.high, spanRows),
      start: longer(yield* picked(spans.start, spanRows), Uint32Array, [spans.start[n]]),
    },
    lines,
    ...(calls
      ? { calls: { ...calls, span: yield* picked(spanOf, calls.span), callee: yield* picked(routineOf, calls.callee) } }
      : {}),
    ...(jumps && jumpRows ? { jumps: yield* movedJumps(jumps, jumpRows, spanOf, routineOf) } : {}),
    transformed: { from: profile.transformed?.from ?? profile, applied: [], ...(doubtful ? { estimated } : {}) },
  };
}

/** New numbers by old ones. */
function numbersOf(rows: Uint32Array, old: number): Uint32Array {
  const out = new Uint32Array(old);
  for (let k = 0; k < rows.length; k++) out[rows[k]] = k;
  return out;
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
  const { address, targetRoutine, targetHigh, targetAddress } = jumps;
  return {
    span: yield* picked(spanOf, yield* picked(jumps.span, rows)),
    line: yield* picked(jumps.line, rows),
    ...(address ? { address: yield* picked(address, rows) } : {}),
    targetFile: yield* picked(jumps.targetFile, rows),
    ...(targetRoutine ? { targetRoutine: (yield* picked(targetRoutine, rows)).map((r) => (r < 0 ? r : routineOf[r])) } : {}),
    targetLine: yield* picked(jumps.targetLine, rows),
    ...(targetHigh ? { targetHigh: yield* picked(targetHigh, rows) } : {}),
    ...(targetAddress ? { targetAddress: yield* picked(targetAddress, rows) } : {}),
    conditional: yield* picked(jumps.conditional, rows),
    taken: yield* picked(jumps.taken, rows),
    executed: yield* picked(jumps.executed, rows),
  };
}
