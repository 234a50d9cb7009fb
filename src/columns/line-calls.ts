// A call from a line or an instruction: how it reads in the listing, and in JSON.
import type { LineCalls } from '../analysis/costing.ts';
import type { Cell } from '../base/style.ts';
import { formatCount, formatShort, plural } from '../base/units.ts';
import type { ColumnContext, Json } from './column.ts';
import { costsByName, isNarrow } from './costs.ts';
import { nameCell, routineKey } from './names.ts';

/** The callee, marked if the call stays in the routine or its cycle, and how often and from how many places it is called. */
export function calleeText(c: ColumnContext, calls: LineCalls | undefined, of: number): string | Cell {
  if (!calls) return '';
  const mark = calls.inside[of] ? (c.ascii && c.medium === 'screen' ? '(rec) ' : '↻ ') : '';
  const n = calls.count[of];
  const counted = c.medium === 'screen' ? n > 0 : c.analysis.costing.can.has('counts');
  const sites = calls.sites[of];
  const said = [...(counted ? [plural(n, 'call')] : []), ...(sites > 1 ? [`${formatCount(sites)} call sites`] : [])];
  const short = counted ? ` ${c.ascii ? 'x' : '×'}${formatShort(n)}` : '';
  const after = isNarrow(c) ? short : said.length > 0 ? ` (${said.join(' from ')})` : '';
  if (c.medium === 'text') return nameCell(c, calls.callee[of], { before: `=> ${mark}`, after });
  return nameCell(c, calls.callee[of], { before: `  ${c.ascii ? '=>' : '⇒'} ${mark}`, after, style: 'call' });
}

export function callRecord({ analysis }: ColumnContext, calls: LineCalls, i: number): { readonly [key: string]: Json } {
  return {
    callee: routineKey(analysis, calls.callee[i]),
    count: analysis.costing.can.has('counts') ? calls.count[i] : null,
    inclusive: costsByName(analysis.events, calls.costs, i),
    sites: calls.sites[i],
    recursive: calls.inside[i] === 1,
  };
}
