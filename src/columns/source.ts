// The columns of annotated source: one row per line, the calls from it below it, lines without cost folded.

import type { AnnotatedFile } from '../analysis/answers/annotate.ts';
import { isOldIn, numberIn } from '../analysis/answers/compared/old-lines.ts';
import type { LineChange, LineMap } from '../analysis/answers/costing.ts';
import { fileName } from '../analysis/names/names.ts';
import { type Cell, changeFill, heatFill } from '../base/style.ts';
import { plural } from '../base/units.ts';
import { type CostTable, eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { data, shown } from './builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from './column.ts';
import {
  costCell,
  costRoom,
  costsByName,
  estimatedColumn,
  eventColumns,
  markRoom,
  shareCell,
  shareColumn,
  sidesAt,
  wholeIn,
} from './costs.ts';
import { calleeText, callRecords } from './line-calls.ts';
import { lineText } from './names.ts';

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
  /** The change of a line, where the texts of two runs are at hand. */
  readonly change?: LineMap['change'];
  /** Jumps beside the lines, on the screen. */
  readonly jumps?: ((row: SourceRow) => string) | undefined;
  readonly jumpsWidth?: number;
}

/** Which columns of numbers the screen shows: the text may need their room. */
export type Numbers = 'all' | 'self' | 'none';
/** Without inclusive cost, all numbers are those of self cost. */
export const numbersOf = (withCalls: boolean): readonly Numbers[] => (withCalls ? ['all', 'self', 'none'] : ['all', 'none']);

export interface SourceOptions {
  /** The only file's, on the screen. */
  readonly first?: SourceListing | undefined;
  /** Without calls, inclusive cost only repeats self cost. */
  readonly withCalls: boolean;
  /** In text, both texts of some of the files are at hand. */
  readonly withChanges?: boolean;
}

/** `listing`: the listing of a row, since `--print source` lists several files. */
export function sourceTable<Row extends SourceRow>(
  listing: (row: Row) => SourceListing,
  { first, withCalls, withChanges = first?.change !== undefined }: SourceOptions,
): Table<Row> {
  return {
    keys: ['file', 'line', 'text', 'self', 'inclusive', 'calls'],
    sides: (c, r) =>
      isOldIn(c.analysis, r.line)
        ? { in: 2 }
        : r.of < 0
          ? { in: listing(r).change?.(r.line) === 'new' ? 1 : 3 }
          : sidesAt(listing(r).file.sides, r.of),
    columns: (c) => [
      ...costColumns(c, listing, withCalls),
      ...heatColumn(c, listing, withCalls),
      ...lineColumns(c, listing, first, withChanges),
    ],
  };
}

/** Columns of self cost, and of all costs. Those of further events begin with `self.`, as in CSV. */
const isSelf = (id: string) => id === 'self' || id === 'self%' || id.startsWith(SELF_IN);
const isNumber = (id: string) => isSelf(id) || id === 'inclusive' || id === 'inclusive%';
const SELF_IN = 'self.';
/** The id of a column of self cost in a further event: an event may have the name of any other column. */
export const selfIn = ({ name }: Event) => ({ id: SELF_IN + name });

/** The columns that are left when numbers are hidden. */
export function withNumbers<Row>(columns: readonly Column<Row>[], numbers: Numbers): readonly Column<Row>[] {
  return columns.filter(({ id }) => numbers === 'all' || !isNumber(id) || (numbers === 'self' && isSelf(id)));
}

/** Whether inclusive cost differs from self cost in some of the files. */
export function callsIn(c: ColumnContext, files: readonly AnnotatedFile[]): boolean {
  return c.analysis.costing.can.has('stacks') || files.some(({ calls }) => calls !== undefined && calls.line.length > 0);
}

/** The columns of the numbers: self and inclusive, each with its share of the whole. The cost of a call is inclusive. */
function costColumns<Row extends SourceRow>(
  c: ColumnContext,
  listing: (row: Row) => SourceListing,
  withCalls: boolean,
): Column<Row>[] {
  const { events } = c.analysis;
  const none = Object.fromEntries(events.map((e) => [e.name, 0]));
  const self = (r: Row) => (r.kind === 'line' && r.of >= 0 ? listing(r).file.self : undefined);
  const inclusive = (r: Row) => {
    const { calls, inclusive: ofLines } = listing(r).file;
    if (r.kind === 'call') return calls?.costs;
    return r.kind === 'line' && r.of >= 0 ? ofLines : undefined;
  };
  const guessed = (r: Row, what: 'self' | 'inclusive') => {
    const { estimated, calls } = listing(r).file;
    if (r.of < 0 || r.kind === 'fold') return false;
    return (r.kind === 'call' ? calls?.estimated?.[r.of] : estimated?.[what][r.of]) === 1;
  };
  const cost = (r: Row, costs: CostTable | undefined, what: 'self' | 'inclusive', event = c.event) => {
    return costs && exactValue(event, costs, r.of) ? costCell(c, costs, r.of, guessed(r, what), event) : '';
  };
  // A dot is a zero.
  const selfText = (event: Event, r: Row) => cost(r, self(r), 'self', event) || (r.kind === 'line' ? '.' : '');
  const share = (r: Row, costs: CostTable | undefined) => {
    const value = costs && eventValue(c.event, costs, r.of);
    return value ? shareCell(c, value) : '';
  };
  const value = (r: Row, costs: CostTable, what: 'self' | 'inclusive') =>
    r.of < 0 ? none : costsByName(events, costs, r.of, guessed(r, what));
  return [
    {
      ...costRoom(c, 'self', c.event, markRoom(c, 'self')),
      id: 'self',
      rank: 8,
      measured: true,
      value: (r) => value(r, listing(r).file.self, 'self'),
      text: (r) => selfText(c.event, r),
    },
    ...shareColumn<Row>(c, 'self%', (r) => share(r, self(r)), { rank: 7 }),
    data('inclusive', (r) => value(r, listing(r).file.inclusive, 'inclusive'), {
      ...costRoom(c, 'incl', c.event, markRoom(c, 'inclusive')),
      rank: 6,
      measured: true,
      text: withCalls ? (r) => cost(r, inclusive(r), 'inclusive') : undefined,
    }),
    ...(withCalls ? shareColumn<Row>(c, 'inclusive%', (r) => share(r, inclusive(r)), { rank: 7, title: 'incl%' }) : []),
    ...eventColumns<Row>(c, selfText, selfIn),
    ...estimatedColumn<Row>(c.analysis.totals.estimated !== undefined, (r) => guessed(r, 'self') || guessed(r, 'inclusive')),
  ];
}

/** The mark of each step of heat, for where colours cannot be seen. */
const HEAT_MARKS: Readonly<Record<string, string>> = { heat1: '▁', heat2: '▃', heat3: '▅', heat4: '▇', heat5: '█' };

/** How hot each line is, by what it costs with its calls: a fill and a mark; of two runs, whether it costs more or less. */
function heatColumn<Row extends SourceRow>(
  c: ColumnContext,
  listing: (row: Row) => SourceListing,
  withCalls: boolean,
): Column<Row>[] {
  if (c.event.per) return [];
  const whole = wholeIn(c);
  const text = (r: Row): string | Cell => {
    if (r.kind !== 'line' || r.of < 0) return '';
    const { self, inclusive } = listing(r).file;
    const value = eventValue(c.event, withCalls ? inclusive : self, r.of);
    if (!value) return '';
    if (c.event.measure === 'delta') return { text: value > 0 ? '+' : '-', style: changeFill(value / whole) };
    const style = heatFill(Math.abs(value / whole));
    return { text: HEAT_MARKS[style], style };
  };
  return [
    shown('heat', text, {
      // Numbers that the user asked for say more.
      ...{ title: '', width: 1, rank: c.extraEvents.length > 0 ? 4 : 8, only: 'screen' },
    }),
  ];
}

/** As in a diff; and what has moved, in both places. */
const MARKS: Readonly<Record<LineChange, string>> = { new: '+', gone: '-', moved: '>' };

function lineColumns<Row extends SourceRow>(
  c: ColumnContext,
  listing: (row: Row) => SourceListing,
  first: SourceListing | undefined,
  withChanges: boolean,
): Column<Row>[] {
  const changeOf = (r: Row) => (r.kind === 'line' ? listing(r).change?.(r.line) : undefined);
  const mark = (r: Row): string | Cell => {
    const change = changeOf(r);
    return change ? { text: MARKS[change], style: change === 'new' ? 'warm' : 'dim' } : '';
  };
  const jumps = first?.jumps;
  const text = (r: Row): string | Cell => {
    if (r.kind === 'fold') return { text: `⋯ ${plural(r.of, 'line')} without cost (Enter opens)`, style: 'dim' };
    if (r.kind === 'call') return calleeText(c, listing(r).file.calls, r.of);
    if (r.line === 0) {
      const own = onScreen(c, '(code without a line)', '(no line)');
      return { text: own, own: [own, ''] };
    }
    const shown = listing(r).text(r.line) ?? '';
    if (c.medium === 'text') return shown;
    const spaced = shown.replaceAll('\t', '    ');
    if (r.of < 0 || isOldIn(c.analysis, r.line)) return { text: spaced, style: 'dim' };
    return { text: spaced, source: fileName(c.analysis.profile, listing(r).file.file) ?? '' };
  };
  return [
    { id: 'file', title: 'file', value: (r) => fileName(c.analysis.profile, listing(r).file.file) },
    shown('line', (r) => (r.kind === 'line' ? lineText(c, r.line) : ''), {
      width: first?.widest ?? 4,
      align: 'right',
      rank: 9,
      value: (r) => numberIn(c.analysis, r.line),
    }),
    ...(c.analysis.before
      ? [data<Row>('change', (r) => changeOf(r) ?? null, { title: '', width: 1, rank: 9, text: withChanges ? mark : undefined })]
      : []),
    ...(jumps
      ? [{ id: 'jumps', title: 'jumps', width: first.jumpsWidth ?? 0, rank: 5, style: 'dim' as const, text: jumps }]
      : []),
    shown('text', text, {
      title: onScreen(c, first?.title ?? 'source', 'source'),
      width: c.width < 70 ? 20 : 30,
      flex: 1,
      cut: 'end',
      rank: 9,
      value: (r) => listing(r).text(r.line) ?? null,
    }),
    { id: 'calls', title: 'calls', measured: true, value: (r) => callsFrom(c, listing(r), r) },
  ];
}

function callsFrom(c: ColumnContext, { file }: SourceListing, { of }: SourceRow) {
  const { calls } = file;
  return of < 0 || !calls ? [] : callRecords(c, calls, file.callsAt[of]);
}
