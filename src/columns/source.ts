// The columns of annotated source: one row per line, followed by its calls; lines without cost are folded.

import type { AnnotatedFile } from '../analysis/answers/annotate.ts';
import { isOldLineIn, ownLineNumber } from '../analysis/answers/compared/old-lines.ts';
import type { LineChange, LineMap } from '../analysis/answers/costing.ts';
import { fileName } from '../analysis/names/names.ts';
import { changeFill, type TableCell } from '../base/style.ts';
import { plural } from '../base/units.ts';
import { type CostTable, type Event, eventValue, exactValue } from '../model/head.ts';
import { dataColumn, displayColumn } from './builders.ts';
import { type Column, type ColumnContext, onScreen, type TableColumns } from './column.ts';
import {
  costCell,
  costColumn,
  costsByName,
  estimatedColumn,
  extraEventColumns,
  heatMark,
  percentageBaseIn,
  rowSidesAt,
  shareCell,
  shareColumn,
} from './costs.ts';
import { calleeText, callRecords } from './line-calls.ts';
import { lineText } from './names.ts';

export interface SourceRow {
  /** `files`: stands for the lines of the routine in other files. */
  readonly kind: 'line' | 'call' | 'fold' | 'files';
  readonly line: number;
  /** By kind: the row in the annotated file (-1 for a line without cost), the row of the call, the number of folded lines, or -1. */
  readonly of: number;
}

export interface SourceListing {
  readonly file: AnnotatedFile;
  /** Heading of the source column on the screen. */
  readonly title: string;
  /** The text of a line; undefined where there is none. */
  readonly text: (line: number) => string | undefined;
  /** The text about the routine's lines in other files, on the screen. */
  readonly others?: string;
  readonly lineNumberWidth: number;
  /** The change of a line, if the source texts of both runs are known. */
  readonly change?: LineMap['change'];
  /** Jumps beside the lines, on the screen. */
  readonly jumps?: Column<SourceRow> | undefined;
}

type ListingOf<Row> = (row: Row) => SourceListing;

/** The cost columns that the screen shows. Hidden columns leave more width for the source text. */
export type NumberMode = 'all' | 'self' | 'none';
/** The modes that the user can choose. Without calls, all costs are self costs. */
export const numberModesOf = (withCalls: boolean): readonly NumberMode[] =>
  withCalls ? ['all', 'self', 'none'] : ['all', 'none'];

export interface SourceOptions {
  readonly first?: SourceListing | undefined;
  /** False if the profile has no calls: inclusive cost then equals self cost. */
  readonly withCalls: boolean;
  /** In text: true if the source texts of both runs are known for some of the files. */
  readonly withChanges?: boolean;
}

/** The table of source lines. `listing`: returns the listing of a row, because `--print source` lists several files. */
export function sourceTable<Row extends SourceRow>(
  listing: ListingOf<Row>,
  { first, withCalls, withChanges = first?.change !== undefined }: SourceOptions,
): TableColumns<Row> {
  return {
    keys: ['file', 'line', 'text', 'self', 'inclusive', 'calls'],
    sides: (c, r) =>
      isOldLineIn(c.analysis, r.line)
        ? { in: 2 }
        : r.of < 0
          ? { in: listing(r).change?.(r.line) === 'new' ? 1 : 3 }
          : rowSidesAt(listing(r).file.sides, r.of),
    columns: (c) => [
      ...costColumns(c, listing, withCalls),
      ...heatColumn(c, listing, withCalls),
      ...lineColumns(c, listing, first, withChanges),
    ],
  };
}

/** Whether a column has self costs; below, whether it has any costs. Columns of further events begin with `self.`, as in CSV. */
const isSelfColumn = (id: string) => id === 'self' || id === 'self%' || id.startsWith(SELF_PREFIX);
const isCostColumn = (id: string) => isSelfColumn(id) || id === 'inclusive' || id === 'inclusive%';
const SELF_PREFIX = 'self.';
/** The id of a self cost column of a further event. The prefix avoids clashes: an event may be named like any column. */
export const selfColumnId = ({ name }: Event) => ({ id: SELF_PREFIX + name });

/** Removes the cost columns that the mode hides. Beside inclusive costs, the text needs the width of the shares of self costs. */
export const filterNumberColumns = <Row>(columns: readonly Column<Row>[], numbers: NumberMode): readonly Column<Row>[] => {
  const needless = numbers === 'all' && columns.some(({ id }) => id === 'inclusive%') ? 'self%' : undefined;
  const isShown = ({ id }: Column<Row>) =>
    numbers === 'all' ? id !== needless : !isCostColumn(id) || (numbers === 'self' && isSelfColumn(id));
  return columns.filter(isShown);
};

/** Whether some of the files have inclusive costs that differ from self costs. */
export const hasCallCosts = (c: ColumnContext, files: readonly AnnotatedFile[]): boolean =>
  c.analysis.costing.can.has('stacks') || files.some(({ calls }) => calls !== undefined && calls.line.length > 0);

/** Columns of self and inclusive cost, each with its share of the total. For a call, the cost is inclusive. */
function costColumns<Row extends SourceRow>(c: ColumnContext, listing: ListingOf<Row>, withCalls: boolean): Column<Row>[] {
  const { events } = c.analysis;
  const none = Object.fromEntries(events.map((e) => [e.name, 0]));
  const self = (r: Row) => (r.kind === 'line' && r.of >= 0 ? listing(r).file.self : undefined);
  const inclusive = (r: Row) => {
    const { calls, inclusive: ofLines } = listing(r).file;
    if (r.kind === 'call') return calls?.costs;
    return r.kind === 'line' && r.of >= 0 ? ofLines : undefined;
  };
  const isEstimated = (r: Row, what: 'self' | 'inclusive') => {
    const { estimated, calls } = listing(r).file;
    if (r.of < 0 || r.kind === 'fold') return false;
    return (r.kind === 'call' ? calls?.estimated?.[r.of] : estimated?.[what][r.of]) === 1;
  };
  const cost = (r: Row, costs: CostTable | undefined, what: 'self' | 'inclusive', event = c.event) => {
    return costs && exactValue(event, costs, r.of) !== 0 ? costCell(c, costs, r.of, isEstimated(r, what), event) : '';
  };
  // A dot means zero. The cost of a removed line without a row is in the row of the line that replaced it.
  const isZero = (r: Row) => r.kind === 'line' && (r.of >= 0 || !isOldLineIn(c.analysis, r.line));
  const selfText = (event: Event, r: Row) => cost(r, self(r), 'self', event) || (isZero(r) ? '.' : '');
  const share = (r: Row, costs: CostTable | undefined) => {
    const value = costs && eventValue(c.event, costs, r.of);
    return value ? shareCell(c, value) : '';
  };
  const value = (what: 'self' | 'inclusive') => (r: Row) =>
    r.of < 0 ? none : costsByName(events, listing(r).file[what], r.of, isEstimated(r, what));
  const inclusiveText = withCalls ? (r: Row) => cost(r, inclusive(r), 'inclusive') : undefined;
  return [
    costColumn(c, 'self', 'self', value('self'), { rank: 8, text: (r) => selfText(c.event, r) }),
    ...shareColumn<Row>(c, 'self%', (r) => share(r, self(r)), { rank: 7 }),
    costColumn(c, 'inclusive', 'incl', value('inclusive'), { rank: 6, text: inclusiveText }),
    ...(withCalls ? shareColumn<Row>(c, 'inclusive%', (r) => share(r, inclusive(r)), { rank: 7, title: 'incl%' }) : []),
    ...extraEventColumns<Row>(c, selfText, selfColumnId),
    ...estimatedColumn<Row>(c, (r) => isEstimated(r, 'self') || isEstimated(r, 'inclusive')),
  ];
}

/** The heat of each line as background and mark, by inclusive cost if there are calls. Differences: + for more, - for less. */
function heatColumn<Row extends SourceRow>(c: ColumnContext, listing: ListingOf<Row>, withCalls: boolean): Column<Row>[] {
  if (c.event.per) return [];
  const whole = percentageBaseIn(c);
  const text = (r: Row): string | TableCell => {
    if (r.kind !== 'line' || r.of < 0) return '';
    const { self, inclusive } = listing(r).file;
    const value = eventValue(c.event, withCalls ? inclusive : self, r.of);
    if (!value) return '';
    if (c.event.measure === 'delta') return { text: value > 0 ? '+' : '-', style: changeFill(value / whole) };
    return heatMark(value / whole);
  };
  // If the user chose further events, their columns are more useful, so this column has a lower rank.
  const rank = c.extraEvents.length > 0 ? 4 : 8;
  return [displayColumn('heat', text, { title: '', width: 1, rank, only: 'screen' })];
}

/** Marks as in a diff. A moved line is marked at its old and its new position. */
const LINE_CHANGE_MARKS: Readonly<Record<LineChange, string>> = { new: '+', changed: '~', gone: '-', moved: '>' };

function lineColumns<Row extends SourceRow>(
  c: ColumnContext,
  listing: ListingOf<Row>,
  first: SourceListing | undefined,
  withChanges: boolean,
): Column<Row>[] {
  const changeOf = (r: Row) => (r.kind === 'line' ? listing(r).change?.(r.line) : undefined);
  const mark = (r: Row): string | TableCell => {
    const change = changeOf(r);
    return change ? { text: LINE_CHANGE_MARKS[change], style: change === 'gone' || change === 'moved' ? 'dim' : 'warm' } : '';
  };
  const text = (r: Row): string | TableCell => {
    if (r.kind === 'fold') return { text: `⋯ ${plural(r.of, 'line')} without cost (Enter opens)`, style: 'dim' };
    if (r.kind === 'files') return { text: listing(r).others ?? '', style: 'dim' };
    if (r.kind === 'call') return calleeText(c, listing(r).file.calls, r.of);
    if (r.line === 0) {
      const own = onScreen(c, '(code without a line)', '(no line)');
      return { text: own, own: [own, ''] };
    }
    const shown = listing(r).text(r.line) ?? '';
    if (c.medium === 'text') return shown;
    const spaced = shown.replaceAll('\t', '    ');
    if (r.of < 0 || isOldLineIn(c.analysis, r.line)) return { text: spaced, style: 'dim' };
    return { text: spaced, source: fileName(c.analysis.profile, listing(r).file.file) ?? '' };
  };
  const changeText = withChanges ? mark : undefined;
  const change = dataColumn<Row>('change', (r) => changeOf(r) ?? null, { title: '', width: 1, rank: 9, text: changeText });
  return [
    { id: 'file', title: 'file', value: (r) => fileName(c.analysis.profile, listing(r).file.file) },
    displayColumn('line', (r) => (r.kind === 'line' ? lineText(c, r.line) : ''), {
      width: first?.lineNumberWidth ?? 4,
      align: 'right',
      rank: 9,
      value: (r) => ownLineNumber(c.analysis, r.line),
    }),
    ...(c.analysis.before ? [change] : []),
    ...(first?.jumps ? [first.jumps] : []),
    displayColumn('text', text, {
      title: onScreen(c, first?.title ?? 'source', 'source'),
      width: c.width < 70 ? 20 : 30,
      flex: 1,
      cut: 'end',
      rank: 9,
      value: (r) => listing(r).text(r.line) ?? null,
    }),
    dataColumn('calls', (r) => callRecords(c, listing(r).file.calls, listing(r).file.callsAt[r.of]), { measured: true }),
  ];
}
