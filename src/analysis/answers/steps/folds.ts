// Commands that are one thing to the user: rm, ar and ranlib of one archive, the commands of one custom command. CMake
// records each as a separate step, with the same outputs.
import { getOrMake, memo } from '../../../base/lists.ts';
import type { Analysis } from '../analysis.ts';
import { activeSteps, endUs, isJob, outputsOf, slackUs, stepFailed, stepText, weightedUs } from './steps.ts';

/**
 * `firstStep`: by step, the first one of its fold, or itself. `members`: the steps of each fold, by its first. `durationUs` and `weightedUs`: by
 * the first step, the sums of their times.
 */
export const mergedCommandsOf = memo((analysis: Analysis<'steps'>) => {
  const { profile } = analysis;
  const steps = profile.steps;
  const n = steps.name.length;
  const lead = Uint32Array.from({ length: n }, (_, i) => i);
  const members = new Map<number, number[]>();
  const durationUs = Float64Array.from(steps.durationUs);
  const weighted = Float64Array.from(weightedUs(analysis));
  /** The latest command so far for each set of outputs. */
  const last = new Map<string, number>();
  for (const i of activeSteps(analysis)) {
    const role = stepText(profile, 'role', i);
    // A failed step stays separate.
    if (!isJob(steps, i) || stepFailed(steps, i) || (role !== 'link' && role !== 'custom')) continue;
    const outputs = outputsOf(profile, i);
    if (outputs.length === 0) continue;
    // A step of another build is never merged with it, however soon it follows.
    const key = [steps.part[i], steps.parent[i], role, steps.target[i], stepText(profile, 'directory', i), ...outputs].join('\n');
    const before = last.get(key);
    last.set(key, i);
    // Commands that overlap, or that follow a pause of over a second (a rebuild), are not folded.
    if (before === undefined || steps.startUs[i] < endUs(steps, before) - slackUs(steps)) continue;
    if (steps.startUs[i] - endUs(steps, before) > 1_000_000) continue;
    const first = lead[before];
    lead[i] = first;
    getOrMake(members, first, () => [first]).push(i);
    durationUs[first] += steps.durationUs[i];
    weighted[first] += weighted[i];
  }
  return { firstStep: lead, members, durationUs, weightedUs: weighted };
}, 2);
