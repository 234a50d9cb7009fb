// The tables of a call graph that a transform has made, and the profile of what is left of them.
import type { Calls, Jumps, Lines, Spans } from '../../model/callgraph/tables.ts';
import type { Costs } from '../../model/column.ts';
import type { Routines } from '../../model/head.ts';
import type { Estimated } from '../../model/profile.ts';
import { type Strings, stringAt } from '../../model/strings.ts';
import { staysInside } from '../line-calls.ts';
import type { Graph, GraphProfile } from './call-graph-flows.ts';

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

/** Rows by number, or those of a mask. */
export function rowsOf(keep: Uint8Array): Uint32Array {
  let n = 0;
  for (let i = 0; i < keep.length; i++) n += keep[i];
  const rows = new Uint32Array(n);
  for (let i = 0, k = 0; i < keep.length; i++) if (keep[i] === 1) rows[k++] = i;
  return rows;
}

type Column = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** A column of the rows given. */
export function picked(column: Uint32Array, rows: Uint32Array): Uint32Array;
export function picked(column: Int32Array, rows: Uint32Array): Int32Array;
export function picked(column: Uint8Array, rows: Uint32Array): Uint8Array;
export function picked(column: Costs[number], rows: Uint32Array): Costs[number];
export function picked(column: Column, rows: Uint32Array): Column {
  const out = column instanceof Float64Array ? new Float64Array(rows.length) : emptyLike(column, rows.length);
  for (let k = 0; k < rows.length; k++) out[k] = column[rows[k]];
  return out;
}

function emptyLike(column: Uint8Array | Uint32Array | Int32Array, rows: number): Column {
  if (column instanceof Uint8Array) return new Uint8Array(rows);
  return column instanceof Int32Array ? new Int32Array(rows) : new Uint32Array(rows);
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
export function markInclusive({ edges, totals }: Graph, inclusive: Uint8Array, known: (edge: number) => boolean): void {
  const { caller, callee } = edges;
  for (let e = 0; e < caller.length; e++)
    if (inclusive[caller[e]] === 0 && !staysInside(totals.cycles.of, caller[e], callee[e]) && !known(e)) inclusive[caller[e]] = 1;
}

/** The profile of what is left: only spans with rows, and only routines that still occur. Jumps stay where both ends do. */
export function left(profile: GraphProfile, draft: Draft): GraphProfile {
  const { spans, lines, calls, jumps, routines } = draft;
  const n = spans.routine.length;
  const spanLeft = new Uint8Array(n);
  const routineLeft = new Uint8Array(routines.name.length);
  for (let s = 0; s < n; s++) if (spans.start[s + 1] > spans.start[s]) spanLeft[s] = 1;
  if (calls) for (let i = 0; i < calls.span.length; i++) spanLeft[calls.span[i]] = 1;
  for (let s = 0; s < n; s++) if (spanLeft[s] === 1) routineLeft[spans.routine[s]] = 1;
  if (calls) for (let i = 0; i < calls.callee.length; i++) routineLeft[calls.callee[i]] = 1;
  const jumpRows = jumps && jumpsLeft(jumps, spans, routineLeft);
  if (jumps && jumpRows) for (const j of jumpRows) spanLeft[jumps.span[j]] = 1;
  const spanRows = rowsOf(spanLeft);
  const routineRows = rowsOf(routineLeft);
  const [spanOf, routineOf] = [numbersOf(spanRows, n), numbersOf(routineRows, routineLeft.length)];
  const estimated: Estimated = {
    self: picked(draft.estimated.self, routineRows),
    inclusive: picked(draft.estimated.inclusive, routineRows),
    calls: draft.estimated.calls,
  };
  const doubtful = Object.values(estimated).some((column: Uint8Array) => column.includes(1));
  return {
    ...profile,
    strings: draft.strings,
    routines: {
      name: picked(routines.name, routineRows),
      file: picked(routines.file, routineRows),
      object: picked(routines.object, routineRows),
      ...(routines.line ? { line: picked(routines.line, routineRows) } : {}),
    },
    spans: {
      routine: picked(routineOf, picked(spans.routine, spanRows)),
      file: picked(spans.file, spanRows),
      part: picked(spans.part, spanRows),
      high: picked(spans.high, spanRows),
      start: longer(picked(spans.start, spanRows), Uint32Array, [spans.start[n]]),
    },
    lines,
    ...(calls ? { calls: { ...calls, span: picked(spanOf, calls.span), callee: picked(routineOf, calls.callee) } } : {}),
    ...(jumps && jumpRows ? { jumps: movedJumps(jumps, jumpRows, spanOf, routineOf) } : {}),
    transformed: { from: profile.transformed?.from ?? profile, applied: [], ...(doubtful ? { estimated } : {}) },
  };
}

/** New numbers by old ones. */
function numbersOf(rows: Uint32Array, old: number): Uint32Array {
  const out = new Uint32Array(old);
  for (let k = 0; k < rows.length; k++) out[rows[k]] = k;
  return out;
}

function jumpsLeft({ span, targetRoutine }: Jumps, { routine }: Spans, routineLeft: Uint8Array): Uint32Array {
  const keep = new Uint8Array(span.length);
  for (let j = 0; j < keep.length; j++) keep[j] = routineLeft[routine[span[j]]];
  for (let j = 0; targetRoutine && j < keep.length; j++)
    if (targetRoutine[j] >= 0 && routineLeft[targetRoutine[j]] === 0) keep[j] = 0;
  return rowsOf(keep);
}

function movedJumps(jumps: Jumps, rows: Uint32Array, spanOf: Uint32Array, routineOf: Uint32Array): Jumps {
  const { address, targetRoutine, targetHigh, targetAddress } = jumps;
  return {
    span: picked(spanOf, picked(jumps.span, rows)),
    line: picked(jumps.line, rows),
    ...(address ? { address: picked(address, rows) } : {}),
    targetFile: picked(jumps.targetFile, rows),
    ...(targetRoutine ? { targetRoutine: picked(targetRoutine, rows).map((r) => (r < 0 ? r : routineOf[r])) } : {}),
    targetLine: picked(jumps.targetLine, rows),
    ...(targetHigh ? { targetHigh: picked(targetHigh, rows) } : {}),
    ...(targetAddress ? { targetAddress: picked(targetAddress, rows) } : {}),
    conditional: picked(jumps.conditional, rows),
    taken: picked(jumps.taken, rows),
    executed: picked(jumps.executed, rows),
  };
}
