// The changes report (--base), largest change first: steps for builds, routines for all other profiles.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { eventInMeasure } from '../../analysis/answers/compared/measure.ts';
import { CHANGE_KINDS, changesOf } from '../../analysis/builds/changes.ts';
import { type Exact, formatCount } from '../../base/units.ts';
import { changeList, comparedBuildTimes } from '../../columns/builds/changes.ts';
import { routineSides, rowStateOf } from '../../columns/compared.ts';
import { baseOfKind } from '../../columns/listing.ts';
import { routineChangeTable } from '../../columns/routine-change-rows.ts';
import { timeText } from '../../columns/times.ts';
import { exactValue } from '../../model/head.ts';
import type { Kind } from '../../model/profile.ts';
import { makeListReport, makeReport, type Report } from '../print.ts';
import { type ReportContext, ReportError, routineMatches, sortRows } from '../report.ts';

const NEEDS_BASE_TEXT = '--print changes needs --base PATH, the run to compare with';

function requireBaseBuild(context: Pick<ReportContext, 'base'>): Analysis<'steps'> {
  const base = baseOfKind(context, 'steps');
  if (!base) throw new ReportError(NEEDS_BASE_TEXT);
  return base;
}

const STEP_SORTS = ['changeMs', 'beforeMs', 'durationMs', 'kind', 'name'] as const;
const ROUTINE_SORTS = ['self', 'inclusive', 'calls', 'routine'] as const;

const stepChangeReport = makeListReport({
  ...changeList,
  title: 'steps',
  sorts: STEP_SORTS,
  head(context) {
    const base = requireBaseBuild(context);
    const { analysis } = context;
    const { what, nowUs, beforeUs } = comparedBuildTimes(analysis, base);
    const all = changesOf(analysis, base);
    return [
      `${what} ${timeText(nowUs)}, before ${timeText(beforeUs)}`,
      CHANGE_KINDS.map((kind) => `${formatCount(all.filter((c) => c.kind === kind).length)} ${kind}`).join(', '),
    ];
  },
});

const isNonZero = (value: Exact) => value > 0 || value < 0;

/** Routines whose calls, self cost or inclusive cost changed, in any event. */
function changedRoutines(context: ReportContext): number[] {
  const { analysis } = context;
  if (!analysis.before) throw new ReportError(NEEDS_BASE_TEXT);
  const { self, inclusive, calls } = analysis.totals;
  const events = analysis.events.filter((e) => !e.per).map((e) => eventInMeasure(analysis, e, 'delta'));
  const before = inclusive[inclusive.length - 1];
  return Array.from(calls.keys()).filter(
    (r) =>
      routineMatches(context, r) &&
      (calls[r] !== before[r] || events.some((e) => isNonZero(exactValue(e, self, r)) || isNonZero(exactValue(e, inclusive, r)))),
  );
}

const routineChangeReport = makeReport<number, Kind>({
  name: 'changes',
  title: 'routines',
  requires: ['routines'],
  sorts: ROUTINE_SORTS,
  table: () => routineChangeTable,
  rows(context) {
    const usual = context.analysis.costing.can.has('self') ? 'self' : 'inclusive';
    return sortRows(context, changedRoutines(context), routineChangeTable.columns(context), usual);
  },
  head(context) {
    const { analysis } = context;
    const delta = eventInMeasure(analysis, context.event, 'delta');
    const rows = changedRoutines(context);
    if (rows.length === 0) return [context.filtered ? 'no routine that matches the filter changed' : 'no routine changed'];
    const count = (is: (r: number) => boolean) => formatCount(rows.filter(is).length);
    const value = (r: number) => exactValue(delta, analysis.totals.self, r);
    const state = (r: number) => rowStateOf(routineSides(context, r));
    const both = (r: number) => state(r) === 'both' || state(r) === 'renamed';
    return [
      `${count((r) => both(r) && value(r) > 0)} cost more, ${count((r) => both(r) && value(r) < 0)} cost less, ${count((r) => state(r) === 'new')} are new, ${count((r) => state(r) === 'gone')} are gone`,
    ];
  },
});

const reportOfKind = (context: ReportContext): Report => {
  const { costing, profile } = context.analysis;
  if (costing.can.has('steps')) {
    requireBaseBuild(context);
    return stepChangeReport;
  }
  if (costing.can.has('routines')) return routineChangeReport;
  throw new ReportError(
    `--print changes: a profile of ${profile.kind} has no costs that could change; --print ${profile.kind} takes --base`,
  );
};

export const changes: Report = {
  ...stepChangeReport,
  title: 'routines or steps that changed, largest change first (needs --base)',
  requires: [],
  sorts: [...STEP_SORTS, ...ROUTINE_SORTS],
  write: (form, context, version, write) => reportOfKind(context).write(form, context, version, write),
  records: (context) => reportOfKind(context).records(context),
};
