// Several routines of a call graph as one: what each costs is added up, and calls among them vanish.
import { type Draft, estimatedIn, left, picked, rowsOf, withRoutine } from './call-graph-draft.ts';
import type { GraphProfile } from './call-graph-flows.ts';
import { targetOf } from './transform.ts';

/** All routines that match are one, which has the expression in parentheses for its name, and no file and no object. */
export function merged(profile: GraphProfile, hit: Uint8Array, pattern: string): GraphProfile {
  const { routine, ...tables } = withRoutine(profile, `(${targetOf(pattern).expression})`);
  const to = Uint32Array.from(hit, (h, r) => (h === 1 ? routine : r));
  return joined(profile, tables, to, (caller, callee) => hit[caller] === 0 || hit[callee] === 0);
}

/** Every routine becomes the one that `to` says. Calls stay where `stays` says so. All of it is exact: no cost is shared. */
export function joined(
  profile: GraphProfile,
  { strings, routines }: Pick<Draft, 'strings' | 'routines'>,
  to: Uint32Array,
  stays: (caller: number, callee: number) => boolean,
): GraphProfile {
  const { spans, calls, jumps } = profile;
  const kept = rowsOf(Uint8Array.from(calls?.span ?? [], (span, i) => Number(stays(spans.routine[span], calls?.callee[i] ?? 0))));
  const before = estimatedIn(profile);
  const both = (of: Uint8Array) => {
    const out = new Uint8Array(routines.name.length);
    for (let r = 0; r < of.length; r++) out[to[r]] |= of[r];
    return out;
  };
  return left(profile, {
    strings,
    routines,
    spans: { ...spans, routine: picked(to, spans.routine) },
    lines: profile.lines,
    calls: calls && {
      span: picked(calls.span, kept),
      callee: picked(to, picked(calls.callee, kept)),
      line: picked(calls.line, kept),
      ...(calls.address ? { address: picked(calls.address, kept) } : {}),
      count: picked(calls.count, kept),
      costs: calls.costs.map((column) => picked(column, kept)),
    },
    jumps: jumps && {
      ...jumps,
      ...(jumps.targetRoutine ? { targetRoutine: jumps.targetRoutine.map((r) => (r < 0 ? r : to[r])) } : {}),
    },
    estimated: { self: both(before.self), inclusive: both(before.inclusive), calls: picked(before.calls, kept) },
  });
}
