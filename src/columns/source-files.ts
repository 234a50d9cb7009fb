// The files that a routine has code in, with their costs.

import type { AnnotatedFile } from '../analysis/answers/annotate.ts';
import { inclusiveOfFile, selfOfFile } from '../analysis/answers/hot-lines.ts';
import { fileName, UNKNOWN_NAME } from '../analysis/names/names.ts';
import { type CostTable, eventValue, exactValue } from '../model/head.ts';
import { displayColumn } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';
import { costColumnLayout, costText, markWidth, shareCell, shareColumn } from './costs.ts';

const isEstimated = ({ estimated }: AnnotatedFile, what: 'self' | 'inclusive') => estimated?.[what].includes(1) ?? false;

export function fileColumns(c: ColumnContext, withCalls: boolean): Column<AnnotatedFile>[] {
  // One sample may count in several lines of a file, so the lines' inclusive costs do not add up.
  const inclusive = withCalls && !c.analysis.costing.can.has('stacks');
  const cost = (what: 'self' | 'inclusive', title: string, rank: number, costs: (f: AnnotatedFile) => CostTable) => [
    displayColumn<AnnotatedFile>(what, (f) => costText(c, exactValue(c.event, costs(f), 0), isEstimated(f, what)), {
      ...costColumnLayout(c, title, c.event, markWidth(c, what)),
      rank,
    }),
    ...shareColumn<AnnotatedFile>(c, `${what}%`, (f) => shareCell(c, eventValue(c.event, costs(f), 0)), { rank: 7 }),
  ];
  return [
    ...cost('self', 'self', 8, selfOfFile),
    ...(inclusive ? cost('inclusive', 'incl', 6, inclusiveOfFile) : []),
    displayColumn('file', (f) => fileName(c.analysis.profile, f.file) || UNKNOWN_NAME, {
      title: 'file with code of the routine',
      width: c.width < 70 ? 16 : 30,
      flex: 1,
      cut: 'start',
      rank: 9,
    }),
  ];
}
