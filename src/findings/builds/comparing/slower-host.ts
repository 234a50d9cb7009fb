// Nearly all steps slower or faster by the same factor: the host, not the code.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { stepFailed, stepText } from '../../../analysis/answers/steps/steps.ts';
import { changesOf, type StepChange } from '../../../analysis/builds/changes.ts';
import { whyNotWhole } from '../../../analysis/builds/stages.ts';
import { memo } from '../../../base/lists.ts';
import { medianOf } from '../../../base/median.ts';
import type { Steps } from '../../../model/steps/tables.ts';
import { makeBuildComparingRule, viewSubject } from '../../rule.ts';
import { asCount, EMPTY_PHRASE, type Phrase, ratio, say } from '../../say.ts';
import { cacheChange } from './cache-hits.ts';
import { flagChange } from './flags-differ.ts';

/** Minimum duration of a step in the base: times of shorter steps are too noisy. */
const MIN_STEP_US = 20_000;
const MIN_STEPS = 8;
const MIN_ALIKE_SHARE = 0.8;
const FACTOR_TOLERANCE = 0.2;
const MIN_CHANGE = 0.1;

/** Whether the times of a step are of its whole work; a step that the base lacks may not have been reached there. */
export const bothFinished = (analysis: Analysis<'steps'>, before: Analysis<'steps'>, c: StepChange): boolean =>
  c.before < 0
    ? whyNotWhole(before) === undefined
    : !stepFailed(analysis.profile.steps, c.step) && !stepFailed(before.profile.steps, c.before);

/** The factor by which nearly all steps changed: the median of the steps that both builds ran. Undefined if it is not common. */
export const hostChange = memo((analysis: Analysis<'steps'>, before: Analysis<'steps'>) => {
  const all = changesOf(analysis, before).filter(
    (c) => c.step >= 0 && c.beforeUs >= MIN_STEP_US && c.afterUs > 0 && bothFinished(analysis, before, c),
  );
  if (all.length < MIN_STEPS) return undefined;
  const factor = medianOf(all.map((c) => c.afterUs / c.beforeUs));
  const near = all.filter((c) => changedLikeHost({ factor }, c.beforeUs, c.afterUs));
  // A host slows the few long steps as it slows the many short ones.
  const workOf = (steps: readonly StepChange[]) => steps.reduce((sum, { beforeUs }) => sum + beforeUs, 0);
  const isCommon = near.length >= MIN_ALIKE_SHARE * all.length && workOf(near) >= MIN_ALIKE_SHARE * workOf(all);
  const roles = new Set(near.map(({ step }) => stepText(analysis.profile, 'role', step)));
  return Math.abs(factor - 1) < MIN_CHANGE || !isCommon
    ? undefined
    : { factor, steps: all.length, role: roles.size === 1 ? [...roles][0] : undefined };
});

/** Whether a step changed by nearly the common factor. */
export const changedLikeHost = ({ factor }: { readonly factor: number }, beforeUs: number, afterUs: number): boolean =>
  Math.abs(afterUs / beforeUs / factor - 1) <= FACTOR_TOLERANCE;

/** The mean load of the host; NaN if it is not recorded. */
export function meanHostLoad({ gauges }: Steps): number {
  const values = gauges.find((g) => g.name === 'host load')?.value ?? new Float64Array(0);
  return values.length === 0 ? Number.NaN : values.reduce((sum, v) => sum + v, 0) / values.length;
}

function hostLoadText(now: Steps, before: Steps): Phrase {
  const [after, then] = [meanHostLoad(now), meanHostLoad(before)];
  if (!Number.isFinite(after) || !Number.isFinite(then)) return EMPTY_PHRASE;
  return say`; the mean host load is ${ratio('load', after, 2)}, ${ratio('loadBefore', then, 2)} in the base`;
}

export const slowerHostRule = makeBuildComparingRule({
  id: 'slower-host',
  question: 'Did nearly all steps change by the same factor, as on another or a busier host?',
  evidence: 'the steps that both builds ran and that took 20 ms or more; the host load, where it was recorded',
  threshold: `at least ${MIN_STEPS} such steps; 80 % of them, with 80 % of their work, changed by the same factor (to within 20 %), and by at least 10 %`,
  assumes: 'a change in single files does not slow all steps equally',
  find(e, before) {
    const change = hostChange(e.analysis, before);
    const flags = flagChange(e.analysis, before);
    // Changed flags and cache misses are causes with their own findings.
    if (!change || cacheChange(e.analysis, before) || (flags && flags.added.length + flags.removed.length > 0)) return [];
    const { factor, steps, role } = change;
    const header = role === 'compile' ? ', or a header that all of them include' : '';
    const what = factor > 1 ? say`${ratio('factor', factor, 2)} times as long` : say`${ratio('factor', factor, 2)} of the time`;
    return {
      ...say`Nearly all steps take ${what} (median of ${asCount('steps', steps, 'step')} that both builds ran)${flags ? ', with the same flags' : ''}; the cause is common to all steps: ${flags ? 'host, load or the compiler itself' : 'host, load, compiler or flags'}${header}${hostLoadText(e.profile.steps, before.profile.steps)}`,
      why: 'a change in single files does not slow all steps equally',
      try: 'rebuild both on the same idle host; in Changes, look for steps that do not follow this factor',
      ...viewSubject('host', 'changes'),
    };
  },
});
