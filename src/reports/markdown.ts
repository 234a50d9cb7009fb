// Writes a report as Markdown, for a pull request comment or a job summary. Names from the profile are in code marks.
import { replaceMarks } from '../base/ascii.ts';
import { codeBlock, inlineCode, joinMarked, proseToMarkdown, tableRow } from '../base/markdown.ts';
import { type SafeText, safeLines, visible } from '../base/safe-text.ts';
import { type TableCell, textOfCell } from '../base/style.ts';
import { readColumns } from '../columns/column.ts';
import type { Kind } from '../model/profile.ts';
import { printedRows, type ReportFacts, reportFacts } from './readable.ts';
import { eachRoutine, headingOfRoutine, type ReportContext, type ReportSpec, type Sentence, type SmallTable } from './report.ts';

type ColumnHeading = SmallTable['columns'][number];

export function* markdownPieces<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<SafeText> {
  for (const line of markdownLines(spec, context)) yield safeLines(`${line}\n`);
}

function* markdownLines<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<string> {
  const w = new MarkdownWriter(context.ascii);
  yield* w.factLines(spec.name, reportFacts(spec.name, context));
  for (const one of eachRoutine(context)) {
    const of = headingOfRoutine(context, one);
    if (of !== undefined) yield* ['', `#### ${w.nameText(of)}`];
    yield* bodyLines(w, spec, one);
  }
}

function* bodyLines<Row, K extends Kind>(w: MarkdownWriter, spec: ReportSpec<Row, K>, context: ReportContext<K>) {
  const head = spec.head?.(context) ?? [];
  yield* spec.drawn ? ['', ...w.drawingBlock(head)] : w.listLines(head);
  yield* tableLines(w, spec, context);
  yield* sentenceLines(w, spec, context);
  const footer = w.listLines(spec.footer?.(context) ?? []);
  if (footer.length > 0) yield* ['', ...footer];
  for (const { title, columns, rows } of spec.tables?.(context) ?? [])
    yield* ['', w.lineText(title), '', ...w.headingLines(columns), ...rows.map((cells) => w.rowLine(columns, cells))];
}

/** The lines of the report's table, or of one table per group. Markdown has no width, so no column is left out. */
function* tableLines<Row, K extends Kind>(w: MarkdownWriter, spec: ReportSpec<Row, K>, context: ReportContext<K>) {
  const columns = readColumns(spec.table(context).columns(context), 'text');
  if (columns.length === 0) return;
  const heading = ['', ...w.headingLines(columns)];
  const cells = (row: Row) => columns.map(({ text }) => text?.(row) ?? '');
  let isHeaded = false;
  for (const shown of printedRows(spec, context)) {
    // Rows outside any group also need a table heading.
    if ('group' in shown) yield* ['', `#### ${w.nameText(shown.group)}`, ...heading];
    else if (!isHeaded) yield* heading;
    isHeaded = true;
    if ('row' in shown) yield w.rowLine(columns, cells(shown.row));
    else if ('more' in shown) yield* ['', w.wordsText(shown.more)];
  }
  if (!isHeaded && !spec.group) yield* heading;
}

function* sentenceLines<Row, K extends Kind>(w: MarkdownWriter, spec: ReportSpec<Row, K>, context: ReportContext<K>) {
  if (!spec.sentence) return;
  let separator = [''];
  for (const shown of printedRows(spec, context)) {
    if ('group' in shown) yield* ['', `#### ${w.wordsText(shown.group)}`, ''];
    else if ('more' in shown) yield* ['', w.wordsText(shown.more)];
    else yield* [...separator, ...w.sentenceLine(spec.sentence(shown.row, context))];
    if (!('group' in shown)) separator = [];
  }
  if (separator.length > 0 && spec.emptyText !== undefined) yield* ['', w.wordsText(spec.emptyText)];
}

/** Makes Markdown from untrusted texts. Marks become ASCII first, because the ASCII for ↻ and │ is Markdown syntax. */
class MarkdownWriter {
  constructor(private readonly ascii: boolean) {}

  private visibleText(text: string): string {
    return this.ascii ? replaceMarks(visible(text)) : visible(text);
  }

  nameText(text: string): string {
    return inlineCode(this.visibleText(text));
  }

  wordsText(text: string): string {
    return proseToMarkdown(this.visibleText(text));
  }

  /** A line: words of proftui (string), or a name with words around it (TableCell). */
  lineText(line: string | TableCell): string {
    return (typeof line === 'string' ? this.wordsText(line) : this.nameWithWords(line)).replace(/^ +/, '');
  }

  private nameWithWords({ text, own: [before, behind] = ['', ''] }: TableCell): string {
    const name = text.slice(before.length, text.length - behind.length);
    return joinMarked([this.wordsText(before), this.nameText(name), this.wordsText(behind)]);
  }

  factLines(view: string, { format, paths, command, warnings, selection, base, event }: ReportFacts): string[] {
    const [first, ...others] = paths.map((path) => this.nameText(path));
    return [
      `### ${view}: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`,
      '',
      `- format: ${format}`,
      ...(others.length > 0 ? [`- files: ${[first, ...others].join(', ')}`] : []),
      ...(command === null ? [] : [`- command: ${this.nameText(command)}`]),
      ...warnings.map((text) => `- warning: ${this.wordsText(text)}`),
      ...(selection === '' ? [] : [`- counts: ${this.nameText(selection)}`]),
      ...(base
        ? [
            `- base: ${base.paths.map((path) => this.nameText(path)).join(', ')}`,
            ...base.notes.map((note) => `- note: ${this.lineText(note)}`),
          ]
        : []),
      ...(event
        ? [`- event: ${this.nameText(event.name)}${event.longName && this.wordsText(` (${event.longName})`)}, ${event.totals}`]
        : []),
    ];
  }

  listLines(lines: readonly (string | TableCell)[]): string[] {
    return lines.map((line) => `- ${this.lineText(line)}`.trimEnd());
  }

  sentenceLine({ lead, parts, detailLines }: Sentence): string[] {
    const sentenceText = joinMarked(parts.map(({ text, isName }) => (isName ? this.nameText(text) : this.wordsText(text))));
    const more = detailLines.map((line) => this.lineText(line)).join('; ');
    return [`- ${lead === '' ? '' : `${this.wordsText(lead).trim()}: `}${sentenceText} (${more})`];
  }

  drawingBlock(lines: readonly (string | TableCell)[]): string[] {
    return codeBlock(lines.map((line) => this.visibleText(textOfCell(line))));
  }

  headingLines(columns: readonly ColumnHeading[]): string[] {
    const line = columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
    return [tableRow(columns.map(({ title }) => this.wordsText(title))), tableRow(line)];
  }

  rowLine(columns: readonly ColumnHeading[], cells: readonly (string | TableCell)[]): string {
    return tableRow(cells.map((cell, i) => this.cellText(columns[i], typeof cell === 'string' ? { text: cell } : cell)));
  }

  /** Right-aligned cells are numbers, others are names. Indents become `&nbsp;`, because tables drop blanks. */
  private cellText({ align }: ColumnHeading, cell: TableCell): string {
    if (align === 'right') return this.wordsText(cell.text).trim();
    const { text, own: [before, behind] = ['', ''] } = cell;
    const name = text.slice(before.length, text.length - behind.length);
    // The blanks of a blank name are not an indent.
    const [indent] = /^[ \t]*/.exec(before || (name.trim() === '' ? '' : name)) ?? [''];
    const rest = { text: text.slice(indent.length), own: [before.slice(indent.length), behind] as const };
    return '&nbsp;'.repeat(indent.replaceAll('\t', '    ').length) + this.nameWithWords(rest);
  }
}
