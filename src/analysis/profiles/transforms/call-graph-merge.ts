// Merges several routines of a call graph: their costs are added, and calls among them are removed.
import { fillInSlices } from '../../../base/slices.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import type { Profile } from '../../../model/profile.ts';
import { pickColumnInSlices, pickRowsInSlices, selectedRows } from '../../../model/table.ts';
import { mergeEstimates } from '../inlined/fold.ts';
import { buildRemainingProfile, estimatesOf } from './call-graph-draft.ts';
import type { GraphProfile } from './call-graph-flows.ts';
import { RoutineDraft, routineWithoutFile } from './routine-draft.ts';
import { splitPattern } from './transform.ts';

/** Merges all matching routines into one, named by the expression in parentheses, without file and object. */
export function* mergeRoutines(profile: GraphProfile, hit: Uint8Array, pattern: string): Generator<undefined, GraphProfile> {
  const draft = new RoutineDraft(profile);
  const [routine] = yield* draft.add([routineWithoutFile(`(${splitPattern(pattern).expression})`)]);
  const to = new Uint32Array(hit.length);
  for (let r = 0; r < to.length; r++) to[r] = hit[r] === 1 ? routine : r;
  yield;
  return yield* joinRoutines(profile, draft.head, to, (caller, callee) => hit[caller] === 0 || hit[callee] === 0);
}

/** Replaces each routine r by to[r], and keeps the calls for which `keepsCall` is true. Exact: no cost is shared. */
export function* joinRoutines(
  profile: GraphProfile,
  { strings, routines }: Pick<Profile, 'strings' | 'routines'>,
  to: Uint32Array,
  keepsCall: (caller: number, callee: number) => boolean,
): Generator<undefined, GraphProfile> {
  const { spans, calls, jumps } = profile;
  const markKept = ({ span, callee }: Calls) =>
    fillInSlices(new Uint8Array(span.length), (i) => Number(keepsCall(spans.routine[span[i]], callee[i])));
  const kept = calls && (yield* selectedRows(yield* markKept(calls)));
  const estimated = mergeEstimates(estimatesOf(profile), to, routines.name.length);
  const target = jumps?.targetRoutine;
  return yield* buildRemainingProfile(profile, {
    strings,
    routines,
    spans: { ...spans, routine: yield* pickColumnInSlices(to, spans.routine) },
    ...(calls && kept
      ? { calls: yield* pickRowsInSlices({ ...calls, callee: yield* pickColumnInSlices(to, calls.callee) }, kept) }
      : {}),
    ...(target ? { jumps: { ...jumps, targetRoutine: target.map((r) => (r < 0 ? r : to[r])) } } : {}),
    estimated: kept ? { ...estimated, calls: yield* pickColumnInSlices(estimated.calls, kept) } : estimated,
  });
}
