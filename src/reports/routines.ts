// The routines report: self and inclusive cost of each routine.
import { wholeOf } from '../analysis/answers/analysis.ts';
import { formatCost, formatCount, formatPercent, plural } from '../base/units.ts';
import { costText } from '../columns/costs.ts';
import { type RoutineRow, selfOf } from '../columns/routine-row.ts';
import { routineTable } from '../columns/routines.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import { orderOf, type ReportContext, routineMatches } from './report.ts';

/** The columns of routines that rows can be sorted by. */
export const ROUTINE_SORTS = ['self', 'inclusive', 'calls', 'EVENT', 'routine', 'file', 'object', 'cycle'] as const;

/** Routine numbers in the order asked for: by self cost unless --sort says otherwise. */
export function sortedRoutines(context: ReportContext): Uint32Array {
  const { length } = context.analysis.profile.routines.name;
  return orderOf(context, routineTable.columns(context), 'self', length, (routine) => ({ routine }));
}

/** The routine asked for, else all in the order asked for, as far as they match. */
export function* chosenRoutines(context: ReportContext): Generator<number> {
  const order = sortedRoutines(context);
  for (const r of context.routine === undefined ? order : [context.routine]) if (routineMatches(context, r)) yield r;
}

export const routines = report<RoutineRow, Kind>({
  name: 'routines',
  title: 'routines with self and inclusive cost',
  asks: ['routines'],
  columns: ['events', 'parts', 'recorded'],
  sorts: ROUTINE_SORTS,
  table: () => routineTable,
  *rows(context) {
    if (context.chosen?.routines) return yield* context.chosen.routines;
    for (const routine of sortedRoutines(context)) if (routineMatches(context, routine)) yield { routine };
  },
  foot(context) {
    const { analysis, event, filtered } = context;
    if (!filtered || event.per || !analysis.costing.can.has('self')) return [];
    const all = Uint32Array.from(analysis.totals.calls.keys());
    const kept = all.filter((r) => routineMatches(context, r));
    const sum = selfOf(analysis, event, kept);
    const guessed = kept.some((r) => analysis.totals.estimated?.self[r] === 1);
    const share = formatPercent(sum, wholeOf(analysis, event));
    return [
      `${formatCount(kept.length)} of ${plural(all.length, 'routine')} match the filter: self ${guessed ? costText(context, sum, true) : formatCost(sum, event.unit)}, ${share} of the total`,
    ];
  },
});
