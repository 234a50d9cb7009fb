// The dependencies of each job: from the build system's file, else from outputs that its command names.

import { addToList, getOrMake, groupByKey, memo, numbersAlong } from '../../base/lists.ts';
import { absolutePath } from '../../base/paths.ts';
import { forEachInSlices, memoInBackground, type Sliced } from '../../base/slices.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { linkCommandOutputs } from '../../model/steps/link-commands.ts';
import type { Steps } from '../../model/steps/tables.ts';
import type { Analysis } from '../answers/analysis.ts';
import { isSourceFile } from '../answers/processes/compiles.ts';
import { endUs, outputsOf, slackUs, stepText } from '../answers/steps/steps.ts';
import { builtJobs, stagesInSlices } from './stages.ts';

/** By job, the jobs it needs. `contradicted`: how many jobs began before a job of their build whose output their command names. */
type DependencyMap = ReadonlyMap<number, readonly number[]> & { readonly contradicted?: number };

/** Needs from the pairs of a build file, without steps that ended after the job began: a record may hold several runs. */
function needsFromPairs(analysis: Analysis<'steps'>, needs: NonNullable<Steps['needs']>): Map<number, number[]> {
  const { steps } = analysis.profile;
  const slack = slackUs(steps);
  const isOn = new Uint8Array(steps.name.length);
  for (const i of builtJobs(analysis)) isOn[i] = 1;
  const out = new Map<number, number[]>();
  for (let k = 0; k < needs.step.length; k++) {
    const [i, d] = [needs.step[k], needs.of[k]];
    if (isOn[i] === 0 || isOn[d] === 0 || endUs(steps, d) > steps.startUs[i] + slack) continue;
    addToList(out, i, d);
  }
  return out;
}

/** How many dependencies of a build file, or of commands, the record contradicts: the step began before what it needs ended, in one run. */
export const contradictedNeeds = memo((analysis: Analysis<'steps'>): number => {
  const { steps } = analysis.profile;
  if (!steps.needs && !steps.targetNeeds) return dependenciesOf(analysis).now()?.contradicted ?? 0;
  const { step = [], of = [] } = steps.needs ?? steps.targetNeeds ?? {};
  const stageOf = new Map(builtJobs(analysis).map((i) => [i, stagesInSlices(analysis).now().stageOf.get(i)]));
  const slack = slackUs(steps);
  const isContradicted = (i: number, d: number) =>
    stageOf.has(i) && stageOf.get(i) === stageOf.get(d) && endUs(steps, d) > steps.startUs[i] + slack;
  return Array.from(step).filter((i, k) => isContradicted(i, of[k])).length;
}, 2);

/** Steps with unknown dependencies, each with the steps that it may need; undefined stands for all. */
type UnsureSteps = ReadonlyMap<number, ReadonlySet<number> | undefined>;

const withAllMakers = (steps: readonly number[]): UnsureSteps => new Map(steps.map((i) => [i, undefined]));

/**
 * The steps whose dependencies are not all told. With a build file, those that it does not build; without any dependency, all. Else those
 * that name a response file, and the compiles that began after a custom command that made more than sources: commands name no headers, and it
 * may have made some.
 */
export const unsureSteps = memo((analysis: Analysis<'steps'>): UnsureSteps => {
  const { profile } = analysis;
  const { steps } = profile;
  const jobs = builtJobs(analysis);
  const isRole = (i: number, ...roles: readonly string[]) => roles.includes(stepText(profile, 'role', i) ?? '');
  if (!dependenciesOf(analysis).now()) return withAllMakers(jobs);
  if (steps.needs || steps.targetNeeds) {
    const outputs = new Set(steps.unknownNeeds);
    const isUnsure = (i: number) => isRole(i, 'compile', 'link', 'custom') && outputs.has(outputsOf(profile, i)[0] ?? '');
    return withAllMakers(outputs.size > 0 ? jobs.filter(isUnsure) : []);
  }
  const madeSources = (paths: readonly string[]) => paths.length > 0 && paths.every(isSourceFile);
  const makers = new Set(jobs.filter((i) => isRole(i, 'custom') && !madeSources(outputsOf(profile, i))));
  const firstEndUs = [...makers].reduce((us, i) => Math.min(us, endUs(steps, i)), Number.POSITIVE_INFINITY) - slackUs(steps);
  const afterMakers = jobs.filter((i) => isRole(i, 'compile') && steps.startUs[i] >= firstEndUs);
  const responseFiles = (i: number) => stepText(profile, 'command', i)?.match(RESPONSE_FILES) ?? [];
  const ofFiles = jobs.filter((i) => isRole(i, 'compile', 'link') && responseFiles(i).length > 0);
  // The objects of a target that is linked are in its library or program, which others need.
  const linked = new Set(jobs.filter((i) => isRole(i, 'link')).map((i) => targetKey(profile, i)));
  const linkable = new Set(jobs.filter((i) => !isRole(i, 'compile') || !linked.has(targetKey(profile, i))));
  const headers = new Set([...makers, ...jobs.filter((i) => outputsOf(profile, i).some((path) => PRECOMPILED.test(path)))]);
  const mayNeed = (i: number) => {
    if (isRole(i, 'link')) return linkable;
    // A map of modules names what other compiles made.
    return responseFiles(i).some((file) => file.endsWith('.modmap')) ? undefined : headers;
  };
  return new Map([...afterMakers.map((i) => [i, makers] as const), ...ofFiles.map((i) => [i, mayNeed(i)] as const)]);
}, 2);

/** Arguments in a file, `@CMakeFiles/app.rsp`. `@rpath` and the like are of macOS's loader. */
const RESPONSE_FILES = /(?<=^|[\s"'])@(?!rpath|loader_path|executable_path)[^\s"']+/g; // bounded: one pass over the command
const PRECOMPILED = /\.(?:gch|pch|pcm|gcm|ifc)$/;

/** Whether no step is left out, and the times of all are of one run. */
export const hasAllSteps = ({ profile: { cut, steps }, partsOff }: Analysis<'steps'>): boolean =>
  !cut?.sign && (steps.mixedParts ?? []).every((part) => partsOff.has(part));

/**
 * When the last dependency of a job ended, once dependencies are known; NaN if unknown. With a build file, a job without needs
 * was ready when its stage began.
 */
export function readyUs(analysis: Analysis<'steps'>, step: number): number {
  const { steps } = analysis.profile;
  const needs = dependenciesOf(analysis).ready?.get(step);
  if (steps.needs && unsureSteps(analysis).has(step)) return Number.NaN;
  if (needs) return needs.reduce((last, d) => Math.max(last, endUs(steps, d)), Number.NEGATIVE_INFINITY);
  const stage = steps.needs && stagesInSlices(analysis).ready?.stageOf.get(step);
  return stage?.units[0]?.startUs ?? Number.NaN;
}

const COMMANDS_PER_SLICE = 500;

const targetKey = (profile: ProfileOf<'steps'>, i: number) =>
  `${stepText(profile, 'target', i) ?? ''}\n${stepText(profile, 'config', i) ?? ''}`;

const compilesByTarget = memo((analysis: Analysis<'steps'>) => {
  const { profile } = analysis;
  const compiles = builtJobs(analysis).filter((i) => stepText(profile, 'role', i) === 'compile');
  return groupByKey(compiles, (i) => targetKey(profile, i));
}, 2);

/** The dependencies of each job. Undefined if there is no build file and no command names an output. */
export const dependenciesOf = memoInBackground(function* (analysis: Analysis<'steps'>): Sliced<DependencyMap | undefined> {
  const { profile } = analysis;
  const steps = profile.steps;
  const jobs = builtJobs(analysis);
  // A build file without dependencies means that there are none.
  if (steps.needs) return needsFromPairs(analysis, steps.needs);
  const slack = slackUs(steps);
  const order = steps.targetNeeds ? needsFromPairs(analysis, steps.targetNeeds) : new Map<number, number[]>();
  const out = new Map(order);
  const known = () => (out.size > 0 ? out : undefined);
  // A ninja log without build files has hundreds of thousands of outputs, but no commands that name them.
  if (!jobs.some((i) => steps.command[i] >= 0)) return known();
  const madeBy = new Map<string, number[]>();
  /** File names of all outputs. Most words of a command are not among them, so this test is fast. */
  const names = new Set<string>();
  const ownPathsOf = (i: number) => {
    const directory = stepText(profile, 'directory', i) ?? '';
    return outputsOf(profile, i).map((path) => absolutePath(directory, path));
  };
  const linkPaths = linkCommandOutputs(jobs, { text: (name, i) => stepText(profile, name, i), outputs: ownPathsOf });
  const pathsOf = (i: number) => linkPaths.get(i) ?? ownPathsOf(i);
  const addOutputsOf = (i: number) => {
    for (const path of new Set(pathsOf(i).flatMap((made) => [made, nameInCommands(made)]))) {
      names.add(path.slice(path.lastIndexOf('/') + 1));
      addToList(madeBy, path, i);
    }
  };
  yield* forEachInSlices(jobs.length, (k) => addOutputsOf(jobs[k]), COMMANDS_PER_SLICE);
  const { stageOf } = yield* stagesInSlices(analysis).wait();
  /** Outputs of another build were there when this one began. */
  const isBefore = (d: number, i: number) =>
    d !== i && endUs(steps, d) <= steps.startUs[i] + slack && stageOf.get(d) === stageOf.get(i);
  const contradicted = new Set<number>();
  const addNeedsOf = (i: number) => {
    const command = stepText(profile, 'command', i);
    if (command === null || madeBy.size === 0) return;
    const directory = stepText(profile, 'directory', i) ?? '';
    const needed = new Set(order.get(i));
    const makersOf = (path: string) => madeBy.get(absolutePath(directory, path)) ?? [];
    for (const path of pathsInCommand(command, names, (word) => makersOf(word).length > 0)) {
      const makers = makersOf(path);
      for (const d of makers) if (isBefore(d, i)) needed.add(d);
      const inBuild = makers.filter((d) => stageOf.get(d) === stageOf.get(i));
      if (inBuild.length > 0 && !inBuild.some((d) => d === i || needed.has(d))) contradicted.add(i);
    }
    // The objects of a target are in the response file of its link.
    if (stepText(profile, 'role', i) === 'link' && command.match(RESPONSE_FILES))
      for (const d of compilesByTarget(analysis).get(targetKey(profile, i)) ?? []) if (isBefore(d, i)) needed.add(d);
    // Commands with the same outputs run one after the other.
    for (const path of pathsOf(i))
      for (const d of madeBy.get(path) ?? []) if (isBefore(d, i) && steps.startUs[d] < steps.startUs[i]) needed.add(d);
    // Makefiles run the commands for a generated file within the target that uses it, so they wait for what the target waits for.
    for (const d of needed)
      if (stepText(profile, 'target', d) === null)
        for (const t of order.get(i) ?? []) if (endUs(steps, t) <= steps.startUs[d] + slack) addToList(order, d, t);
    if (needed.size > 0) out.set(i, [...needed]);
  };
  const latestFirst = [...jobs].sort((a, b) => steps.startUs[b] - steps.startUs[a]);
  yield* forEachInSlices(jobs.length, (k) => addNeedsOf(latestFirst[k]), COMMANDS_PER_SLICE);
  const found = known();
  return found && Object.assign(found, { contradicted: contradicted.size });
});

/** The name by which commands mean an output: GCC looks for `X.gch` beside the header X, and linkers for `libx.so`. */
const nameInCommands = (path: string): string => path.replace(/\.(?:gch|pch)$/, '').replace(/(\.so)(?:\.\d{1,9}){1,9}$/, '$1');

/** Characters that may precede a path. */
const PATH_OPTION = /^(-o|-I|-L|@|[-/]Fp|--[\w-]+=)/;
const LIBRARY_FOLDER = /^(?:-L|[-/]LIBPATH:)(.*)$/i; // bounded: one word
/** `-lz`, and `-l:libz.a` for a whole name. */
const LIBRARY = /^-l(:?)(.+)$/; // bounded: one word
const LIBRARY_ENDINGS = ['.so', '.a', '.dylib', '.tbd', '.dll.a'];

/**
 * The paths that a command may mean: words with the name of an output, and libraries, which linkers look for in the folders given. `names`: names
 * of all outputs, since most words of a command are not among them. `isMade`: whether a step made a file of this path.
 */
function* pathsInCommand(command: string, names: ReadonlySet<string>, isMade: (path: string) => boolean): Generator<string> {
  const folders: string[] = [];
  const libraries: string[][] = [];
  let before = '';
  for (const raw of command.split(/[\s"';]+/)) {
    const text = raw.replaceAll('\\', '/');
    const folder = before === '-L' ? text : LIBRARY_FOLDER.exec(text)?.[1];
    if (folder) folders.push(folder);
    const [, whole, name] = LIBRARY.exec(text) ?? [];
    if (name !== undefined) libraries.push(whole === '' ? LIBRARY_ENDINGS.map((ending) => `lib${name}${ending}`) : [name]);
    before = text;
    if (!names.has(text.slice(text.lastIndexOf('/') + 1)) && !PATH_OPTION.test(text)) continue;
    const path = text.replace(PATH_OPTION, '');
    if (path === '' || path.startsWith('-')) continue;
    if (/^[^/]*\.lib$/i.test(path) && !isMade(path)) libraries.push([path]);
    else yield path;
  }
  for (const candidates of libraries) {
    const found = folders.flatMap((folder) => candidates.map((name) => `${folder}/${name}`)).find(isMade);
    if (found !== undefined) yield found;
  }
}

/**
 * The dependencies of units: those of any command, outside the unit. `units`: in order of start. `needs`: by unit, the indices in
 * `units` of the units it needs. All are smaller than its own, so there are no cycles. `waits`: the same for simulations, in which a step
 * with unknown dependencies waits for all that ended before it and may be one, so that no gain is too large; undefined if these are too many.
 */
export const unitGraphOf = memoInBackground(function* (analysis: Analysis<'steps'>) {
  const needs = yield* dependenciesOf(analysis).wait();
  if (!needs) return undefined;
  const { stages } = yield* stagesInSlices(analysis).wait();
  const units = stages.flatMap((s) => s.units);
  const at = new Int32Array(analysis.profile.steps.name.length).fill(-1);
  for (const [k, u] of units.entries()) for (const i of u.steps) at[i] = k;
  const of: number[][] = [];
  const addUnit = (k: number) => {
    const own = new Set<number>();
    for (const i of units[k].steps) for (const d of needs.get(i) ?? []) if (at[d] >= 0 && at[d] < k) own.add(at[d]);
    of.push([...own]);
  };
  yield* forEachInSlices(units.length, addUnit, COMMANDS_PER_SLICE);
  const unsure = unsureSteps(analysis);
  if (unsure.size === 0) return { units, needs: of, waits: of };
  /** The units with one of the steps. Many steps share one set of makers. */
  const unitsBy = new Map<ReadonlySet<number> | undefined, number[]>();
  const hasMaker = (k: number, makers?: ReadonlySet<number>) => !makers || units[k].steps.some((i) => makers.has(i));
  const unitsOf = (makers: ReadonlySet<number> | undefined) =>
    getOrMake(unitsBy, makers, () => [...units.keys()].filter((k) => hasMaker(k, makers)));
  const looked = [...unsure.values()].reduce((sum, makers) => sum + unitsOf(makers).length, 0);
  if (looked > MAX_UNSURE_WAITS) return { units, needs: of, waits: undefined };
  const slack = slackUs(analysis.profile.steps);
  const isBefore = (d: number, k: number) => d < k && units[d].endUs <= units[k].startUs + slack;
  const waits = of.map((own, k) => {
    const may = units[k].steps.flatMap((i) => (unsure.has(i) ? unitsOf(unsure.get(i)).filter((d) => isBefore(d, k)) : []));
    return may.length === 0 ? own : [...new Set([...own, ...may])];
  });
  return { units, needs: of, waits };
});

const MAX_UNSURE_WAITS = 4_000_000;

/** The chain of dependencies with the largest total duration, in order of time; empty if no dependencies are known. */
export const longestChain = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const graph = unitGraphOf(analysis).now();
  if (!graph) return [];
  const { units, needs } = graph;
  const took = new Float64Array(units.length);
  const before = new Int32Array(units.length).fill(-1);
  let last = -1;
  units.forEach((u, k) => {
    for (const d of needs[k]) if (before[k] < 0 || took[d] > took[before[k]]) before[k] = d;
    took[k] = u.endUs - u.startUs + (before[k] < 0 ? 0 : took[before[k]]);
    if (last < 0 || took[k] > took[last]) last = k;
  });
  const chain = numbersAlong(before, last).reverse();
  return chain.flatMap((k) => units[k].steps);
}, 4);

/** The jobs that need a job, in order of their numbers. */
export const dependentsOf = memo((needs: DependencyMap): DependencyMap => {
  const out = new Map<number, number[]>();
  for (const [i, list] of needs) for (const d of list) addToList(out, d, i);
  return out;
}, 2);
