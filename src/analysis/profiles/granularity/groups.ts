// The keys that routines are grouped by, and profiles split so that each routine is in one group only.
import { memo } from '../../../base/memo.ts';
import { withSlashes } from '../../../base/paths.ts';
import type { Profile } from '../../../model/profile.ts';
import { analyse } from '../../answers/analyse.ts';
import type { Analysis } from '../../answers/analysis.ts';
import { labelsOf } from '../../answers/stacks/part-labels.ts';
import { tagKeys } from '../../answers/stacks/tags.ts';
import { displayFile, nameWithoutNumber, routineName, routineObject, UNKNOWN_NAME } from '../../names/names.ts';
import { originWithObject } from '../../names/origin.ts';
import { enclosingScopes, functionOf, namespaceOf } from '../../names/parts.ts';
import { splitByFile } from './by-file.ts';
import { splitByLabels } from './by-label.ts';

/** The group of a routine, by key. */
const KEYS: Readonly<Record<string, (profile: Profile, routine: number) => string>> = {
  file: (profile, r) => displayFile(profile, profile.routines.file[r]),
  directory: (profile, r) => folderOf(displayFile(profile, profile.routines.file[r])),
  object: (profile, r) => routineObject(profile, r) || UNKNOWN_NAME,
  code: originWithObject,
  namespace: (profile, r) => namespaceOf(routineName(profile, r)),
  class: (profile, r) => enclosingScopes(routineName(profile, r)),
  function: (profile, r) => functionOf(nameWithoutNumber(profile, r)),
};

/** The keys of any profile. */
export const ROUTINE_KEYS = Object.keys(KEYS);

/** The labels of samples that routines can be grouped by; none in a comparison of two runs. */
export function labelGroupKeys(profile: Profile): readonly string[] {
  const of = profile.kind === 'stacks' && !profile.compared ? labelsOf(profile) : undefined;
  return of ? tagKeys(of).filter((key) => !ROUTINE_KEYS.includes(key)) : [];
}

/** Whether a grouping has a label of samples, of this run in a comparison. */
export const groupsByLabel = (profile: Profile, grouping: string): boolean =>
  keysOfGrouping(grouping).some((key) => labelGroupKeys(profile.compared?.now ?? profile).includes(key));

/** The keys of a grouping such as `comm,object`. The key `routine` stands for the routines within the last group. */
export const keysOfGrouping = (grouping: string): string[] => grouping.split(/[,:]/).map((key) => key.trim());

function folderOf(path: string): string {
  const slash = withSlashes(path).lastIndexOf('/');
  return slash < 0 ? UNKNOWN_NAME : path.slice(0, slash + 1);
}

/** Routines split so that each is in one group only. */
export interface SplitRoutines {
  readonly analysis: Analysis;
  readonly keys: readonly string[];
  readonly groupOf: (key: number, routine: number) => string;
  /** False for routines whose parts stand for them. */
  readonly isShown: (routine: number) => boolean;
}

/** The analysis whose routines a grouping lists: by file, a routine is split into its code in each file; by label, by the values. */
export const splitRoutines = memo((shown: Analysis, grouping: string): SplitRoutines => {
  const keys = keysOfGrouping(grouping).filter((key) => key !== 'routine');
  const labels = keys.filter((key) => !Object.hasOwn(KEYS, key));
  const byFile = keys.includes('file') || keys.includes('directory') ? splitByFile(shown.profile) : shown.profile;
  const byLabel = labels.length > 0 && byFile.kind === 'stacks' ? splitByLabels(byFile, labels) : undefined;
  const profile = byLabel?.profile ?? byFile;
  const hasParts = new Uint8Array(profile.routines.name.length);
  for (const { wholes = [] } of [byFile, profile])
    for (const [r, whole] of wholes.entries()) if (whole !== r) hasParts[whole] = 1;
  return {
    analysis: profile === shown.profile ? shown : analyse(profile, shown.events, shown.partsOff),
    keys,
    groupOf: (key, r) =>
      Object.hasOwn(KEYS, keys[key]) ? KEYS[keys[key]](profile, r) : (byLabel?.valueOf(labels.indexOf(keys[key]), r) ?? ''),
    isShown: (r) => hasParts[r] === 0 && !(byLabel && r < byFile.routines.name.length),
  };
}, 4);
