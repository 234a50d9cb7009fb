// The instrs report: self cost by instruction.

import { hasInstrCalls, listInstrs } from '../analysis/instr-listing.ts';
import { routineObject } from '../analysis/names.ts';
import { type InstrRow, instrRow, instrTable, rowsUnder } from '../columns/instrs.ts';
import { routineKey } from '../columns/names.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import { ofAnyKind, routineMatches } from './report.ts';
import { sortedRoutines } from './routines.ts';

export const instrs = report<InstrRow, Kind>({
  name: 'instrs',
  title: 'self cost by instruction, with jumps',
  asks: ['instrs'],
  of: ofAnyKind,
  table(context) {
    const { analysis, routine } = context;
    const withCalls = hasInstrCalls(analysis);
    const callsHere = withCalls && (routine === undefined || listInstrs(analysis, routine, undefined).callsAt.size > 0);
    return instrTable({ addressWidth: 8, several: routine === undefined, withCalls, callsHere });
  },
  *rows(context) {
    const { analysis, routine } = context;
    for (const r of routine === undefined ? sortedRoutines(context) : [routine]) {
      if (!routineMatches(context, r)) continue;
      const object = routineObject(analysis.profile, r);
      const code = object && routine !== undefined ? context.instrText(object, routineKey(analysis, r).routine) : undefined;
      const listing = listInstrs(analysis, r, code);
      for (let at = 0; at < listing.instrs.low.length; at++) yield instrRow(listing, at);
    }
  },
  under: rowsUnder,
});
