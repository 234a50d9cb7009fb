// The instrs report: self cost by instruction.
import type { MergedInstrs } from '../analysis/answers/costing.ts';
import { hasInstrCalls, listInstrs } from '../analysis/answers/instr-listing.ts';
import { routineName, routineObject } from '../analysis/names/names.ts';
import { sortedByKey } from '../base/lists.ts';
import { callAndGapRows, type InstrRow, instrRow, instrTable, locationFormatOf } from '../columns/instrs.ts';
import { eventValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import type { ReportContext } from './report.ts';
import { chosenRoutines, ROUTINE_SORTS } from './routines.ts';

/** The instructions of one routine: in address order, or by cost with --sort self. */
function instrRows({ sort, event }: ReportContext, { low, costs }: MergedInstrs): readonly number[] {
  const rows = Array.from(low.keys());
  return sort?.column === 'self'
    ? sortedByKey(rows, (at) => Math.abs(eventValue(event, costs, at)), sort.descending ?? true)
    : rows;
}

export const instrs = makeReport<InstrRow, Kind>({
  name: 'instrs',
  title: 'self cost by instruction, with jumps',
  requires: ['instrs'],
  columns: ['events'],
  summed: 'self',
  sorts: ROUTINE_SORTS,
  table({ analysis, routine }) {
    const listing = routine === undefined ? undefined : listInstrs(analysis, routine, undefined, true);
    const callsHere = hasInstrCalls(analysis) && (!listing || listing.callsAt.size > 0);
    const places = listing ? locationFormatOf(analysis, listing) : { withFile: analysis.profile.files.name.length > 1, cells: 0 };
    return instrTable({ addressWidth: 8, several: !listing, callsHere, locationFormat: places });
  },
  *rows(context) {
    const { analysis, routine } = context;
    for (const r of chosenRoutines(context)) {
      const code = routine !== undefined && routineObject(analysis.profile, r) ? context.code : undefined;
      const listing = listInstrs(analysis, r, code, routine !== undefined);
      const rows = routine === undefined ? listing.instrs.low.keys() : instrRows(context, listing.instrs);
      for (const at of rows) yield instrRow(listing, at);
    }
  },
  childRows: callAndGapRows,
  group({ listing, at }, { analysis }) {
    const own = listing.instrs.function;
    return own && routineName(analysis.profile, own[at]);
  },
});
