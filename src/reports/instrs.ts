// The instrs report: self cost by instruction.
import { jumpsOfRoutine } from '../analysis/jumps.ts';
import { instrsOfRoutine } from '../analysis/lines.ts';
import { routineObject } from '../analysis/names.ts';
import { formatAddress } from '../base/units.ts';
import { costColumns, lineColumn, textColumn } from './cells.ts';
import { costsByName, type Json, type Report, type Row, routineKey } from './report.ts';
import { routineMatches, sortedRoutines } from './routines.ts';

export const instrs: Report = {
  name: 'instrs',
  title: 'self cost by instruction, with jumps',
  requires: ['instrs'],
  sorts: ['self', 'inclusive', 'calls', 'routine', 'file', 'object'],
  *rows(context) {
    const { analysis, routine } = context;
    const { profile } = analysis;
    let left = context.limit;
    const order = routine === undefined ? sortedRoutines(context) : [routine];
    for (const r of order) {
      if (!routineMatches(context, r)) continue;
      const merged = instrsOfRoutine(analysis, r);
      const jumps = jumpsOfRoutine(analysis, r);
      const key = routineKey(analysis, r);
      const object = routineObject(profile, r);
      const text = object && routine !== undefined ? context.instrText(object, key.routine) : undefined;
      for (let i = 0; i < merged.low.length; i++) {
        if (left-- <= 0) return;
        const address = formatAddress(merged.high[i], merged.low[i]);
        const row: Row = {
          routine: key.routine,
          address,
          line: merged.line[i],
          self: costsByName(analysis.events, merged.costs, i),
          ...(text ? { text: text.get(address) ?? null } : {}),
          jumps: (jumps.byAddress.get(address) ?? []).map(
            (j): Json => ({
              kind: j.conditional ? 'conditional' : 'unconditional',
              target: formatAddress(j.targetHigh, j.targetLow),
              line: j.targetLine,
              taken: j.taken,
              executed: j.executed,
            }),
          ),
        };
        yield row;
      }
    }
  },
  columns: (context) => [
    { title: 'address', align: 'right', cell: (row) => String(row['address']) },
    ...costColumns(context, 'self', 'self'),
    lineColumn,
    ...(context.routine === undefined ? [textColumn('routine', 'routine', 'middle')] : []),
    {
      title: 'jumps',
      align: 'left',
      flex: 'end',
      cell: (row) => {
        const text = typeof row['text'] === 'string' ? row['text'] + '  ' : '';
        const list = row['jumps'] as { kind: string; target: string; taken: number; executed: number }[];
        return text + list.map((j) => `→ ${j.target} ${j.taken}${j.kind === 'conditional' ? `/${j.executed}` : ''}`).join(', ');
      },
    },
  ],
};
