// Step: everything known about the step under the cursor.

import { linksOf } from '../../analysis/answers/steps/links.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { neverRan, ran, stepName, stepText, uncut, wholeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { criticalPathOf, whySentence } from '../../analysis/builds/critical.ts';
import { dependencies } from '../../analysis/builds/needs.ts';
import { statusText, testOfStep } from '../../analysis/builds/tests.ts';
import { formatBytes, formatCount } from '../../base/units.ts';
import { timeText } from '../../columns/times.ts';
import type { TextName } from '../../model/steps/columns.ts';
import type { TestResult } from '../../model/steps/tests.ts';
import { stringAt } from '../../model/strings.ts';
import { detailView, type Say } from '../parts/detail-view.ts';
import { ofKind, type ViewContext } from '../view.ts';

function sayStep(step: number, c: ViewContext<'steps'>, say: Say): void {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const text = (column: TextName) => stepText(profile, column, step);
  const [origin] = wholeWindowOf(c.analysis);
  say('role', text('role'));
  say(text('detail') === null ? 'target' : 'detail', text('target'));
  say('source', text('source'));
  say('language', text('language'));
  say('config', text('config'));
  const result = steps.result[step];
  if (ran(steps, step)) say('time', spanText(steps.startUs[step] - origin, steps.durationUs[step]));
  else if (neverRan(steps, step)) say('time', 'never ran', 'warm');
  else say('time', `${timeText(steps.durationUs[step])}; its start is not recorded`);
  const before = uncut(steps, step);
  if (before) {
    const whole = spanText(before.startUs - origin, before.durationUs);
    say('', `cut by the time range: the whole step took ${whole}; result and outputs are those of the whole step`, 'warm');
  }
  if (!Number.isNaN(steps.cpuUs[step]))
    say('cpu', `${timeText(steps.cpuUs[step])}, ${timeText(steps.durationUs[step] - steps.cpuUs[step])} off the cpu`);
  say('result', Number.isNaN(result) ? 'unknown' : formatCount(result), result === 0 || Number.isNaN(result) ? 'plain' : 'error');
  say('', text('caveat'), 'dim');
  const test = testOfStep(c.analysis, step);
  if (test) sayTest(test, say);
  const path = criticalPathOf(c.analysis).ready;
  const link = path?.links.find((l) => l.step === step);
  if (link) say('critical', `on the path that decided the end; ${whySentence(profile, link)}`, 'hot');
  if (path) for (const d of dependencies(c.analysis)?.get(step) ?? []) say('needs', shortStepName(profile, d));
  const links = linksOf(steps, step);
  for (const from of links.from) say('flow from', stepName(profile, from));
  for (const to of links.to) say('flow to', stepName(profile, to));
  say('trace', text('trace'));
  say('', text('traceCaveat'), 'warm');
  say('folder', text('directory'));
  say('pool', text('pool'));
  say('cache', text('cache'));
  say('command', text('command'));
  for (let o = steps.outputStart[step]; o < steps.outputStart[step + 1]; o++) {
    const bytes = steps.outputBytes[o];
    say('output', `${stringAt(profile.strings, steps.outputPath[o])}${Number.isNaN(bytes) ? '' : `  ${formatBytes(bytes)}`}`);
  }
  const more = text('more');
  // Fields that only this tool knows have long names.
  if (more) for (const [key, value] of Object.entries<unknown>(JSON.parse(more))) sayField(key, value, say);
}

function sayTest(test: TestResult, say: Say): void {
  const { status, labels, output } = test;
  say('test', statusText(test), status === 'failed' ? 'error' : status === 'passed' ? 'plain' : 'warm');
  say('labels', labels.join(' '));
  for (const [k, line] of output.split('\n').entries()) say(k === 0 ? 'output' : '', line === '' ? ' ' : line);
}

function sayField(key: string, value: unknown, say: Say): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const [name, own] of Object.entries<unknown>({ ...value })) say('', `${name}: ${JSON.stringify(own)}`, 'dim');
  else say('', `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`, 'dim');
}

/** `3.91s, from 33.0s to 36.9s` after the start of the build. */
const spanText = (startUs: number, us: number): string =>
  `${timeText(us)}, from ${timeText(startUs)} to ${timeText(startUs + us)}`;

export const step = detailView({
  id: 'step',
  title: 'Step',
  digit: '9',
  asks: ['steps'],
  of: ofKind('steps'),
  report: 'steps',
  none: 'no step is chosen: choose one in Gantt (4) or Steps (5)',
  count: (c) => c.analysis.profile.steps.name.length,
  name: (i, c) => stepName(c.analysis.profile, i),
  say: sayStep,
  waitsFor: (c) => criticalPathOf(c.analysis),
  inner: {
    help: "open the compiler's own trace (clang -ftime-trace); Bksp returns",
    path: (i, c) => stepText(c.analysis.profile, 'trace', i),
    any: (c) => c.analysis.profile.steps.trace.some((id) => id >= 0),
    none: 'no compiler trace for this step; compile with clang -ftime-trace',
  },
  file: (i, c) => stepText(c.analysis.profile, 'source', i),
});
