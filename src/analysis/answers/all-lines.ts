// The lines of all routines as one table, merged one routine at a time between key presses.
import { memoInBackground, type Sliced } from '../../base/slices.ts';
import { CountColumn, finishColumns, GrowableColumn, growableTable } from '../../model/column.ts';
import type { CostTable } from '../../model/head.ts';
import type { Analysis } from './analysis.ts';
import type { MergedLines } from './costing.ts';

/** Lines with their costs, of one routine or of all. */
export interface LineCosts extends Omit<MergedLines, 'costs' | 'recorded'> {
  readonly costs: CostTable;
}

/** Rows of a routine are adjacent, sorted by file, then line. */
export interface AllLines extends LineCosts {
  readonly routine: Uint32Array;
}

export const allLines = memoInBackground(function* ({ profile, costing }: Analysis): Sliced<AllLines> {
  const rows = growableTable({ routine: Uint32Array, line: Uint32Array, file: Int32Array });
  const [sides, estimated] = [new GrowableColumn(Uint8Array), new GrowableColumn(Uint8Array)];
  const costs = Array.from({ length: profile.columns }, () => new CountColumn());
  for (let r = 0; r < profile.routines.name.length; r++) {
    const of = costing.lines({ routine: r });
    for (let at = 0; at < of.line.length; at++) {
      rows.routine.push(r);
      rows.line.push(of.line[at]);
      rows.file.push(of.file[at]);
      if (of.sides) sides.push(of.sides[at]);
      if (of.estimated) estimated.push(of.estimated[at]);
    }
    for (const [c, column] of costs.entries()) for (const cost of of.costs[c]) column.push(cost);
    yield;
  }
  return {
    ...finishColumns(rows),
    costs: costs.map((column) => column.done()),
    // Either all routines have this column or none has.
    ...(sides.length > 0 ? { sides: sides.done() } : {}),
    ...(estimated.length > 0 ? { estimated: estimated.done() } : {}),
  };
}, 2);
