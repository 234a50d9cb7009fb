// The changes report (--base): what takes longer than before, the largest change first. Steps of builds, routines of all else.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { measured } from '../../analysis/answers/compared/measure.ts';
import { CHANGE_KINDS, changesOf } from '../../analysis/builds/changes.ts';
import { type Exact, formatCount } from '../../base/units.ts';
import { changeList, wholeTimes } from '../../columns/builds/changes.ts';
import { routineSides, stateOf } from '../../columns/compared.ts';
import { baseOf } from '../../columns/listing.ts';
import { routineChangeTable } from '../../columns/routine-change-rows.ts';
import { timeText } from '../../columns/times.ts';
import { exactValue } from '../../model/event-value.ts';
import type { Kind } from '../../model/profile.ts';
import { listReport, type Report, report } from '../print.ts';
import { type ReportContext, ReportError, routineMatches, sorted } from '../report.ts';

const NONE = '--print changes needs --base PATH, the run to compare with';

function baseBuild(context: Pick<ReportContext, 'base'>): Analysis<'steps'> {
  const base = baseOf(context, 'steps');
  if (!base) throw new ReportError(NONE);
  return base;
}

const STEP_SORTS = ['changeMs', 'beforeMs', 'durationMs', 'kind', 'name'] as const;
const ROUTINE_SORTS = ['self', 'inclusive', 'calls', 'routine'] as const;

const ofSteps = listReport({
  ...changeList,
  title: 'steps',
  sorts: STEP_SORTS,
  head(context) {
    const base = baseBuild(context);
    const { analysis } = context;
    const { what, nowUs, beforeUs } = wholeTimes(analysis, base);
    const all = changesOf(analysis, base);
    return [
      `${what} ${timeText(nowUs)}, before ${timeText(beforeUs)}`,
      CHANGE_KINDS.map((kind) => `${formatCount(all.filter((c) => c.kind === kind).length)} ${kind}`).join(', '),
    ];
  },
});

const isSome = (value: Exact) => value > 0 || value < 0;

/** Routines of which something changed, in any event. */
function changedRoutines(context: ReportContext): number[] {
  const { analysis } = context;
  if (!analysis.before) throw new ReportError(NONE);
  const { self, inclusive, calls } = analysis.totals;
  const events = analysis.events.filter((e) => !e.per).map((e) => measured(analysis, e, 'delta'));
  const before = inclusive[inclusive.length - 1];
  return Array.from(calls.keys()).filter(
    (r) =>
      routineMatches(context, r) &&
      (calls[r] !== before[r] || events.some((e) => isSome(exactValue(e, self, r)) || isSome(exactValue(e, inclusive, r)))),
  );
}

const ofRoutines = report<number, Kind>({
  name: 'changes',
  title: 'routines',
  asks: ['routines'],
  sorts: ROUTINE_SORTS,
  table: () => routineChangeTable,
  rows: (context) =>
    sorted(
      context,
      changedRoutines(context),
      routineChangeTable.columns(context),
      context.analysis.costing.can.has('self') ? 'self' : 'inclusive',
    ),
  head(context) {
    const { analysis } = context;
    const delta = measured(analysis, context.event, 'delta');
    const rows = changedRoutines(context);
    if (rows.length === 0) return [context.filtered ? 'no routine that matches the filter changed' : 'no routine changed'];
    const count = (is: (r: number) => boolean) => formatCount(rows.filter(is).length);
    const value = (r: number) => exactValue(delta, analysis.totals.self, r);
    const state = (r: number) => stateOf(routineSides(context, r));
    const both = (r: number) => state(r) === 'both' || state(r) === 'renamed';
    return [
      `${count((r) => both(r) && value(r) > 0)} cost more, ${count((r) => both(r) && value(r) < 0)} cost less, ${count((r) => state(r) === 'new')} are new, ${count((r) => state(r) === 'gone')} are gone`,
    ];
  },
});

/** The report of the profile's kind. */
const pick = (context: ReportContext): Report => {
  const { costing, profile } = context.analysis;
  if (costing.can.has('steps')) {
    baseBuild(context);
    return ofSteps;
  }
  if (costing.can.has('routines')) return ofRoutines;
  throw new ReportError(
    `--print changes: a profile of ${profile.kind} has no costs that could change; --print ${profile.kind} takes --base`,
  );
};

export const changes: Report = {
  name: 'changes',
  title: 'routines or steps that changed, largest change first (needs --base)',
  asks: [],
  sorts: [...STEP_SORTS, ...ROUTINE_SORTS],
  columns: ['events', 'parts', 'recorded'],
  compares: true,
  array: false,
  forms: ofSteps.forms,
  write: (form, context, version, write) => pick(context).write(form, context, version, write),
  records: (context) => pick(context).records(context),
};
