// Time of a build by target, or by another property of its steps.
import { memo } from '../../../base/memo.ts';
import type { TextName } from '../../../model/steps/columns.ts';
import type { Analysis } from '../analysis.ts';
import { criticalPath } from './critical.ts';
import { activeSteps, failed, isWork, stepName, stepText, weightedUs } from './steps.ts';

export interface TargetRow {
  readonly target: string;
  readonly type: string | null;
  readonly labels: readonly string[];
  readonly steps: number;
  readonly durationUs: number;
  /** Duration divided by how many jobs ran at once. */
  readonly weightedUs: number;
  readonly compileUs: number;
  readonly linkUs: number;
  /** On the critical path. */
  readonly criticalUs: number;
  readonly failed: number;
}

/** For steps without a target. */
export const NO_TARGET = '(no target)';

export const GROUPS = ['target', 'folder', 'source', 'language', 'role', 'label', 'test'] as const;
export type Grouping = (typeof GROUPS)[number];

/** The groups that a step is in: usually one; by label, one per label of its target; by test, none if it is not a test. */
function groupsOf(
  analysis: Analysis<'steps'>,
  by: Grouping,
  i: number,
  labels: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const { profile } = analysis;
  const text = (column: TextName) => stepText(profile, column, i);
  switch (by) {
    case 'target':
      return [text('target') ?? NO_TARGET];
    case 'folder': {
      const source = text('source');
      return [
        source === null ? (text('directory') ?? '(no folder)') : source.slice(0, Math.max(0, source.lastIndexOf('/'))) || '.',
      ];
    }
    case 'label': {
      const own = labels.get(text('target') ?? '') ?? [];
      return own.length > 0 ? own : ['(no label)'];
    }
    case 'test':
      return text('role') === 'test' ? [stepName(profile, i)] : [];
    default:
      return [text(by) ?? `(no ${by})`];
  }
}

const NOTHING = { steps: 0, durationUs: 0, weightedUs: 0, compileUs: 0, linkUs: 0, criticalUs: 0, failed: 0 };

/** One row per group, the most time first; a step with two labels counts in both. `target` is the group's name. */
export const groupRows = memo((analysis: Analysis<'steps'>, by: Grouping): TargetRow[] => {
  const { profile } = analysis;
  const steps = profile.steps;
  const known = new Map(steps.targets.map((t) => [t.name, t]));
  const labels = new Map(steps.targets.map((t) => [t.name, t.labels]));
  const weighted = weightedUs(analysis);
  const { on } = criticalPath(analysis);
  type Sum = { -readonly [Field in keyof typeof NOTHING]: number };
  const sums = new Map<string, Sum>();
  for (const i of activeSteps(analysis)) {
    if (!isWork(steps, i)) continue;
    const us = steps.durationUs[i];
    const role = stepText(profile, 'role', i);
    for (const group of groupsOf(analysis, by, i, labels)) {
      let sum = sums.get(group);
      if (!sum) sums.set(group, (sum = { ...NOTHING }));
      sum.steps++;
      sum.durationUs += us;
      sum.weightedUs += weighted[i];
      if (role === 'compile') sum.compileUs += us;
      if (role === 'link') sum.linkUs += us;
      if (on[i]) sum.criticalUs += us;
      if (failed(steps, i)) sum.failed++;
    }
  }
  return [...sums]
    .map(([target, sum]) => {
      const said = by === 'target' ? known.get(target) : undefined;
      return { target, type: said?.type ?? null, labels: said?.labels ?? [], ...sum };
    })
    .sort((a, b) => b.durationUs - a.durationUs || (a.target < b.target ? -1 : 1));
}, 8);
