// A view that is a table of rows, sorted by its columns: for tables that are nothing more.

import type { Analysis } from '../../analysis/analysis.ts';
import { type Matcher, taking } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import type { TableName } from '../../model/profile.ts';
import type { Binding, View, ViewContext } from '../view.ts';
import { at, LIST_KEYS, type List, moveList, SHIFT_KEYS, START } from './list.ts';
import { type Cell, type Column, drawTable } from './table.ts';

export interface RowsState {
  readonly list: List;
  /** Place of the column that rows are sorted by; -1 for the order that they come in. */
  readonly sort: number;
  readonly descending: boolean;
  /** Place in the spec's variants. */
  readonly variant: number;
}

export interface RowColumn<T> extends Omit<Column, 'sorted'> {
  readonly cell: (row: T, context: ViewContext) => string | Cell;
  /** What it sorts by: numbers descend first, texts ascend. */
  readonly key?: (row: T, context: ViewContext) => number | string;
}

export interface RowsSpec<T> {
  readonly id: string;
  readonly title: string;
  readonly digit: string;
  readonly requires: readonly TableName[];
  readonly comparing?: boolean;
  readonly report: string;
  readonly empty: string;
  /** The rows in their own order; remembered by the analysis. */
  readonly rows: (analysis: Analysis, base: Analysis | undefined, variant: number) => readonly T[];
  /** Other tables of the same columns, by name; the key goes on to the next. */
  readonly variants?: readonly string[];
  readonly columns: (context: ViewContext, variant: number) => readonly RowColumn<T>[];
  /** Texts that filter and search look at, the first is the row's name. */
  readonly texts: (row: T, context: ViewContext) => readonly string[];
  readonly detail: (row: T, context: ViewContext) => string;
  readonly mode?: (rows: readonly T[], context: ViewContext, variant: number) => string;
  /** The step or process that a row is of; Enter shows it in `stepView`. */
  readonly step?: (row: T) => number;
  /** The step whose row stands for a step that has none of its own. */
  readonly rowOf?: (step: number, context: ViewContext) => number;
  readonly stepView?: 'step' | 'process';
}

export function rowsView<T>(spec: RowsSpec<T>): View<RowsState> {
  const { stepView = 'step' } = spec;
  const sorted = memo(
    (
      analysis: Analysis,
      matcher: Matcher | undefined,
      sort: number,
      descending: boolean,
      variant: number,
      context: ViewContext,
    ): readonly T[] => {
      const all = spec.rows(analysis, context.base, variant);
      const rows = matcher ? all.filter(taking(matcher, all, (r) => spec.texts(r, context))) : all;
      const key = sort < 0 ? undefined : spec.columns(context, variant)[sort]?.key;
      if (!key) return rows;
      const keyed = rows.map((row) => ({ row, key: key(row, context) }));
      const sign = descending ? -1 : 1;
      // Unknown numbers stand last either way.
      const place = (v: number | string) =>
        typeof v === 'number' && Number.isNaN(v) ? Number.NEGATIVE_INFINITY * (descending ? 1 : -1) : v;
      keyed.sort((a, b) => {
        const [x, y] = [place(a.key), place(b.key)];
        return x < y ? -sign : x > y ? sign : 0;
      });
      return keyed.map((k) => k.row);
    },
    2,
  );
  // Contexts are made anew for every key; what the rows hang on is in the other arguments.
  let last: ViewContext | undefined;
  const rowsIn = (state: RowsState, c: ViewContext) => {
    if (!last || last.analysis !== c.analysis || last.base !== c.base) last = c;
    return sorted(c.analysis, c.matcher, state.sort, state.descending, state.variant, last);
  };
  const sortable = (c: ViewContext) => spec.columns(c, 0).flatMap((column, i) => (column.key ? [i] : []));
  const enter: readonly Binding<RowsState>[] = spec.step
    ? [{ keys: ['enter'], action: { type: 'enter' }, help: `the ${stepView} in full`, group: 'view', footer: stepView }]
    : [];
  const variant: readonly Binding<RowsState>[] = spec.variants
    ? [{ keys: ['o'], action: { type: 'variant' }, help: `group by ${spec.variants.join(', ')}`, group: 'show', footer: 'group' }]
    : [];
  const keys: readonly Binding<RowsState>[] = [
    ...(LIST_KEYS as readonly Binding<RowsState>[]),
    ...(SHIFT_KEYS as readonly Binding<RowsState>[]),
    ...enter,
    ...variant,
    { keys: ['s', '>'], action: { type: 'sort-next', by: 1 }, help: 'sort by the next column', group: 'show', footer: 'sort' },
    { keys: ['<'], action: { type: 'sort-next', by: -1 }, help: 'sort by the column before', group: 'show' },
    { keys: ['r'], action: { type: 'reverse' }, help: 'reverse the order', group: 'show' },
  ];
  const view: View<RowsState> = {
    id: spec.id,
    title: spec.title,
    digit: spec.digit,
    requires: spec.requires,
    ...(spec.comparing ? { comparing: true } : {}),
    report: spec.report,
    keys,
    init: () => ({ list: START, sort: -1, descending: true, variant: 0 }),
    update(state, action, c) {
      let next = state;
      if (action.type === 'sort-next') {
        const choices = [-1, ...sortable(c)];
        const sort = choices[(choices.indexOf(state.sort) + (action['by'] as number) + choices.length) % choices.length];
        const first = spec.rows(c.analysis, c.base, state.variant)[0];
        const text = sort >= 0 && first !== undefined && typeof spec.columns(c, state.variant)[sort].key!(first, c) === 'string';
        next = { ...state, sort, descending: !text, list: START };
      } else if (action.type === 'variant')
        next = { ...state, variant: (state.variant + 1) % (spec.variants?.length ?? 1), list: START };
      else if (action.type === 'reverse')
        next = { ...state, descending: !state.descending, sort: state.sort < 0 ? (sortable(c)[0] ?? -1) : state.sort };
      const rows = rowsIn(next, c);
      if (action.type === 'find-step') {
        const wanted = spec.rowOf?.(action['step'] as number, c) ?? action['step'];
        const row = rows.findIndex((r) => spec.step?.(r) === wanted);
        return row < 0 ? next : { ...next, list: at(next.list, row, rows.length, c.height - 1) };
      }
      return { ...next, list: moveList(next.list, action, rows.length, c.height - 1) };
    },
    draw(state, c) {
      const rows = rowsIn(state, c);
      const columns = spec.columns(c, state.variant);
      const table = {
        columns: columns.map(
          ({ cell: _, key: __, ...column }, i): Column => ({
            ...column,
            sorted: i === state.sort ? (state.descending ? 'desc' : 'asc') : undefined,
          }),
        ),
        rows: rows.length,
        cells: (row: number) => columns.map((column) => column.cell(rows[row], c)),
        empty: c.filter ? `nothing matches ${c.filter}` : spec.empty,
      };
      return drawTable(table, state.list, c.width, c.height, c.ascii);
    },
    rows: (state, c) => rowsIn(state, c).length,
    cursor: (state) => state.list.cursor,
    moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsIn(state, c).length, c.height - 1) }),
    rowText: (state, row, c) => spec.texts(rowsIn(state, c)[row], c)[0] ?? '',
    routineAt: () => -1,
    asks: (_, action) => (action.type === 'enter' && spec.step ? { type: 'view', id: stepView } : undefined),
    detail(state, c) {
      const row = rowsIn(state, c)[state.list.cursor];
      return row === undefined ? '' : spec.detail(row, c);
    },
    mode: (state, c) => spec.mode?.(rowsIn(state, c), c, state.variant) ?? '',
  };
  const { step } = spec;
  if (!step) return view;
  return {
    ...view,
    stepAt(state, c) {
      const row = rowsIn(state, c)[state.list.cursor];
      return row === undefined ? -1 : step(row);
    },
  };
}
