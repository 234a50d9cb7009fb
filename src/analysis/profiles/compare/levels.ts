// Recursion levels and callers of two runs: `f'2` and `f'main` are the function f, whose levels and callers depend on the options of the
// recording. If one run has more of them than the other, both are compared by function.
import { runToEnd } from '../../../base/slices.ts';
import type { Profile, ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { splitLevel } from '../../answers/callgraph/levels.ts';
import { namePartsOf, parseName } from '../../names/parts.ts';
import { foldNodes } from '../inlined/fold.ts';
import { joinRoutines } from '../transforms/call-graph-merge.ts';
import { RoutineDraft } from '../transforms/routine-draft.ts';

/** The names of routines that may have a level or callers, by routine. */
function quotedNames({ routines, strings }: ProfileOf<'callgraph'>): Map<number, string> {
  const names = Array.from(routines.name, (id, r) => [r, stringAt(strings, id)] as const);
  return new Map(names.filter(([, name]) => name.includes("'")));
}

function withoutCallers(name: string): string {
  const { callers } = namePartsOf(name);
  return name.slice(0, name.length - callers.length);
}

/** The run with one routine per function. `functionOf`: the name of the function of a routine. */
function mergeFunctions(profile: ProfileOf<'callgraph'>, functionOf: (name: string) => string, what: string): Profile {
  const graph = profile.nodes?.graph ?? profile;
  const draft = new RoutineDraft(graph);
  const rows = [...quotedNames(graph)].filter(([, name]) => functionOf(name) !== name);
  const { file, object } = graph.routines;
  const functions = runToEnd(
    draft.add(rows.map(([r, name]) => ({ name: functionOf(name), file: file[r], object: object[r], line: 0 }))),
  );
  const to = Uint32Array.from({ length: draft.count }, (_, r) => r);
  for (const [k, [r]] of rows.entries()) to[r] = functions[k];
  const merged = runToEnd(joinRoutines(graph, draft.head, to, () => true));
  const { nodes, ...folded } = profile.nodes ? runToEnd(foldNodes(merged)) : merged;
  const notes = [...(profile.notes ?? []), `${what} are merged: the two runs have other ones`];
  return { ...folded, notes, ...(nodes ? { nodes: { ...profile.nodes, ...nodes } } : {}) };
}

/** Both runs, with one routine per function if they have other recursion levels or callers. */
export function withSameLevels(now: Profile, before: Profile): readonly [now: Profile, before: Profile] {
  if (now.kind !== 'callgraph' || before.kind !== 'callgraph') return [now, before];
  const most = (run: ProfileOf<'callgraph'>, countIn: (name: string) => number) =>
    [...quotedNames(run).values()].reduce((max, name) => Math.max(max, countIn(name)), 0);
  const differ = (countIn: (name: string) => number) => most(now, countIn) !== most(before, countIn);
  const mergeBoth = (functionOf: (name: string) => string, what: string) =>
    [mergeFunctions(now, functionOf, what), mergeFunctions(before, functionOf, what)] as const;
  const withoutLevel = (name: string) => splitLevel(name)[0];
  if (differ((name) => parseName(withoutLevel(name)).callers.length))
    return mergeBoth((name) => withoutCallers(withoutLevel(name)), 'callers in names');
  return differ((name) => splitLevel(name)[1]) ? mergeBoth(withoutLevel, 'recursion levels') : [now, before];
}
