// Compares two builds: steps are matched by role, target, output, source and configuration, the rest by fewer of these: in another
// folder the sources differ, and another configuration may have the same outputs.
import { pairedBy } from '../../base/lists.ts';
import { memo } from '../../base/memo.ts';
import { absolutePath } from '../../base/paths.ts';
import type { TextName } from '../../model/steps/columns.ts';
import type { Analysis } from '../answers/analysis.ts';
import {
  activeSteps,
  isWork,
  outputsOf,
  recordedName,
  stepName,
  stepText,
  tookUs,
  windowOf,
  workOf,
} from '../answers/steps/steps.ts';

/** The kinds in the order in which they are counted. */
export const CHANGE_KINDS = ['slower', 'faster', 'same', 'new', 'run now', 'gone', 'not run'] as const;

/** `run now`: it was up to date in the build before. `not run`: it is still there, but was up to date, or its phase did not run. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  /** Step of this build; -1 where it is gone or did not run. */
  readonly step: number;
  /** Step of the build before; -1 where it is new or did not run. */
  readonly before: number;
  /** Microseconds; NaN where there is none. */
  readonly beforeUs: number;
  readonly afterUs: number;
  /** How much longer it takes: for a new step all of its time, for one that is gone minus all of it. */
  readonly changeUs: number;
}

/** The keys that steps are matched by, pass by pass. */
const PASSES = [['source', 'config'], ['config'], []] as const;
type Pass = (typeof PASSES)[number];

function keyOf(analysis: Analysis<'steps'>, i: number, pass: Pass): string {
  const { profile } = analysis;
  const text = (column: TextName) => stepText(profile, column, i) ?? '';
  const [output = ''] = outputsOf(profile, i);
  // Without an output or a target, the name is all there is.
  const name = output === '' && text('target') === '' ? recordedName(profile, i) : '';
  return [text('role'), text('target'), output, name, ...pass.map(text)].join('\n');
}

/** The folder that most of a build's paths are relative to. */
function rootOf({ profile }: Analysis<'steps'>): string {
  for (const role of ['link', 'compile'])
    for (const i of profile.steps.name.keys())
      if (stepText(profile, 'role', i) === role) return stepText(profile, 'directory', i) ?? '';
  return '';
}

/** Words of this build's links, which name what they were made of. */
function linkedIn(analysis: Analysis<'steps'>): ReadonlyMap<string, ReadonlySet<string>> {
  const { profile } = analysis;
  const words = new Map<string, Set<string>>();
  for (const i of workOf(analysis)) {
    if (stepText(profile, 'role', i) !== 'link') continue;
    const target = stepText(profile, 'target', i) ?? '';
    const set = words.get(target) ?? new Set<string>();
    words.set(target, set);
    for (const word of (stepText(profile, 'command', i) ?? '').split(/[\s"']+/)) set.add(word);
  }
  return words;
}

/**
 * Whether a step of the other build, which did not run in this one, is part of it: by the build file; where there is none, by
 * what this build linked: an object is part of it if its target was linked with it. `unknown`: the answer where nothing says so.
 */
function thereIn(analysis: Analysis<'steps'>, other: Analysis<'steps'>, unknown: boolean): (step: number) => boolean {
  const { steps } = analysis.profile;
  const root = rootOf(other);
  const pathsOf = (i: number) =>
    outputsOf(other.profile, i).flatMap((path) => {
      const whole = absolutePath(stepText(other.profile, 'directory', i) ?? '', path);
      return [path, root !== '' && whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : whole];
    });
  const builds = steps.builds && new Set(steps.builds);
  const linked = linkedIn(analysis);
  const roles = new Set(workOf(analysis).map((i) => stepText(analysis.profile, 'role', i)));
  return (i) => {
    const outputs = pathsOf(i);
    // Tests, installs and configure steps make nothing. Where none of a role ran, none was asked for.
    if (outputs.length === 0) return unknown && !roles.has(stepText(other.profile, 'role', i));
    if (builds) return outputs.some((path) => builds.has(path));
    if (stepText(other.profile, 'role', i) !== 'compile') return unknown;
    const words = linked.get(stepText(other.profile, 'target', i) ?? '');
    return words ? outputs.some((path) => words.has(path)) : unknown;
  };
}

/** The largest changes first. */
export const changesOf = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'>): Change[] => {
  const out: Change[] = [];
  let [now, then] = [workOf(analysis), workOf(base)];
  const us = (a: Analysis<'steps'>, i: number) => (i < 0 ? Number.NaN : tookUs(a.profile.steps, i));
  const add = (kind: ChangeKind | undefined, step: number, before: number) => {
    const [beforeUs, afterUs] = [us(base, before), us(analysis, step)];
    const changeUs = (step < 0 ? 0 : afterUs) - (before < 0 ? 0 : beforeUs);
    const how = changeUs > 0 ? 'slower' : changeUs < 0 ? 'faster' : 'same';
    out.push({ kind: kind ?? how, step, before, beforeUs, afterUs, changeUs });
  };
  for (const pass of PASSES) {
    // In order of time: a library's three commands with its three of the build before.
    const { pairs, alone, left } = pairedBy(now, then, (i, isBefore) => keyOf(isBefore ? base : analysis, i, pass));
    for (const [step, before] of pairs) add(undefined, step, before);
    [now, then] = [alone, left];
  }
  const wasThere = thereIn(base, analysis, false);
  for (const step of now) add(wasThere(step) ? 'run now' : 'new', step, -1);
  const isThere = thereIn(analysis, base, true);
  for (const before of then) add(isThere(before) ? 'not run' : 'gone', -1, before);
  return out.sort((a, b) => Math.abs(b.changeUs) - Math.abs(a.changeUs) || a.step - b.step);
}, 2);

/** The steps of the build before by the steps of this one: jobs as Changes has them, the others by role and name. */
export interface StepsBefore {
  /** -1 where there is none. */
  of(step: number): number;
  /** For a job without one: whether it is new, or was up to date. */
  kind(step: number): ChangeKind | undefined;
  /** Jobs of the build before that are not in this one, in order of their start: they did not run, or are no part of it. */
  readonly gone: readonly number[];
}

export const stepsBefore = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'>): StepsBefore => {
  const before = new Int32Array(analysis.profile.steps.name.length).fill(-1);
  const kinds = new Map<number, ChangeKind>();
  const gone: number[] = [];
  for (const change of changesOf(analysis, base)) {
    if (change.step < 0) gone.push(change.before);
    else before[change.step] = change.before;
    if (change.before < 0) kinds.set(change.step, change.kind);
  }
  for (const [step, then] of wholesBefore(analysis, base)) before[step] = then;
  return { of: (step) => before[step] ?? -1, kind: (step) => kinds.get(step), gone: gone.sort((a, b) => a - b) };
}, 2);

/** Steps that are no jobs (a whole that holds others, a sum that a tool wrote) by role and name, in order. */
function wholesBefore(analysis: Analysis<'steps'>, base: Analysis<'steps'>): [step: number, before: number][] {
  const wholes = (a: Analysis<'steps'>) => Array.from(activeSteps(a)).filter((i) => !isWork(a.profile.steps, i));
  const key = (a: Analysis<'steps'>, i: number) => `${stepText(a.profile, 'role', i) ?? ''}\n${recordedName(a.profile, i)}`;
  return pairedBy(wholes(analysis), wholes(base), (i, isBefore) => key(isBefore ? base : analysis, i)).pairs;
}

/** The parts of the build before in a picture of this one. */
export interface StepChanges {
  /** By step: the microseconds that it took before, if they differ by more than noise; NaN else. */
  readonly beforeUs: Float64Array;
  /** 1 for jobs that are no part of the build before. */
  readonly isNew: Uint8Array;
  readonly count: Readonly<Record<ChangeKind, number>>;
}

/** The difference of a step's time that is noise: a hundredth of it, or this, or a thousandth of a build shorter than ten seconds. */
const NOISE_US = 10_000;

export const stepChanges = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'>): StepChanges => {
  const n = analysis.profile.steps.name.length;
  const beforeUs = new Float64Array(n).fill(Number.NaN);
  const isNew = new Uint8Array(n);
  const count = { slower: 0, faster: 0, same: 0, new: 0, 'run now': 0, gone: 0, 'not run': 0 };
  const [from, to] = windowOf(analysis);
  const least = Math.min(NOISE_US, (to - from) / 1000);
  for (const change of changesOf(analysis, base)) {
    count[change.kind]++;
    if (change.step < 0) continue;
    if (change.kind === 'new') isNew[change.step] = 1;
    else if (Math.abs(change.changeUs) > Math.max(least, change.beforeUs / 100)) beforeUs[change.step] = change.beforeUs;
  }
  return { beforeUs, isNew, count };
}, 2);

/** The step's name, in the build that has it. */
export function changeName(analysis: Analysis<'steps'>, base: Analysis<'steps'>, change: Change, name = stepName): string {
  return change.step >= 0 ? name(analysis.profile, change.step) : name(base.profile, change.before);
}
