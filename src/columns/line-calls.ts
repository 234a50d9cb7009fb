// A call from a line or an instruction, in listings and in JSON.

import { countInMeasure } from '../analysis/answers/compared/measure.ts';
import type { LineCalls } from '../analysis/answers/costing.ts';
import type { TableCell } from '../base/style.ts';
import { formatCount, formatShort, plural } from '../base/units.ts';
import type { ColumnContext, Json } from './column.ts';
import { callCountAt, costsByName, isNarrow, rowSidesAt } from './costs.ts';
import { nameCell, routineKey } from './names.ts';

/** The callee of a call, with its numbers of calls and call sites. ↻ marks calls within the routine or its cycle. */
export function calleeText(c: ColumnContext, calls: LineCalls | undefined, of: number): string | TableCell {
  if (!calls) return '';
  const mark = calls.inside[of] ? '↻ ' : '';
  const side = c.event.measure === 'before' ? 'before' : 'now';
  const n = countInMeasure(c.analysis, side, calls.count[of], calls.costs.at(-1)?.[of] ?? 0);
  // With two runs, a callee that only the base calls has zero calls in this run.
  const counted = c.medium === 'screen' || c.analysis.before ? n > 0 : c.analysis.costing.can.has('counts');
  const sites = calls.sites[of];
  // Inlined calls have neither a count nor an address.
  const isInlined = Number.isNaN(calls.count[of]);
  const sitesPart = !isInlined && sites > 1 ? [`${formatCount(sites)} call sites`] : [];
  const parts = isInlined ? ['inlined'] : [...(counted ? [plural(n, 'call')] : []), ...sitesPart];
  const short = counted && !isInlined ? ` ×${formatShort(n)}` : '';
  const after = isNarrow(c) ? short : parts.length > 0 ? ` (${parts.join(' from ')})` : '';
  if (c.medium === 'text') return nameCell(c, calls.callee[of], { before: `=> ${mark}`, after });
  return nameCell(c, calls.callee[of], { before: `  ⇒ ${mark}`, after, style: 'call' });
}

/** The calls in these rows as JSON. With two runs, only the calls of the run that the context shows. */
export function callRecords(c: ColumnContext, calls: LineCalls | undefined, rows: readonly number[] = []): readonly Json[] {
  if (!calls) return [];
  const side = c.side === 'before' ? 2 : 1;
  const rowsOfRun = c.analysis.before ? rows.filter((i) => rowSidesAt(calls.sides, i).in & side) : rows;
  return rowsOfRun.map((i) => callRecord(c, calls, i));
}

function callRecord(c: ColumnContext, calls: LineCalls, i: number): { readonly [key: string]: Json } {
  const { analysis } = c;
  return {
    callee: routineKey(analysis, calls.callee[i]),
    count: analysis.costing.can.has('counts') ? callCountAt(c, calls.count, calls.costs, i) : null,
    inclusive: costsByName(analysis.events, calls.costs, i, calls.estimated?.[i] === 1),
    sites: calls.sites[i],
    recursive: calls.inside[i] === 1,
    ...(calls.estimated?.[i] === 1 ? { estimated: true } : {}),
  };
}
