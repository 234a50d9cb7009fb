// The Lines view: the source lines of the whole program, costliest first.
import { type AllLines, allLines } from '../analysis/answers/all-lines.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { isOldLineIn } from '../analysis/answers/compared/old-lines.ts';
import { displayFile, fileName, routineDetail, routineName } from '../analysis/names/names.ts';
import { hasCode, isOwnRoutine } from '../analysis/names/origin.ts';
import { reasonForNoRows } from '../analysis/profiles/transforms/applied.ts';
import { memo } from '../base/lists.ts';
import { filterStatusText, type IncrementalFilter, incrementalFilter, type Matcher } from '../base/match.ts';
import type { TableCell } from '../base/style.ts';
import { cutEnd } from '../base/text.ts';
import { formatCount, plural } from '../base/units.ts';
import { displayColumn } from '../columns/builders.ts';
import { type Column, findColumnByName, sortByColumn } from '../columns/column.ts';
import { conditionNames, viewTestOfConditions } from '../columns/conditions.ts';
import { percentageBaseIn } from '../columns/costs.ts';
import { filterTextsOfLine, type LineRow, lineTable } from '../columns/lines.ts';
import { lineText } from '../columns/names.ts';
import { nameSort, sortingContext } from '../columns/routines.ts';
import { type Event, eventValue } from '../model/head.ts';
import type { Kind, Profile } from '../model/profile.ts';
import { fillHeight } from './parts/lines.ts';
import { listView, withCursorAt } from './parts/list.ts';
import { makeSorting, type SortAction, type SortedList } from './parts/sorting.ts';
import { drawTable } from './parts/table.ts';
import { type Binding, key, type SourcePosition, textLine, type ViewContext } from './view.ts';

interface LinesState extends SortedList {
  /** The routine whose first line gets the cursor once the lines are known; -1 for none, OWN_CODE for any of the user's own. */
  readonly wantedRoutine: number;
}

const OWN_CODE = -2;

const lineRowAt = (lines: AllLines, at: number): LineRow => ({ routine: lines.routine[at], lines, at });

const lineTableOf = memo((lines: AllLines | undefined) => lineTable(lines));
const lineColumns = (c: ViewContext) => lineTableOf(allLines(c.analysis).ready).columns(c);

/** The lines in sort order. Lines with equal keys are in order of self cost. */
const sortedLines = memo((lines: AllLines, analysis: Analysis, event: Event, sort: string, descending: boolean): Uint32Array => {
  const orderBy = (id: string, down: boolean, among?: Uint32Array) => {
    const column = findColumnByName(lineTableOf(lines).columns(sortingContext(analysis, event, id)), id);
    const count = lines.line.length;
    return column && sortByColumn(column, { count, rowAt: (at) => lineRowAt(lines, at), among }, down);
  };
  const first = sort === 'self' ? undefined : sortedLines(lines, analysis, event, 'self', true);
  return orderBy(sort, descending, first) ?? first ?? new Uint32Array();
}, 4);

/** Runs of lines with equal routine and file, tested once by the filter. `first`: first row by run; `of`: run by row. */
const lineRunsOf = memo(({ routine, file }: AllLines) => {
  const first: number[] = [];
  const of = new Uint32Array(file.length);
  for (let at = 0; at < file.length; at++) {
    if (at === 0 || file[at] !== file[at - 1] || routine[at] !== routine[at - 1]) first.push(at);
    of[at] = first.length - 1;
  }
  return { first, of };
});

const lineFilterOf = memo((lines: AllLines, analysis: Analysis, matcher: Matcher) =>
  incrementalFilter(matcher, lineRunsOf(lines).first, (at) => filterTextsOfLine(analysis.profile, lineRowAt(lines, at))),
);

/** The filter of the lines by name; undefined without one, or while the lines are still being summed. */
function currentFilter({ analysis, matcher }: ViewContext): IncrementalFilter<number> | undefined {
  const lines = allLines(analysis).ready;
  return lines && matcher && !matcher.conditions ? lineFilterOf(lines, analysis, matcher) : undefined;
}

/** The test of the filter's conditions on columns; undefined if it has none. */
const conditionsOf = memo((lines: AllLines, analysis: Analysis, event: Event, matcher: Matcher | undefined) => {
  const c = sortingContext(analysis, event, '');
  const textsOf = (row: LineRow) => filterTextsOfLine(analysis.profile, row);
  return matcher?.conditions && viewTestOfConditions(matcher.conditions, lineTableOf(lines).columns(c), c, textsOf);
});

const orderWithin = memo((lines: AllLines, order: Uint32Array, { test }: { readonly test: (row: LineRow) => boolean }) =>
  order.filter((at) => test(lineRowAt(lines, at))),
);

const keptOrder = memo((lines: AllLines, order: Uint32Array, { hit }: IncrementalFilter<number>) => {
  const { of } = lineRunsOf(lines);
  // Uint32Array.filter() would take a second for ten million lines.
  const out = new Uint32Array(order.length);
  let n = 0;
  for (const at of order) if (hit[of[at]] === 1) out[n++] = at;
  return out.subarray(0, n);
});

const NO_ROWS = new Uint32Array();
/** Shown until the lines are summed. */
const NO_LINES: AllLines = { routine: NO_ROWS, line: NO_ROWS, file: new Int32Array(), costs: [] };

/** The indices of the lines in the shown order; empty until all lines are summed and filtered. */
function shownOrder({ sort, descending }: LinesState, c: ViewContext): Uint32Array {
  const lines = allLines(c.analysis).ready;
  if (!lines) return NO_ROWS;
  const sifting = currentFilter(c);
  if (sifting?.done === false) return NO_ROWS;
  const order = sortedLines(lines, c.analysis, c.event, sort, descending);
  const conditions = conditionsOf(lines, c.analysis, c.event, c.matcher);
  if (conditions) return orderWithin(lines, order, conditions);
  return sifting ? keptOrder(lines, order, sifting) : order;
}

function lineRowInOrder(state: LinesState, row: number, c: ViewContext): LineRow | undefined {
  const lines = allLines(c.analysis).ready;
  const at = shownOrder(state, c)[row];
  return lines && at !== undefined ? lineRowAt(lines, at) : undefined;
}

const cursorRow = (state: LinesState, c: ViewContext) => lineRowInOrder(state, state.list.cursor, c);

const locationText = ({ lines, at }: LineRow, c: ViewContext) =>
  `${displayFile(c.analysis.profile, lines.file[at])}:${lineText(c, lines.line[at])}`;

/** The position of a line in the sources of this run; undefined for a line of the base. */
function sourcePositionOf({ lines, at }: LineRow, { analysis }: ViewContext): SourcePosition | undefined {
  const file = fileName(analysis.profile, lines.file[at]);
  const line = lines.line[at];
  return file === null || isOldLineIn(analysis, line) ? undefined : { file, line };
}

/** The cursor does not start on own code that costs less than this share. */
const MIN_OWN_SHARE = 0.01;

/** Moves the cursor to the first row of a routine, or to the costliest one of own code. */
function goToRoutine(state: LinesState, routine: number, c: ViewContext): LinesState {
  const lines = allLines(c.analysis).ready;
  if (!lines) return { ...state, wantedRoutine: routine };
  const least = MIN_OWN_SHARE * percentageBaseIn(c);
  const isWanted = (at: number) =>
    routine === OWN_CODE
      ? isOwnRoutine(c.analysis.profile, lines.routine[at]) && Math.abs(eventValue(c.event, lines.costs, at)) >= least
      : lines.routine[at] === routine;
  const here = cursorRow(state, c);
  const row = here && isWanted(here.at) ? -1 : shownOrder(state, c).findIndex(isWanted);
  return { ...state, wantedRoutine: -1, ...(row < 0 ? {} : { list: { ...state.list, cursor: row } }) };
}

/** The first and the last row of own code, -1 for none. Memoized, because every frame asks whether a key leads to one. */
const ownRowsAtEnds = memo((order: Uint32Array, { routine }: AllLines, profile: Profile) => {
  const isOwn = (at: number) => isOwnRoutine(profile, routine[at]);
  return [order.findIndex(isOwn), order.findLastIndex(isOwn)] as const;
});

/** Whether a row of own code is below the cursor, or above it for -1. */
function hasOwnLine(state: LinesState, by: 1 | -1, c: ViewContext): boolean {
  const [first, last] = ownRowsAtEnds(shownOrder(state, c), allLines(c.analysis).ready ?? NO_LINES, c.analysis.profile);
  return by > 0 ? state.list.cursor < last : first >= 0 && first < state.list.cursor;
}

/** Moves the cursor to the next or previous row of own code. */
function goToOwnLine(state: LinesState, by: 1 | -1, c: ViewContext): LinesState {
  if (!hasOwnLine(state, by, c)) return state;
  const order = shownOrder(state, c);
  const lines = allLines(c.analysis).ready ?? NO_LINES;
  let row = state.list.cursor + by;
  while (!isOwnRoutine(c.analysis.profile, lines.routine[order[row]])) row += by;
  return { ...state, list: withCursorAt(state.list, row, order.length, c.height - 1) };
}

/** The order of the rows. The names for --sort are known before the lines are summed. */
const sorting = makeSorting<LinesState, LineRow, Kind>((c, state) => (state ? lineColumns(c) : lineTable(NO_LINES).columns(c)));

type LinesAction = { readonly type: 'enter' } | { readonly type: 'own'; readonly by: 1 | -1 } | SortAction;

const ownLineKey = (name: ']' | '[', by: 1 | -1, which: string): Binding<LinesState, LinesAction> =>
  key(name, { type: 'own', by }, 'move', `${which} line of your own code`, {
    ...(by > 0 ? { footer: 'next own line' } : {}),
    usable: ({ analysis }) => hasCode(analysis.profile),
    off: (state, c) => (hasOwnLine(state, by, c) ? undefined : `there is no ${which} line of your own code`),
  });

const KEYS: readonly Binding<LinesState, LinesAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'the source at this line', {
    footer: 'source',
    off: (state, c) => (cursorRow(state, c) ? undefined : 'there is no line here'),
  }),
  ownLineKey(']', 1, 'next'),
  ownLineKey('[', -1, 'previous'),
  ...sorting.keys,
];

function emptyText(c: ViewContext): string {
  const lines = allLines(c.analysis).ready;
  if (!lines) return 'adding up the lines …';
  if (currentFilter(c)?.done === false) return 'searching …';
  const wrong = conditionsOf(lines, c.analysis, c.event, c.matcher)?.wrong;
  if (wrong !== undefined) return wrong;
  return c.filter
    ? `no line matches ${c.filter} (Esc removes the filter)`
    : (reasonForNoRows(c.analysis) ?? 'the profile has no lines: nothing was counted');
}

export const linesView = listView({
  id: 'lines',
  title: 'Lines',
  filterColumns: (_, c) => conditionNames(lineColumns(c)),
  requires: ['lines'],
  columns: ['events'],
  listsRoutines: true,
  report: { name: 'lines', ofFocus: false },
  followers: { beside: ['source', 'instrs'], below: ['source', 'instrs'] },
  shifts: true,
  keys: KEYS,
  ...sorting.members,
  init: (c): LinesState => ({ wantedRoutine: OWN_CODE, ...sorting.initial(c) }),
  change(state, action, c) {
    if (action.type === 'own') return goToOwnLine(state, action.by, c);
    return action.type === 'enter' ? state : sorting.change(state, action, c);
  },
  adaptToContext: (state, c) =>
    state.wantedRoutine !== -1 && allLines(c.analysis).ready ? goToRoutine(state, state.wantedRoutine, c) : state,
  findRoutine: goToRoutine,
  draw(state, c) {
    const lines = allLines(c.analysis).ready;
    const order = shownOrder(state, c);
    const note = order.length > 0 && order.length + 3 <= c.height ? noOwnLineText(state, c) : '';
    const table = drawTable(state.list, c.width, note === '' ? c.height : order.length + 1, {
      columns: lines ? [...lineColumns(c), ...codeColumn(state, c)] : [],
      chosen: c.chosenColumns,
      rows: { length: order.length, at: (row) => lineRowAt(lines ?? NO_LINES, order[row]) },
      sorted: { id: state.sort, descending: state.descending },
      empty: emptyText(c),
    });
    return note === '' ? table : fillHeight([...table, textLine(''), textLine(cutEnd(note, c.width), 'dim')], c.height);
  },
  work: (_, c, ms) => allLines(c.analysis).run(ms) && (currentFilter(c)?.run(ms) ?? true),
  idle: (c, ms) => nameSort(c.analysis).run(ms),
  rowCount: (state, c) => shownOrder(state, c).length,
  rowText(state, row, c) {
    const line = lineRowInOrder(state, row, c);
    return line ? `${routineName(c.analysis.profile, line.routine)} ${locationText(line, c)}` : '';
  },
  routineAt: (state, c) => cursorRow(state, c)?.routine ?? -1,
  request(state, action, c) {
    const row = action.type === 'enter' ? cursorRow(state, c) : undefined;
    if (!row) return undefined;
    return { type: 'show', view: 'source', routine: row.routine, place: sourcePositionOf(row, c) };
  },
  detail(state, c) {
    const row = cursorRow(state, c);
    if (!row) return '';
    const code = c.width < MIN_CODE_WIDTH ? codeText(row, c).text : '';
    return `${locationText(row, c)}  ${code === '' ? routineDetail(c.analysis.profile, row.routine) : code}`;
  },
  sourcePosition(state, c) {
    const row = cursorRow(state, c);
    return row && sourcePositionOf(row, c);
  },
  neededSources,
  printed(state, c) {
    const { sort, descending } = state;
    const shownRows = { lines: linesInShownOrder(state, c) };
    const bySelf = sort === 'self' || c.analysis.events.some(({ name }) => name === sort);
    return { ...(bySelf ? { sort: { column: sort, descending } } : { notInReport: `lines sorted by ${sort}` }), shownRows };
  },
  mode(state, c) {
    const all = allLines(c.analysis).ready?.line.length;
    if (all === undefined) return 'adding up …';
    const n = shownOrder(state, c).length;
    const count = n === all ? plural(n, 'line') : `${formatCount(n)} of ${plural(all, 'line')}`;
    return count + filterStatusText(c.matcher, currentFilter(c));
  },
  rebase: (state) => state,
});

/** Where the user's code only calls what costs, as in a profile of memory, its lines are in Source alone. */
function noOwnLineText(state: LinesState, c: ViewContext): string {
  const { profile, costing } = c.analysis;
  if (c.filter || !hasCode(profile) || !costing.can.has('calls')) return '';
  const [first] = ownRowsAtEnds(shownOrder(state, c), allLines(c.analysis).ready ?? NO_LINES, profile);
  return first < 0 ? ' No line of your own code costs anything itself; Source has what its calls cost.' : '';
}

const MIN_CODE_WIDTH = 110;

/** The text of each line, if one of the files is known. */
function codeColumn(state: LinesState, c: ViewContext): Column<LineRow>[] {
  if (c.width < MIN_CODE_WIDTH) return [];
  if (!neededSources(state, c).some((file) => typeof c.sources.get(file) === 'object')) return [];
  return [displayColumn('source', (row) => codeText(row, c), { width: 30, flex: 3, cut: 'end', rank: 1 })];
}

/** The source text of a line; '' if it is unknown. */
function codeText(row: LineRow, c: ViewContext): TableCell {
  const place = sourcePositionOf(row, c);
  const source = place && c.sources.get(place.file);
  if (!place || typeof source !== 'object') return { text: '' };
  return { text: (source.lines[place.line - 1] ?? '').trim().replaceAll('\t', ' '), source: place.file };
}

/** With a base: the number of first rows whose sources are read. They are read from at most MAX_SOURCE_FILES files. */
const MAX_ROWS_WITH_SOURCES = 2000;
const MAX_SOURCE_FILES = 50;

/** The source files of the visible rows; with a base of the first ones, to match the lines of both runs. */
function neededSources(state: LinesState, c: ViewContext): string[] {
  const lines = allLines(c.analysis).ready;
  if (!lines) return [];
  const { top } = state.list;
  const [first, end] = c.analysis.before ? [0, MAX_ROWS_WITH_SOURCES] : [top, top + c.height];
  const files = new Set<number>();
  for (const at of shownOrder(state, c).subarray(first, end)) {
    if (lines.file[at] >= 0) files.add(lines.file[at]);
    if (files.size === MAX_SOURCE_FILES) break;
  }
  return [...files].flatMap((file) => fileName(c.analysis.profile, file) ?? []);
}

function* linesInShownOrder(state: LinesState, c: ViewContext): Generator<LineRow> {
  const lines = allLines(c.analysis).now();
  for (const at of shownOrder(state, c)) yield lineRowAt(lines, at);
}
