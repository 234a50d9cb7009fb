// A call from a line or an instruction: how it reads in the listing, and in JSON.

import { shownCount } from '../analysis/answers/compared/measure.ts';
import type { LineCalls } from '../analysis/answers/costing.ts';
import type { Cell } from '../base/style.ts';
import { formatCount, formatShort, plural } from '../base/units.ts';
import type { ColumnContext, Json } from './column.ts';
import { costsByName, countAt, isNarrow, sidesAt } from './costs.ts';
import { nameCell, routineKey } from './names.ts';

/** The callee, marked if the call stays in the routine or its cycle, and how often and from how many places it is called. */
export function calleeText(c: ColumnContext, calls: LineCalls | undefined, of: number): string | Cell {
  if (!calls) return '';
  const mark = calls.inside[of] ? '↻ ' : '';
  const n = shownCount(
    c.analysis,
    c.event.measure === 'before' ? 'before' : 'now',
    calls.count[of],
    calls.costs.at(-1)?.[of] ?? 0,
  );
  // A callee that is gone is called from nowhere now.
  const counted = c.medium === 'screen' || c.analysis.before ? n > 0 : c.analysis.costing.can.has('counts');
  const sites = calls.sites[of];
  // How often inlined code runs is not recorded, and no address is the call's.
  const isInlined = Number.isNaN(calls.count[of]);
  const places = !isInlined && sites > 1 ? [`${formatCount(sites)} call sites`] : [];
  const said = isInlined ? ['inlined'] : [...(counted ? [plural(n, 'call')] : []), ...places];
  const short = counted && !isInlined ? ` ×${formatShort(n)}` : '';
  const after = isNarrow(c) ? short : said.length > 0 ? ` (${said.join(' from ')})` : '';
  if (c.medium === 'text') return nameCell(c, calls.callee[of], { before: `=> ${mark}`, after });
  return nameCell(c, calls.callee[of], { before: `  ⇒ ${mark}`, after, style: 'call' });
}

/** The records of calls; of two runs, those that the context's run has. */
export function callRecords(c: ColumnContext, calls: LineCalls, rows: readonly number[]): { readonly [key: string]: Json }[] {
  const side = c.side === 'before' ? 2 : 1;
  const here = c.analysis.before ? rows.filter((i) => sidesAt(calls.sides, i).in & side) : rows;
  return here.map((i) => callRecord(c, calls, i));
}

function callRecord(c: ColumnContext, calls: LineCalls, i: number): { readonly [key: string]: Json } {
  const { analysis } = c;
  return {
    callee: routineKey(analysis, calls.callee[i]),
    count: analysis.costing.can.has('counts') ? countAt(c, calls.count, calls.costs, i) : null,
    inclusive: costsByName(analysis.events, calls.costs, i, calls.estimated?.[i] === 1),
    sites: calls.sites[i],
    recursive: calls.inside[i] === 1,
    ...(calls.estimated?.[i] === 1 ? { estimated: true } : {}),
  };
}
