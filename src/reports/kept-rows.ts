// The rows of a report that its flags keep: those that pass the conditions of --filter, and whose cost reaches --threshold.
import { percentageBase } from '../analysis/answers/analysis.ts';
import { memo } from '../base/memo.ts';
import { textOfCell } from '../base/style.ts';
import { type Exact, plural } from '../base/units.ts';
import { isJsonObject, type Json, type TableColumns } from '../columns/column.ts';
import { costOfRow, testOfConditions } from '../columns/conditions.ts';
import { costText, shareCell } from '../columns/costs.ts';
import { routineTable } from '../columns/routines.ts';
import type { Kind } from '../model/profile.ts';
import { type JsonFields, type ReportContext, type ReportSpec, routineMatches } from './report.ts';

/** Whether a row passes the conditions of the filter, whose words match the texts for machines. */
export function conditionTest<Row, K extends Kind>(
  context: ReportContext<K>,
  table: () => TableColumns<Row, K>,
): (row: Row) => boolean {
  if (!context.conditions) return () => true;
  const columns = table().columns(context);
  const textsOf = (row: Row) => columns.flatMap(({ value }) => [value?.(row)].filter((found) => typeof found === 'string'));
  return testOfConditions(context.conditions, columns, context, textsOf);
}

/** Whether a routine passes the filter; for reports that filter routines. */
export const routineFilterOf = memo((context: ReportContext): ((routine: number) => boolean) => {
  const test = conditionTest(context, () => routineTable);
  return (routine) => routineMatches(context, routine) && test({ routine });
});

const rowTest = <Row, K extends Kind>({ filtersRoutines, table }: ReportSpec<Row, K>, context: ReportContext<K>) =>
  filtersRoutines ? () => true : conditionTest(context, () => table(context));

/** The column that --threshold looks at, and whether a row is below it; undefined without the flag. */
function thresholdOf<Row, K extends Kind>({ summed, table }: ReportSpec<Row, K>, context: ReportContext<K>) {
  const { analysis, event, threshold } = context;
  if (threshold === undefined || summed === undefined) return undefined;
  const columns = table(context).columns(context);
  const column = columns.find(({ id }) => id === summed);
  const least = (percentageBase(analysis, event) * threshold) / 100;
  const cost = column && costOfRow(column, context);
  return cost && { column, cost, isBelow: (row: Row) => Math.abs(cost(row)) < least };
}

/** The same report, with only the rows that are kept. */
export const withKeptRows = <Row, K extends Kind>(spec: ReportSpec<Row, K>): ReportSpec<Row, K> => ({
  ...spec,
  *rows(context) {
    const test = rowTest(spec, context);
    const limit = thresholdOf(spec, context);
    for (const row of spec.rows(context)) if (test(row) && !limit?.isBelow(row)) yield row;
  },
  rest: (context) => restOfRows(spec, context),
});

/** The rows below --threshold as one: their number and, if it has a meaning, their cost by event. Undefined if there are none. */
function restOfRows<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>) {
  const limit = thresholdOf(spec, context);
  if (!limit) return undefined;
  const test = rowTest(spec, context);
  const sums = new Map<string, Exact>();
  let [rows, ofShown] = [0, 0];
  for (const row of spec.rows({ ...context, limit: Number.POSITIVE_INFINITY })) {
    if (!test(row) || !limit.isBelow(row)) continue;
    rows++;
    ofShown += limit.cost(row);
    const costs = limit.column.value?.(row) ?? null;
    if (spec.summed === 'self' && isJsonObject(costs))
      for (const [name, cost] of Object.entries(costs)) sums.set(name, addExact(sums.get(name) ?? 0, cost));
  }
  if (rows === 0) return undefined;
  const { analysis, event, threshold } = context;
  // The rows of two runs show differences, and JSON has the costs of this run.
  const sum = analysis.before && sums.size > 0 ? ofShown : sums.get(event.name);
  const isShown = sum !== undefined && !event.per && event.measure !== 'percent';
  const estimated = analysis.totals.selfEstimated?.includes(1) ?? false;
  const share = isShown ? textOfCell(shareCell(context, Number(sum))) : '';
  const cost = isShown ? `: self ${costText(context, sum, estimated)}, ${share}` : '';
  const json: JsonFields = { rest: true, rows, ...(sums.size === 0 ? {} : { self: Object.fromEntries(sums) }) };
  return { json, text: `… ${plural(rows, 'row')} below ${threshold}%${cost}` };
}

/** Costs beyond 2^53 are bigints, and so are sums with them. */
const addExact = (sum: Exact, cost: Json | undefined): Exact =>
  typeof cost === 'bigint' || typeof sum === 'bigint' ? BigInt(sum) + BigInt(`${cost ?? 0}`) : sum + Number(cost ?? 0);

/** The first `limit` rows. */
export function* takeRows<Row>(rows: Iterable<Row>, limit: number): Generator<Row> {
  let remaining = limit;
  if (remaining <= 0) return;
  for (const row of rows) {
    yield row;
    if (--remaining <= 0) return;
  }
}
