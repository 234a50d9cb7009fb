// Time by target of a build.
import { memo } from '../base/memo.ts';
import type { Analysis } from './analysis.ts';
import { criticalPath } from './critical.ts';
import { activeSteps, failed, isJob, stepText, weightedUs } from './steps.ts';

export interface TargetRow {
  readonly target: string;
  readonly type: string | null;
  readonly labels: readonly string[];
  readonly steps: number;
  readonly durationUs: number;
  /** Duration divided by what ran beside it. */
  readonly weightedUs: number;
  readonly compileUs: number;
  readonly linkUs: number;
  /** On the critical path. */
  readonly criticalUs: number;
  readonly failed: number;
}

/** Where a step says no target. */
export const NO_TARGET = '(no target)';

/** A row a target, the most time first. */
export const targetRows = memo((analysis: Analysis): TargetRow[] => {
  const { profile } = analysis;
  const steps = profile.steps!;
  const known = new Map(steps.targets.map((t) => [t.name, t]));
  const weighted = weightedUs(analysis);
  const { on } = criticalPath(analysis);
  type Sum = {
    steps: number;
    durationUs: number;
    weightedUs: number;
    compileUs: number;
    linkUs: number;
    criticalUs: number;
    failed: number;
  };
  const sums = new Map<string, Sum>();
  for (const i of activeSteps(analysis)) {
    if (!isJob(steps, i)) continue;
    const target = stepText(profile, 'target', i) ?? NO_TARGET;
    let sum = sums.get(target);
    if (!sum)
      sums.set(target, (sum = { steps: 0, durationUs: 0, weightedUs: 0, compileUs: 0, linkUs: 0, criticalUs: 0, failed: 0 }));
    const us = steps.durationUs[i]!;
    const role = stepText(profile, 'role', i);
    sum.steps++;
    sum.durationUs += us;
    sum.weightedUs += weighted[i]!;
    if (role === 'compile') sum.compileUs += us;
    if (role === 'link') sum.linkUs += us;
    if (on[i]) sum.criticalUs += us;
    if (failed(steps, i)) sum.failed++;
  }
  return [...sums]
    .map(([target, sum]) => ({ target, type: known.get(target)?.type ?? null, labels: known.get(target)?.labels ?? [], ...sum }))
    .sort((a, b) => b.durationUs - a.durationUs || (a.target < b.target ? -1 : 1));
}, 4);
