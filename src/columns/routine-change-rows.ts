// The columns of the changes of routines: what they were, what they are, and the difference.

import { measured } from '../analysis/answers/compared/measure.ts';
import { routineFile, routineObject } from '../analysis/names/names.ts';
import { formatChange } from '../base/units.ts';
import { type CostTable, eventValue, exactValue } from '../model/event-value.ts';
import type { Measure } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { shown } from './builders.ts';
import type { Column, ColumnContext, Json, Table } from './column.ts';
import { callsTitle, countChange, routineSides, stateColumn, stateOf } from './compared.ts';
import { costCell, costRoom, costsByName, costText, countAt, markRoom, shareCell, shareColumn } from './costs.ts';
import { nameCell, routineKey } from './names.ts';

/** Rows are routines. */
export const routineChangeTable: Table<number, Kind> = {
  keys: ['routine', 'file', 'object', 'state', 'before', 'now', 'delta'],
  columns: (c) => [...costColumns(c), ...nameColumns(c), ...recordColumns(c)],
};

/** The measurements of a routine, as JSON. */
function record(c: ColumnContext, measure: Measure, routine: number): Json {
  const { analysis } = c;
  const { totals, costing, events } = analysis;
  const shown = events.filter((e) => !e.per).map((event) => measured(analysis, event, measure));
  const costs = (table: CostTable): Json => costsByName(shown, table, routine);
  const calls = (side: 'now' | 'before') =>
    countAt({ ...c, ...(side === 'before' ? { side } : {}) }, totals.calls, totals.inclusive, routine);
  const count = measure === 'delta' ? calls('now') - calls('before') : calls(measure === 'before' ? 'before' : 'now');
  return {
    calls: costing.can.has('counts') ? count : null,
    self: costing.can.has('self') ? costs(totals.self) : null,
    inclusive: costing.can.has('inclusive') ? costs(totals.inclusive) : null,
  };
}

function recordColumns(c: ColumnContext): Column<number>[] {
  return [
    { id: 'state', title: 'state', value: (r) => stateOf(routineSides(c, r)) },
    { id: 'before', title: 'before', value: (r) => record(c, 'before', r) },
    { id: 'now', title: 'now', value: (r) => record(c, 'now', r) },
    { id: 'delta', title: 'delta', value: (r) => record(c, 'delta', r) },
  ];
}

function costColumns(c: ColumnContext): Column<number>[] {
  const { analysis } = c;
  const { self, inclusive, calls } = analysis.totals;
  const [delta, before, now, percent] = (['delta', 'before', 'now', 'percent'] as const).map((m) =>
    measured(analysis, c.event, m),
  );
  const inDelta: ColumnContext = { ...c, event: delta };
  const key = (costs: CostTable) => (r: number) => Math.abs(eventValue(delta, costs, r));
  const side = (event: typeof delta, title: string): Column<number> => ({
    ...costRoom(c, title, event, markRoom(c, 'self')),
    title,
    id: `${title}Self`,
    text: (r) => costText(c, exactValue(event, self, r), guessed('self', r), event),
  });
  const guessed = (what: 'self' | 'inclusive', r: number) => analysis.totals.estimated?.[what][r] === 1;
  const alone = (r: number) => routineSides(c, r).in !== 3;
  return [
    { ...costRoom(inDelta, 'self'), id: 'self', text: (r) => costCell(inDelta, self, r, guessed('self', r)), key: key(self) },
    ...shareColumn<number>(inDelta, 'self%', (r) => shareCell(inDelta, eventValue(delta, self, r))),
    shown('change%', (r) => (alone(r) ? '' : formatChange(eventValue(percent, self, r))), { title: 'Δ%', align: 'right' }),
    side(before, 'before'),
    side(now, 'now'),
    ...(analysis.costing.can.has('inclusive')
      ? [
          shown('inclusive', (r: number) => costCell(inDelta, inclusive, r, guessed('inclusive', r)), {
            ...costRoom(inDelta, 'inclusive'),
            key: key(inclusive),
          }),
        ]
      : []),
    ...(analysis.costing.can.has('counts')
      ? [
          shown('calls', (r: number) => countChange(c, calls[r], inclusive[inclusive.length - 1][r]), {
            title: callsTitle(inDelta),
            align: 'right' as const,
            key: (r: number) => Math.abs(calls[r] - inclusive[inclusive.length - 1][r]),
          }),
        ]
      : []),
    ...stateColumn<number>(inDelta, (r) => routineSides(c, r)),
  ];
}

function nameColumns(c: ColumnContext): Column<number>[] {
  const { profile } = c.analysis;
  return [
    shown('routine', (r) => nameCell(c, r), {
      flex: 1,
      cut: 'middle',
      key: (r) => routineKey(c.analysis, r).routine,
      value: (r) => routineKey(c.analysis, r).routine,
    }),
    { id: 'file', title: 'file', value: (r) => routineFile(profile, r) },
    { id: 'object', title: 'object', value: (r) => routineObject(profile, r) },
  ];
}
