// Writes a report as CSV or TSV.
import { csvCell, joinSafe, type SafeText, safeJson, safeText, visible } from '../base/safe-text.ts';
import { type Column, dataColumns, isJsonObject, type Json } from '../columns/column.ts';
import { flatComparedColumns } from '../columns/compared.ts';
import type { Kind } from '../model/profile.ts';
import { eachRoutine, headingOfRoutine, type ReportContext, type ReportSpec, takeRows } from './report.ts';

/** Adds the value to `into`: members of objects under dotted names (`self.Ir`), lists as JSON. */
function flatten(value: Json | undefined, name: string, into: Map<string, string>): void {
  if (value === undefined) return;
  if (isJsonObject(value)) for (const [key, inner] of Object.entries(value)) flatten(inner, `${name}.${key}`, into);
  else into.set(name, plainText(value));
}

function plainText(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : safeJson(value);
  return String(value);
}

export function* delimitedLines<Row, K extends Kind>(
  spec: ReportSpec<Row, K>,
  context: ReportContext<K>,
  form: 'csv' | 'tsv',
): Generator<SafeText> {
  const [between, end] = form === 'csv' ? ([',', '\r\n'] as const) : (['\t', '\n'] as const);
  const cellText = (cell: string) => (form === 'csv' ? csvCell(cell, context.csvSafe ?? false) : visible(cell));
  const line = (cells: readonly string[]) => joinSafe([joinSafe(cells.map(cellText), between), safeText``], end);
  let keys: readonly string[] | undefined;
  const columnsIn = (one: ReportContext<K>) => {
    const table = spec.table(one);
    return [...dataColumns(table.columns(one), table.keys), ...flatComparedColumns(table, one)];
  };
  const cellsOf = (columns: readonly Column<Row>[], row: Row, of: string | undefined) => {
    const cells = new Map<string, string>(of === undefined ? [] : [['of', of]]);
    for (const { id, value } of columns) flatten(value?.(row), id, cells);
    return cells;
  };
  const header = (columns: readonly Column<Row>[], cells: ReadonlyMap<string, string>) => [
    ...new Set([...cells.keys(), ...columns.filter((c) => c.optional).map((c) => c.id)]),
  ];
  const { events } = context.analysis;
  const keysOf = ({ id, unitCells }: Column<Row>) => (unitCells === undefined ? [id] : events.map((e) => `${id}.${e.name}`));
  /** The header without a row. Costs have a key per event, which only a row tells: one that is left out will do. */
  const sampleHeader = () => {
    const columns = columnsIn(context);
    const all = { ...context, filtered: false, matches: () => true, conditions: undefined, threshold: undefined };
    const [sample] = takeRows(spec.rows(all), 1);
    return sample === undefined ? columns.flatMap(keysOf) : header(columns, cellsOf(columns, sample, undefined));
  };
  for (const one of eachRoutine(context)) {
    const [columns, of] = [columnsIn(one), headingOfRoutine(context, one)];
    for (const row of takeRows(spec.rows(one), one.limit)) {
      const cells = cellsOf(columns, row, of);
      if (!keys) yield line((keys = header(columns, cells)));
      yield line((keys ?? []).map((k) => cells.get(k) ?? ''));
    }
    const rest = spec.rest?.(one);
    if (!rest) continue;
    if (!keys) yield line((keys = sampleHeader()));
    const [first = ''] = keys ?? [];
    const cells = new Map([[first, rest.text]]);
    flatten(rest.json['self'], 'self', cells);
    yield line((keys ?? []).map((k) => cells.get(k) ?? ''));
  }
  if (!keys) yield line((keys = sampleHeader()));
}
