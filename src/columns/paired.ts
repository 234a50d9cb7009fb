// Tables that compare the row lists of two runs (steps, targets, processes). Each row pairs an entry with the base's counterpart.
import type { Analysis } from '../analysis/answers/analysis.ts';
import type { RunPair } from '../base/lists.ts';
import type { TableCell } from '../base/style.ts';
import type { Kind } from '../model/profile.ts';
import { type Column, type ColumnContext, type Json, onScreen, type RowSides, type TableColumns } from './column.ts';
import { stateColumn } from './compared.ts';
import type { TableListing } from './listing.ts';
import { timeChange } from './times.ts';

const sidesOfPair = ({ now, before }: RunPair<unknown>): RowSides => ({
  in: (now === undefined ? 0 : 1) | (before === undefined ? 0 : 2),
});

/** The counterpart of each row of this run, and the base's rows that are nobody's counterpart. */
interface Pairing<Row> {
  readonly of: (row: Row) => Row | undefined;
  readonly removed: readonly Row[];
}

/** The word for a row that only one run has, if it is not new or gone. */
type StateWord<Row, K extends Kind> = (pair: RunPair<Row>, analysis: Analysis<K>, base: Analysis<K>) => string | undefined;

/** Turns a list of one run into a list of pairs. `pairing` finds the counterparts; by default, rows with equal names are paired. */
export function pairRows<Row, K extends Kind>(
  list: TableListing<Row, K>,
  baseOf: (context: ColumnContext<K>) => Analysis<K> | undefined,
  pairing?: (analysis: Analysis<K>, base: Analysis<K>) => Pairing<Row>,
  word?: StateWord<Row, K>,
): TableListing<RunPair<Row>, K> {
  const baseContextOf = (c: ColumnContext<K>, base: Analysis<K>): ColumnContext<K> => ({ ...c, analysis: base, base: undefined });
  const known = new WeakMap<
    readonly Row[],
    { readonly base: Analysis<K> | undefined; readonly pairs: readonly RunPair<Row>[] }
  >();
  const pairsOf = (now: readonly Row[], base: Analysis<K> | undefined, c: ColumnContext<K>): readonly RunPair<Row>[] => {
    if (!base) return now.map((row) => ({ now: row, before: undefined }));
    const nameOf = (row: Row) => list.texts(row, c)[0];
    const { of, removed } = pairing?.(c.analysis, base) ?? pairByName(now, list.all(baseContextOf(c, base)), nameOf);
    return [...now.map((row) => ({ now: row, before: of(row) })), ...removed.map((row) => ({ now: undefined, before: row }))];
  };
  return {
    ...list,
    table: (c) => tableOfPairs(list.table(c), baseOf(c), word),
    all(c) {
      const [base, now] = [baseOf(c), list.all(c)];
      // The same rows give the same pairs: views sort them only once.
      const last = known.get(now);
      if (last && last.base === base) return last.pairs;
      const pairs = pairsOf(now, base, c);
      known.set(now, { base, pairs });
      return pairs;
    },
    texts(pair, c) {
      const base = baseOf(c);
      if (pair.now !== undefined) return list.texts(pair.now, c);
      return pair.before === undefined || !base ? [] : list.texts(pair.before, baseContextOf(c, base));
    },
  };
}

function pairByName<Row>(now: readonly Row[], before: readonly Row[], name: (row: Row) => string): Pairing<Row> {
  const baseRows = new Map(before.map((row) => [name(row), row]));
  const here = new Set(now.map(name));
  return { of: (row) => baseRows.get(name(row)), removed: [...baseRows.values()].filter((row) => !here.has(name(row))) };
}

/** The table of pairs: measured columns have the values of both runs, other columns describe the row. */
function tableOfPairs<Row, K extends Kind>(
  table: TableColumns<Row, K>,
  base: Analysis<K> | undefined,
  word: StateWord<Row, K> | undefined,
): TableColumns<RunPair<Row>, K> {
  const keys = table.keys ? { keys: table.keys } : {};
  if (!base) return { ...keys, columns: (c) => table.columns(c).map((own) => columnOfPairs(own, own, false, c)) };
  return {
    ...keys,
    sides: (_, pair) => sidesOfPair(pair),
    columns: (c) => {
      const theirs = new Map(table.columns({ ...c, analysis: base, base: undefined }).map((column) => [column.id, column]));
      const columns = table.columns(c).flatMap((own) => withChangeColumn(c, own, theirs.get(own.id) ?? own));
      const own = word && ((pair: RunPair<Row>) => (pair.now && pair.before ? undefined : word(pair, c.analysis, base)));
      return [...columns, ...stateColumn<RunPair<Row>>(c, sidesOfPair, own)];
    },
  };
}

function columnOfPairs<Row>(own: Column<Row>, theirs: Column<Row>, isMeasured: boolean, c: ColumnContext): Column<RunPair<Row>> {
  const value = ({ now, before }: RunPair<Row>): Json | undefined => {
    if (c.side === 'before') return before === undefined ? null : theirs.value?.(before);
    if (now !== undefined) return own.value?.(now);
    if (before === undefined) return null;
    const then = theirs.value?.(before);
    if (!isMeasured) return then;
    return typeof then === 'number' ? 0 : null;
  };
  const text = ({ now, before }: RunPair<Row>): string | TableCell => {
    if (now !== undefined) return own.text?.(now) ?? '';
    return before === undefined || isMeasured ? '' : (theirs.text?.(before) ?? '');
  };
  const key = ({ now, before }: RunPair<Row>): number | string => {
    if (now !== undefined) return own.key?.(now) ?? 0;
    return isMeasured || before === undefined ? 0 : (theirs.key?.(before) ?? 0);
  };
  const readers = { value: own.value && value, text: own.text && text, key: own.key && key };
  return { ...own, ...readers, measured: isMeasured, order: undefined, amount: undefined };
}

/** A column and, for people, the change of a duration, or the base's text if the column has `was`. */
function withChangeColumn<Row>(c: ColumnContext, own: Column<Row>, theirs: Column<Row>): Column<RunPair<Row>>[] {
  const column = columnOfPairs(own, theirs, own.measured === true, c);
  if (own.was) {
    const text = ({ before }: RunPair<Row>) => (before === undefined ? '' : (theirs.text?.(before) ?? ''));
    return [column, { id: 'before', title: 'before', width: own.width ?? 9, rank: 8, text }];
  }
  if (own.id !== 'durationMs') return [column];
  const msOf = ({ value }: Column<Row>, row: Row | undefined) => {
    const ms = row === undefined ? undefined : value?.(row);
    return typeof ms === 'number' ? ms : 0;
  };
  const change = ({ now, before }: RunPair<Row>) => msOf(own, now) - msOf(theirs, before);
  const text = (pair: RunPair<Row>): TableCell => {
    const ms = change(pair);
    return { text: timeChange(c, ms * 1000), style: ms > 0 ? 'hot' : 'call' };
  };
  return [column, { id: 'changeMs', title: onScreen(c, 'change', 'Δ ms'), width: 8, align: 'right', rank: 8, text, key: change }];
}
