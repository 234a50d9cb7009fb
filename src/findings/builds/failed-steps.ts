// Steps of a build that failed.

import { type Analysis, isOfKind } from '../../analysis/answers/analysis.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { stageSpansOf, stepText } from '../../analysis/answers/steps/steps.ts';
import { buildEndState, failedSteps, outermostStep, spanFinder, whyNotWhole } from '../../analysis/builds/stages.ts';
import { visible } from '../../base/safe-text.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { ERROR_LINE, WHOLE_KIND } from '../../model/steps/tables.ts';
import { makeBuildRule, type RuleResult, viewSubject } from '../rule.ts';
import { asCount, cutName, EMPTY_PHRASE, firstNames, type Name, say } from '../say.ts';

/** The result for an interrupted build. Its steps are recorded together with those of the next build. */
const interruptedBuild = (builds: number) =>
  ({
    ...say`${builds > 1 ? say`One of ${asCount('builds', builds)} builds in this record` : 'The build'} did not come to its end: it was interrupted, or still ran`,
    why: 'the end of each build of this tree is recorded, and there is none of this one',
    try: 'build again, or open it with --follow while it runs',
    ...viewSubject('failed steps', 'steps'),
  }) as const;

const MAX_ERROR_LENGTH = 160;

/** The first line about an error in the recorded messages of steps; undefined if there is none. */
function firstErrorLine(profile: ProfileOf<'steps'>, steps: readonly number[]): Name | undefined {
  for (const step of steps)
    for (const line of stepText(profile, 'messages', step)?.split('\n') ?? [])
      if (ERROR_LINE.test(line)) return { called: visible(line.trim().slice(0, MAX_ERROR_LENGTH)) };
  return undefined;
}

export const stepsFailedRule = makeBuildRule({
  id: 'failed-steps',
  question: 'Did the build fail, and at which step?',
  evidence: 'the exit codes of the steps, and whether the end of the build was recorded; tests have a rule of their own',
  threshold: 'any step with an exit code other than 0, or no end',
  runs: 'any',
  find: ({ analysis, profile }) => [failureOf(analysis, profile), failureOfBase(analysis.before)].flat(),
});

function failureOf(analysis: Analysis<'steps'>, profile: ProfileOf<'steps'>): RuleResult | [] {
  const failed = failedSteps(analysis);
  const builds = stageSpansOf(analysis).filter((s) => s.name === 'build');
  if (failed.length === 0) return buildEndState(analysis) === 'missing' ? interruptedBuild(builds.length) : [];
  const names = firstNames(failed, (i, k) => {
    // An interrupted step has a caveat that names the signal.
    const end = stepText(profile, 'caveat', i) ?? say`exit code ${asCount(`code${k + 1}`, profile.steps.result[i])}`;
    return say`${cutName(shortStepName(profile, i))} (${end})`;
  });
  const stopped = profile.steps.stopped ?? [];
  const rest = say`; ${asCount('stopped', stopped.length, 'output')} ${stopped.length === 1 ? 'was' : 'were'} not made: ${firstNames(stopped, cutName, 'among them ')}`;
  const error = firstErrorLine(profile, failed);
  const bad = new Set(failed.map(spanFinder(profile.steps, builds)));
  const isOneOfSeveral = builds.length > 1 && !bad.has(undefined);
  const { steps } = profile;
  // Only a command that ran the build has its exit code: hooks write 0 for the whole, whatever happened.
  const wholes = failed.map((i) => outermostStep(steps.parent, i));
  const ended = wholes.every(
    (w) => w >= 0 && steps.kind[w] === WHOLE_KIND && steps.result[w] === 0 && stepText(profile, 'command', w) !== null,
  );
  const one = ended ? say`The build ended with exit code 0, but commands failed` : say`The build failed`;
  const lead = isOneOfSeveral
    ? say`${asCount('failedBuilds', bad.size)} of ${asCount('builds', builds.length)} builds in this record failed`
    : one;
  const last = isOneOfSeveral && !bad.has(builds.at(-1)) ? '; the last build did not fail' : '';
  return {
    ...say`${lead} in ${asCount('failed', failed.length, 'step')}: ${names}${error ? say`; first error: ${error}` : EMPTY_PHRASE}${stopped.length > 0 ? rest : EMPTY_PHRASE}${last}`,
    why: `exit codes of the steps; ${stopped.length > 0 ? 'what needs them, by build.ninja' : 'steps that depend on them did not run'}`,
    ...viewSubject('failed steps', 'steps', { step: failed[0] }),
  };
}

/** The statement on a base that was no whole build. */
function failureOfBase(before: Analysis | undefined): RuleResult | [] {
  const how = before && isOfKind(before, 'steps') ? whyNotWhole(before) : undefined;
  if (!before || !isOfKind(before, 'steps') || how === undefined) return [];
  const failed = failedSteps(before);
  const where = say` in ${asCount('failedBefore', failed.length, 'step')}: ${firstNames(failed, (i) => cutName(shortStepName(before.profile, i)))}`;
  return {
    ...say`The build of the base ${how}${failed.length > 0 ? where : EMPTY_PHRASE}; how long the two builds took is not compared`,
    why: 'exit codes of the steps, or the recorded end of the build',
    try: 'compare with a build that came to its end',
    ...viewSubject('failed base', 'changes'),
  };
}
