// Writes a report as text, JSON, CSV or TSV; Markdown has a file of its own.
import type { ColumnSort } from '../analysis/answers/part-columns.ts';
import { appliedTo } from '../analysis/profiles/transforms/applied.ts';
import { csvCell, joinSafe, type SafeText, safeJson, safeLines, safeText, visible } from '../base/safe-text.ts';
import type { Cell } from '../base/style.ts';
import { cellWidth, fit, wrapped } from '../base/text.ts';
import { type Column, dataColumns, type Json, readColumns } from '../columns/column.ts';
import { comparedColumns, separateColumns } from '../columns/compared.ts';
import { costData } from '../columns/costs.ts';
import { eventValue } from '../model/event-value.ts';
import type { Question } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { baseHead } from './base-head.ts';
import { printMarkdown } from './markdown.ts';
import { Pieces, type Write } from './pieces.ts';
import { type Facts, factsOf, shownRows } from './readable.ts';
import { type Extra, type ListSpec, ofKind, type ReportContext, type ReportSpec, type SmallTable, withRows } from './report.ts';

/** A report as the rest of the program sees it: the type of its rows stays hidden. */
export interface Report {
  readonly name: string;
  readonly title: string;
  readonly asks: readonly Question[];
  /** The columns that --sort takes, `EVENT` for any event; none if the rows have an order of their own. */
  readonly sorts: readonly string[];
  /** The columns that --columns adds. */
  readonly columns: readonly ColumnSort[];
  readonly compares: boolean;
  /** Its text is a bare JSON array, in a format defined elsewhere (compile_commands.json). */
  readonly array: boolean;
  /** It is one text with all there is: neither rows nor columns of it are cut. */
  readonly uncut?: boolean;
  readonly forms: ReadonlySet<Form>;
  /** Throws ReportError for a form that it does not have. */
  write(form: Form, context: ReportContext, version: string, write: Write): Promise<void>;
  /** The rows as --jsonl has them, each with the run and its path in front. */
  records(context: ReportContext): Iterable<Extra>;
}

/** `jsonl`: a row a line; `quickfix`: `FILE:LINE: what is there`, where rows are lines of sources. */
export type Form = 'text' | 'markdown' | 'json' | 'jsonl' | 'csv' | 'tsv' | 'quickfix' | 'svg';

export const listReport = <Row, K extends Kind>(spec: ListSpec<Row, K>): Report => report(withRows(spec));

export function report<Row, K extends Kind>(spec: ReportSpec<Row, K>): Report {
  const { name, title, asks, sorts = [], columns = [], array = false, compares = !array, quickfix, svg } = spec;
  const forms: Form[] = ['text', 'json', 'jsonl', 'csv', 'tsv'];
  if (!array) forms.push('markdown');
  if (quickfix) forms.push('quickfix');
  if (svg) forms.push('svg');
  return {
    ...{ name, title, asks, sorts, columns, compares, array },
    forms: new Set(forms),
    write: (form, context, version, write) => writeForm(spec, form, ofKind(spec.kind, context), version, write),
    records: (context) => recordsOf(spec, ofKind(spec.kind, context)),
  };
}

async function writeForm<Row, K extends Kind>(
  spec: ReportSpec<Row, K>,
  form: Form,
  context: ReportContext<K>,
  version: string,
  write: Write,
): Promise<void> {
  switch (form) {
    case 'text':
      return printText(spec, context, write);
    case 'markdown':
      return printMarkdown(spec, context, write);
    case 'json':
      return printJson(spec, context, version, write);
    case 'jsonl':
      return printLines(spec, context, write);
    case 'quickfix':
      return printQuickfix(spec, context, write);
    case 'svg':
      return write(safeLines(spec.svg?.(context) ?? ''));
    default:
      return printSeparated(spec, context, form, write);
  }
}

/** The first `limit` rows. */
function* limited<Row>(rows: Iterable<Row>, limit: number): Generator<Row> {
  let left = limit;
  if (left <= 0) return;
  for (const row of rows) {
    yield row;
    if (--left <= 0) return;
  }
}

function jsonHead(name: string, context: ReportContext, version: string) {
  const { analysis } = context;
  const { profile, totals, events } = analysis;
  return {
    proftui: version,
    view: name,
    format: profile.format,
    paths: profile.paths,
    event: context.event.name,
    events: events.map((e) => ({
      name: e.name,
      unit: e.unit,
      ...(e.longName ? { longName: e.longName } : {}),
      ...(e.formula ? { formula: e.formula } : {}),
    })),
    totals: Object.fromEntries(events.map((e) => [e.name, costData(e, totals.total, 0)])),
    percentagesOf: Object.fromEntries(events.filter((e) => !e.per).map((e) => [e.name, eventValue(e, totals.whole, 0)])),
    ...(appliedTo(profile).length > 0 ? { applied: appliedTo(profile) } : {}),
    ...baseHead(analysis),
    ...(context.limits ? { limits: context.limits } : {}),
    warnings: [...(profile.cut ? [profile.cut] : []), ...profile.warnings].map(
      // JSON omits fields that are undefined.
      ({ path, line, offset, expected, found, hint }) => ({ path, line, offset, expected, found, hint }),
    ),
  };
}

async function printJson<Row, K extends Kind>(
  spec: ReportSpec<Row, K>,
  context: ReportContext<K>,
  version: string,
  write: Write,
): Promise<void> {
  const { array = false } = spec;
  const head = { ...jsonHead(spec.name, context, version), ...spec.extra?.(context), rows: [] };
  const table = spec.table(context);
  const columns = [...dataColumns(table.columns(context), table.keys), ...comparedColumns(table, context)];
  const rows = limited(spec.rows(context), context.limit)[Symbol.iterator]();
  // The first row is made before anything is written, so that a report that fails writes nothing.
  let next = rows.next();
  const pieces = new Pieces(write);
  await pieces.add(array ? safeText`[` : openObject(head));
  for (let first = true; !next.done; next = rows.next(), first = false)
    await pieces.add(joinSafe([first ? safeText`` : safeText`,`, safeJson(record(columns, next.value))], '\n'));
  await pieces.add(array ? safeText`\n]\n` : safeText`\n]}\n`);
  await pieces.flush();
}

function* recordsOf<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<Extra> {
  const table = spec.table(context);
  const columns = [...dataColumns(table.columns(context), table.keys), ...comparedColumns(table, context)];
  const head = { run: context.run, path: context.analysis.profile.paths.join(' ') };
  for (const row of limited(spec.rows(context), context.limit)) yield { ...head, ...record(columns, row) };
}

async function printLines<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>, write: Write): Promise<void> {
  const pieces = new Pieces(write);
  for (const row of recordsOf(spec, context)) await pieces.add(joinSafe([safeJson(row), safeText``], '\n'));
  await pieces.flush();
}

async function printQuickfix<Row, K extends Kind>(
  spec: ReportSpec<Row, K>,
  context: ReportContext<K>,
  write: Write,
): Promise<void> {
  const pieces = new Pieces(write);
  for (const row of limited(spec.rows(context), context.limit)) {
    const at = spec.quickfix?.(row, context);
    if (at) await pieces.add(safeText`${at.file}:${at.line}: ${at.text}\n`);
  }
  await pieces.flush();
}

/** An object whose last member, `rows`, is an empty list, up to where the rows go. */
function openObject(head: object): SafeText {
  const text = safeJson(head);
  return safeText`${text.slice(0, text.lastIndexOf(']'))}`;
}

function record<Row>(columns: readonly Column<Row>[], row: Row): Record<string, Json | undefined> {
  const out: Record<string, Json | undefined> = {};
  for (const { id, value } of columns) out[id] = value?.(row);
  return out;
}

/** Each value under its own name: objects as `self.Ir`, lists as JSON. */
function flatten(value: Json | undefined, name: string, into: Map<string, string>): void {
  if (value === undefined) return;
  if (isObject(value)) for (const [key, inner] of Object.entries(value)) flatten(inner, `${name}.${key}`, into);
  else into.set(name, plain(value));
}

function isObject(value: Json): value is { readonly [key: string]: Json | undefined } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function plain(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : safeJson(value);
  return String(value);
}

async function printSeparated<Row, K extends Kind>(
  spec: ReportSpec<Row, K>,
  context: ReportContext<K>,
  form: 'csv' | 'tsv',
  write: Write,
): Promise<void> {
  const table = spec.table(context);
  const columns = [...dataColumns(table.columns(context), table.keys), ...separateColumns(table, context)];
  const optional = columns.filter((c) => c.optional).map((c) => c.id);
  const line = (cells: readonly string[]) =>
    form === 'csv'
      ? joinSafe(
          [
            joinSafe(
              cells.map((cell) => csvCell(cell, context.csvSafe)),
              ',',
            ),
            safeText``,
          ],
          '\r\n',
        )
      : joinSafe([joinSafe(cells.map(visible), '\t'), safeText``], '\n');
  const pieces = new Pieces(write);
  let keys: string[] | undefined;
  for (const row of limited(spec.rows(context), context.limit)) {
    const cells = new Map<string, string>();
    for (const { id, value } of columns) flatten(value?.(row), id, cells);
    if (!keys) {
      keys = [...new Set([...cells.keys(), ...optional])];
      await pieces.add(line(keys));
    }
    await pieces.add(line(keys.map((k) => cells.get(k) ?? '')));
  }
  await pieces.flush();
}

const GAP = 1;
const LEAST_FLEX = 12;

async function printText<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>, write: Write): Promise<void> {
  const { width } = context;
  const columns = readColumns(spec.table(context).columns(context), 'text').filter((c) => width >= (c.from ?? 0));
  // Made visible before it is measured: marks are wider than what they stand for.
  const out = [...factLines(factsOf(spec.name, context)), ...(spec.head?.(context) ?? []).map(lineText)]
    .map(visible)
    .flatMap((l) => wrap(l, width));
  if (columns.length > 0) out.push('', ...rowLines(spec, context, columns));
  out.push(...sentenceLines(spec, context));
  for (const line of spec.foot?.(context) ?? []) out.push(visible(lineText(line)));
  for (const table of spec.tables?.(context) ?? []) out.push(...tableLines(table, width));
  await write(safeLines(out.map((line) => `${cutLine(line, width)}\n`).join('')));
}

const lineText = (line: string | Cell) => (typeof line === 'string' ? line : line.text);

function factLines({ format, paths, command, warnings, counts, base, event }: Facts): string[] {
  return [
    `${format}: ${visible(paths.join(' '))}`,
    ...(command === null ? [] : [`command: ${visible(command)}`]),
    ...warnings.map((text) => `warning: ${text}`),
    ...(counts === '' ? [] : [`counts: ${visible(counts)}`]),
    ...(base ? [`base: ${visible(base.paths.join(' '))}`, ...base.notes.map((note) => `note: ${note}`)] : []),
    ...(event ? [`event: ${event.name}${event.longName && ` (${event.longName})`}, ${event.totals}`] : []),
  ];
}

/** The table, its columns as wide as they say; the last one has what is left. */
function tableLines({ title, columns, rows }: SmallTable, width: number): string[] {
  const before = columns.slice(0, -1);
  const left = width - before.reduce((n, c) => n + (c.width ?? 0) + 2, 2);
  const lines = rows.map((cells) => {
    const texts = cells.map(shown).map((cell, i) => {
      const { width: room, align } = columns[i];
      return i < before.length ? fit(cell.text, room ?? 0, align) : visible(cell.short?.(left) ?? cell.text);
    });
    return `  ${texts.join('  ')}`;
  });
  return ['', visible(lineText(title)), ...lines];
}

/** Cells of the number in front of a sentence. */
const LEAD = 8;

function sentenceLines<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): string[] {
  const { sentence } = spec;
  if (!sentence) return [];
  const room = Math.max(LEAST_FLEX, context.width - LEAD - 1);
  const out = [...shownRows(spec, context)].flatMap((item): string[] => {
    if ('group' in item) return [];
    if ('more' in item) return ['', item.more];
    const { lead, parts, under } = sentence(item.row, context);
    const texts = [parts.map(({ text }) => text).join(''), ...under.map(lineText)];
    const lines = texts.flatMap((line) => wrapped(visible(line), room, room, 1 / 3));
    return ['', ...lines.map((line, i) => `${fit(i === 0 ? lead : '', LEAD, 'right')} ${line}`)];
  });
  return out.length === 0 && spec.none !== undefined ? ['', spec.none] : out;
}

type CellLine = readonly Cell[] | string;

/** The rows, aligned, and a line that says whether there are more. */
function rowLines<Row, K extends Kind>(
  spec: ReportSpec<Row, K>,
  context: ReportContext<K>,
  columns: readonly Column<Row>[],
): string[] {
  const cells: CellLine[] = [columns.map((c) => shown(c.title))];
  const more: string[] = [];
  for (const item of shownRows(spec, context)) {
    if ('row' in item) cells.push(columns.map(({ text }) => shown(text?.(item.row) ?? '')));
    else if ('group' in item) cells.push(visible(`-- ${item.group}`));
    else more.push(item.more);
  }
  return [...alignText(columns, cells, context.width), ...more];
}

function shown(cell: string | Cell): Cell {
  return typeof cell === 'string' ? { text: visible(cell) } : { ...cell, text: visible(cell.text) };
}

function cutLine(line: string, width: number): string {
  const trimmed = line.trimEnd();
  return cellWidth(trimmed) > width ? fit(trimmed, width) : trimmed;
}

/** Lines of at most `width` cells, broken at spaces, the second and later ones indented. */
function wrap(text: string, width: number): string[] {
  const out: string[] = [];
  for (const word of text.split(' ')) {
    const last = out.at(-1);
    if (last !== undefined && cellWidth(last) + 1 + cellWidth(word) <= width) out[out.length - 1] = `${last} ${word}`;
    else out.push(out.length === 0 ? word : `  ${word}`);
  }
  return out;
}

/** Aligned lines of at most `width` cells: fixed columns as wide as they need, the rest shared by the flexible ones. */
function alignText<Row>(columns: readonly Column<Row>[], cells: readonly CellLine[], width: number): string[] {
  const need = columns.map((_, c) =>
    cells.reduce((most, row) => (typeof row === 'string' ? most : Math.max(most, cellWidth(row[c].text.slice(0, 4096)))), 0),
  );
  const widths = [...need];
  const flexible = columns.flatMap((c, i) => (c.flex ? [i] : []));
  const fixed = columns.reduce((n, c, i) => n + (c.flex ? 0 : need[i]), 0) + GAP * (columns.length - 1);
  let left = Math.max(width - fixed, LEAST_FLEX * flexible.length);
  // The first flexible column (the name) matters most: it gets half of what is left before the others share.
  flexible.forEach((i, k) => {
    const after = flexible.length - k - 1;
    const share = after === 0 ? left : Math.max(Math.floor(left / 2), left - after * 24);
    widths[i] = Math.min(need[i], Math.max(LEAST_FLEX, share));
    left -= widths[i];
  });
  const put = ({ text: whole, short, cut: own }: Cell, c: number) => {
    const { align = 'left', cut = 'end' } = columns[c];
    const text = short ? visible(short(widths[c])) : whole;
    const lastOne = c === columns.length - 1 && align === 'left' && cellWidth(text) <= widths[c];
    return lastOne ? text : fit(text, widths[c], align, own ?? cut);
  };
  return cells.map((row) => (typeof row === 'string' ? row : row.map(put).join(' '.repeat(GAP))));
}
