// The critical path: from the step that ended last back to the start, each link to what it waited for. Dependencies come from
// build.ninja, else from outputs named in later commands; without either, a step waited for what ended just before.

import { memo } from '../../base/memo.ts';
import { absolutePath } from '../../base/paths.ts';
import { firstWhere } from '../../base/search.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../analysis.ts';
import { activeSteps, endUs, isJob, slackUs, stepName, stepText } from './steps.ts';

/** Where the dependencies come from. */
export type Basis = 'ninja' | 'outputs' | 'lanes';

export const BASIS: Readonly<Record<Basis, { readonly short: string; readonly text: string }>> = {
  ninja: { short: 'by build.ninja', text: 'build.ninja' },
  outputs: { short: 'drawn from outputs in commands', text: 'outputs that stand in later commands' },
  lanes: { short: 'drawn from times alone', text: 'what ended just before: no command names an output' },
};

export interface Link {
  readonly step: number;
  /** From the end of the previous link to this one's start; for the first, from the start of the build. */
  readonly waitUs: number;
  readonly why: string;
}

export interface CriticalPath {
  readonly basis: Basis;
  /** In order of time. */
  readonly links: readonly Link[];
  /** 1 for steps on it. */
  readonly on: Uint8Array;
}

/** What each job needs, by the build file; if a log holds several runs, only what ended before the job began. */
function byBuildFile(analysis: Analysis<'steps'>, jobs: readonly number[]): Map<number, number[]> {
  const steps = analysis.profile.steps;
  const { step, of } = steps.needs!;
  const slack = slackUs(steps);
  const isOn = new Uint8Array(steps.name.length);
  for (const i of jobs) isOn[i] = 1;
  const out = new Map<number, number[]>();
  for (let k = 0; k < step.length; k++) {
    const [i, d] = [step[k], of[k]];
    if (isOn[i] === 0 || isOn[d] === 0 || endUs(steps, d) > steps.startUs[i] + slack) continue;
    const list = out.get(i);
    if (list) list.push(d);
    else out.set(i, [d]);
  }
  return out;
}

/**
 * What each job needs: by the build file, or the steps whose outputs its command names. Undefined if there is no build file and
 * no command names any output.
 */
export const dependencies = memo((analysis: Analysis<'steps'>): ReadonlyMap<number, readonly number[]> | undefined => {
  const { profile } = analysis;
  const steps = profile.steps;
  const jobs = Array.from(activeSteps(analysis)).filter((i) => isJob(steps, i));
  if (steps.needs && steps.needs.step.length > 0) return byBuildFile(analysis, jobs);
  const slack = slackUs(steps);
  const madeBy = new Map<string, number[]>();
  const put = (path: string, i: number) => {
    const list = madeBy.get(path);
    if (list) list.push(i);
    else madeBy.set(path, [i]);
  };
  for (const i of jobs) {
    const directory = stepText(profile, 'directory', i);
    for (let o = steps.outputStart[i]; o < steps.outputStart[i + 1]; o++)
      put(absolutePath(directory ?? '', stringAt(profile.strings, steps.outputPath[o])), i);
  }
  const out = new Map<number, number[]>();
  for (const i of jobs) {
    const command = stepText(profile, 'command', i);
    if (command === null || madeBy.size === 0) continue;
    const directory = stepText(profile, 'directory', i);
    const found = new Set<number>();
    for (const raw of command.split(/[\s"';]+/)) {
      const word = raw.replace(/^(-o|-I|-L|@|--[\w-]+=)/, '');
      if (word === '' || word.startsWith('-')) continue;
      for (const d of madeBy.get(absolutePath(directory ?? '', word)) ?? [])
        if (d !== i && endUs(steps, d) <= steps.startUs[i] + slack) found.add(d);
    }
    // Of several commands with the same outputs, each follows the one before.
    for (let o = steps.outputStart[i]; o < steps.outputStart[i + 1]; o++) {
      const path = absolutePath(directory ?? '', stringAt(profile.strings, steps.outputPath[o]));
      for (const d of madeBy.get(path) ?? [])
        if (d !== i && endUs(steps, d) <= steps.startUs[i] + slack && steps.startUs[d] < steps.startUs[i]) found.add(d);
    }
    if (found.size > 0) out.set(i, [...found]);
  }
  return out.size > 0 ? out : undefined;
}, 4);

export const criticalPath = memo((analysis: Analysis<'steps'>): CriticalPath => {
  const { profile } = analysis;
  const steps = profile.steps;
  const slack = slackUs(steps);
  const needs = dependencies(analysis);
  const jobs = Array.from(activeSteps(analysis)).filter((i) => isJob(steps, i));
  const byEnd = [...jobs].sort((a, b) => endUs(steps, a) - endUs(steps, b) || a - b);
  const on = new Uint8Array(steps.name.length);
  const links: Link[] = [];
  const last = byEnd.at(-1);
  const ends = Float64Array.from(byEnd, (i) => endUs(steps, i));
  /** The last job to end before a time, except the step itself and those already on the path. */
  const endedBefore = (us: number, self: number): number => {
    let k = firstWhere(ends.length, (i) => ends[i] > us) - 1;
    while (k >= 0 && (byEnd[k] === self || on[byEnd[k]] === 1)) k--;
    return k < 0 ? -1 : byEnd[k];
  };
  let at: number | undefined = last;
  while (at !== undefined && on[at] === 0) {
    on[at] = 1;
    const start = steps.startUs[at];
    const deps: readonly number[] = (needs?.get(at) ?? []).filter((d) => on[d] === 0);
    const need = deps.reduce((best, d) => (best < 0 || endUs(steps, d) > endUs(steps, best) ? d : best), -1);
    const slot = endedBefore(start + slack, at);
    // It could have started once its dependencies were done; if another job ended later, it waited for that job's slot.
    const free = slot >= 0 && (need < 0 || endUs(steps, slot) > endUs(steps, need) + slack);
    const before = free ? slot : need;
    const waitUs = before < 0 ? start : Math.max(0, start - endUs(steps, before));
    const why =
      before < 0
        ? 'the start'
        : free
          ? needs
            ? `a free place, left by ${stepName(profile, before)}`
            : `after ${stepName(profile, before)}`
          : `needs ${stepName(profile, before)}`;
    links.push({ step: at, waitUs, why });
    at = before < 0 ? undefined : before;
  }
  return {
    basis: !needs ? 'lanes' : steps.needs && steps.needs.step.length > 0 ? 'ninja' : 'outputs',
    links: links.reverse(),
    on,
  };
}, 4);
