// Compares two builds. Steps are matched by role, target, output, source and configuration; unmatched ones by fewer of these.
// Sources differ in another folder, and another configuration may have the same outputs.
import { getOrMake, memo, pairByKey } from '../../base/lists.ts';
import { absolutePath } from '../../base/paths.ts';
import type { TextName } from '../../model/steps/tables.ts';
import type { Analysis } from '../answers/analysis.ts';
import {
  activeSteps,
  isWork,
  outputsOf,
  recordedName,
  stepName,
  stepText,
  timeWindowOf,
  uncutDurationUs,
  workStepsOf,
} from '../answers/steps/steps.ts';

/** The kinds in the order in which they are counted. */
export const CHANGE_KINDS = ['slower', 'faster', 'same', 'new', 'run now', 'gone', 'not run'] as const;

/** `run now`: up to date in the build before. `not run`: still part of the build, but up to date, or its phase did not run. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface StepChange {
  readonly kind: ChangeKind;
  /** Step of this build; -1 if it was removed or did not run. */
  readonly step: number;
  /** Step of the base; -1 if it is new or did not run there. */
  readonly before: number;
  /** Microseconds; NaN if the step did not run. */
  readonly beforeUs: number;
  readonly afterUs: number;
  /** The change in duration: the whole time of a new step, minus the whole time of a removed one. */
  readonly changeUs: number;
}

/** The keys that steps are matched by in each pass, in addition to role, target and output. */
const MATCH_PASSES: readonly (readonly TextName[])[] = [['source', 'config'], ['config'], []];

function stepKey({ profile }: Analysis<'steps'>, i: number, pass: readonly TextName[]): string {
  const text = (column: TextName) => stepText(profile, column, i) ?? '';
  const [output = ''] = outputsOf(profile, i);
  // Without an output or a target, the name is all there is.
  const name = output === '' && text('target') === '' ? recordedName(profile, i) : '';
  return [text('role'), text('target'), output, name, ...pass.map(text)].join('\n');
}

/** The folder that most of a build's paths are relative to. */
function buildRoot({ profile }: Analysis<'steps'>): string {
  for (const role of ['link', 'compile'])
    for (const i of profile.steps.name.keys())
      if (stepText(profile, 'role', i) === role) return stepText(profile, 'directory', i) ?? '';
  return '';
}

/** Objects, libraries and response files of the build tree among the words of a link command. */
const LINKED_FILE = /^(?![-/]|\w:).*\.(?:o|obj|a|lib|so|dylib)$|^@$/;

/** By target: the words of this build's link commands, which name the linked files; `@` if a response file has more. */
function linkWords(analysis: Analysis<'steps'>): ReadonlyMap<string, ReadonlySet<string>> {
  const { profile } = analysis;
  const words = new Map<string, Set<string>>();
  for (const i of workStepsOf(analysis)) {
    if (stepText(profile, 'role', i) !== 'link') continue;
    const target = stepText(profile, 'target', i) ?? '';
    const set = getOrMake(words, target, () => new Set());
    for (const word of (stepText(profile, 'command', i) ?? '').split(/[\s"']+/)) set.add(word.startsWith('@') ? '@' : word);
  }
  return words;
}

/** Whether the build made every object and library that its links name by a path inside the tree. */
function madeAllItLinked(analysis: Analysis<'steps'>, linked: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const made = new Set(workStepsOf(analysis).flatMap((i) => outputsOf(analysis.profile, i)));
  const files = [...linked.values()].flatMap((words) => [...words]).filter((word) => LINKED_FILE.test(word));
  // A log without commands has the outputs of all builds.
  return linked.size === 0 || (files.length > 0 && files.every((word) => made.has(word)));
}

/**
 * Whether a step of the other build, which did not run in this one, is part of it: by the build file; where there is none, by
 * what this build linked: an object is part of it if its target was linked with it. `unknown`: the answer where nothing says so, and where
 * the build may not have been a whole one: yes.
 */
function makeMembershipTest(analysis: Analysis<'steps'>, other: Analysis<'steps'>, unknown: boolean): (step: number) => boolean {
  const { steps } = analysis.profile;
  const root = buildRoot(other);
  const pathsOf = (i: number) =>
    outputsOf(other.profile, i).flatMap((path) => {
      const whole = absolutePath(stepText(other.profile, 'directory', i) ?? '', path);
      return [path, root !== '' && whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : whole];
    });
  const builds = steps.builds && new Set(steps.builds);
  const linked = linkWords(analysis);
  // Earlier runs of a log are parts that may be off.
  const everMade = new Set(Array.from(steps.name.keys(), (i) => outputsOf(analysis.profile, i)[0]));
  // A build that made all that it linked was a whole one: it would have made the step, too.
  const otherwise = unknown || !madeAllItLinked(analysis, linked);
  const roles = new Set(workStepsOf(analysis).map((i) => stepText(analysis.profile, 'role', i)));
  return (i) => {
    const outputs = pathsOf(i);
    // Tests, installs and configure steps have no outputs. If no step of their role ran, that role was not requested.
    if (outputs.length === 0) return unknown && !roles.has(stepText(other.profile, 'role', i));
    if (everMade.has(outputs[0])) return true;
    if (builds) return outputs.some((path) => builds.has(path));
    if (stepText(other.profile, 'role', i) !== 'compile') return otherwise;
    const words = linked.get(stepText(other.profile, 'target', i) ?? '');
    // A response file has the objects that the command does not name.
    return words && !words.has('@') ? outputs.some((path) => words.has(path)) : otherwise;
  };
}

/** The largest changes first. */
export const changesOf = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'>): StepChange[] => {
  const out: StepChange[] = [];
  let [now, then] = [workStepsOf(analysis), workStepsOf(base)];
  const us = (a: Analysis<'steps'>, i: number) => (i < 0 ? Number.NaN : uncutDurationUs(a.profile.steps, i));
  const add = (kind: ChangeKind | undefined, step: number, before: number) => {
    const [beforeUs, afterUs] = [us(base, before), us(analysis, step)];
    const changeUs = (step < 0 ? 0 : afterUs) - (before < 0 ? 0 : beforeUs);
    const how = changeUs > 0 ? 'slower' : changeUs < 0 ? 'faster' : 'same';
    out.push({ kind: kind ?? how, step, before, beforeUs, afterUs, changeUs });
  };
  for (const pass of MATCH_PASSES) {
    // Pairs are made in order of time: the first command of a library with the first in the base, and so on.
    const { pairs, alone, left } = pairByKey(now, then, (i, isBefore) => stepKey(isBefore ? base : analysis, i, pass));
    for (const [step, before] of pairs) add(undefined, step, before);
    [now, then] = [alone, left];
  }
  const wasThere = makeMembershipTest(base, analysis, false);
  for (const step of now) add(wasThere(step) ? 'run now' : 'new', step, -1);
  const isThere = makeMembershipTest(analysis, base, true);
  for (const before of then) add(isThere(before) ? 'not run' : 'gone', -1, before);
  return out.sort((a, b) => Math.abs(b.changeUs) - Math.abs(a.changeUs) || a.step - b.step);
}, 2);

/**
 * The base's steps by the steps of this build: jobs as in changesOf(), others by role and name; -1 if there is none. `kind`: of a job without one,
 * whether it is new or was up to date. `removed`: the base's jobs without a counterpart, in order of start: removed, or not run now.
 */
export const stepsBefore = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'>) => {
  const before = new Int32Array(analysis.profile.steps.name.length).fill(-1);
  const kinds = new Map<number, ChangeKind>();
  const removed: number[] = [];
  for (const change of changesOf(analysis, base)) {
    if (change.step < 0) removed.push(change.before);
    else before[change.step] = change.before;
    if (change.before < 0) kinds.set(change.step, change.kind);
  }
  // Steps that are not jobs (spans of whole builds, sums written by a tool) are paired by role and name, in order.
  const wholes = (a: Analysis<'steps'>) => Array.from(activeSteps(a)).filter((i) => !isWork(a.profile.steps, i));
  const key = (a: Analysis<'steps'>, i: number) => `${stepText(a.profile, 'role', i) ?? ''}\n${recordedName(a.profile, i)}`;
  const { pairs } = pairByKey(wholes(analysis), wholes(base), (i, isBefore) => key(isBefore ? base : analysis, i));
  for (const [step, then] of pairs) before[step] = then;
  removed.sort((a, b) => a - b);
  return { of: (step: number) => before[step] ?? -1, kind: (step: number) => kinds.get(step), removed };
}, 2);

/** Differences up to a hundredth of a step's time or this are noise; for builds under ten seconds, a thousandth of the build. */
const MAX_NOISE_US = 10_000;

/**
 * The differences from the base, for a chart of this build. `beforeUs`: by step, its duration in the base, if the difference exceeds
 * noise; else NaN. `isNew`: 1 for jobs that are not part of the base.
 */
export const chartChanges = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'>) => {
  const n = analysis.profile.steps.name.length;
  const beforeUs = new Float64Array(n).fill(Number.NaN);
  const isNew = new Uint8Array(n);
  const count = { slower: 0, faster: 0, same: 0, new: 0, 'run now': 0, gone: 0, 'not run': 0 };
  const [from, to] = timeWindowOf(analysis);
  const least = Math.min(MAX_NOISE_US, (to - from) / 1000);
  for (const change of changesOf(analysis, base)) {
    count[change.kind]++;
    if (change.step < 0) continue;
    if (change.kind === 'new') isNew[change.step] = 1;
    else if (Math.abs(change.changeUs) > Math.max(least, change.beforeUs / 100)) beforeUs[change.step] = change.beforeUs;
  }
  return { beforeUs, isNew, count };
}, 2);

export type ChartChanges = ReturnType<typeof chartChanges>;

export const changeName = (analysis: Analysis<'steps'>, base: Analysis<'steps'>, change: StepChange, name = stepName): string =>
  change.step >= 0 ? name(analysis.profile, change.step) : name(base.profile, change.before);
