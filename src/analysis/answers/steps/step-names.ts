// Names of steps without the folder that nearly all sources are in: it is shown once, in a heading.

import { groupByKey, memo } from '../../../base/lists.ts';
import { baseName, commonFolderOf } from '../../../base/paths.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { outputsOf, stepName, stepText } from './steps.ts';

/** The share of all sources that must be in the folder; the others keep their whole paths. */
const MIN_FOLDER_SHARE = 0.9;

/** The deepest folder that nearly all sources with absolute paths are in, with a slash at its end; '' if that is only the root. */
export const commonFolder = memo((profile: ProfileOf<'steps'>): string => {
  const given = Array.from(new Set(profile.steps.source), (id) => (id < 0 ? '' : stringAt(profile.strings, id)));
  // Sorted paths of a folder are adjacent: the first and last of a range share the prefix of all paths between.
  const paths = given.filter((path) => path.startsWith('/')).sort();
  const beyond = Math.ceil(paths.length * MIN_FOLDER_SHARE) - 1;
  let folder = '/';
  for (let k = 0; beyond > 0 && k + beyond < paths.length; k++) {
    const common = commonFolderOf(paths[k], paths[k + beyond]);
    if (common.length > folder.length) folder = common;
  }
  return folder === '/' ? '' : folder;
}, 4);

/**
 * The first output of custom commands, whose texts differ only at the end, where tables cut. Outputs with several makers are
 * left out.
 */
const soleOutputs = memo((profile: ProfileOf<'steps'>): ReadonlyMap<number, string> => {
  const made = (step: number) => (stepText(profile, 'role', step) === 'custom' ? outputsOf(profile, step)[0] : undefined);
  const makers = [...groupByKey(profile.steps.name.keys(), made)].filter(([, steps]) => steps.length === 1);
  return new Map(makers.flatMap(([path, [step]]) => (path === undefined ? [] : [[step, path]])));
}, 4);

/** The program of link steps with one name: a library is removed, packed and indexed by three. */
const linkPrograms = memo((profile: ProfileOf<'steps'>): ReadonlyMap<number, string> => {
  const named = (step: number) =>
    stepText(profile, 'role', step) === 'link' ? `${profile.steps.part[step]} ${stepName(profile, step)}` : undefined;
  const programOf = (step: number) => baseName(/^"?([^\s"]{0,999})/.exec(stepText(profile, 'command', step) ?? '')?.[1] ?? '');
  const alike = [...groupByKey(profile.steps.name.keys(), named)].filter(
    ([name, steps]) => name !== undefined && steps.length > 1,
  );
  return new Map(alike.flatMap(([, steps]) => steps.map((step): [number, string] => [step, programOf(step)])));
}, 4);

const OBJECT_FOLDER = /CMakeFiles\/[^/]+\.dir\//; // bounded: each run is looked at once

/** The names of objects without the folder of their target, which is another column, where that leaves them distinct. */
const objectNames = memo((profile: ProfileOf<'steps'>): ReadonlyMap<string, string> => {
  const names = new Set(Array.from(new Set(profile.steps.name), (id) => stringAt(profile.strings, id)));
  const inFolders = [...names].filter((name) => OBJECT_FOLDER.test(name));
  const byShort = groupByKey(inFolders, (name) => name.replace(OBJECT_FOLDER, ''));
  return new Map(
    [...byShort].flatMap(([short, [name, other]]) => (other === undefined && !names.has(short) ? [[name, short]] : [])),
  );
}, 4);

/** A step's name, as the screen shows it in tables. */
export function shortStepName(profile: ProfileOf<'steps'>, step: number): string {
  const folder = commonFolder(profile);
  const made = soleOutputs(profile).get(step);
  const program = linkPrograms(profile).get(step);
  const recorded = stepName(profile, step);
  const short = objectNames(profile).get(recorded) ?? recorded;
  const name = made === undefined ? short + (program ? ` (${program})` : '') : `custom: ${made}`;
  return folder === '' ? name : name.replaceAll(folder, '');
}

/** The role that a step's short name starts with, and the name after it. Of other names the role is ''. */
export function roleAndName(profile: ProfileOf<'steps'>, step: number): readonly [role: string, name: string] {
  const [role, name] = [stepText(profile, 'role', step) ?? '', shortStepName(profile, step)];
  return role !== '' && name.startsWith(`${role}: `) ? [role, name.slice(role.length + 2)] : ['', name];
}

/** The role in a column beside the name; '' where it is the name, as of `configure`. */
export function roleBesideName(profile: ProfileOf<'steps'>, step: number): string {
  const role = stepText(profile, 'role', step) ?? '';
  return role === shortStepName(profile, step) ? '' : role;
}

/** Width of a column of roles, if names start with some; 0 if no name does, or all steps have one role, which is then `only`. */
export const namedRoles = memo((profile: ProfileOf<'steps'>): { readonly width: number; readonly only?: string } => {
  const byRole = groupByKey(profile.steps.name.keys(), (step) => profile.steps.role[step]);
  const firsts = Array.from(byRole.values(), ([step]) => step);
  const named = firsts.map((step) => roleAndName(profile, step)[0]);
  if (named.length === 1) return { width: 0, only: named[0] };
  const isNamed = named.some((role) => role !== '');
  return { width: isNamed ? Math.max(...firsts.map((step) => roleBesideName(profile, step).length)) : 0 };
}, 4);

/** The file name of a step: its source, else its output; without either, its short name. */
export function stepFile(profile: ProfileOf<'steps'>, step: number): string {
  const path = stepText(profile, 'source', step) ?? outputsOf(profile, step)[0];
  return path === undefined ? shortStepName(profile, step) : baseName(path);
}

export function stepHeading(profile: ProfileOf<'steps'>): string {
  const folder = commonFolder(profile);
  const step = namedRoles(profile).only || 'step';
  return folder === '' ? step : `${step}, in ${folder.slice(0, -1)}`;
}
