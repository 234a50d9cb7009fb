// Times of builds in the unit of --unit: columns of milliseconds (`durationMs`) become those of another unit (`durationS`).

import { textOfCell } from '../base/style.ts';
import { unitFactor } from '../base/units.ts';
import { type Column, isJsonObject, type Json, type TableColumns } from '../columns/column.ts';
import type { Kind } from '../model/profile.ts';
import { ReportError } from './report.ts';

const NAME = /Ms$/;
/** Microseconds are the finest that is recorded: six decimals of seconds. */
const NUMBERS = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });
const NS_PER_MS = 1e6;

/**
 * The table with its times in a unit of time, for people and in CSV and TSV; null and texts without a number stay. Throws ReportError if it
 * has no times, or if the unit is none of time.
 */
export function tableInTimeUnit<Row, K extends Kind>(table: TableColumns<Row, K>, unit: string): TableColumns<Row, K> {
  const wanted = unitFactor(unit);
  if (wanted?.of !== 'ns') throw new ReportError(`--unit ${unit}: the times of a build are in ns, us, ms or s`);
  const factor = NS_PER_MS / wanted.factor;
  const nameIn = (id: string) => id.replace(NAME, unit[0].toUpperCase() + unit.slice(1));
  // More digits would be noise of the division.
  const inUnit = (ms: number) => Number((ms * factor).toPrecision(15));
  const scale = (id: string, value: Json | undefined): Json | undefined => {
    if (value === undefined) return undefined;
    if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [nameIn(k), scale(k, v) ?? null]));
    return NAME.test(id) && typeof value === 'number' ? inUnit(value) : value;
  };
  const columnIn = (column: Column<Row>): Column<Row> => {
    const { id, title, value, text } = column;
    const scaled = { ...column, id: nameIn(id), value: value && ((row: Row) => scale(id, value(row))) };
    if (!NAME.test(id) || !text) return scaled;
    const timeText = (ms: string) => NUMBERS.format(inUnit(Number(ms.replaceAll(',', ''))));
    return {
      ...scaled,
      title: title.replace(/\bms$/, unit),
      // The first number of the text is the time; a sign or a mark may stand before it.
      text: (row) => textOfCell(text(row)).replace(/\d[\d,]*(?:\.\d+)?/, timeText),
    };
  };
  return {
    ...table,
    columns(context) {
      const columns = table.columns(context);
      if (!columns.some(({ id }) => NAME.test(id))) throw new ReportError(`--unit ${unit}: there is no column of times`);
      return columns.map(columnIn);
    },
    ...(table.keys ? { keys: table.keys.map(nameIn) } : {}),
  };
}
