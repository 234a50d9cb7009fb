// Tables whose rows are not the same things in two runs: steps, targets, processes. A row is what one run has, and its counterpart.
import type { Analysis } from '../analysis/answers/analysis.ts';
import type { Pair } from '../base/lists.ts';
import type { Cell } from '../base/style.ts';
import type { Kind } from '../model/profile.ts';
import { type Column, type ColumnContext, type Json, onScreen, type RowSides, type Table } from './column.ts';
import { stateColumn } from './compared.ts';
import type { Listing } from './listing.ts';
import { timeChange } from './times.ts';

const pairSides = ({ now, before }: Pair<unknown>): RowSides => ({
  in: (now === undefined ? 0 : 1) | (before === undefined ? 0 : 2),
});

type BaseOf<K extends Kind> = (context: ColumnContext<K>) => Analysis<K> | undefined;

/** A list as pairs of rows. `pairs` matches the rows of two runs; absent, rows of the same name belong together. */
export function paired<Row, K extends Kind>(
  list: Listing<Row, K>,
  baseOf: BaseOf<K>,
  pairs?: (context: ColumnContext<K>, base: Analysis<K> | undefined) => readonly Pair<Row>[],
): Listing<Pair<Row>, K> {
  const before = (c: ColumnContext<K>, base: Analysis<K>): ColumnContext<K> => ({ ...c, analysis: base, base: undefined });
  return {
    ...list,
    table: (c) => pairedTable(list.table(c), baseOf(c)),
    all(c) {
      const base = baseOf(c);
      return pairs?.(c, base) ?? pairsBy(list.all(c), base ? list.all(before(c, base)) : [], (row) => list.texts(row, c)[0]);
    },
    texts(pair, c) {
      const base = baseOf(c);
      if (pair.now !== undefined) return list.texts(pair.now, c);
      return pair.before === undefined || !base ? [] : list.texts(pair.before, before(c, base));
    },
  };
}

/** Pairs of rows of the same name: those of this run in their order, then those that only the base has. */
function pairsBy<Row>(now: readonly Row[], before: readonly Row[], name: (row: Row) => string): Pair<Row>[] {
  const then = new Map(before.map((row) => [name(row), row]));
  const here = new Set(now.map(name));
  return [
    ...now.map((row) => ({ now: row, before: then.get(name(row)) })),
    ...[...then.values()].filter((row) => !here.has(name(row))).map((row) => ({ now: undefined, before: row })),
  ];
}

/** Columns that are measured in each run have both values; the others say what a row is. Without a base, nothing was before. */
function pairedTable<Row, K extends Kind>(table: Table<Row, K>, base: Analysis<K> | undefined): Table<Pair<Row>, K> {
  const keys = table.keys ? { keys: table.keys } : {};
  if (!base) return { ...keys, columns: (c) => table.columns(c).map((own) => pairedColumn(own, own, false, c)) };
  return {
    ...keys,
    sides: (_, pair) => pairSides(pair),
    columns: (c) => {
      const mine = table.columns(c);
      const theirs = new Map(table.columns({ ...c, analysis: base, base: undefined }).map((column) => [column.id, column]));
      const columns = mine.map((own) => pairedColumn(own, theirs.get(own.id) ?? own, own.measured === true, c));
      return [...columns.flatMap((column) => withChange(c, column, mine, theirs)), ...stateColumn<Pair<Row>>(c, pairSides)];
    },
  };
}

function pairedColumn<Row, K extends Kind>(
  own: Column<Row>,
  theirs: Column<Row>,
  isMeasured: boolean,
  c: ColumnContext<K>,
): Column<Pair<Row>> {
  const { value: _, text: __, key: ___, order: ____, ...rest } = own;
  const value = ({ now, before }: Pair<Row>): Json | undefined => {
    if (c.side === 'before') return before === undefined ? null : theirs.value?.(before);
    if (now !== undefined) return own.value?.(now);
    if (before === undefined) return null;
    const then = theirs.value?.(before);
    if (!isMeasured) return then;
    return typeof then === 'number' ? 0 : null;
  };
  const text = ({ now, before }: Pair<Row>): string | Cell => {
    if (now !== undefined) return own.text?.(now) ?? '';
    return before === undefined || isMeasured ? '' : (theirs.text?.(before) ?? '');
  };
  const key = ({ now, before }: Pair<Row>): number | string => {
    if (now !== undefined) return own.key?.(now) ?? 0;
    return isMeasured || before === undefined ? 0 : (theirs.key?.(before) ?? 0);
  };
  return {
    ...rest,
    measured: isMeasured,
    ...(own.value ? { value } : {}),
    ...(own.text ? { text } : {}),
    ...(own.key ? { key } : {}),
  };
}

/** Behind a duration, for people, by how much it changed; behind a column that says so, what it was. */
function withChange<Row, K extends Kind>(
  c: ColumnContext<K>,
  column: Column<Pair<Row>>,
  own: readonly Column<Row>[],
  theirs: ReadonlyMap<string, Column<Row>>,
): Column<Pair<Row>>[] {
  if (column.was) {
    const then = theirs.get(column.id);
    const text = ({ before }: Pair<Row>) => (before === undefined ? '' : (then?.text?.(before) ?? ''));
    return [column, { id: 'before', title: 'before', width: column.width ?? 9, rank: 8, text }];
  }
  if (column.id !== 'durationMs') return [column];
  const mine = own.find(({ id }) => id === 'durationMs');
  const ms = (value: Json | undefined) => (typeof value === 'number' ? value : 0);
  const change = ({ now, before }: Pair<Row>) =>
    (now === undefined ? 0 : ms(mine?.value?.(now))) - (before === undefined ? 0 : ms(theirs.get('durationMs')?.value?.(before)));
  const text = (pair: Pair<Row>): Cell => {
    const ms = change(pair);
    return { text: timeChange(c, ms * 1000), style: ms > 0 ? 'hot' : 'call' };
  };
  return [column, { id: 'changeMs', title: onScreen(c, 'change', 'Δ ms'), align: 'right', rank: 8, text, key: change }];
}
