// The routines report: self and inclusive cost of each routine.
import { analysisSoFar } from '../analysis/answers/analyse.ts';
import { type Analysis, percentageBase } from '../analysis/answers/analysis.ts';
import { formatCost, formatCount, formatPercent, plural } from '../base/units.ts';
import { costText } from '../columns/costs.ts';
import { type RoutineRow, selfCostOfRoutines } from '../columns/routine-row.ts';
import { routinesBySelf, routineTable, selfColumns } from '../columns/routines.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import { type ReportContext, routineFilterOf, routineMatches, sortedOrder } from './report.ts';

export const ROUTINE_SORTS = ['self', 'inclusive', 'calls', 'perCall', 'EVENT', 'routine', 'file', 'object', 'cycle'] as const;

/** Routine numbers in the order of --sort (default: by self cost). */
export function sortedRoutines(context: ReportContext): Uint32Array {
  const { analysis, event, sort } = context;
  if (!sort) return routinesBySelf(analysis, event);
  const columns = sort.column === 'self' ? selfColumns(context) : routineTable.columns(context);
  return sortedOrder(context, columns, 'self', analysis.profile.routines.name.length, (routine) => ({ routine }));
}

/** The routine of --routine, or else all in the order of --sort; only those that match the filter. */
export function* chosenRoutines(context: ReportContext): Generator<number> {
  const order = sortedRoutines(context);
  for (const r of context.routine === undefined ? order : [context.routine]) if (routineMatches(context, r)) yield r;
}

/** The analysis without the flow through cycles, where the first rows have none: it takes longer than all else in large files. */
function analysisOfFirstRows(context: ReportContext): Analysis | undefined {
  const { limit, sort, filtered, routine, threshold } = context;
  if (filtered || routine !== undefined || threshold !== undefined || (sort?.column ?? 'self') !== 'self') return undefined;
  const soFar = analysisSoFar(context.analysis);
  const rows = soFar && sortedRoutines(context).subarray(0, limit + 1);
  return rows?.every((r) => soFar?.totals.cycles.of[r] === 0) ? soFar : undefined;
}

export const routines = makeReport<RoutineRow, Kind>({
  name: 'routines',
  title: 'routines with self and inclusive cost',
  requires: ['routines'],
  columns: ['events', 'parts', 'recorded', 'perCall'],
  summed: 'self',
  sorts: ROUTINE_SORTS,
  table(context) {
    const analysis = analysisOfFirstRows(context);
    return analysis ? { ...routineTable, columns: (c) => routineTable.columns({ ...c, analysis }) } : routineTable;
  },
  *rows(context) {
    if (context.chosen?.routines) return yield* context.chosen.routines;
    for (const routine of chosenRoutines(context)) yield { routine };
  },
  footer(context) {
    const { analysis, event, filtered } = context;
    if (!filtered || event.per || !analysis.costing.can.has('self')) return [];
    const all = Uint32Array.from(analysis.totals.calls.keys());
    const matching = all.filter(routineFilterOf(context));
    const sum = selfCostOfRoutines(analysis, event, matching);
    const isEstimated = matching.some((r) => analysis.totals.selfEstimated?.[r] === 1);
    const share = formatPercent(sum, percentageBase(analysis, event));
    return [
      `${formatCount(matching.length)} of ${plural(all.length, 'routine')} match the filter: self ${isEstimated ? costText(context, sum, true) : formatCost(sum, event.unit)}, ${share} of the total`,
    ];
  },
});
