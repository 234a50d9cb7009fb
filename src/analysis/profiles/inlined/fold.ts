// Merges nodes of a call graph into routines, and keeps the graph of the nodes beside it.
import { fillInSlices, type Sliced } from '../../../base/slices.ts';
import type { Estimated, Jumps } from '../../../model/callgraph/tables.ts';
import { pickColumnInSlices, pickRows } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { numberNamesakes, RoutineTable, recordedNameId } from '../../../model/routine-table.ts';

/** Merges nodes with the same name, file, object and line into one routine. Yields between slices of work. */
export function* foldNodes(graph: ProfileOf<'callgraph'>): Sliced<ProfileOf<'callgraph'>> {
  const { routines, spans, calls, jumps, estimated } = graph;
  const { within: _, ...columns } = routines;
  const { file, object, line } = columns;
  const table = new RoutineTable();
  const firsts: number[] = [];
  const numberOf = (n: number) => {
    const routine = table.findOrAdd(recordedNameId(routines, n), file[n], object[n], line?.[n] ?? 0);
    if (routine === firsts.length) firsts.push(n);
    return routine;
  };
  const routineOf = yield* fillInSlices(new Uint32Array(file.length), numberOf);
  return {
    ...graph,
    routines: numberNamesakes(pickRows(columns, firsts)),
    spans: { ...spans, routine: yield* pickColumnInSlices(routineOf, spans.routine) },
    ...(calls ? { calls: { ...calls, callee: yield* pickColumnInSlices(routineOf, calls.callee) } } : {}),
    ...(jumps ? { jumps: renumberTargets(jumps, routineOf) } : {}),
    ...(estimated ? { estimated: mergeEstimates(estimated, routineOf, table.count) } : {}),
    nodes: { graph, routineOf },
  };
}

/** The jumps, whose target routines have new numbers. */
export const renumberTargets = (jumps: Jumps, routineOf: Uint32Array): Jumps =>
  jumps.targetRoutine ? { ...jumps, targetRoutine: jumps.targetRoutine.map((r) => (r < 0 ? r : routineOf[r])) } : jumps;

/** Merges estimate flags: a routine's cost is an estimate if that of one that became it is. No `routineOf`: all stay. */
export function mergeEstimates(estimated: Estimated, routineOf: Uint32Array | undefined, routines: number): Estimated {
  const mergeFlags = (column: Uint8Array) => {
    const out = new Uint8Array(routines);
    for (let n = 0; n < column.length; n++) out[routineOf ? routineOf[n] : n] |= column[n];
    return out;
  };
  return { ...estimated, self: mergeFlags(estimated.self), inclusive: mergeFlags(estimated.inclusive) };
}
