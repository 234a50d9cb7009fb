// Columns that several reports have.
import { wholeOf } from '../analysis/analysis.ts';
import { UNKNOWN } from '../analysis/names.ts';
import { formatCost, formatCount, formatPercent } from '../base/units.ts';
import { costOf, type ReportColumn, type ReportContext, type Row } from './report.ts';

/** The cost in the chosen event, and its share of the whole. */
export function costColumns(
  context: ReportContext,
  key: string,
  title: string,
  mark: (row: Row) => string = () => '',
): ReportColumn[] {
  const { analysis, event } = context;
  const whole = wholeOf(analysis, event);
  return [
    { title, align: 'right', cell: (row) => mark(row) + formatCost(costOf(row, key, event), event.unit) },
    { title: '%', align: 'right', cell: (row) => (event.per ? '' : formatPercent(Number(costOf(row, key, event)), whole)) },
  ];
}

export const callsColumn: ReportColumn = {
  title: 'calls',
  align: 'right',
  cell: (row) => (row['calls'] === null || row['calls'] === undefined ? '?' : formatCount(row['calls'] as number)),
};

export function textColumn(key: string, title: string, flex?: 'end' | 'start' | 'middle'): ReportColumn {
  return { title, align: 'left', cell: (row) => blank(row[key] as string | null), ...(flex ? { flex } : {}) };
}

export function numberColumn(key: string, title: string): ReportColumn {
  return {
    title,
    align: 'right',
    cell: (row) => (row[key] === null || row[key] === undefined ? '' : formatCount(row[key] as number)),
  };
}

export function blank(text: string | null | undefined): string {
  return text ? text : UNKNOWN;
}

/** Where a routine is: its file, and its object where there is room, or where the profile knows no files. */
export function placeColumns(context: ReportContext): ReportColumn[] {
  const object = textColumn('object', 'object', 'start');
  return context.analysis.profile.files.name.length === 0
    ? [object]
    : [textColumn('file', 'file', 'start'), { ...object, from: 120 }];
}

/** Line number; 0 is unknown. */
export const lineColumn: ReportColumn = {
  title: 'line',
  align: 'right',
  cell: (row) => (row['line'] === 0 ? '?' : String(row['line'])),
};
