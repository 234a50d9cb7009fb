// Views of builds that are tables: tests, history, targets, changes, waterfall.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildDurationUs, wholeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { CHANGE_KINDS, type StepChange } from '../../analysis/builds/changes.ts';
import { criticalPathOf, stepWaitText } from '../../analysis/builds/critical.ts';
import { buildOriginText, HISTORY_TABLES, historyOf, shownBuildIndex } from '../../analysis/builds/history.ts';
import { dependenciesOf } from '../../analysis/builds/needs.ts';
import { GROUPINGS, type TargetRow } from '../../analysis/builds/targets.ts';
import { isFixed, isNewFailure, statusText, stepOfTest, type TestPair } from '../../analysis/builds/tests.ts';
import { formatCount, plural } from '../../base/units.ts';
import { changeList, comparedBuildTimes } from '../../columns/builds/changes.ts';
import { historyLists } from '../../columns/builds/history.ts';
import { targetLists } from '../../columns/builds/targets.ts';
import { baseWithTests, testList } from '../../columns/builds/tests.ts';
import { CRITICAL_MARK, waterfallList } from '../../columns/builds/waterfall.ts';
import { baseOfKind } from '../../columns/listing.ts';
import { rangeSuffix, rangeText, timeOrUnknown, timeText } from '../../columns/times.ts';
import type { TestResult } from '../../model/steps/tests.ts';
import { rowsView } from '../parts/rows-view.ts';
import { emptyText, hasNoStartTimes, joinFittingFacts } from '../parts/step-detail.ts';
import { stepDetail } from './step-detail.ts';

// Tests: the results of the test runner, failed and slowest first; with a base, also the new failures.

export const testsView = rowsView({
  id: 'tests',
  title: 'Tests',
  lists: [testList],
  empty: 'there are no tests',
  detail({ now, before }, c) {
    if (!now) return before ? `${before.name}: not in this run; before: ${statusText(before)}` : '';
    const was = before ? `before: ${statusText(before)}` : baseWithTests(c) ? 'not in the run before' : '';
    return joinFittingFacts(c, [`${now.name}: ${statusText(now)}`, was, now.command]);
  },
  mode(rows, c) {
    const count = (is: (pair: TestPair) => boolean) => rows.filter(is).length;
    const ended = (status: TestResult['status']) => count(({ now }) => now?.status === status);
    const others = [
      [count(isFixed), 'fixed'],
      [count(({ before }) => !before), 'new'],
      [count(({ now }) => !now), 'gone'],
    ] as const;
    const since = [
      `${count(isNewFailure)} of them since the base`,
      ...others.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`),
    ];
    const all = count(({ now }) => now !== undefined);
    const failed = `${ended('failed')} failed${baseWithTests(c) ? ` (${since.join(', ')})` : ''}`;
    return `${plural(all, 'test')}, ${failed}, ${ended('not run')} not run`;
  },
  step: ({ now }, c) => (now ? stepOfTest(c.analysis, now) : -1),
  noEnterReason: ({ now }, c) =>
    !now ? 'this test is not in this run' : stepOfTest(c.analysis, now) < 0 ? 'the run of this test was not recorded' : undefined,
});

// History: the kept builds of a build folder, what became slower and when, and the durations of each step and target over builds.

export const historyView = rowsView({
  id: 'history',
  title: 'History',
  lists: historyLists,
  empty: 'none of the kept builds says how long its steps took',
  variants: HISTORY_TABLES,
  variantKey: { help: 'switch between kept builds, steps and targets', label: 'show' },
  detail(row, c) {
    const { change, build, name } = row;
    const all = historyOf(c.analysis.profile);
    if (!change) return build?.path ?? `${name}: no change that is more than chance`;
    const [was, is] = [timeOrUnknown(change.before * 1000), timeOrUnknown(change.after * 1000)];
    if (change.kind === 'drift') return `it drifts: ${was} in the first build, ${is} in the last, by a straight line`;
    const before = change.build > 0 ? `, ${buildOriginText(all, change.build - 1)} was the last before` : '';
    return joinFittingFacts(c, [`${was} before, ${is} since ${buildOriginText(all, change.build)}${before}`, name]);
  },
  mode(rows, c, variant) {
    const { builds } = historyOf(c.analysis.profile);
    const slower = rows.filter((row) => row.change && row.change.after > row.change.before).length;
    const open = shownBuildIndex(c.analysis) < 0 ? '' : ', ● this one';
    return `${plural(variant === 0 ? rows.length : builds.length, 'kept build')}${variant === 0 ? '' : `, ${slower} of ${plural(rows.length, HISTORY_TABLES[variant].replace(/s$/, ''))} became slower`}${open}`;
  },
  step: () => -1,
  enter: (row) => (row.build ? { type: 'open-profile', path: row.build.path } : undefined),
  enterKey: { help: 'open the kept build; Bksp returns. B compares it with another', footer: 'open' },
});

// Targets: time by target, or by other attributes that steps share.

/** The last object of a target and its link: `; last object at 33.0s: a.cpp, the link started 1.20s later`. */
function targetLinkText(analysis: Analysis<'steps'>, { lastObject, waitedUs }: TargetRow): string {
  if (lastObject < 0) return '';
  const { startUs, durationUs } = analysis.profile.steps;
  const end = startUs[lastObject] + durationUs[lastObject] - wholeWindowOf(analysis)[0];
  const link = Number.isNaN(waitedUs) ? '' : `, the link started ${timeOrUnknown(waitedUs)} later`;
  return `; last object at ${timeOrUnknown(end)}: ${shortStepName(analysis.profile, lastObject)}${link}`;
}

export const targetsTable = rowsView({
  id: 'targets',
  title: 'Targets',
  lists: targetLists,
  empty: (c) => emptyText(c, 'no step belongs to such a group'),
  variants: GROUPINGS,
  silent: (profile) =>
    profile.kind === 'steps' &&
    // The slices of one trace have details, not targets.
    (profile.routines.name.length > 0 ||
      [profile.steps.target, profile.steps.language].every((ids) => ids.every((id) => id < 0))),
  notInReport: (variant) => (GROUPINGS[variant] === 'target' ? undefined : `steps by ${GROUPINGS[variant]}`),
  detail({ now: t, before }, c) {
    if (!t) return `${before?.target}: no step of this build`;
    const labels = t.labels.length > 0 ? `, labels ${t.labels.join(', ')}` : '';
    return `${t.target}${t.type ? `, ${t.type}` : ''}${labels}: ${plural(t.steps, 'step')}${targetLinkText(c.analysis, t)}`;
  },
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  step: ({ now }) => now?.longest ?? -1,
  // The cursor starts at the costliest row, not at the row of the selected step.
  rowOf: () => -1,
  noEnterReason: ({ now }) => (now ? undefined : 'it has no step in this build'),
  enterKey: { help: 'show its longest step in full', footer: 'longest step' },
  mode: (rows, c, variant) => `by ${GROUPINGS[variant]}, ${plural(rows.length, 'row')}${rangeSuffix(c.analysis)}`,
});

// Changes: this build compared with the base build, step by step.

export const changesTable = rowsView({
  id: 'changes',
  title: 'Changes',
  lists: [changeList],
  comparing: true,
  empty: 'neither build has a step',
  detail(r, c) {
    if (r.step >= 0) return stepDetail(c, r.step);
    const why = r.kind === 'gone' ? 'not in this build' : 'did not run: up to date or not requested';
    return `${changeList.texts(r, c)[0]}: ${why}; Enter shows it in the build before`;
  },
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  mode(rows, c) {
    const base = baseOfKind(c, 'steps');
    if (!base) return '';
    const { what, nowUs, beforeUs } = comparedBuildTimes(c.analysis, base);
    const count = (kind: StepChange['kind']) => rows.filter((r) => r.kind === kind).length;
    const shown = CHANGE_KINDS.filter((kind) => kind !== 'same' && (kind !== 'run now' || count(kind) > 0));
    const kinds = shown.map((kind) => `${count(kind)} ${kind}`).join(', ');
    return `${what === 'summed' ? 'summed ' : ''}${timeText(nowUs)}, before ${timeText(beforeUs)}; ${kinds} of ${plural(rows.length, 'step')}`;
  },
  step: (r) => r.step,
  enter: (r) => (r.step < 0 ? { type: 'base-step', step: r.before } : undefined),
});

// Waterfall: one row per step, by start time.

export const waterfallView = rowsView({
  id: 'waterfall',
  title: 'Waterfall',
  partOf: 'gantt',
  lists: [waterfallList],
  silent: hasNoStartTimes,
  empty: (c) => emptyText(c, 'no step has a place in time'),
  weight: (i, c) => c.analysis.profile.steps.durationUs[i],
  detail(i, c) {
    const why = criticalPathOf(c.analysis).ready ? stepWaitText(c.analysis, i, timeText) : '';
    return joinFittingFacts(c, [why, stepDetail(c, i)]);
  },
  mode(rows, { analysis }) {
    const waits = dependenciesOf(analysis).ready ? ', · ready' : '';
    const critical = criticalPathOf(analysis).ready ? `, ${CRITICAL_MARK} critical` : '';
    const all = analysis.profile.steps.name.length;
    const of = rows.length < all ? `${formatCount(rows.length)} of ` : '';
    return `${of}${plural(all, 'step')}, ${rangeText(analysis) || timeOrUnknown(buildDurationUs(analysis))}${critical}${waits}`;
  },
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  step: (i) => i,
});
