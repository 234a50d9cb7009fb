// Cost cells: numbers, shares, and how wide their columns must be.
import { type Analysis, wholeOf } from '../../analysis/analysis.ts';
import { memo } from '../../base/memo.ts';
import { type Exact, formatCost, formatPercent, formatShort, formatShortCost } from '../../base/units.ts';
import { eventColumn } from '../../model/event-value.ts';
import type { Event } from '../../model/profile.ts';
import type { ViewContext } from '../view.ts';
import type { Cell, Column } from './table.ts';
import { heat } from './table.ts';

/** Cells that the longest number of the event takes in this profile: a number is never cut. */
const widest = memo((analysis: Analysis, event: Event): number => {
  if (event.per) return 8;
  let most = wholeOf(analysis, event);
  let least = 0;
  for (const costs of [analysis.totals.self, analysis.totals.inclusive]) {
    const values = eventColumn(event, costs, analysis.profile.routines.name.length);
    for (let i = 0; i < values.length; i++) {
      if (values[i] > most) most = values[i];
      if (values[i] < least) least = values[i];
    }
  }
  return Math.max(5, formatCost(Math.round(most), event.unit).length, formatCost(Math.round(least), event.unit).length);
}, 8);

export function costWidth(context: ViewContext, event: Event = context.event): number {
  return widest(context.analysis, event);
}

export function costColumn(
  context: ViewContext,
  title: string,
  rank: number,
  sorted?: 'asc' | 'desc' | undefined,
  event?: Event,
): Column {
  // On narrow screens numbers are shortened to six cells: 1.23M.
  const width = context.width < 60 ? 6 : costWidth(context, event);
  return {
    title: title.slice(0, Math.max(width, 4)),
    width: Math.max(width, Math.min(title.length + 1, 10)),
    align: 'right',
    rank,
    sorted,
  };
}

export function costText(context: ViewContext, value: Exact, estimated = false, event: Event = context.event): string {
  const mark = estimated ? (context.ascii ? '~' : '≈') : '';
  if (typeof value === 'number' && !Number.isInteger(value)) {
    if (estimated) value = Math.round(value);
    else if (event.unit !== 'ns' && event.unit !== 'us') return context.width < 60 ? formatShort(value) : value.toPrecision(5);
  }
  return mark + (context.width < 60 ? formatShortCost(Number(value), event.unit) : formatCost(value, event.unit));
}

export const PERCENT_COLUMN: Column = { title: '%', width: 7, align: 'right', rank: 8 };

/** The share of the whole, or of `parent` in that mode; styled by the share of the whole. */
export function percentCell(context: ViewContext, value: number, parent?: number): Cell {
  if (context.percent === 'none' || context.event.per) return { text: '' };
  const whole = wholeOf(context.analysis, context.event);
  const of = context.percent === 'parent' && parent !== undefined ? parent : whole;
  return { text: formatPercent(value, of), style: heat(value / whole) };
}
