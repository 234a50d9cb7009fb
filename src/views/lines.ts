// Lines: the source lines of the whole program, the costliest first.
import { type AllLines, allLines } from '../analysis/answers/all-lines.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { isOldIn } from '../analysis/answers/compared/old-lines.ts';
import { displayFile, fileName, routineDetail, routineName } from '../analysis/names/names.ts';
import { reasonForNoRows } from '../analysis/profiles/transforms/applied.ts';
import { filterText, type Matcher } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { type IncrementalFilter, incrementalFilter } from '../base/sifting.ts';
import { formatCount, plural } from '../base/units.ts';
import { findColumnByName, sortableColumns, sortByColumn, sortNamesOf } from '../columns/column.ts';
import { filterTextsOfLine, type LineRow, lineTable } from '../columns/lines.ts';
import { lineText } from '../columns/names.ts';
import { sortingContext, sortNamesFor } from '../columns/routines.ts';
import type { Event } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { viewEntry } from './open-view.ts';
import { type ListPosition, listView, START } from './parts/list.ts';
import { changeSorting, type SortAction, type Sorting, sortKeys, startSorting } from './parts/sorting.ts';
import { drawTable } from './parts/table.ts';
import { type Binding, key, ofAnyKind, type SourcePosition, type ViewContext } from './view.ts';

interface LinesState extends Sorting {
  readonly list: ListPosition;
  /** The routine to go to once the rows are known; -1 for none. */
  readonly wantedRoutine: number;
}

type LinesAction = { readonly type: 'enter' } | SortAction;

const lineRowAt = (lines: AllLines, at: number): LineRow => ({ routine: lines.routine[at], lines, at });

const tableOf = memo((lines: AllLines | undefined) => lineTable(lines), 2);
const columnsOf = (c: ViewContext) => tableOf(allLines(c.analysis).ready).columns(c);
/** The visible columns, which < and > cycle through. */
const sortChoices = (c: ViewContext) => sortableColumns(columnsOf(c)).flatMap((column) => (column.text ? [column.id] : []));

/** The sorted lines. Ties are sorted by self cost. */
const sortedLines = memo((lines: AllLines, analysis: Analysis, event: Event, sort: string, descending: boolean): Uint32Array => {
  const orderBy = (id: string, down: boolean, among?: Uint32Array) => {
    const column = findColumnByName(tableOf(lines).columns(sortingContext(analysis, event, id)), id);
    const count = lines.line.length;
    return column && sortByColumn(column, { count, rowAt: (at) => lineRowAt(lines, at), among }, down);
  };
  const first = sort === 'self' ? undefined : sortedLines(lines, analysis, event, 'self', true);
  return orderBy(sort, descending, first) ?? first ?? new Uint32Array();
}, 4);

/** Runs of lines with the same routine and file: the filter tests each run once. `first`: its first row; `of`: run by row. */
const runsOf = memo((lines: AllLines) => {
  const { routine, file } = lines;
  const first: number[] = [];
  const of = new Uint32Array(file.length);
  for (let at = 0; at < file.length; at++) {
    if (at === 0 || file[at] !== file[at - 1] || routine[at] !== routine[at - 1]) first.push(at);
    of[at] = first.length - 1;
  }
  return { first, of };
}, 2);

const lineFilterOf = memo(
  (lines: AllLines, analysis: Analysis, matcher: Matcher) =>
    incrementalFilter(matcher, runsOf(lines).first, (at) => filterTextsOfLine(analysis.profile, lineRowAt(lines, at))),
  2,
);

/** The filter's progress; undefined without a filter, or until the lines are summed. */
function filterIn({ analysis, matcher }: ViewContext): IncrementalFilter<number> | undefined {
  const lines = allLines(analysis).ready;
  return lines && matcher && lineFilterOf(lines, analysis, matcher);
}

const keptOrder = memo((lines: AllLines, order: Uint32Array, { hit }: IncrementalFilter<number>) => {
  const { of } = runsOf(lines);
  // Uint32Array.filter() would take a second for ten million rows.
  const out = new Uint32Array(order.length);
  let n = 0;
  for (const at of order) if (hit[of[at]] === 1) out[n++] = at;
  return out.subarray(0, n);
}, 2);

const NONE = new Uint32Array();
/** A placeholder until the lines are summed. */
const NO_LINES: AllLines = { routine: NONE, line: NONE, file: new Int32Array(), costs: [] };

/** Rows of the lines, in the order shown; none until all are summed and filtered. */
function orderIn({ sort, descending }: LinesState, c: ViewContext): Uint32Array {
  const lines = allLines(c.analysis).ready;
  if (!lines) return NONE;
  const sifting = filterIn(c);
  if (sifting?.done === false) return NONE;
  const order = sortedLines(lines, c.analysis, c.event, sort, descending);
  return sifting ? keptOrder(lines, order, sifting) : order;
}

function rowAt(state: LinesState, row: number, c: ViewContext): LineRow | undefined {
  const lines = allLines(c.analysis).ready;
  const at = orderIn(state, c)[row];
  return lines && at !== undefined ? lineRowAt(lines, at) : undefined;
}

const cursorRow = (state: LinesState, c: ViewContext) => rowAt(state, state.list.cursor, c);

const locationText = ({ lines, at }: LineRow, c: ViewContext) =>
  `${displayFile(c.analysis.profile, lines.file[at])}:${lineText(c, lines.line[at])}`;

/** The line in this run's sources; undefined for a line of the base. */
function positionOf({ lines, at }: LineRow, { analysis }: ViewContext): SourcePosition | undefined {
  const file = fileName(analysis.profile, lines.file[at]);
  const line = lines.line[at];
  return file === null || isOldIn(analysis, line) ? undefined : { file, line };
}

/** Moves the cursor to the first row of a routine. */
function goToRoutine(state: LinesState, routine: number, c: ViewContext): LinesState {
  const lines = allLines(c.analysis).ready;
  if (!lines) return { ...state, wantedRoutine: routine };
  const row = cursorRow(state, c)?.routine === routine ? -1 : orderIn(state, c).findIndex((at) => lines.routine[at] === routine);
  return { ...state, wantedRoutine: -1, ...(row < 0 ? {} : { list: { ...state.list, cursor: row } }) };
}

const downFirst = (id: string) => !['routine', 'file'].includes(id);

const KEYS: readonly Binding<LinesState, LinesAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'the source at this line', {
    footer: 'source',
    off: (state, c) => (cursorRow(state, c) ? undefined : 'there is no line here'),
  }),
  ...sortKeys<LinesState, Kind>((_, c) => sortChoices(c)),
];

function emptyText(c: ViewContext): string {
  if (!allLines(c.analysis).ready) return 'adding up the lines …';
  if (filterIn(c)?.done === false) return 'searching …';
  return c.filter
    ? `no line matches ${c.filter} (Esc removes the filter)`
    : (reasonForNoRows(c.analysis) ?? 'the profile has no lines: nothing was counted');
}

export const lines = viewEntry(
  listView({
    id: 'lines',
    title: 'Lines',
    digit: '8',
    requires: ['lines'],
    columns: ['events'],
    listsRoutines: true,
    report: { name: 'lines', ofFocus: false },
    followers: { beside: ['source', 'instrs'], below: ['source', 'instrs'] },
    narrowContext: ofAnyKind,
    shifts: true,
    keys: KEYS,
    headings: {
      columns: (_, c) => columnsOf(c),
      sort: (column, _, c): LinesAction | undefined => (sortChoices(c).includes(column) ? { type: 'sort', column } : undefined),
    },
    sortNames: (c) => sortNamesOf(lineTable(NO_LINES).columns(c)),
    init: (c): LinesState => ({
      list: START,
      wantedRoutine: -1,
      ...startSorting(
        c.choices.sort,
        lineTable(NO_LINES).columns(c),
        { sort: 'self', descending: true },
        (column) => !column.ascends,
      ),
    }),
    change: (state, action, c) => (action.type === 'enter' ? state : changeSorting(state, action, sortChoices(c), downFirst)),
    adaptToContext: (state, c) =>
      state.wantedRoutine >= 0 && allLines(c.analysis).ready ? goToRoutine(state, state.wantedRoutine, c) : state,
    findRoutine: goToRoutine,
    draw(state, c) {
      const lines = allLines(c.analysis).ready;
      const order = orderIn(state, c);
      const spec = {
        columns: lines ? columnsOf(c) : [],
        rows: order.length,
        row: (row: number) => lineRowAt(lines ?? NO_LINES, order[row]),
        sorted: { id: state.sort, descending: state.descending },
        empty: emptyText(c),
      };
      return drawTable(spec, state.list, c.width, c.height);
    },
    work: (_, c, ms) => allLines(c.analysis).run(ms) && (filterIn(c)?.run(ms) ?? true),
    idle: (c, ms) => sortNamesFor(c.analysis, ms),
    rowCount: (state, c) => orderIn(state, c).length,
    rowText(state, row, c) {
      const line = rowAt(state, row, c);
      return line ? `${routineName(c.analysis.profile, line.routine)} ${locationText(line, c)}` : '';
    },
    routineAt: (state, c) => cursorRow(state, c)?.routine ?? -1,
    request(state, action, c) {
      const row = action.type === 'enter' ? cursorRow(state, c) : undefined;
      if (!row) return undefined;
      const place = positionOf(row, c);
      return { type: 'show', view: 'source', routine: row.routine, ...(place ? { place } : {}) };
    },
    detail(state, c) {
      const row = cursorRow(state, c);
      return row ? `${locationText(row, c)}  ${routineDetail(c.analysis.profile, row.routine)}` : '';
    },
    sourcePosition(state, c) {
      const row = cursorRow(state, c);
      return row && positionOf(row, c);
    },
    neededSources,
    printed(state, c) {
      const { sort, descending } = state;
      const chosen = { lines: chosenLines(state, c) };
      const bySelf = sort === 'self' || c.analysis.events.some(({ name }) => name === sort);
      return bySelf
        ? { sort: { column: sort, descending }, shownRows: chosen }
        : { notInReport: `lines sorted by ${sort}`, shownRows: chosen };
    },
    mode(state, c) {
      const all = allLines(c.analysis).ready?.line.length;
      if (all === undefined) return 'adding up …';
      const n = orderIn(state, c).length;
      const count = n === all ? plural(n, 'line') : `${formatCount(n)} of ${plural(all, 'line')}`;
      return count + filterText(c.matcher, filterIn(c));
    },
    rebase: (state, _: Analysis, __: Analysis) => state,
  }),
);

/** With a base, the source files of this many rows are read, at most MOST_FILES files. */
const ROWS_WITH_SOURCES = 2000;
const MOST_FILES = 50;

/** With a base: the source files of the first rows, whose texts match the lines of both runs. */
function neededSources(state: LinesState, c: ViewContext): string[] {
  const lines = c.analysis.before && allLines(c.analysis).ready;
  if (!lines) return [];
  const files = new Set<number>();
  for (const at of orderIn(state, c).subarray(0, ROWS_WITH_SOURCES)) {
    if (lines.file[at] >= 0) files.add(lines.file[at]);
    if (files.size === MOST_FILES) break;
  }
  return [...files].flatMap((file) => fileName(c.analysis.profile, file) ?? []);
}

/** The rows in the shown order, for a report. */
function* chosenLines(state: LinesState, c: ViewContext): Generator<LineRow> {
  const lines = allLines(c.analysis).now();
  for (const at of orderIn(state, c)) yield lineRowAt(lines, at);
}
