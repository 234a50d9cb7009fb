// Filters that know columns, applied to the rows of a table.

import { PER_CALL_COLUMN } from '../analysis/answers/part-columns.ts';
import { attempt } from '../base/attempt.ts';
import { COMPARISONS, type FilterConditions, type FilterTerm } from '../base/conditions.ts';
import { ChoiceError } from '../base/errors.ts';
import { compileFilter, IncrementalFilter, incrementalFilter, type Matcher, matchesAny, noSuchText } from '../base/match.ts';
import { safeJson } from '../base/safe-text.ts';
import { smallestUnits, type Unit, unitFactor } from '../base/units.ts';
import { type Column, type ColumnContext, isJsonObject, isSortName, sortNames } from './column.ts';
import { percentageBaseIn } from './costs.ts';

type RowTest<Row> = (row: Row) => boolean;
type TextsOf<Row> = (row: Row) => readonly string[];
type Columns<Row> = readonly Column<Row>[];
type Condition = Extract<FilterTerm, { column: string }>;

const SCALES = new Map(Object.entries({ k: 1e3, m: 1e6, g: 1e9 }));

/**
 * Returns whether a row passes the conditions. Costs are those of the shown event and measure, without their sign. Throws ChoiceError if the
 * table has no such column, or if a value is none of the column.
 */
export function testOfConditions<Row>(of: FilterConditions, columns: Columns<Row>, c: ColumnContext, texts: TextsOf<Row>) {
  const alternatives = of.map((terms) => {
    // Names are decoded last. Scattered letters beside a condition would pass most rows.
    const wanted = terms.filter((term) => 'column' in term).map((term) => testOfCondition(term, columns, c));
    const words = terms.filter((term) => 'word' in term).map(({ word }) => compileFilter(word));
    const has = (m: Matcher, of: readonly string[]) => (m.literal ? of.some(m.literal) : matchesAny(m, of));
    return (row: Row) => wanted.every((test) => test(row)) && words.every((matcher) => has(matcher, texts(row)));
  });
  return (row: Row) => alternatives.some((test) => test(row));
}

type ViewTest<Row> = { readonly test: RowTest<Row>; readonly wrong?: string };

/** The same for views: why the conditions cannot be tested, in place of an error, and then no row passes. */
export function viewTestOfConditions<Row>(...of: Parameters<typeof testOfConditions<Row>>): ViewTest<Row> {
  try {
    return { test: testOfConditions(...of) };
  } catch (error) {
    if (!(error instanceof ChoiceError)) throw error;
    return { test: () => false, wrong: error.message };
  }
}

/** The filter of the rows of a view: by conditions on its columns, else by the texts of a row. */
export const filterOfRows = <Row>(
  of: Matcher,
  rows: readonly Row[],
  columns: () => Columns<Row>,
  c: ColumnContext,
  texts: TextsOf<Row>,
) =>
  of.conditions
    ? filterByTest(rows, viewTestOfConditions(of.conditions, columns(), c, texts))
    : incrementalFilter(of, rows, texts);

export const filterByTest = <Row>(rows: readonly Row[], { test, wrong }: ViewTest<Row>): IncrementalFilter<Row> =>
  Object.assign(new IncrementalFilter(rows, test), { wrong });

const conditionColumns = <Row>(columns: Columns<Row>) => columns.filter(({ value, key }) => value ?? key);

/** The names of columns in conditions: those for --sort, and headings. */
export const conditionNames = <Row>(columns: Columns<Row>): string[] => {
  const names = conditionColumns(columns).flatMap(({ id, also = id, title }) => [also, id, title]);
  return [...new Set(names.map((name) => name.replace(/Ms$| ms$/, '')))].filter((name) => /^[a-z]\w*%?$/i.test(name));
};

/** The column of a condition, by its id, else by a heading that no other column has. `self.Ir` is a cost in an event of its own. */
function findColumn<Row>(columns: Columns<Row>, wanted: string, c: ColumnContext) {
  const [name, ...path] = wanted.split('.');
  const titled = conditionColumns(columns).filter(({ title }) => isSortName(title, name));
  const named = conditionColumns(columns).find((column) => sortNames(column).some((one) => isSortName(one, name)));
  const column = named ?? (titled.every(({ id }) => id === titled[0].id) ? titled[0] : undefined);
  if (!column || path.length === 0) return column && { column, c };
  const event = column.unitCells === undefined ? undefined : c.analysis.events.find((e) => e.name === path.join('.'));
  return event && { column: { ...column, key: undefined, amount: undefined }, c: { ...c, event } };
}

function testOfCondition<Row>(condition: Condition, columns: Columns<Row>, context: ColumnContext) {
  const { column: name, operator, value, isNot } = condition;
  const what = name + operator + value;
  const found = findColumn(columns, name, context);
  if (!found) throw new ChoiceError(`${what}: ${noSuchText('column', name, conditionNames(columns))}`);
  const { column, c } = found;
  const isText = operator === ':' || (operator === '=' && column.align !== 'right' && Number.isNaN(Number.parseFloat(value)));
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
function testOfNumber<Row>(column: Column<Row>, what: string, { operator, value: given }: Condition, c: ColumnContext) {
  const { id, value, align, unitCells } = column;
  const [isAverage, isCost] = [id === PER_CALL_COLUMN, unitCells !== undefined || c.analysis.events.some((e) => e.name === id)];
  const numberOf = isCost || isAverage ? costOfRow(column, c) : (row: Row) => Number(value?.(row) ?? Number.NaN);
  const unit = isCost || isAverage ? c.event.unit : id.endsWith('Ms') ? 'ms' : column.unit;
  const amount = () => amountOf(given, unit, isCost && !c.event.per ? percentageBaseIn(c) : undefined, what);
  const wanted = operator === '=' && align !== 'right' ? attempt(amount, Number.NaN, ChoiceError) : amount();
  return (row: Row) => COMPARISONS[operator](numberOf(row), wanted) || (operator === '=' && value?.(row) === given);
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
  const [, digits = 'NaN', suffix = ''] =
    /^([-+]?[\d,_]{0,99}\.?\d{1,99}(?:e[-+]?\d{1,3})?)([^\d.,_].{0,99}|)$/i.exec(text) ?? []; // bounded: a word of a filter that the user types
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
