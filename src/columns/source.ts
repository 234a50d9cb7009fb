// The columns of annotated source: one row per line, the calls from it below it, lines without cost folded.
import type { AnnotatedFile } from '../analysis/annotate.ts';
import { fileName } from '../analysis/names.ts';
import type { Cell } from '../base/style.ts';
import { formatCost, plural } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { type Column, type ColumnContext, onScreen, type Table } from './column.ts';
import { costRoom, costsByName, costText, shareCell, shareColumn } from './costs.ts';
import { lineText, nameCell, routineKey } from './names.ts';

export interface SourceRow {
  readonly kind: 'line' | 'call' | 'fold';
  readonly line: number;
  /** Row of the annotated file (-1 for a line without cost), call site, or number of lines folded. */
  readonly of: number;
}

export interface SourceListing {
  readonly file: AnnotatedFile;
  /** Above the source column on the screen. */
  readonly title: string;
  /** The text of a line; undefined where there is none. */
  readonly text: (line: number) => string | undefined;
  /** Cells of the widest line number. */
  readonly widest: number;
  /** Jumps beside the lines, on the screen. */
  readonly jumps?: ((row: SourceRow) => string) | undefined;
  readonly jumpsWidth?: number;
}

/** `listing`: the listing of a row, since `--print source` lists several files. */
export function sourceTable<Row extends SourceRow>(
  listing: (row: Row) => SourceListing,
  first: SourceListing | undefined,
): Table<Row> {
  return {
    keys: ['file', 'line', 'text', 'self', 'inclusive', 'calls'],
    columns: (c) => [...costColumns(c, listing), ...lineColumns(c, listing, first)],
  };
}

function costColumns<Row extends SourceRow>(c: ColumnContext, listing: (row: Row) => SourceListing): Column<Row>[] {
  const { events, costing } = c.analysis;
  const inText = c.medium === 'text';
  const none = Object.fromEntries(events.map((e) => [e.name, 0]));
  const self = (r: Row) => (r.of < 0 ? 0 : eventValue(c.event, listing(r).file.self, r.of));
  const call = (r: Row) => {
    const { calls } = listing(r).file;
    return calls ? exactValue(c.event, calls.costs, r.of) : 0;
  };
  const selfText = (r: Row): string => {
    if (r.kind === 'fold') return '';
    if (r.kind === 'call') return inText ? formatCost(call(r), c.event.unit) : '';
    return self(r) === 0 ? '.' : costText(c, exactValue(c.event, listing(r).file.self, r.of));
  };
  const share = (r: Row): string | Cell => {
    if (r.kind === 'fold') return '';
    if (r.kind === 'call') return shareCell(c, Number(call(r)));
    if (self(r) !== 0) return shareCell(c, self(r));
    return inText ? '.' : '';
  };
  const inclusiveText = (r: Row): string => {
    if (r.kind === 'fold' || r.of < 0) return '';
    if (r.kind === 'call') return costText(c, call(r));
    const { file } = listing(r);
    const hasMore = file.callsAt[r.of].length > 0 || costing.can.has('stacks');
    return hasMore ? costText(c, exactValue(c.event, file.inclusive, r.of)) : '';
  };
  return [
    {
      ...costRoom(c, 'self'),
      id: 'self',
      rank: 9,
      value: (r) => (r.of < 0 ? none : costsByName(events, listing(r).file.self, r.of)),
      text: selfText,
    },
    ...shareColumn<Row>(c, '%', share),
    {
      ...costRoom(c, 'incl'),
      id: 'inclusive',
      rank: 6,
      value: (r) => (r.of < 0 ? none : costsByName(events, listing(r).file.inclusive, r.of)),
      text: c.medium === 'screen' && costing.can.has('inclusive') ? inclusiveText : undefined,
    },
  ];
}

function lineColumns<Row extends SourceRow>(
  c: ColumnContext,
  listing: (row: Row) => SourceListing,
  first: SourceListing | undefined,
): Column<Row>[] {
  const jumps = first?.jumps;
  const text = (r: Row): string | Cell => {
    if (r.kind === 'fold')
      return { text: `${c.ascii ? '...' : '⋯'} ${plural(r.of, 'line')} without cost (Enter opens)`, style: 'dim' };
    if (r.kind === 'call') return callText(c, listing(r), r);
    if (r.line === 0) return onScreen(c, '(code without a line)', listing(r).text(0) ?? '(no line)');
    const shown = listing(r).text(r.line) ?? '';
    if (c.medium === 'text') return shown;
    const spaced = shown.replaceAll('\t', '    ');
    return r.of < 0 ? { text: spaced, style: 'dim' } : spaced;
  };
  return [
    { id: 'file', title: 'file', value: (r) => fileName(c.analysis.profile, listing(r).file.file) },
    {
      id: 'line',
      title: 'line',
      width: first?.widest ?? 4,
      align: 'right',
      rank: 9,
      value: (r) => r.line,
      text: (r) => (r.kind === 'line' ? lineText(r.line) : ''),
    },
    ...(jumps
      ? [{ id: 'jumps', title: 'jumps', width: first.jumpsWidth ?? 0, rank: 5, style: 'dim' as const, text: jumps }]
      : []),
    {
      id: 'text',
      title: onScreen(c, first?.title ?? 'source', 'source'),
      width: 20,
      flex: 1,
      cut: 'end',
      rank: 9,
      value: (r) => listing(r).text(r.line) ?? null,
      text,
    },
    { id: 'calls', title: 'calls', value: (r) => callsFrom(c, listing(r), r) },
  ];
}

function callText(c: ColumnContext, { file }: SourceListing, { of }: SourceRow): string | Cell {
  const { calls } = file;
  if (!calls) return '';
  const n = calls.count[of];
  const counted = c.medium === 'screen' ? n > 0 : c.analysis.costing.can.has('counts');
  const times = counted ? ` (${plural(n, 'call')})` : '';
  const before = onScreen(c, `  ${c.ascii ? '=>' : '⇒'} `, '=> ');
  return nameCell(c, calls.callee[of], { before, after: times, style: onScreen(c, 'call', 'plain') });
}

function callsFrom(c: ColumnContext, { file }: SourceListing, { of }: SourceRow) {
  const { analysis } = c;
  const { calls } = file;
  if (of < 0 || !calls) return [];
  return file.callsAt[of].map((i) => ({
    callee: routineKey(analysis, calls.callee[i]),
    count: analysis.costing.can.has('counts') ? calls.count[i] : null,
    inclusive: costsByName(analysis.events, calls.costs, i),
  }));
}
