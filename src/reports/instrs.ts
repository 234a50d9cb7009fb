// The instrs report: self cost by instruction.
import { routineObject } from '../analysis/names.ts';
import { type InstrRow, instrTable } from '../columns/instrs.ts';
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
  table: (context) => instrTable({ addressWidth: 8, several: context.routine === undefined }),
  *rows(context) {
    const { analysis, routine } = context;
    for (const r of routine === undefined ? sortedRoutines(context) : [routine]) {
      if (!routineMatches(context, r)) continue;
      const object = routineObject(analysis.profile, r);
      const text = object && routine !== undefined ? context.instrText(object, routineKey(analysis, r).routine) : undefined;
      const instrs = analysis.costing.instrs(r);
      const listing = { routine: r, instrs, jumps: analysis.costing.jumps(r), text };
      for (let at = 0; at < instrs.low.length; at++) yield { listing, at };
    }
  },
});
