// Two runs as one profile: rows of both name the same routines, and raw cost columns are those of one and of the other.
import { ChoiceError } from '../../base/choice-error.ts';
import { FormatError } from '../../base/problem.ts';
import type { Head } from '../../model/head.ts';
import type { Profile, ProfileOf, Runs } from '../../model/profile.ts';
import { type Matching, type MatchOptions, matchRoutines } from './match.ts';
import { renumbered } from './renumber.ts';

export interface CompareOptions extends MatchOptions {
  /** Scales the base so that both have equal totals. */
  readonly normalize: boolean;
  readonly runs?: Runs | undefined;
}

/** Throws FormatError where the two cannot be compared, ChoiceError for a rename that fits nothing. */
export function compareProfiles(now: Profile, before: Profile, options: CompareOptions): Profile {
  checkComparable(now, before);
  const matching = matchRoutines(now, before, options);
  const useless = matching.useless[0];
  if (useless)
    throw new ChoiceError(`--rename ${useless.text}: no routine that only the base has becomes one that only this run has`);
  const { strings, files, objects, routines } = matching;
  const head = { strings, files, objects, routines };
  const ours = renumbered(now, head, { routine: matching.nowRoutine, file: undefined, object: undefined });
  const theirs = renumbered(before, baseHead(before, matching), {
    routine: matching.beforeRoutine,
    file: matching.beforeFile,
    object: matching.beforeObject,
  });
  return joined(ours, theirs, matching, options);
}

/** A reason why the two have nothing to compare, as an error of the base. */
export function checkComparable(now: Profile, before: Profile): void {
  const path = before.paths[0] ?? '';
  if (before.kind !== now.kind)
    throw new FormatError({
      path,
      expected: `a profile of ${now.kind} to compare with`,
      found: `one of ${before.kind} (${before.format})`,
    });
  // Nothing of the base may have run in a chosen range of time.
  const hadNone = before.kind === 'steps' && before.steps.name.length === 0 && !before.transformed;
  if (now.kind === 'steps' && hadNone && now.steps.name.length > 0)
    throw new FormatError({ path, expected: 'a build to compare with', found: 'no step' });
  const grain = (p: Profile) => p.grain ?? 'routine';
  if (grain(now) !== grain(before))
    throw new FormatError({ path, expected: `a profile by ${grain(now)}`, found: `one by ${grain(before)}` });
  if (now.kind === 'inputs' && before.kind === 'inputs' && now.inputs.metric !== before.inputs.metric)
    throw new FormatError({
      path,
      expected: `sizes of input by ${now.inputs.metric}, as in this run`,
      found: `sizes by ${before.inputs.metric}`,
    });
  const names = (p: Profile) => p.events.map((e) => e.name);
  const shared = names(now).filter((name) => names(before).includes(name));
  if (shared.length === 0 && now.events.length > 0)
    throw new FormatError({
      path,
      expected: `an event that this run has: ${names(now).join(', ')}`,
      found: names(before).join(', ') || 'no event',
    });
}

/** The base's tables in the order of both, with its own strings. What it lacks has no name: none of its rows says so. */
function baseHead(before: Profile, matching: Matching): Pick<Head, 'strings' | 'files' | 'objects' | 'routines'> {
  const { files, objects, routines } = matching;
  const names = (rows: number, own: Uint32Array, of: ArrayLike<number>) => {
    const out = new Uint32Array(rows);
    // Of several that became one, the first.
    for (let i = own.length - 1; i >= 0; i--) out[of[i]] = own[i];
    return out;
  };
  // A routine may have moved from one file to another; code without symbols is in none.
  const file = routines.file.slice();
  for (let r = matching.beforeRoutine.length - 1; r >= 0; r--) {
    const [own, row] = [before.routines.file[r], matching.beforeRoutine[r]];
    if (own >= 0 && file[row] >= 0) file[row] = matching.beforeFile[own];
  }
  return {
    strings: before.strings,
    files: { name: names(files.name.length, before.files.name, matching.beforeFile) },
    objects: { name: names(objects.name.length, before.objects.name, matching.beforeObject) },
    routines: { ...routines, name: names(routines.name.length, before.routines.name, matching.beforeRoutine), file },
  };
}

function joined(now: Profile, before: Profile, matching: Matching, { normalize, runs }: CompareOptions): Profile {
  const names = (p: Profile) => p.events.map((e) => e.name);
  const facts = {
    match: matching.match,
    routineSides: matching.routineSides,
    fileSides: matching.fileSides,
    normalize,
    ...(runs ? { runs } : {}),
    onlyNow: names(now).filter((name) => !names(before).includes(name)),
    onlyBefore: names(before).filter((name) => !names(now).includes(name)),
  };
  const columns = now.columns + before.columns + 1;
  const both = <P extends Profile>(ours: P, theirs: P) => ({
    ...ours,
    columns,
    compared: { ...facts, now: ours, before: theirs },
  });
  // The compiler narrows one of a pair at a time.
  if (now.kind === 'callgraph' && before.kind === 'callgraph') return both<ProfileOf<'callgraph'>>(now, before);
  if (now.kind === 'stacks' && before.kind === 'stacks') return both<ProfileOf<'stacks'>>(now, before);
  if (now.kind === 'inputs' && before.kind === 'inputs') return both<ProfileOf<'inputs'>>(now, before);
  if (now.kind === 'steps' && before.kind === 'steps') return both<ProfileOf<'steps'>>(now, before);
  if (now.kind === 'processes' && before.kind === 'processes') return both<ProfileOf<'processes'>>(now, before);
  throw new Error('profiles of two kinds');
}
