// Two runs side by side: the state of a row in each, and its values in the base.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { measured, shownCount } from '../analysis/answers/compared/measure.ts';
import { routineName } from '../analysis/names/names.ts';
import type { Cell } from '../base/style.ts';
import { formatCount, formatShort, formatSigned } from '../base/units.ts';
import type { Kind } from '../model/profile.ts';
import { MATCHES } from '../model/profile.ts';
import type { Column, ColumnContext, Json, RowSides, Table } from './column.ts';
import { isNarrow } from './costs.ts';

export type State = 'both' | 'new' | 'gone' | 'renamed';

export function stateOf(sides: RowSides): State {
  if (sides.in === 1) return 'new';
  if (sides.in === 2) return 'gone';
  return sides.renamed ? 'renamed' : 'both';
}

/** Which of the runs has a routine, and what it is called in the base. */
export function routineSides({ analysis }: ColumnContext, routine: number): RowSides {
  const { compared } = analysis.profile;
  if (!compared || routine < 0) return { in: 3 };
  const match = MATCHES[compared.match[routine]];
  const name = match === 'renamed' || match === 'clone' ? routineName(compared.before, routine) : undefined;
  return { in: compared.routineSides[routine], ...(match === 'renamed' ? { renamed: true } : {}), name };
}

/** For people: new, gone or renamed, where a difference is shown. `sides`: undefined for rows that are no things of a run. */
export function stateColumn<Row>(c: ColumnContext, sides: (row: Row) => RowSides | undefined): Column<Row>[] {
  if (!showsChange(c)) return [];
  const text = (row: Row): string | Cell => {
    const at = sides(row);
    const state = at ? stateOf(at) : 'both';
    if (state === 'both') return '';
    const word = state === 'renamed' ? 'name' : state;
    return { text: word, own: [word, ''], style: state === 'gone' ? 'dim' : 'warm' };
  };
  return [{ id: 'state', title: '', width: 4, rank: 8, text }];
}

/** Whether the context shows a difference. */
export const showsChange = ({ event }: ColumnContext): boolean => event.measure === 'delta' || event.measure === 'percent';

/** The difference of two counts of calls. */
export function countChange(c: ColumnContext, now: number, before: number): string {
  const change = shownCount(c.analysis, 'delta', now, before);
  return isNarrow(c) ? `${change > 0 ? '+' : ''}${formatShort(change)}` : formatSigned(change);
}

/** A count of calls in the run that is shown, or the difference. */
export function countText(c: ColumnContext, now: number, before: number, estimated = false): string {
  const mark = estimated ? '≈' : '';
  if (showsChange(c)) return mark + countChange(c, now, before);
  const count = shownCount(c.analysis, c.event.measure, now, before);
  return mark + (isNarrow(c) ? formatShort(count) : formatCount(count));
}

/** The heading of counts of calls, and their width. */
export const callsTitle = (c: ColumnContext): string => (!showsChange(c) ? 'calls' : 'Δ calls');

/** The context with values of the base in place of this run's. */
function beforeContext<K extends Kind>(c: ColumnContext<K>): ColumnContext<K> {
  const { analysis } = c;
  const events = analysis.events.map((event) => measured(analysis, event, 'before'));
  const then: Analysis<K> = {
    profile: analysis.profile,
    events,
    partsOff: analysis.partsOff,
    costing: analysis.costing,
    before: analysis.before,
    get totals() {
      return analysis.totals;
    },
    get edges() {
      return analysis.edges;
    },
  };
  return { ...c, analysis: then, event: measured(analysis, c.event, 'before'), side: 'before' };
}

/** The columns that are measured, with the values of the base. */
function valuesBefore<Row, K extends Kind>(table: Table<Row, K>, c: ColumnContext<K>): Column<Row>[] {
  return table.columns(beforeContext(c)).filter((column) => column.measured && column.value);
}

/** The machine-readable columns of two runs, beside those of one: `base` and `state`. None if a table says it by itself. */
export function comparedColumns<Row, K extends Kind>(table: Table<Row, K>, c: ColumnContext<K>): Column<Row>[] {
  const { sides } = table;
  if (!c.analysis.before || !sides) return [];
  const then = valuesBefore(table, c);
  const base = (row: Row): Json => {
    const at = sides.call(table, c, row);
    if (at.in === 1) return null;
    return {
      ...(at.name === undefined ? {} : { routine: at.name }),
      ...Object.fromEntries(then.map(({ id, value }) => [id, value?.(row)])),
    };
  };
  return [
    { id: 'base', title: 'base', value: base },
    { id: 'state', title: 'state', value: (row) => stateOf(sides.call(table, c, row)) },
  ];
}

/** The same for CSV and TSV, whose cells are all of one row: what the base does not have is 0 there. */
export function separateColumns<Row, K extends Kind>(table: Table<Row, K>, c: ColumnContext<K>): Column<Row>[] {
  const state = comparedColumns(table, c).filter(({ id }) => id === 'state');
  if (state.length === 0) return [];
  return [...valuesBefore(table, c).map((column) => ({ ...column, id: `base.${column.id}` })), ...state];
}
