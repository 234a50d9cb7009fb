// A call from a line or an instruction: how it reads in the listing, and in JSON.
import type { LineCalls } from '../analysis/costing.ts';
import { routineName } from '../analysis/names.ts';
import type { Cell } from '../base/style.ts';
import { formatCount, formatShort, plural } from '../base/units.ts';
import type { ColumnContext, Json } from './column.ts';
import { costsByName, isNarrow } from './costs.ts';
import { routineKey } from './names.ts';

/** The callee, marked if the call stays in the routine or its cycle, and how often and from how many places it is called. */
export function calleeText(c: ColumnContext, calls: LineCalls | undefined, of: number): string | Cell {
  if (!calls) return '';
  const mark = c.ascii && c.medium === 'screen' ? '(rec) ' : '↻ ';
  const name = `${calls.inside[of] ? mark : ''}${routineName(c.analysis.profile, calls.callee[of])}`;
  const n = calls.count[of];
  const counted = c.medium === 'screen' ? n > 0 : c.analysis.costing.can.has('counts');
  const sites = calls.sites[of];
  const said = [...(counted ? [plural(n, 'call')] : []), ...(sites > 1 ? [`${formatCount(sites)} call sites`] : [])];
  const short = counted ? ` ${c.ascii ? 'x' : '×'}${formatShort(n)}` : '';
  const times = isNarrow(c) ? short : said.length > 0 ? ` (${said.join(' from ')})` : '';
  // Cut in the middle: the numbers at the end stay.
  if (c.medium === 'text') return { text: `=> ${name}${times}`, cut: 'middle' };
  return { text: `  ${c.ascii ? '=>' : '⇒'} ${name}${times}`, style: 'call', cut: 'middle' };
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
