// Names of steps without the folder that nearly all sources are in: it is shown once, in a heading.
import { listsBy } from '../../../base/lists.ts';
import { memo } from '../../../base/memo.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { baseName } from '../../names/names.ts';
import { outputsOf, stepName, stepText } from './steps.ts';

/** The share of all sources that must be in the folder; the others keep their whole paths. */
const NEARLY_ALL = 0.9;

/** The deepest folder that nearly all sources with absolute paths are in, with a slash at its end; '' if that is only the root. */
export const commonFolder = memo((profile: ProfileOf<'steps'>): string => {
  const { source } = profile.steps;
  const given = Array.from(new Set(source), (id) => (id < 0 ? '' : stringAt(profile.strings, id)));
  // In this order all paths of a folder are neighbours: so many of them have in common what the first and the last have.
  const paths = given.filter((path) => path.startsWith('/')).sort();
  const beyond = Math.ceil(paths.length * NEARLY_ALL) - 1;
  let folder = '/';
  for (let k = 0; beyond > 0 && k + beyond < paths.length; k++) {
    const common = commonStart(paths[k], paths[k + beyond]);
    if (common.length > folder.length) folder = common;
  }
  return folder === '/' ? '' : folder;
}, 4);

/** The folders that two paths begin with. */
function commonStart(a: string, b: string): string {
  let k = 0;
  while (k < a.length && a[k] === b[k]) k++;
  return a.slice(0, a.lastIndexOf('/', k - 1) + 1);
}

/** The first output of custom commands: they differ at their end, where no table has room. Not of several that make the same. */
const onlyMadeBy = memo((profile: ProfileOf<'steps'>): ReadonlyMap<number, string> => {
  const made = (step: number) => (stepText(profile, 'role', step) === 'custom' ? outputsOf(profile, step)[0] : undefined);
  const makers = [...listsBy(profile.steps.name.keys(), made)];
  return new Map(
    makers.flatMap(([path, [step, another]]) => (path === undefined || another !== undefined ? [] : [[step, path]])),
  );
}, 4);

/** A step's name, as the screen shows it in tables. */
export function shortStepName(profile: ProfileOf<'steps'>, step: number): string {
  const folder = commonFolder(profile);
  const made = onlyMadeBy(profile).get(step);
  const name = made === undefined ? stepName(profile, step) : `custom: ${made}`;
  return folder === '' ? name : name.replaceAll(folder, '');
}

/** The file that a step is about, without its folder: its source, else what it makes; without either, its name. */
export function stepFile(profile: ProfileOf<'steps'>, step: number): string {
  const path = stepText(profile, 'source', step) ?? outputsOf(profile, step)[0];
  return path === undefined ? shortStepName(profile, step) : baseName(path);
}

/** The heading of such names. */
export function stepHeading(profile: ProfileOf<'steps'>): string {
  const folder = commonFolder(profile);
  return folder === '' ? 'step' : `step, in ${folder.slice(0, -1)}`;
}
