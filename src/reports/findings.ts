// The findings report: the most important findings, most expensive first.

import { nameInData, routineName } from '../analysis/names/names.ts';
import { flagWords, routineWord } from '../analysis/profiles/choices.ts';
import { quoteWord } from '../base/safe-text.ts';
import { runToEnd } from '../base/slices.ts';
import { dataColumn } from '../columns/builders.ts';
import type { Column, ColumnContext } from '../columns/column.ts';
import { gatherFindings } from '../findings/gather.ts';
import { newerFiles } from '../findings/profile/newer-sources.ts';
import { targetName, withoutLeadingShare } from '../findings/row.ts';
import { evidenceOf, type Finding } from '../findings/rule.ts';
import { headlineOf, phraseText } from '../findings/say.ts';
import { costSplitSentenceOf } from '../findings/top-down.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import type { ReportContext, Sentence } from './report.ts';

export function seeFlags({ analysis, event }: Pick<ColumnContext, 'analysis' | 'event'>, { target }: Finding): string[] {
  const otherEvent = target.event === event.name ? undefined : target.event;
  const { profile } = analysis;
  const routine = target.routine !== undefined && ROUTINE_REPORTS.has(target.report) ? target.routine : undefined;
  const word = routine === undefined ? undefined : routineWord(profile, routine);
  // If several routines share name, file and object, no flag selects one: the command lists them all.
  const isList = routine !== undefined && word === undefined;
  const flags = { event: otherEvent, routine: word, ...(isList ? { filter: routineName(profile, routine) } : {}) };
  const given = Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [flagWords(name, value)]));
  return ['--print', isList ? 'routines' : target.report, ...given.flat()];
}

/** The flags as a shell reads them. Values that cannot be quoted are left out with their flags. */
export function shellText(words: readonly string[]): string {
  const quoted = words.map(quoteWord);
  return quoted
    .filter(
      (word, i) => word !== undefined && !(words[i].startsWith('--') && quoted[i + 1] === undefined && i + 1 < words.length),
    )
    .join(' ');
}

const ROUTINE_REPORTS = new Set(['calls', 'source', 'lines', 'instrs', 'curve', 'tree']);
function findingColumns(c: ReportContext): Column<Finding>[] {
  const { profile } = c.analysis;
  return [
    { id: 'rule', title: 'rule', value: (f) => f.rule },
    { id: 'share', title: 'share', value: (f) => f.share ?? null },
    { id: 'estimated', title: 'estimated', value: (f) => f.estimated === true },
    { id: 'finding', title: 'finding', value: (f) => phraseText(f) },
    { id: 'headline', title: 'headline', value: (f) => headlineOf(f) },
    { id: 'why', title: 'why', value: (f) => f.why },
    { id: 'try', title: 'try', value: (f) => f.try ?? null },
    { id: 'remark', title: 'remark', value: (f) => f.isNote },
    dataColumn('see', (f) => seeFlags(c, f)),
    { id: 'view', title: 'view', value: ({ target }) => target.view },
    { id: 'report', title: 'report', value: ({ target }) => target.report },
    { id: 'event', title: 'event', value: ({ target }) => target.event ?? c.event.name },
    dataColumn('routine', ({ target }) => (target.routine === undefined ? null : nameInData(profile, target.routine))),
    { id: 'file', title: 'file', value: ({ target }) => target.file ?? null },
    { id: 'line', title: 'line', value: ({ target }) => target.line ?? null },
    dataColumn('step', ({ target }) =>
      target.step === undefined ? null : (targetName(c.analysis, { ...target, row: '' }) ?? null),
    ),
    { id: 'size', title: 'size', value: ({ target }) => target.size ?? null },
    { id: 'row', title: 'row', value: ({ target }) => target.row ?? null },
    { id: 'figures', title: 'figures', value: (f) => f.figures.map(({ name, value, text }) => ({ name, value, text })) },
  ];
}

export function findingRows(context: ReportContext): readonly Finding[] {
  const { analysis, event } = context;
  return runToEnd(gatherFindings(evidenceOf(analysis, event, newerFiles(analysis, event, context.source)))).filter(
    (f) => !context.filtered || context.matches(phraseText(f), targetName(context.analysis, f.target) ?? '', f.rule),
  );
}

export const findingSentence = (finding: Finding, context: ReportContext): Sentence => ({
  ...withoutLeadingShare(finding),
  detailLines: [
    `why: ${finding.why}`,
    ...(finding.try === undefined ? [] : [`try: ${finding.try}`]),
    { text: `see: ${shellText(seeFlags(context, finding))}`, own: ['see: ', ''] },
  ],
});

export const findings = makeReport<Finding, Kind>({
  name: 'findings',
  title: 'the most important findings, one sentence each, and where to see them',
  requires: [],
  table: () => ({ columns: findingColumns }),
  rows: findingRows,
  head: (context) => {
    const topDown = costSplitSentenceOf(context.analysis, context.event);
    return topDown ? ['', phraseText(topDown)] : [];
  },
  extra: ({ analysis, event }) => {
    const topDown = costSplitSentenceOf(analysis, event);
    return { topDown: topDown ? phraseText(topDown) : null };
  },
  emptyText: 'no findings: nothing exceeds the thresholds (docs/findings.md)',
  sentence: findingSentence,
  quickfix: (finding) => {
    const { file, line } = finding.target;
    return file === undefined || line === undefined ? undefined : { file, line, text: phraseText(finding) };
  },
});
