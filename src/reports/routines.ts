// The routines report: self and inclusive cost of each routine.
import { fileName, objectName, routineName, stringOf } from '../analysis/names.ts';
import { magnitudes, orderByNumber, orderByString } from '../analysis/order.ts';
import { eventColumn } from '../model/event-value.ts';
import { hasCounts, hasInclusive, hasSelf } from '../model/profile.ts';
import { callsColumn, costColumns, placeColumns } from './cells.ts';
import { costsByName, type Report, type ReportContext, ReportError, type Row, routineKey } from './report.ts';

/** Routine numbers in the order asked for: by self cost unless --sort says otherwise. */
export function sortedRoutines(context: ReportContext): Uint32Array {
  const { analysis, event, sort } = context;
  const { profile, totals } = analysis;
  const rows = profile.routines.name.length;
  const column = sort?.column ?? 'self';
  const { file, object } = profile.routines;
  const byText = (id: (r: number) => number) => orderByString(profile.strings, id, rows, sort?.descending ?? false);
  const byNumber = (key: ArrayLike<number>) => orderByNumber(key, sort?.descending ?? true);
  switch (column) {
    case 'self':
      return byNumber(magnitudes(eventColumn(event, totals.self, rows)));
    case 'inclusive':
      return byNumber(magnitudes(eventColumn(event, totals.inclusive, rows)));
    case 'calls':
      return byNumber(totals.calls);
    case 'cycle':
      return byNumber(totals.cycles.of);
    case 'routine':
      return byText((r) => profile.routines.name[r]);
    case 'file':
      return byText((r) => stringOf(profile.files, file[r]));
    case 'object':
      return byText((r) => stringOf(profile.objects, object[r]));
    default: {
      const other = analysis.events.find((e) => e.name === column);
      if (!other)
        throw new ReportError(`--sort ${column}: no such column; there are ${routines.sorts.join(', ')} and the events`);
      return byNumber(magnitudes(eventColumn(other, totals.self, rows)));
    }
  }
}

export function routineMatches(context: ReportContext, routine: number): boolean {
  if (!context.filtered) return true;
  const { profile } = context.analysis;
  const { file, object } = profile.routines;
  return context.matches(
    routineName(profile, routine),
    fileName(profile, file[routine]) ?? '',
    objectName(profile, object[routine]) ?? '',
  );
}

export const routines: Report = {
  name: 'routines',
  title: 'routines with self and inclusive cost',
  requires: ['routines'],
  sorts: ['self', 'inclusive', 'calls', 'routine', 'file', 'object', 'cycle'],
  optional: ['cycle'],
  *rows(context) {
    const { analysis } = context;
    const { totals, events } = analysis;
    let left = context.limit;
    for (const r of sortedRoutines(context)) {
      if (left <= 0) return;
      if (!routineMatches(context, r)) continue;
      left--;
      const cycle = totals.cycles.of[r];
      const row: Row = {
        ...routineKey(analysis, r),
        // Without a call graph there is only self cost: the rest is what the file does not say.
        calls: hasCounts(analysis.profile) ? totals.calls[r] : null,
        self: hasSelf(analysis.profile) ? costsByName(events, totals.self, r) : null,
        inclusive: hasInclusive(analysis.profile) ? costsByName(events, totals.inclusive, r) : null,
        ...(cycle > 0 ? { cycle } : {}),
      };
      yield row;
    }
  },
  columns: (context) => [
    ...(hasSelf(context.analysis.profile) ? costColumns(context, 'self', 'self') : []),
    ...(hasInclusive(context.analysis.profile) ? costColumns(context, 'inclusive', 'inclusive') : []),
    ...(hasCounts(context.analysis.profile) ? [callsColumn] : []),
    {
      title: 'routine',
      align: 'left',
      flex: 'middle',
      cell: (row) =>
        `${row['routine'] === '' ? '???' : row['routine']}${row['cycle'] === undefined ? '' : ` (cycle ${row['cycle']})`}`,
    },
    ...placeColumns(context),
  ],
};
