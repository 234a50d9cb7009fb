// The source report: annotated source lines.
import { wholeOf } from '../analysis/analysis.ts';
import { type AnnotatedFile, annotateFile, annotateRoutine } from '../analysis/annotate.ts';
import { fileName } from '../analysis/names.ts';
import { formatCost, formatPercent, plural } from '../base/units.ts';
import { hasCounts } from '../model/profile.ts';
import { costColumns } from './cells.ts';
import { costOf, costsByName, fileOrNull, type Report, type ReportContext, ReportError, type Row, routineKey } from './report.ts';

/** Lines shown around those that cost something, as callgrind_annotate --context does. */
const AROUND = 8;

/** The files to list: those of the routine, or those whose name the filter matches. */
function wanted(context: ReportContext): AnnotatedFile[] {
  const { analysis, routine } = context;
  if (routine !== undefined) return annotateRoutine(analysis, routine);
  if (!context.filtered) throw new ReportError('--print source needs --routine NAME, or --filter TEXT for files');
  const files = [...analysis.profile.files.name.keys()].filter((f) => context.matches(fileName(analysis.profile, f) ?? ''));
  return files.map((f) => annotateFile(analysis, f)).filter((a) => a.line.length > 0);
}

export const source: Report = {
  name: 'source',
  title: 'source lines with their costs, for --routine NAME or files by --filter TEXT',
  requires: ['lines'],
  sorts: [],
  *rows(context) {
    const { analysis } = context;
    const { events } = analysis;
    let left = context.limit;
    for (const annotated of wanted(context)) {
      const { file } = annotated;
      const name = fileOrNull(analysis, file);
      const text = name === null ? 'the profile does not say which file' : context.source(name);
      const rowOf = new Map(Array.from(annotated.line, (line, row) => [line, row]));
      for (const line of shownLines(annotated, typeof text === 'string' ? 0 : text.lines.length)) {
        if (left-- <= 0) return;
        const row = rowOf.get(line);
        const none = Object.fromEntries(events.map((e) => [e.name, 0]));
        const out: Row = {
          file: name,
          line,
          text: typeof text === 'string' ? null : (text.lines[line - 1] ?? null),
          self: row === undefined ? none : costsByName(events, annotated.self, row),
          inclusive: row === undefined ? none : costsByName(events, annotated.inclusive, row),
          calls: (row === undefined ? [] : annotated.callsAt[row]).map((i) => ({
            callee: routineKey(analysis, annotated.calls!.callee[i]),
            count: hasCounts(analysis.profile) ? annotated.calls!.count[i] : null,
            inclusive: costsByName(events, annotated.calls!.costs, i),
          })),
        };
        yield out;
      }
    }
  },
  *under(row) {
    for (const call of row['calls'] as Row[]) yield { call, text: null, line: row['line'], file: row['file'] } as Row;
  },
  columns: (context) => {
    const whole = wholeOf(context.analysis, context.event);
    const [self, share] = costColumns(context, 'self', 'self');
    const dots = (row: Row, text: string) => (Number(costOf(row, 'self', context.event)) === 0 ? '.' : text);
    return [
      {
        ...self,
        cell: (row) =>
          row['call']
            ? formatCost(costOf(row['call'] as Row, 'inclusive', context.event), context.event.unit)
            : dots(row, self.cell(row)),
      },
      {
        ...share,
        cell: (row) =>
          row['call']
            ? formatPercent(Number(costOf(row['call'] as Row, 'inclusive', context.event)), whole)
            : dots(row, share.cell(row)),
      },
      { title: 'line', align: 'right', cell: (row) => (row['call'] ? '' : row['line'] === 0 ? '?' : String(row['line'])) },
      {
        title: 'source',
        align: 'left',
        flex: 'end',
        cell: (row) => {
          const call = row['call'] as { callee: { routine: string }; count: number | null } | undefined;
          if (call) return `=> ${call.callee.routine || '???'}${call.count === null ? '' : ` (${plural(call.count, 'call')})`}`;
          return row['text'] === null ? (row['line'] === 0 ? '(no line)' : '') : (row['text'] as string);
        },
      },
    ];
  },
  group: (row) => `-- ${row['file'] ?? '???'}`,
  head: (context) => wanted(context).flatMap((a) => notes(context, a)),
};

function notes(context: ReportContext, annotated: AnnotatedFile): string[] {
  const name = fileName(context.analysis.profile, annotated.file);
  if (name === null) return [];
  const text = context.source(name);
  if (typeof text === 'string') return [`${name}: ${text}; costs by line all the same`];
  return text.newer ? [`${name}: the source is newer than the profile; lines may not match`] : [];
}

/** Costly lines and those around them; only the costly ones where there is no text. */
function shownLines(annotated: AnnotatedFile, length: number): number[] {
  const out = new Set<number>();
  for (const line of annotated.line) {
    out.add(line);
    if (line === 0) continue;
    for (let k = Math.max(1, line - AROUND); k <= Math.min(length, line + AROUND); k++) out.add(k);
  }
  return [...out].sort((a, b) => a - b);
}
