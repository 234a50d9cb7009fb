// Writes a report as text or JSON; Markdown, CSV and TSV have files of their own.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { matchedCosts } from '../analysis/answers/compared/notes.ts';
import { narrowingTexts, transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { joinSafe, type SafeText, safeJson, safeLines, safeText, visible } from '../base/safe-text.ts';
import { type TableCell, textOfCell } from '../base/style.ts';
import { cellWidth, fit, wrapText, wrapWords } from '../base/text.ts';
import { padUnit } from '../base/units.ts';
import { type Column, dataColumns, type Json, readColumns } from '../columns/column.ts';
import { comparedColumns } from '../columns/compared.ts';
import { costJson, costsByName } from '../columns/costs.ts';
import { routineTable } from '../columns/routines.ts';
import type { CostTable, Event } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { delimitedLines } from './delimited.ts';
import { markdownPieces } from './markdown.ts';
import { jsonRows, type WriteText, writeJoined } from './pieces.ts';
import { printedRows, type ReportFacts, reportFacts } from './readable.ts';
import {
  contextOfKind,
  eachRoutine,
  headingOfRoutine,
  type JsonFields,
  type ListSpec,
  type ReportContext,
  ReportError,
  type ReportSpec,
  type SmallTable,
  sortRows,
  takeRows,
  withKeptRows,
} from './report.ts';
import { tableInTimeUnit } from './time-unit.ts';

/** A report without its row type: the interface that the rest of the program uses. */
export interface Report
  extends Required<Pick<ReportSpec<never, Kind>, 'name' | 'title' | 'requires' | 'sorts' | 'columns' | 'compares' | 'isArray'>> {
  /** The report is one text that --limit and --width do not shorten. */
  readonly uncut?: boolean;
  readonly forms: ReadonlySet<OutputFormat>;
  /** Throws ReportError for an unsupported form. */
  write(form: OutputFormat, context: ReportContext, version: string, write: WriteText): Promise<void>;
  /** The rows for --jsonl; each starts with the name of the run and its path. */
  records(context: ReportContext): Iterable<JsonFields>;
}

/** `jsonl`: one row per line. `quickfix`: `FILE:LINE: TEXT`, for reports whose rows are source lines. */
export type OutputFormat = 'text' | 'markdown' | 'json' | 'jsonl' | 'csv' | 'tsv' | 'quickfix' | 'svg';

export const makeListReport = <Row, K extends Kind>(spec: ListSpec<Row, K>): Report =>
  makeReport({
    ...spec,
    rows(context) {
      const matching = () => spec.all(context).filter((row) => context.matches(...spec.texts(row, context)));
      const kept = context.filtered ? (spec.ofMatching?.(context) ?? matching()) : spec.all(context);
      return spec.sorts ? sortRows(context, kept, spec.table(context).columns(context), spec.usual) : kept;
    },
  });

export function makeReport<Row, K extends Kind>(given: ReportSpec<Row, K>): Report {
  const spec = withKeptRows(given);
  const { name, title, requires, sorts = [], columns = [], isArray = false, compares = !isArray, quickfix, svg } = spec;
  const columnsOf = (c: ReportContext<K>) => (spec.filtersRoutines ? routineTable.columns(c) : spec.table(c).columns(c));
  const forms: OutputFormat[] = ['text', 'json', 'jsonl', 'csv', 'tsv'];
  if (!isArray) forms.push('markdown');
  if (quickfix) forms.push('quickfix');
  if (svg) forms.push('svg');
  const inTimeUnit = ({ timeUnit }: ReportContext): typeof spec =>
    timeUnit === undefined ? spec : { ...spec, table: (one) => tableInTimeUnit(spec.table(one), timeUnit) };
  return {
    ...{ name, title, requires, sorts, columns, compares, isArray },
    forms: new Set(forms),
    write: async (form, context, version, write) =>
      writeJoined(FORM_WRITERS[form](inTimeUnit(context), contextOfKind(spec.kind, context, columnsOf), version), write),
    records: (context) => runRecords(inTimeUnit(context), contextOfKind(spec.kind, context, columnsOf)),
  };
}

/** A report that is one text in the format of another tool. `head.isArray`: the text is JSON. `reason`: the message for unsupported forms. */
export function makeTextReport(
  head: Pick<Report, 'name' | 'title' | 'requires' | 'isArray'>,
  reason: string,
  pieces: (context: ReportContext, version: string) => Iterable<SafeText>,
): Report {
  const forms = new Set<OutputFormat>(head.isArray ? ['text', 'json'] : ['text']);
  const refusalOf = (form: OutputFormat) => new ReportError(`--${form}: ${reason}`);
  return {
    ...head,
    ...{ sorts: [], columns: [], compares: false, uncut: true, forms },
    async write(form, context, version, write) {
      if (!forms.has(form)) throw refusalOf(form);
      await writeJoined(pieces(context, version), write);
    },
    records() {
      throw refusalOf('jsonl');
    },
  };
}

type Writer = <Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>, version: string) => Iterable<SafeText>;

const FORM_WRITERS: Readonly<Record<OutputFormat, Writer>> = {
  text: (spec, context) => [wholeText(spec, context)],
  markdown: markdownPieces,
  json: jsonPieces,
  jsonl: jsonLines,
  csv: (spec, context) => delimitedLines(spec, context, 'csv'),
  tsv: (spec, context) => delimitedLines(spec, context, 'tsv'),
  quickfix: quickfixLines,
  svg: (spec, context) => [safeLines(spec.svg?.(context) ?? '')],
};

/** Rises when a field is renamed, removed or gets another meaning; new fields do not raise it. */
export const SCHEMA_VERSION = 1;

function jsonHead(name: string, context: ReportContext, version: string) {
  const { analysis } = context;
  const { profile, totals, events } = analysis;
  return {
    proftui: version,
    schemaVersion: SCHEMA_VERSION,
    view: name,
    format: profile.format,
    paths: profile.paths,
    event: context.event.name,
    // JSON omits fields that are undefined.
    events: events.map(({ name, unit, longName, formula }) => ({
      ...{ name, unit, longName: longName || undefined, formula: formula || undefined },
    })),
    totals: costsByName(events, totals.total, 0),
    percentagesOf: costsByName(addableEvents(events), totals.whole, 0),
    ...(transformTexts(profile).length > 0 ? { applied: transformTexts(profile) } : {}),
    ...baseJson(analysis),
    ...(context.limits ? { limits: context.limits } : {}),
    warnings: [...(profile.cut && !profile.cut.sign ? [profile.cut] : []), ...profile.warnings].map(
      ({ path, line, offset, expected, found, hint }) => ({ path, line, offset, expected, found, hint }),
    ),
  };
}

const addableEvents = (events: readonly Event[]) => events.filter((e) => !e.per);

/** JSON of the base. `totals`: the sums of the rows; `percentagesOf`: the totals on the `summary:` line of the file. */
function baseJson(analysis: Analysis) {
  const { before, events, totals, profile, costing } = analysis;
  if (!before || !profile.compared) return {};
  const totalsOf = (of: readonly Event[], costs: CostTable) =>
    Object.fromEntries(of.map((e): [string, Json] => [e.name, costJson(eventInMeasure(analysis, e, 'before'), costs, 0)]));
  const { onlyNow, onlyBefore, runs } = profile.compared;
  return {
    base: {
      paths: before.profile.paths,
      totals: totalsOf(events, totals.total),
      percentagesOf: totalsOf(addableEvents(events), totals.whole),
      matched: costing.can.has('routines') ? matchedCosts(analysis) : [],
      ...(onlyNow.length + onlyBefore.length > 0 ? { onlyNow, onlyBefore } : {}),
      ...(runs ? { runs: { count: runs.count, how: runs.how, spread: Object.fromEntries(runs.spread) } } : {}),
    },
  };
}

function* jsonPieces<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>, version: string) {
  const { isArray = false } = spec;
  const head = { ...jsonHead(spec.name, context, version), ...spec.extra?.(context) };
  const rows = jsonRows(recordsOfRows(spec, context));
  // Computes the first row before writing anything: if that fails, the output stays empty.
  let next = rows.next();
  const note = next.done && context.limit > 0 ? { note: emptyNote(spec, context) } : {};
  // The object up to the place for its rows: its last member is an empty list.
  const start = safeJson({ ...head, ...note, rows: [] });
  yield isArray ? safeText`[` : safeText`${start.slice(0, start.lastIndexOf(']'))}`;
  for (; !next.done; next = rows.next()) yield next.value;
  yield isArray ? safeText`\n]\n` : safeText`\n]}\n`;
}

/** The rows as objects, with the one for those below --threshold. `of`: the routine, if there are several. */
function* recordsOfRows<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<JsonFields> {
  for (const one of eachRoutine(context)) {
    const table = spec.table(one);
    const columns = [...dataColumns(table.columns(one), table.keys), ...comparedColumns(table, one)];
    const of = headingOfRoutine(context, one);
    const head = of === undefined ? {} : { of };
    for (const row of takeRows(spec.rows(one), one.limit))
      yield { ...head, ...Object.fromEntries(columns.map(({ id, value }) => [id, value?.(row)])) };
    const rest = spec.rest?.(one);
    if (rest) yield { ...head, ...rest.json };
  }
}

function* runRecords<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<JsonFields> {
  const head = { run: context.run, path: context.analysis.profile.paths.join(' ') };
  for (const row of recordsOfRows(spec, context)) yield { ...head, ...row };
}

function* jsonLines<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<SafeText> {
  for (const row of runRecords(spec, context)) yield joinSafe([safeJson(row), safeText``], '\n');
}

function* quickfixLines<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<SafeText> {
  for (const one of eachRoutine(context))
    for (const row of takeRows(spec.rows(one), one.limit)) {
      const location = spec.quickfix?.(row, one);
      if (location) yield safeText`${location.file}:${location.line}: ${location.text}\n`;
    }
}

function emptyNote<Row, K extends Kind>(spec: ReportSpec<Row, K>, { filtered, analysis }: ReportContext<K>): string {
  if (filtered) return 'no row matches the filter';
  const applied = narrowingTexts(analysis.profile);
  if (applied.length > 0) return `nothing is left after ${applied.join(', then ')}`;
  return spec.emptyText ?? `the profile has no rows for ${spec.name}`;
}

const COLUMN_GAP = 1;
const MIN_FLEX_WIDTH = 12;

function wholeText<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): SafeText {
  const { width } = context;
  // Control characters are replaced by marks first, because the marks are wider.
  const wrapped = (lines: readonly string[]) => lines.map(visible).flatMap((l) => wrapWords(l, width, '', '  '));
  const out = wrapped(factLines(reportFacts(spec.name, context)));
  for (const one of eachRoutine(context)) {
    const columns = readColumns(spec.table(one).columns(one), 'text').filter((c) => width >= (c.from ?? 0));
    const of = headingOfRoutine(context, one);
    if (of !== undefined) out.push('', `== ${visible(of)}`);
    out.push(...wrapped((spec.head?.(one) ?? []).map(textOfCell)));
    if (columns.length > 0) out.push('', ...rowLines(spec, one, columns));
    out.push(...sentenceLines(spec, one));
    for (const line of spec.footer?.(one) ?? []) out.push(visible(textOfCell(line)));
    for (const table of spec.tables?.(one) ?? []) out.push(...tableLines(table, width));
  }
  return safeLines(out.map((line) => `${cutLine(line, width)}\n`).join(''));
}

function factLines({ format, paths, command, warnings, selection, base, event }: ReportFacts): string[] {
  return [
    `${format}: ${visible(paths.join(' '))}`,
    ...(command === null ? [] : [`command: ${visible(command)}`]),
    ...warnings.map((text) => `warning: ${text}`),
    ...(selection === '' ? [] : [`counts: ${visible(selection)}`]),
    ...(base ? [`base: ${visible(base.paths.join(' '))}`, ...base.notes.map((note) => `note: ${note}`)] : []),
    ...(event ? [`event: ${event.name}${event.longName && ` (${event.longName})`}, ${event.totals}`] : []),
  ];
}

/** The lines of a table. Columns have their declared widths; the last one gets the remaining width. */
function tableLines({ title, columns, rows }: SmallTable, width: number): string[] {
  const before = columns.slice(0, -1);
  const lastWidth = width - before.reduce((n, c) => n + (c.width ?? 0) + 2, 2);
  const lines = rows.map((cells) => {
    const texts = cells.map((cell, i) => {
      const { text, short } = visibleCell(cell);
      const { width: columnWidth, align } = columns[i];
      return i < before.length ? fit(text, columnWidth ?? 0, align) : visible(short?.(lastWidth) ?? text);
    });
    return `  ${texts.join('  ')}`;
  });
  return ['', visible(textOfCell(title)), ...lines];
}

/** Width of the number in front of a sentence. */
const LEAD_WIDTH = 8;

function sentenceLines<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): string[] {
  const { sentence } = spec;
  if (!sentence) return [];
  const textWidth = Math.max(MIN_FLEX_WIDTH, context.width - LEAD_WIDTH - 1);
  const out = [...printedRows(spec, context)].flatMap((item): string[] => {
    if ('group' in item) return ['', item.group];
    if ('more' in item) return ['', item.more];
    const { lead, parts, detailLines } = sentence(item.row, context);
    const texts = [parts.map(({ text }) => text).join(''), ...detailLines.map(textOfCell)];
    const lines = texts.flatMap((line) => wrapText(visible(line), textWidth, textWidth, 1 / 3));
    return ['', ...lines.map((line, i) => `${fit(i === 0 ? lead : '', LEAD_WIDTH, 'right')} ${line}`)];
  });
  return out.length === 0 && spec.emptyText !== undefined ? ['', spec.emptyText] : out;
}

type CellLine = readonly TableCell[] | string;

/** The aligned rows, and a last line if --limit left some out. */
function rowLines<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>, columns: readonly Column<Row>[]) {
  const cells: CellLine[] = [columns.map((c) => visibleCell(c.title))];
  const moreLines: string[] = [];
  for (const item of printedRows(spec, context)) {
    if ('row' in item) cells.push(columns.map(({ text, unitCells }) => visibleCell(text?.(item.row) ?? '', unitCells)));
    else if ('group' in item) cells.push(visible(`-- ${item.group}`));
    else moreLines.push(item.more);
  }
  if (cells.length === 1 && moreLines.length === 0) return [visible(emptyNote(spec, context))];
  return [...alignText(columns, cells, context.width), ...moreLines];
}

/** The cell with visible text. `unitCells`: of its column. */
function visibleCell(cell: string | TableCell, unitCells = 0): TableCell {
  const { text, ...style } = typeof cell === 'string' ? { text: cell } : cell;
  return { ...style, text: padUnit(visible(text), unitCells) };
}

function cutLine(line: string, width: number): string {
  const trimmed = line.trimEnd();
  return cellWidth(trimmed) > width ? fit(trimmed, width) : trimmed;
}

/** Aligned lines of at most `width` cells. Fixed columns get the width they need; flexible columns share the rest. */
function alignText<Row>(columns: readonly Column<Row>[], cells: readonly CellLine[], width: number): string[] {
  const neededWidths = columns.map((_, c) =>
    cells.reduce((most, row) => (typeof row === 'string' ? most : Math.max(most, cellWidth(row[c].text.slice(0, 4096)))), 0),
  );
  const widths = [...neededWidths];
  const flexible = columns.flatMap((c, i) => (c.flex ? [i] : []));
  const fixed = columns.reduce((n, c, i) => n + (c.flex ? 0 : neededWidths[i]), 0) + COLUMN_GAP * (columns.length - 1);
  let remainingWidth = Math.max(width - fixed, MIN_FLEX_WIDTH * flexible.length);
  // The first flexible column (the name) matters most: it gets half of the remaining width, the others share the rest.
  flexible.forEach((i, k) => {
    const after = flexible.length - k - 1;
    const share = after === 0 ? remainingWidth : Math.max(Math.floor(remainingWidth / 2), remainingWidth - after * 24);
    widths[i] = Math.min(neededWidths[i], Math.max(MIN_FLEX_WIDTH, share));
    remainingWidth -= widths[i];
  });
  const fitCell = ({ text: whole, short, cut: own }: TableCell, c: number) => {
    const { align = 'left', cut = 'end' } = columns[c];
    const text = short ? visible(short(widths[c])) : whole;
    const isLastUnpadded = c === columns.length - 1 && align === 'left' && cellWidth(text) <= widths[c];
    return isLastUnpadded ? text : fit(text, widths[c], align, own ?? cut);
  };
  return cells.map((row) => (typeof row === 'string' ? row : row.map(fitCell).join(' '.repeat(COLUMN_GAP))));
}
