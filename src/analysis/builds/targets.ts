// Time of a build by target, or by another property of its steps.
import { getOrMake, memo } from '../../base/lists.ts';
import type { Steps, TextName } from '../../model/steps/tables.ts';
import type { Analysis } from '../answers/analysis.ts';
import { activeSteps, hasRun, isWork, stepFailed, stepName, stepText, weightedUs } from '../answers/steps/steps.ts';
import { changesOf } from './changes.ts';
import type { CriticalPath } from './critical.ts';

export type TargetRow = ReturnType<typeof groupRows>[number];

/** For steps without a target. */
export const NO_TARGET = '(no target)';

export const GROUPINGS = ['target', 'folder', 'source', 'language', 'role', 'label', 'test'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Finds the groups of a step: usually one; by label, one per label of its target; by test, none if it is not a test. */
function stepGrouping({ profile }: Analysis<'steps'>, by: Grouping): (step: number) => readonly string[] {
  const targets = targetsByName(profile.steps);
  return (i) => {
    const text = (column: TextName) => stepText(profile, column, i);
    switch (by) {
      case 'target':
        return [text('target') ?? NO_TARGET];
      case 'folder': {
        const source = text('source');
        if (source === null) return [text('directory') ?? '(no folder)'];
        return [source.slice(0, Math.max(0, source.lastIndexOf('/'))) || '.'];
      }
      case 'label': {
        const own = targets.get(text('target') ?? '')?.labels ?? [];
        return own.length > 0 ? own : ['(no label)'];
      }
      case 'test':
        return text('role') === 'test' ? [stepName(profile, i)] : [];
      default:
        return [text(by) ?? `(no ${by})`];
    }
  };
}

const ZERO_SUMS = { steps: 0, durationUs: 0, weightedUs: 0, compileUs: 0, linkUs: 0, failed: 0, longest: -1 };

const NO_LINK = { lastObject: -1, waitedUs: Number.NaN };

/** By target: its compile that ended last, and how long its link then waited: for other targets, a pool or a free job. */
function linkWaits(analysis: Analysis<'steps'>) {
  const { profile } = analysis;
  const { startUs, durationUs } = profile.steps;
  const last = new Map<string, { compile: number; link: number }>();
  for (const i of activeSteps(analysis)) {
    const target = stepText(profile, 'target', i);
    const role = stepText(profile, 'role', i);
    if (target === null || !hasRun(profile.steps, i) || (role !== 'compile' && role !== 'link')) continue;
    const of = getOrMake(last, target, () => ({ compile: -1, link: -1 }));
    const before = of[role];
    // An archive has two links, ar and ranlib; the first counts.
    const isOf =
      role === 'link' ? startUs[i] < startUs[before] : startUs[i] + durationUs[i] > startUs[before] + durationUs[before];
    if (before < 0 || isOf) of[role] = i;
  }
  const waited = ({ compile, link }: { compile: number; link: number }) =>
    compile < 0 || link < 0 ? Number.NaN : Math.max(0, startUs[link] - startUs[compile] - durationUs[compile]);
  return new Map(Array.from(last, ([target, of]) => [target, { lastObject: of.compile, waitedUs: waited(of) }]));
}

const targetsByName = ({ targets }: Steps) => new Map(targets.map((t) => [t.name, t]));

export const criticalByGroup = memo((analysis: Analysis<'steps'>, by: Grouping, { links }: CriticalPath) => {
  const { steps } = analysis.profile;
  const groupsOf = stepGrouping(analysis, by);
  const out = new Map<string, number>();
  for (const { step } of links)
    if (isWork(steps, step)) for (const group of groupsOf(step)) out.set(group, (out.get(group) ?? 0) + steps.durationUs[step]);
  return out;
}, 8);

/** The groups that both builds have, though only one of them ran their steps. */
export const idleGroups = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'>, by: Grouping): ReadonlySet<string> => {
  const [groupsOf, groupsBefore] = [stepGrouping(analysis, by), stepGrouping(base, by)];
  const groups = changesOf(analysis, base).map(({ kind, step, before }) =>
    kind === 'run now' ? groupsOf(step) : kind === 'not run' ? groupsBefore(before) : [],
  );
  return new Set(groups.flat());
});

/**
 * One row per group, the most time first; a step with two labels counts in both. `target` is the group's name, `roles` those of its steps.
 * `weightedUs`: the duration divided by how many jobs ran at once; NaN if the start of a step is unknown.
 */
export const groupRows = memo((analysis: Analysis<'steps'>, by: Grouping) => {
  const { profile } = analysis;
  const steps = profile.steps;
  const targets = targetsByName(steps);
  const groupsOf = stepGrouping(analysis, by);
  const weighted = weightedUs(analysis);
  type Sum = { -readonly [Field in keyof typeof ZERO_SUMS]: number } & { readonly roles: Set<string> };
  const sums = new Map<string, Sum>();
  for (const i of activeSteps(analysis)) {
    if (!isWork(steps, i)) continue;
    const us = steps.durationUs[i];
    const role = stepText(profile, 'role', i);
    for (const group of groupsOf(i)) {
      const sum = getOrMake(sums, group, () => ({ ...ZERO_SUMS, roles: new Set() }));
      sum.steps++;
      if (role !== null) sum.roles.add(role);
      if (sum.longest < 0 || us > steps.durationUs[sum.longest]) sum.longest = i;
      sum.durationUs += us;
      sum.weightedUs += weighted[i];
      if (role === 'compile') sum.compileUs += us;
      if (role === 'link') sum.linkUs += us;
      if (stepFailed(steps, i)) sum.failed++;
    }
  }
  const waits = by === 'target' ? linkWaits(analysis) : undefined;
  return [...sums]
    .map(([target, sum]) => {
      const { type = null, labels = [] } = (by === 'target' ? targets.get(target) : undefined) ?? {};
      return { target, type, labels, ...sum, ...(waits?.get(target) ?? NO_LINK) };
    })
    .sort((a, b) => b.durationUs - a.durationUs || (a.target < b.target ? -1 : 1));
}, 8);
