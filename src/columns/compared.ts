// Two runs side by side: the state of a row in each, and its values in the base.

import { buildAnalysis } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { countInMeasure, eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { exportedName } from '../analysis/names/names.ts';
import { findOffersUnasked } from '../analysis/profiles/compare/offered.ts';
import { memo } from '../base/lists.ts';
import type { TableCell } from '../base/style.ts';
import { formatCount, formatShort } from '../base/units.ts';
import { isChange } from '../model/head.ts';
import { type Kind, MATCH_KINDS } from '../model/profile.ts';
import { type Column, type ColumnContext, type Json, onScreen, type RowSides, type TableColumns } from './column.ts';
import { isNarrow } from './costs.ts';

export function rowStateOf(sides: RowSides): 'both' | 'new' | 'gone' | 'renamed' {
  if (sides.in === 1) return 'new';
  if (sides.in === 2) return 'gone';
  return sides.renamed ? 'renamed' : 'both';
}

/** The routines of one run that are probably the same as one of the other. */
const offeredRoutines = memo(
  (analysis: Analysis): ReadonlySet<number> => new Set(findOffersUnasked(analysis).flatMap(({ now, removed }) => [now, removed])),
);

/** Whether a routine that only one run has is probably one of the other run. */
export const isGuess = ({ analysis }: Pick<ColumnContext, 'analysis'>, routine: number): boolean =>
  analysis.profile.compared !== undefined && offeredRoutines(analysis).has(routine);

/** The runs that have a routine, and the routine's name in the base. */
export function routineSides(c: ColumnContext, routine: number): RowSides {
  const { compared } = c.analysis.profile;
  if (!compared || routine < 0) return { in: 3 };
  const match = MATCH_KINDS[compared.match[routine]];
  const name = match === 'renamed' || match === 'clone' ? exportedName(compared.before, routine) : undefined;
  return {
    in: compared.routineSides[routine],
    ...(match === 'renamed' ? { renamed: true } : {}),
    ...(c.medium === 'screen' && isGuess(c, routine) ? { guess: true } : {}),
    name,
  };
}

/** The column that marks rows as new, gone or renamed; only if a difference is shown. `sides` returns undefined for groups. */
export function stateColumn<Row>(
  c: ColumnContext,
  sides: (row: Row) => RowSides | undefined,
  ownWord?: (row: Row) => string | undefined,
): Column<Row>[] {
  if (!showsChange(c)) return [];
  const text = (row: Row): string | TableCell => {
    const rowSides = sides(row);
    const state = rowSides ? rowStateOf(rowSides) : 'both';
    if (state === 'both') return '';
    const word = ownWord?.(row) ?? (state === 'renamed' ? 'name' : state) + (rowSides?.guess ? '?' : '');
    return { text: word, own: [word, ''], style: state === 'gone' ? 'dim' : 'warm' };
  };
  return [{ id: 'state', title: '', width: ownWord ? 7 : onScreen(c, 5, 4), rank: 8, text }];
}

/** Whether the context shows the difference of two runs. */
export const showsChange = ({ event }: ColumnContext): boolean => isChange(event);

export function callCountChangeText(c: ColumnContext, now: number, before: number): string {
  const change = countInMeasure(c.analysis, 'delta', now, before);
  return `${change > 0 ? '+' : ''}${isNarrow(c) ? formatShort(change) : formatCount(change)}`;
}

/** The call count of the shown run, or the difference of both runs, as text. */
export function callCountText(c: ColumnContext, now: number, before: number, estimated = false): string {
  const mark = estimated ? '≈' : '';
  if (showsChange(c)) return mark + callCountChangeText(c, now, before);
  const count = countInMeasure(c.analysis, c.event.measure, now, before);
  return mark + (isNarrow(c) ? formatShort(count) : formatCount(count));
}

export const callsTitle = (c: ColumnContext): string => (!showsChange(c) ? 'calls' : 'Δ calls');

/** The context with the base's values instead of this run's. */
function baseContext<K extends Kind>(c: ColumnContext<K>): ColumnContext<K> {
  const { analysis } = c;
  const { profile, partsOff, costing, before } = analysis;
  const events = analysis.events.map((event) => eventInMeasure(analysis, event, 'before'));
  const baseAnalysis = buildAnalysis<K>({ profile, events, partsOff, costing, before });
  return { ...c, analysis: baseAnalysis, event: eventInMeasure(analysis, c.event, 'before'), side: 'before' };
}

const baseValueColumns = <Row, K extends Kind>(table: TableColumns<Row, K>, c: ColumnContext<K>): Column<Row>[] =>
  table.columns(baseContext(c)).filter((column) => column.measured && column.value);

/** The columns `base` and `state` for machines, if there are two runs. None for tables without `sides`. */
export function comparedColumns<Row, K extends Kind>(table: TableColumns<Row, K>, c: ColumnContext<K>): Column<Row>[] {
  const { sides } = table;
  if (!c.analysis.before || !sides) return [];
  const baseColumns = baseValueColumns(table, c);
  const base = (row: Row): Json => {
    const rowSides = sides.call(table, c, row);
    if (rowSides.in === 1) return null;
    return {
      ...(rowSides.name === undefined ? {} : { routine: rowSides.name }),
      ...Object.fromEntries(baseColumns.map(({ id, value }) => [id, value?.(row)])),
    };
  };
  return [
    { id: 'base', title: 'base', value: base },
    { id: 'state', title: 'state', value: (row) => rowStateOf(sides.call(table, c, row)) },
  ];
}

/** The columns of both runs for CSV and TSV: `base.X` for each measured column X, and `state`. */
export function flatComparedColumns<Row, K extends Kind>(table: TableColumns<Row, K>, c: ColumnContext<K>): Column<Row>[] {
  const state = comparedColumns(table, c).filter(({ id }) => id === 'state');
  if (state.length === 0) return [];
  return [...baseValueColumns(table, c).map((column) => ({ ...column, id: `base.${column.id}` })), ...state];
}
