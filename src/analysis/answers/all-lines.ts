// The lines of all routines as one table: merged a routine at a time, between keys.
import { Background } from '../../base/background.ts';
import { memo } from '../../base/memo.ts';
import { Counts, Grow } from '../../model/column.ts';
import type { CostTable } from '../../model/event-value.ts';
import type { Analysis } from './analysis.ts';
import type { MergedLines } from './costing.ts';

/** Lines with their costs: of one routine, or of all. */
export interface LineCosts extends Omit<MergedLines, 'costs' | 'recorded'> {
  readonly costs: CostTable;
}

/** Rows of a routine stand together, sorted by file, then line. */
export interface AllLines extends LineCosts {
  readonly routine: Uint32Array;
}

export const allLines = memo((analysis: Analysis) => new Background(merged(analysis)), 2);

function* merged({ profile, costing }: Analysis): Generator<undefined, AllLines> {
  const [routine, line, file] = [new Grow(Uint32Array), new Grow(Uint32Array), new Grow(Int32Array)];
  const [sides, estimated] = [new Grow(Uint8Array), new Grow(Uint8Array)];
  const costs = Array.from({ length: profile.columns }, () => new Counts());
  for (let r = 0; r < profile.routines.name.length; r++) {
    const of = costing.lines({ routine: r });
    for (let at = 0; at < of.line.length; at++) {
      routine.push(r);
      line.push(of.line[at]);
      file.push(of.file[at]);
      if (of.sides) sides.push(of.sides[at]);
      if (of.estimated) estimated.push(of.estimated[at]);
    }
    costs.forEach((column, c) => {
      for (const cost of of.costs[c]) column.push(cost);
    });
    yield;
  }
  return {
    routine: routine.done(),
    line: line.done(),
    file: file.done(),
    costs: costs.map((column) => column.done()),
    // Either all routines have them, or none.
    ...(sides.length > 0 ? { sides: sides.done() } : {}),
    ...(estimated.length > 0 ? { estimated: estimated.done() } : {}),
  };
}
