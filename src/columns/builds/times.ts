// Times of builds in columns: the critical path where it is known, and the time of all jobs.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { workStepsOf } from '../../analysis/answers/steps/steps.ts';
import { type CriticalPath, criticalPath, criticalPathOf } from '../../analysis/builds/critical.ts';
import { memo } from '../../base/lists.ts';
import type { ColumnContext } from '../column.ts';

/** The summed time of all jobs, in microseconds. */
export const totalJobUs = memo((analysis: Analysis<'steps'>): number => {
  const { durationUs } = analysis.profile.steps;
  return workStepsOf(analysis).reduce((sum, i) => sum + durationUs[i], 0);
});

/** The critical path; on the screen, undefined until the background computation is done. */
export const readyCriticalPath = ({ analysis, medium }: ColumnContext<'steps'>): CriticalPath | undefined =>
  medium === 'text' ? criticalPath(analysis) : criticalPathOf(analysis).ready;
