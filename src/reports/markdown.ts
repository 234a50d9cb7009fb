// Writes a report as Markdown for a comment or a job summary: facts, tables, and the names of a profile in code marks.
import { asciiMarks } from '../base/ascii.ts';
import { codeBlock, inCodeMarks, plainWords, sideBySide, tableRow } from '../base/markdown.ts';
import { safeLines, visible } from '../base/safe-text.ts';
import type { Cell } from '../base/style.ts';
import { readColumns } from '../columns/column.ts';
import type { Kind } from '../model/profile.ts';
import { Pieces, type Write } from './pieces.ts';
import { type Facts, factsOf, shownRows } from './readable.ts';
import type { ReportContext, ReportSpec, Sentence, SmallTable } from './report.ts';

type Heading = SmallTable['columns'][number];

export async function printMarkdown<Row, K extends Kind>(
  spec: ReportSpec<Row, K>,
  context: ReportContext<K>,
  write: Write,
): Promise<void> {
  const w = new Writer(context.ascii);
  const pieces = new Pieces(write);
  const add = (...lines: readonly string[]) => pieces.add(safeLines(lines.map((line) => `${line}\n`).join('')));
  const head = spec.head?.(context) ?? [];
  await add(...w.facts(spec.name, factsOf(spec.name, context)), ...(spec.drawn ? ['', ...w.drawing(head)] : w.list(head)));
  for (const lines of mainTable(w, spec, context)) await add(...lines);
  for (const lines of sentences(w, spec, context)) await add(...lines);
  const foot = w.list(spec.foot?.(context) ?? []);
  if (foot.length > 0) await add('', ...foot);
  for (const { title, columns, rows } of spec.tables?.(context) ?? [])
    await add('', w.inText(title), '', ...w.heading(columns), ...rows.map((cells) => w.row(columns, cells)));
  await pieces.flush();
}

/** The lines of the report's table: a table for each group of rows, where there are groups. No column is left out: it has no width. */
function* mainTable<Row, K extends Kind>(w: Writer, spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<string[]> {
  const columns = readColumns(spec.table(context).columns(context), 'text');
  if (columns.length === 0) return;
  const heading = ['', ...w.heading(columns)];
  const cells = (row: Row) => columns.map(({ text }) => text?.(row) ?? '');
  let isHeaded = false;
  for (const shown of shownRows(spec, context)) {
    // Rows before all groups, or of no group, have a table, too.
    if ('group' in shown) yield ['', `#### ${w.name(shown.group)}`, ...heading];
    else if (!isHeaded) yield heading;
    isHeaded = true;
    if ('row' in shown) yield [w.row(columns, cells(shown.row))];
    else if ('more' in shown) yield ['', w.words(shown.more)];
  }
  if (!isHeaded && !spec.group) yield heading;
}

function* sentences<Row, K extends Kind>(w: Writer, spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<string[]> {
  if (!spec.sentence) return;
  let before = [''];
  for (const shown of shownRows(spec, context)) {
    if ('row' in shown) yield [...before, ...w.sentence(spec.sentence(shown.row, context))];
    else if ('more' in shown) yield ['', w.words(shown.more)];
    before = [];
  }
  if (before.length > 0 && spec.none !== undefined) yield ['', w.words(spec.none)];
}

/** Makes lines of texts that may be hostile. In ASCII, marks are replaced first: those for ↻ and │ mean something to Markdown. */
class Writer {
  constructor(private readonly ascii: boolean) {}

  private shown(text: string): string {
    return this.ascii ? asciiMarks(visible(text)) : visible(text);
  }

  name(text: string): string {
    return inCodeMarks(this.shown(text));
  }

  words(text: string): string {
    return plainWords(this.shown(text));
  }

  /** Our own words, or a name with words around it. */
  inText(line: string | Cell): string {
    return (typeof line === 'string' ? this.words(line) : this.named(line)).replace(/^ +/, '');
  }

  private named({ text, own: [before, behind] = ['', ''] }: Cell): string {
    const name = text.slice(before.length, text.length - behind.length);
    return sideBySide([this.words(before), this.name(name), this.words(behind)]);
  }

  facts(view: string, { format, paths, command, warnings, counts, base, event }: Facts): string[] {
    const [first, ...others] = paths.map((path) => this.name(path));
    return [
      `### ${view}: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`,
      '',
      `- format: ${format}`,
      ...(others.length > 0 ? [`- files: ${[first, ...others].join(', ')}`] : []),
      ...(command === null ? [] : [`- command: ${this.name(command)}`]),
      ...warnings.map((text) => `- warning: ${this.words(text)}`),
      ...(counts === '' ? [] : [`- counts: ${this.name(counts)}`]),
      ...(base
        ? [
            `- base: ${base.paths.map((path) => this.name(path)).join(', ')}`,
            ...base.notes.map((note) => `- note: ${this.inText(note)}`),
          ]
        : []),
      ...(event
        ? [`- event: ${this.name(event.name)}${event.longName && this.words(` (${event.longName})`)}, ${event.totals}`]
        : []),
    ];
  }

  list(lines: readonly (string | Cell)[]): string[] {
    return lines.map((line) => `- ${this.inText(line)}`.trimEnd());
  }

  sentence({ lead, parts, under }: Sentence): string[] {
    const said = sideBySide(parts.map(({ text, isName }) => (isName ? this.name(text) : this.words(text))));
    const more = under.map((line) => this.inText(line)).join('; ');
    return [`- ${lead === '' ? '' : `${this.words(lead).trim()}: `}${said} (${more})`];
  }

  drawing(lines: readonly (string | Cell)[]): string[] {
    return codeBlock(lines.map((line) => this.shown(typeof line === 'string' ? line : line.text)));
  }

  heading(columns: readonly Heading[]): string[] {
    const line = columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
    return [tableRow(columns.map(({ title }) => this.words(title))), tableRow(line)];
  }

  row(columns: readonly Heading[], cells: readonly (string | Cell)[]): string {
    return tableRow(cells.map((cell, i) => this.cell(columns[i], typeof cell === 'string' ? { text: cell } : cell)));
  }

  /** Right-aligned cells are numbers, others names. An indent stays: tables cut blanks off. */
  private cell({ align }: Heading, cell: Cell): string {
    if (align === 'right') return this.words(cell.text).trim();
    const { text, own: [before, behind] = ['', ''] } = cell;
    const name = text.slice(before.length, text.length - behind.length);
    // A blank name is no indent.
    const [indent] = /^[ \t]*/.exec(before || (name.trim() === '' ? '' : name)) ?? [''];
    const rest = { text: text.slice(indent.length), own: [before.slice(indent.length), behind] as const };
    return '&nbsp;'.repeat(indent.replaceAll('\t', '    ').length) + this.named(rest);
  }
}
