// The findings report: what matters most in a profile, the most expensive first.

import { routineName } from '../analysis/names/names.ts';
import { routineWord } from '../analysis/profiles/choices.ts';
import { quoteWord } from '../base/quote.ts';
import { atOnce } from '../base/slices.ts';
import type { Cell } from '../base/style.ts';
import { data } from '../columns/builders.ts';
import type { Column } from '../columns/column.ts';
import { evidenceOf } from '../findings/evidence.ts';
import { gathering } from '../findings/gather.ts';
import { newerFiles } from '../findings/profile/newer-sources.ts';
import { besideShare, targetName } from '../findings/row.ts';
import type { Finding } from '../findings/rule.ts';
import { headlineOf, textOf } from '../findings/say.ts';
import { topDownOf } from '../findings/top-down.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import type { ReportContext } from './report.ts';

/** Where it can be seen, as flags; names that no shell takes are left out. */
function seenBy({ analysis, event }: ReportContext, { target }: Finding): Cell {
  const flag = (name: string, value: string | undefined) => {
    const word = value === undefined ? undefined : quoteWord(value);
    return word === undefined ? '' : ` --${name} ${word}`;
  };
  const about = target.event === event.name ? undefined : target.event;
  const { profile } = analysis;
  const routine = target.routine !== undefined && OF_ROUTINES.has(target.report) ? target.routine : undefined;
  const word = routine === undefined ? undefined : routineWord(profile, routine);
  // Several routines may share name, file and object: the list of them is as near as flags come.
  const isList = routine !== undefined && word === undefined;
  const command = `--print ${isList ? 'routines' : target.report}`;
  const filter = isList ? flag('filter', routineName(profile, routine)) : '';
  return { text: `see: ${command}${flag('event', about)}${flag('routine', word)}${filter}`, own: ['see: ', ''] };
}

const OF_ROUTINES = new Set(['calls', 'source', 'lines', 'instrs', 'curve', 'tree']);
function columns(c: ReportContext): Column<Finding>[] {
  const { profile } = c.analysis;
  return [
    { id: 'rule', title: 'rule', value: (f) => f.rule },
    { id: 'share', title: 'share', value: (f) => f.share ?? null },
    { id: 'estimated', title: 'estimated', value: (f) => f.estimated === true },
    { id: 'finding', title: 'finding', value: (f) => textOf(f) },
    { id: 'headline', title: 'headline', value: (f) => headlineOf(f) },
    { id: 'why', title: 'why', value: (f) => f.why },
    { id: 'try', title: 'try', value: (f) => f.try ?? null },
    { id: 'remark', title: 'remark', value: (f) => f.isRemark },
    { id: 'view', title: 'view', value: ({ target }) => target.view },
    { id: 'report', title: 'report', value: ({ target }) => target.report },
    { id: 'event', title: 'event', value: ({ target }) => target.event ?? c.event.name },
    data('routine', ({ target }) => (target.routine === undefined ? null : routineName(profile, target.routine))),
    { id: 'file', title: 'file', value: ({ target }) => target.file ?? null },
    { id: 'line', title: 'line', value: ({ target }) => target.line ?? null },
    data('step', ({ target }) => (target.step === undefined ? null : (targetName(c.analysis, { ...target, row: '' }) ?? null))),
    { id: 'size', title: 'size', value: ({ target }) => target.size ?? null },
    { id: 'row', title: 'row', value: ({ target }) => target.row ?? null },
    { id: 'figures', title: 'figures', value: (f) => f.figures.map(({ name, value, text }) => ({ name, value, text })) },
  ];
}

export const findings = report<Finding, Kind>({
  name: 'findings',
  title: 'the most important findings, one sentence each, and where to see them',
  asks: [],
  table: () => ({ columns }),
  rows: (context) => {
    const { analysis, event } = context;
    const evidence = evidenceOf(analysis, event, newerFiles(analysis, event, context.source));
    return atOnce(gathering(evidence)).filter(
      (f) => !context.filtered || context.matches(textOf(f), targetName(context.analysis, f.target) ?? '', f.rule),
    );
  },
  head: (context) => {
    const said = topDownOf(context.analysis, context.event);
    return said ? ['', textOf(said)] : [];
  },
  extra: ({ analysis, event }) => {
    const said = topDownOf(analysis, event);
    return { topDown: said ? textOf(said) : null };
  },
  none: 'no findings: nothing exceeds the thresholds (docs/findings.md)',
  sentence: (finding, context) => ({
    ...besideShare(finding),
    under: [`why: ${finding.why}`, ...(finding.try === undefined ? [] : [`try: ${finding.try}`]), seenBy(context, finding)],
  }),
  quickfix: (finding) => {
    const { file, line } = finding.target;
    return file === undefined || line === undefined ? undefined : { file, line, text: textOf(finding) };
  },
});
