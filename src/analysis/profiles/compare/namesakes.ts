// Routines that share a displayed name: clones of a compiler and generic functions of Rust, whose recorded names differ in what changes from
// build to build. They are paired by their recorded names. If two runs have other ones, nothing records which is which: the routines of the
// name become one row.
import { groupByKey } from '../../../base/lists.ts';
import { isOneOfSeveral } from '../../../model/canonical-name.ts';
import type { Head } from '../../../model/head.ts';
import { recordedNameId } from '../../../model/routine-table.ts';
import { stringAt } from '../../../model/strings.ts';
import type { RoutineColumns } from '../../answers/compared/routine-rows.ts';

type Names = Pick<Head, 'strings' | 'routines'>;

/** By displayed name: the numbered routines with it. */
const numberedByName = ({ strings, routines: { name, number } }: Names): Map<string, number[]> =>
  groupByKey(
    Array.from(number?.keys() ?? []).filter((r) => number?.[r]),
    (r) => stringAt(strings, name[r]),
  );

/** By routine that becomes one with another of its displayed name, file and object: the first of them. */
export function findMergedNamesakes(
  now: Names,
  before: Names,
): { readonly [side in 'now' | 'before']: ReadonlyMap<number, number> } {
  const [ours, theirs] = [numberedByName(now), numberedByName(before)];
  const recordedNames = ({ strings, routines }: Names, rows: readonly number[] = []) =>
    rows
      .map((r) => stringAt(strings, recordedNameId(routines, r)))
      .sort()
      .join('\n');
  const differs = (name: string) => recordedNames(now, ours.get(name)) !== recordedNames(before, theirs.get(name));
  const firstsOf = ({ routines: { name, file, object, line } }: Names, groups: Map<string, number[]>) => {
    const merged = [...groups].flatMap(([text, rows]) => (differs(text) ? rows : []));
    const places = groupByKey(merged, (r) => `${name[r]} ${file[r]} ${object[r]} ${line?.[r] ?? 0}`);
    return new Map([...places.values()].flatMap(([first, ...rest]) => rest.map((r) => [r, first] as const)));
  };
  return { now: firstsOf(now, ours), before: firstsOf(before, theirs) };
}

/** The routines with the names that pair them: the recorded ones of clones, unless `firsts` has their group, and else the displayed ones. */
export function pairedColumns({ strings, routines }: Names, firsts: ReadonlyMap<number, number>): RoutineColumns {
  const { name, file, object, recorded } = routines;
  const line = routines.line ?? new Uint32Array(name.length);
  const isFirst = new Set(firsts.values());
  const pairing = (r: number) =>
    recorded && recorded[r] >= 0 && !isFirst.has(r) && isOneOfSeveral(stringAt(strings, recorded[r])) ? recorded[r] : name[r];
  return { name: recorded ? name.map((_, r) => pairing(r)) : name, shown: name, file, object, line };
}
