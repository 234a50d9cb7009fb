// Choices by flags: an event, a routine, a granularity, parts. Each throws ChoiceError for what the profile does not have.
import { ChoiceError } from '../../base/errors.ts';
import { noSuchText, suggestionFor } from '../../base/match.ts';
import { visible } from '../../base/text.ts';
import type { Event } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { type Analysis, defaultEvent } from '../answers/analysis.ts';
import { columnNames } from '../answers/part-columns.ts';
import { addressInObject, findRoutines, routineFile, routineName, routineObject, UNKNOWN_NAME } from '../names/names.ts';
import { keysOfGrouping, labelGroupKeys, ROUTINE_KEYS } from './granularity/groups.ts';
import { type Granularity, granularitiesOf, ROUTINE_GRANULARITY } from './granularity/stacks.ts';

/** The event of that name; without a name, the event shown by default. */
export function requireEvent(analysis: Analysis, name: string | undefined): Event {
  if (name === undefined) return defaultEvent(analysis);
  const found = analysis.events.find((e) => e.name === name);
  if (found) return found;
  const names = analysis.events.map((e) => e.name);
  throw new ChoiceError(`--event ${name}: ${noSuchText('event', name, names)}`);
}

/** Checks that all given names can be columns. */
export function requireColumns(analysis: Analysis, names: readonly string[]): readonly string[] {
  const known = columnNames(analysis);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) throw new ChoiceError(`--columns ${wrong}: ${noSuchText('column', wrong, known)}`);
  return names;
}

/**
 * Reads --by for a profile: as a granularity, or as keys of groups of routines; only as keys for the report of groups, `forGroups`. Throws
 * ChoiceError for neither.
 */
export function chooseGrouping(profile: Profile, by: Granularity, forGroups = false) {
  const grains = forGroups ? ['routine'] : granularitiesOf(profile);
  if (grains.includes(by.name)) return { granularity: by };
  const keys = profile.routines.name.length === 0 ? [] : [...ROUTINE_KEYS, ...labelGroupKeys(profile)];
  const given = keysOfGrouping(by.name);
  const wrong = given.find((key, k) => !keys.includes(key) && !(key === 'routine' && k > 0 && k === given.length - 1));
  if (wrong === undefined && given.length <= MAX_GROUP_KEYS)
    return { granularity: { ...by, name: ROUTINE_GRANULARITY.name }, grouping: given.join(',') };
  if (wrong === undefined) throw new ChoiceError(`--by ${by.name}: at most ${MAX_GROUP_KEYS} keys, one within the other`);
  if (wrong === 'routine') throw new ChoiceError(`--by ${by.name}: routine can only be the last key, after another`);
  const known = [...new Set([...grains, ...keys])];
  const word = given.length === 1 ? by.name : `${by.name}: ${wrong}`;
  throw new ChoiceError(
    known.length > 1
      ? `--by ${word}: this profile can be grouped by ${known.join(', ')}${suggestionFor(wrong, known)}`
      : `--by ${word}: this profile has no routines to group`,
  );
}

/** As many as perf report shows well. */
const MAX_GROUP_KEYS = 3;

/** Throws ChoiceError for a flag that only applies to profiles of another kind. */
export function rejectUnfitFlags(profile: Profile, given: ReadonlySet<string>): void {
  const { kind, format, routines, events } = profile;
  const unfit: readonly (readonly [flag: string, isUnfit: boolean, about: string])[] = [
    ['compiler', kind !== 'processes', 'build traces'],
    ['unknown', kind !== 'stacks' || !profile.places, 'sampled addresses with known places in their objects'],
    ['samples', kind !== 'stacks' || events.some(({ each }) => each !== undefined), 'counts that may be of samples'],
    ['no-renames', routines.name.length === 0, 'routines'],
  ];
  const [flag, , about] = unfit.find(([name, isUnfit]) => isUnfit && given.has(name)) ?? [];
  if (flag !== undefined) throw new ChoiceError(`--${flag} is about ${about}; this is a ${format} profile`);
  if (given.has('contexts') && !(kind === 'inputs' && profile.contexts))
    throw new ChoiceError(`--contexts: this ${format} profile has no calling contexts`);
}

const MAX_LISTED_NAMES = 20;

/** The routine named as `NAME`, `FILE:NAME` or `NAME file:FILE`. */
export function requireRoutine(profile: Profile, wanted: string): number {
  return resolveRoutine(profile, wanted, '--routine', (why) => {
    throw new ChoiceError(why);
  });
}

/** Like requireRoutine() for any flag or word: `as` names it in messages, `refuse` throws the message. */
export function resolveRoutine(profile: Profile, wanted: string, as: string, refuse: (why: string) => never): number {
  const found = findRoutinesByWord(profile, wanted);
  if (found.length === 1) return found[0];
  if (found.length === 0) return refuse(`${as} ${wanted}: the profile has no such routine`);
  const location = (r: number) => `${routineFile(profile, r) ?? UNKNOWN_NAME} [${routineObject(profile, r) ?? UNKNOWN_NAME}]`;
  const list = found.slice(0, MAX_LISTED_NAMES).map((r) => visible(`  ${routineName(profile, r)}  ${location(r)}`));
  // Routines with equal names differ only in file or object, so the message then suggests FILE:NAME.
  const hint = new Set(found.map((r) => routineName(profile, r))).size < found.length ? `\n${as} FILE:NAME says which` : '';
  return refuse(`${as} ${wanted} fits ${found.length} routines:\n${list.join('\n')}${hint}`);
}

export function findRoutinesByWord(profile: Profile, wanted: string): number[] {
  const plain = findRoutines(profile, wanted);
  if (plain.length > 0) return plain;
  const placed = /^(.+) file:(.+)$/.exec(wanted); // bounded: an argument of the command line
  if (placed) return findRoutinesInFile(profile, placed[2], placed[1]);
  // `git+0x1f100`: as the screen shows code without a name.
  const isShown = (r: number) => addressInObject(profile, r) === wanted;
  const shown = wanted.includes('+0x') ? [...profile.routines.name.keys()].filter(isShown) : [];
  if (shown.length > 0) return shown;
  // `src/a.c:main`: names contain colons too, so every single colon may end the file.
  for (const { index } of wanted.matchAll(/(?<!:):(?!:)/g)) {
    const found = findRoutinesInFile(profile, wanted.slice(0, index), wanted.slice(index + 1));
    if (found.length > 0) return found;
  }
  return [];
}

/** The shortest argument of --routine that names only this routine, with its file or object if needed; undefined if none does. */
export function routineWord(profile: Profile, routine: number): string | undefined {
  const name = routineName(profile, routine);
  const places = [routineFile(profile, routine), routineObject(profile, routine)].filter((place) => place !== null);
  const isUnique = (word: string) => {
    const found = findRoutinesByWord(profile, word);
    return found.length === 1 && found[0] === routine;
  };
  return [name, ...places.map((place) => `${place}:${name}`)].find(isUnique);
}

/** Routines of that name in a file: the whole path, or its end from a slash on. An object serves where there is no file. */
function findRoutinesInFile(profile: Profile, file: string, name: string): number[] {
  const isIt = (path: string | null) => path === file || (path?.endsWith(`/${file}`) ?? false);
  return findRoutines(profile, name, (r) => isIt(routineFile(profile, r)) || isIt(routineObject(profile, r)));
}

/** A flag with its value. A value that starts with - must be joined to its flag. */
export const flagWords = (name: string, value: string): string[] =>
  value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
