// Several routines of a call graph as one: what each costs is added up, and calls among them vanish.
import { eachInSlices } from '../../../base/slices.ts';
import type { Calls, Spans } from '../../../model/callgraph/tables.ts';
import type { Profile } from '../../../model/profile.ts';
import { picked, pickedRows, rowsOf } from '../../../model/table.ts';
import { estimatedIn, takeRemains } from './call-graph-draft.ts';
import type { GraphProfile } from './call-graph-flows.ts';
import { nowhere, RoutineDraft } from './routine-draft.ts';
import { targetOf } from './transform.ts';

/** All routines that match are one, which has the expression in parentheses for its name, and no file and no object. */
export function* mergeRoutines(profile: GraphProfile, hit: Uint8Array, pattern: string): Generator<undefined, GraphProfile> {
  const draft = new RoutineDraft(profile);
  const [routine] = yield* draft.add([nowhere(`(${targetOf(pattern).expression})`)]);
  const to = new Uint32Array(hit.length);
  for (let r = 0; r < to.length; r++) to[r] = hit[r] === 1 ? routine : r;
  yield;
  return yield* joinRoutines(profile, draft.head, to, (caller, callee) => hit[caller] === 0 || hit[callee] === 0);
}

/** Every routine becomes the one that `to` says. Calls stay where `stays` says so. All of it is exact: no cost is shared. */
export function* joinRoutines(
  profile: GraphProfile,
  { strings, routines }: Pick<Profile, 'strings' | 'routines'>,
  to: Uint32Array,
  stays: (caller: number, callee: number) => boolean,
): Generator<undefined, GraphProfile> {
  const { spans, calls, jumps } = profile;
  const kept = calls && (yield* rowsOf(yield* callsThatStay(calls, spans, stays)));
  const before = estimatedIn(profile);
  const target = jumps?.targetRoutine;
  const both = (of: Uint8Array) => {
    const out = new Uint8Array(routines.name.length);
    for (let r = 0; r < of.length; r++) out[to[r]] |= of[r];
    return out;
  };
  return yield* takeRemains(profile, {
    strings,
    routines,
    spans: { ...spans, routine: yield* picked(to, spans.routine) },
    ...(calls && kept ? { calls: yield* pickedRows({ ...calls, callee: yield* picked(to, calls.callee) }, kept) } : {}),
    ...(target ? { jumps: { ...jumps, targetRoutine: target.map((r) => (r < 0 ? r : to[r])) } } : {}),
    estimated: {
      self: both(before.self),
      inclusive: both(before.inclusive),
      calls: kept ? yield* picked(before.calls, kept) : before.calls,
    },
  });
}

/** By row of calls: 1 for those that stay. */
function* callsThatStay(
  { span, callee }: Calls,
  { routine }: Spans,
  stays: (caller: number, callee: number) => boolean,
): Generator<undefined, Uint8Array> {
  const out = new Uint8Array(span.length);
  yield* eachInSlices(out.length, (i) => {
    out[i] = Number(stays(routine[span[i]], callee[i]));
  });
  return out;
}
