// Filters that know columns, applied to the rows of a table.

import { PER_CALL_COLUMN } from '../analysis/answers/part-columns.ts';
import { attempt } from '../base/attempt.ts';
import { COMPARISONS, type FilterConditions, type FilterTerm } from '../base/conditions.ts';
import { ChoiceError } from '../base/errors.ts';
import { compileFilter, IncrementalFilter, incrementalFilter, type Matcher, matchesAny, noSuchText } from '../base/match.ts';
import { safeJson } from '../base/safe-text.ts';
import { smallestUnits, type Unit, unitFactor } from '../base/units.ts';
import type { Kind } from '../model/profile.ts';
import { type Column, type ColumnContext, isJsonObject, isSortName } from './column.ts';
import { percentageBaseIn } from './costs.ts';

type RowTest<Row> = (row: Row) => boolean;
type Condition = Extract<FilterTerm, { column: string }>;

const SCALES = new Map(Object.entries({ k: 1e3, m: 1e6, g: 1e9 }));

/**
 * Returns whether a row passes the conditions. Costs are those of the shown event and measure, without their sign. Throws ChoiceError if the
 * table has no such column, or if a value is none of the column.
 */
export function testOfConditions<Row, K extends Kind>(
  conditions: FilterConditions,
  columns: readonly Column<Row>[],
  c: ColumnContext<K>,
  texts: (row: Row) => readonly string[],
): RowTest<Row> {
  const alternatives = conditions.map((terms) => {
    // Names are decoded last. Scattered letters beside a condition would pass most rows.
    const wanted = terms.filter((term) => 'column' in term).map((term) => testOfCondition(term, columns, c));
    const words = terms.filter((term) => 'word' in term).map(({ word }) => compileFilter(word));
    const has = (m: Matcher, of: readonly string[]) => (m.literal ? of.some(m.literal) : matchesAny(m, of));
    return (row: Row) => wanted.every((test) => test(row)) && words.every((matcher) => has(matcher, texts(row)));
  });
  return (row) => alternatives.some((test) => test(row));
}

interface ViewTest<Row> {
  readonly test: RowTest<Row>;
  readonly wrong?: string;
}

/** The same for views: why the conditions cannot be tested, in place of an error, and then no row passes. */
export function viewTestOfConditions<Row, K extends Kind>(...of: Parameters<typeof testOfConditions<Row, K>>): ViewTest<Row> {
  try {
    return { test: testOfConditions(...of) };
  } catch (error) {
    if (!(error instanceof ChoiceError)) throw error;
    return { test: () => false, wrong: error.message };
  }
}

/** The filter of the rows of a view: by conditions on its columns, else by the texts of a row. */
export function filterOfRows<Row, K extends Kind>(
  matcher: Matcher,
  rows: readonly Row[],
  columns: () => readonly Column<Row>[],
  c: ColumnContext<K>,
  texts: (row: Row) => readonly string[],
): IncrementalFilter<Row> {
  const { conditions } = matcher;
  return conditions
    ? filterByTest(rows, viewTestOfConditions(conditions, columns(), c, texts))
    : incrementalFilter(matcher, rows, texts);
}

export const filterByTest = <Row>(rows: readonly Row[], { test, wrong }: ViewTest<Row>): IncrementalFilter<Row> =>
  Object.assign(new IncrementalFilter(rows, test), { wrong });

const conditionColumns = <Row>(columns: readonly Column<Row>[]) => columns.filter(({ value, key }) => value ?? key);

export const conditionNames = <Row>(columns: readonly Column<Row>[]): string[] => [
  ...new Set(conditionColumns(columns).map(({ id, also }) => also ?? id)),
];

function testOfCondition<Row, K extends Kind>(condition: Condition, columns: readonly Column<Row>[], c: ColumnContext<K>) {
  const { column: name, operator, isNot } = condition;
  const column = conditionColumns(columns).find(({ id, also }) => isSortName(id, name) || also === name);
  const what = `${name}${operator}${condition.value}`;
  if (!column) throw new ChoiceError(`${what}: ${noSuchText('column', name, conditionNames(columns))}`);
  const isText = operator === ':' || (operator === '=' && Number.isNaN(Number.parseFloat(condition.value)));
  const holds = isText ? testOfText(column, condition) : testOfNumber(column, what, condition, c);
  return isNot ? (row: Row) => !holds(row) : holds;
}

function testOfText<Row>({ value, key }: Column<Row>, { operator, value: given }: Condition): RowTest<Row> {
  const wanted = given.toLowerCase();
  return (row) => {
    const found = value?.(row) ?? key?.(row) ?? '';
    const text = (typeof found === 'object' ? safeJson(found) : String(found)).toLowerCase();
    return operator === '=' ? text === wanted : text.includes(wanted);
  };
}

/** Compares numbers; texts only if they are wanted as they are. An unknown number fulfils no condition. */
function testOfNumber<Row, K extends Kind>(
  column: Column<Row>,
  what: string,
  { operator, value: given }: Condition,
  c: ColumnContext<K>,
): RowTest<Row> {
  const { id, value } = column;
  const isCost = column.unitCells !== undefined || c.analysis.events.some((e) => e.name === id);
  const isAverage = id === PER_CALL_COLUMN;
  const numberOf = isCost || isAverage ? costOfRow(column, c) : (row: Row) => Number(value?.(row) ?? Number.NaN);
  const unit = isCost || isAverage ? c.event.unit : id.endsWith('Ms') ? 'ms' : undefined;
  const amount = () => amountOf(given, unit, isCost && !c.event.per ? percentageBaseIn(c) : undefined, what);
  if (operator === '=') {
    const wanted = attempt(amount, Number.NaN, ChoiceError);
    return (row) => numberOf(row) === wanted || value?.(row) === given;
  }
  const [wanted, compare] = [amount(), COMPARISONS[operator]];
  return (row) => compare(numberOf(row), wanted);
}

/** The cost of a row in a column of costs, which are objects with a number per event. Its key is the number that is shown. */
export const costOfRow =
  <Row>({ amount, key, value }: Column<Row>, { event }: Pick<ColumnContext, 'event'>) =>
  (row: Row): number => {
    const found = amount ? amount(row) : key ? key(row) : (value?.(row) ?? null);
    return Number((typeof found === 'object' && isJsonObject(found) ? found[event.name] : found) ?? Number.NaN);
  };

/** The number that a text means in a unit. `whole`: what percentages are of. */
function amountOf(text: string, unit: Unit | undefined, whole: number | undefined, what: string): number {
  const [, digits = 'NaN', suffix = ''] = /^([-+]?[\d.,_]{1,99})([^\d.,_].{0,99}|)$/.exec(text) ?? [];
  const number = Number(digits.replace(/[,_]/g, ''));
  if (suffix === '' && !Number.isNaN(number)) return number;
  if (suffix === '%' && whole !== undefined) return (number / 100) * whole;
  const given = unitFactor(suffix);
  const own = unit && smallestUnits(unit);
  if (given && own && given.of === own.of) return (number * given.factor) / own.factor;
  const scale = SCALES.get(suffix.toLowerCase());
  if (scale !== undefined) return number * scale;
  throw new ChoiceError(
    suffix === '%' ? `${what}: percentages go with costs` : `${what}: expected ${own ? `a number of ${unit}` : 'a plain number'}`,
  );
}
