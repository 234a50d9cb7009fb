// Commands that are one thing to whoever builds: rm, ar and ranlib of one archive, the commands of one custom command. CMake
// records each as a step of its own, with the same outputs.
import { memo } from '../../base/memo.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../analysis.ts';
import { activeSteps, endUs, failed, isJob, SLACK_US, stepText, weightedUs } from './steps.ts';

export interface Folds {
  /** The first step of each fold, by step; itself where it stands alone. */
  readonly lead: Uint32Array;
  /** Steps of a fold, by its first; only folds have any. */
  readonly members: ReadonlyMap<number, readonly number[]>;
  /** By the first step: the sum of their times. */
  readonly durationUs: Float64Array;
  readonly weightedUs: Float64Array;
}

export const foldsOf = memo((analysis: Analysis<'steps'>): Folds => {
  const { profile } = analysis;
  const steps = profile.steps;
  const n = steps.name.length;
  const lead = Uint32Array.from({ length: n }, (_, i) => i);
  const members = new Map<number, number[]>();
  const durationUs = Float64Array.from(steps.durationUs);
  const weighted = Float64Array.from(weightedUs(analysis));
  /** The last command of what makes an output. */
  const last = new Map<string, number>();
  for (const i of activeSteps(analysis)) {
    const role = stepText(profile, 'role', i);
    // What failed stands for itself.
    if (
      !isJob(steps, i) ||
      failed(steps, i) ||
      (role !== 'link' && role !== 'custom') ||
      steps.outputStart[i] === steps.outputStart[i + 1]
    )
      continue;
    const outputs = Array.from(steps.outputPath.subarray(steps.outputStart[i], steps.outputStart[i + 1]), (o) =>
      stringAt(profile.strings, o),
    );
    const key = [steps.part[i], role, steps.target[i], stepText(profile, 'directory', i), ...outputs].join('\n');
    const before = last.get(key);
    last.set(key, i);
    // Built again, later, is another thing: then some other step came between, or a pause.
    if (before === undefined || steps.startUs[i] < endUs(steps, before) - SLACK_US) continue;
    if (steps.startUs[i] - endUs(steps, before) > 1_000_000) continue;
    const first = lead[before];
    lead[i] = first;
    const list = members.get(first);
    if (list) list.push(i);
    else members.set(first, [first, i]);
    durationUs[first] += steps.durationUs[i];
    weighted[first] += weighted[i];
  }
  return { lead, members, durationUs, weightedUs: weighted };
}, 2);
