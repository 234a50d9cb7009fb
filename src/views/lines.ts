// Lines: the source lines of the whole program, the costliest first.
import { type AllLines, allLines } from '../analysis/answers/all-lines.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { isOldIn } from '../analysis/answers/compared/old-lines.ts';
import { fileName, routineDetail, routineName, shownFile } from '../analysis/names/names.ts';
import { whyNothing } from '../analysis/profiles/transforms/applied.ts';
import { filterText, type Matcher } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { type Sifting, siftingFor } from '../base/sifting.ts';
import { formatCount, plural } from '../base/units.ts';
import { columnNamed, rowsBy, sortable, sortNamesOf } from '../columns/column.ts';
import { type LineRow, lineTable, lineTexts } from '../columns/lines.ts';
import { lineText } from '../columns/names.ts';
import { sortingContext, sortNamesFor } from '../columns/routines.ts';
import type { Event } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { entry } from './open-view.ts';
import { type List, listView, START } from './parts/list.ts';
import { changeSorting, type SortAction, type Sorting, sortKeys, startSorting } from './parts/sorting.ts';
import { drawTable } from './parts/table.ts';
import { type Binding, key, ofAnyKind, type Position, type ViewContext } from './view.ts';

interface LinesState extends Sorting {
  readonly list: List;
  /** The routine that the cursor goes to once there are rows; -1 for none. */
  readonly wanted: number;
}

type LinesAction = { readonly type: 'enter' } | SortAction;

const rowOf = (lines: AllLines, at: number): LineRow => ({ routine: lines.routine[at], lines, at });

const tableOf = memo((lines: AllLines | undefined) => lineTable(lines), 2);
const columnsOf = (c: ViewContext) => tableOf(allLines(c.analysis).ready).columns(c);
/** The columns that < and > go through: those that are shown. */
const choices = (c: ViewContext) => sortable(columnsOf(c)).flatMap((column) => (column.text ? [column.id] : []));

/** Ties are in order of self cost. */
const sorted = memo((lines: AllLines, analysis: Analysis, event: Event, sort: string, descending: boolean): Uint32Array => {
  const by = (id: string, down: boolean, among?: Uint32Array) => {
    const column = columnNamed(tableOf(lines).columns(sortingContext(analysis, event, id)), id);
    const count = lines.line.length;
    return column && rowsBy(column, { count, rowAt: (at) => rowOf(lines, at), among }, down);
  };
  const first = sort === 'self' ? undefined : sorted(lines, analysis, event, 'self', true);
  return by(sort, descending, first) ?? first ?? new Uint32Array();
}, 4);

/** Lines of one routine and file, which a filter keeps or leaves out together: the first row of each run, and the run of each row. */
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

const siftingOf = memo(
  (lines: AllLines, analysis: Analysis, matcher: Matcher) =>
    siftingFor(matcher, runsOf(lines).first, (at) => lineTexts(analysis.profile, rowOf(lines, at))),
  2,
);

/** The filter's progress; undefined without one, or before there are lines. */
function siftingIn({ analysis, matcher }: ViewContext): Sifting<number> | undefined {
  const lines = allLines(analysis).ready;
  return lines && matcher && siftingOf(lines, analysis, matcher);
}

const kept = memo((lines: AllLines, order: Uint32Array, { hit }: Sifting<number>) => {
  const { of } = runsOf(lines);
  // A typed array's filter takes a second for ten million rows.
  const out = new Uint32Array(order.length);
  let n = 0;
  for (const at of order) if (hit[of[at]] === 1) out[n++] = at;
  return out.subarray(0, n);
}, 2);

const NONE = new Uint32Array();
/** Stands for the lines while they are not summed. */
const NO_LINES: AllLines = { routine: NONE, line: NONE, file: new Int32Array(), costs: [] };

/** Rows of the lines, in the order shown; none until all are summed and filtered. */
function orderIn({ sort, descending }: LinesState, c: ViewContext): Uint32Array {
  const lines = allLines(c.analysis).ready;
  if (!lines) return NONE;
  const sifting = siftingIn(c);
  if (sifting?.done === false) return NONE;
  const order = sorted(lines, c.analysis, c.event, sort, descending);
  return sifting ? kept(lines, order, sifting) : order;
}

function rowAt(state: LinesState, row: number, c: ViewContext): LineRow | undefined {
  const lines = allLines(c.analysis).ready;
  const at = orderIn(state, c)[row];
  return lines && at !== undefined ? rowOf(lines, at) : undefined;
}

const cursorRow = (state: LinesState, c: ViewContext) => rowAt(state, state.list.cursor, c);

const placeText = ({ lines, at }: LineRow, c: ViewContext) =>
  `${shownFile(c.analysis.profile, lines.file[at])}:${lineText(c, lines.line[at])}`;

/** Where the line is in this run's sources. */
function placeOf({ lines, at }: LineRow, { analysis }: ViewContext): Position | undefined {
  const file = fileName(analysis.profile, lines.file[at]);
  const line = lines.line[at];
  return file === null || isOldIn(analysis, line) ? undefined : { file, line };
}

/** The cursor on the first row of a routine. */
function withRoutine(state: LinesState, routine: number, c: ViewContext): LinesState {
  const lines = allLines(c.analysis).ready;
  if (!lines) return { ...state, wanted: routine };
  const row = cursorRow(state, c)?.routine === routine ? -1 : orderIn(state, c).findIndex((at) => lines.routine[at] === routine);
  return { ...state, wanted: -1, ...(row < 0 ? {} : { list: { ...state.list, cursor: row } }) };
}

const downFirst = (id: string) => !['routine', 'file'].includes(id);

const KEYS: readonly Binding<LinesState, LinesAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'the source at this line', {
    footer: 'source',
    off: (state, c) => (cursorRow(state, c) ? undefined : 'there is no line here'),
  }),
  ...sortKeys<LinesState, Kind>((_, c) => choices(c)),
];

function emptyText(c: ViewContext): string {
  if (!allLines(c.analysis).ready) return 'adding up the lines …';
  if (siftingIn(c)?.done === false) return 'searching …';
  return c.filter
    ? `no line matches ${c.filter} (Esc removes the filter)`
    : (whyNothing(c.analysis) ?? 'the profile has no lines: nothing was counted');
}

export const lines = entry(
  listView({
    id: 'lines',
    title: 'Lines',
    digit: '8',
    asks: ['lines'],
    columns: ['events'],
    listsRoutines: true,
    report: { name: 'lines', ofFocus: false },
    followers: { beside: ['source', 'instrs'], below: ['source', 'instrs'] },
    of: ofAnyKind,
    shifts: true,
    keys: KEYS,
    headings: {
      columns: (_, c) => columnsOf(c),
      sort: (column, _, c): LinesAction | undefined => (choices(c).includes(column) ? { type: 'sort', column } : undefined),
    },
    sorts: (c) => sortNamesOf(lineTable(NO_LINES).columns(c)),
    init: (c): LinesState => ({
      list: START,
      wanted: -1,
      ...startSorting(
        c.choices.sort,
        lineTable(NO_LINES).columns(c),
        { sort: 'self', descending: true },
        (column) => !column.ascends,
      ),
    }),
    change: (state, action, c) => (action.type === 'enter' ? state : changeSorting(state, action, choices(c), downFirst)),
    settle: (state, c) => (state.wanted >= 0 && allLines(c.analysis).ready ? withRoutine(state, state.wanted, c) : state),
    findRoutine: withRoutine,
    draw(state, c) {
      const lines = allLines(c.analysis).ready;
      const order = orderIn(state, c);
      const spec = {
        columns: lines ? columnsOf(c) : [],
        rows: order.length,
        row: (row: number) => rowOf(lines ?? NO_LINES, order[row]),
        sorted: { id: state.sort, descending: state.descending },
        empty: emptyText(c),
      };
      return drawTable(spec, state.list, c.width, c.height);
    },
    work: (_, c, ms) => allLines(c.analysis).run(ms) && (siftingIn(c)?.run(ms) ?? true),
    idle: (c, ms) => sortNamesFor(c.analysis, ms),
    rows: (state, c) => orderIn(state, c).length,
    rowText(state, row, c) {
      const line = rowAt(state, row, c);
      return line ? `${routineName(c.analysis.profile, line.routine)} ${placeText(line, c)}` : '';
    },
    routineAt: (state, c) => cursorRow(state, c)?.routine ?? -1,
    request(state, action, c) {
      const row = action.type === 'enter' ? cursorRow(state, c) : undefined;
      if (!row) return undefined;
      const place = placeOf(row, c);
      return { type: 'show', view: 'source', routine: row.routine, ...(place ? { place } : {}) };
    },
    detail(state, c) {
      const row = cursorRow(state, c);
      return row ? `${placeText(row, c)}  ${routineDetail(c.analysis.profile, row.routine)}` : '';
    },
    place(state, c) {
      const row = cursorRow(state, c);
      return row && placeOf(row, c);
    },
    needs: linesNeed,
    printed(state, c) {
      const { sort, descending } = state;
      const chosen = { lines: chosenLines(state, c) };
      const bySelf = sort === 'self' || c.analysis.events.some(({ name }) => name === sort);
      return bySelf ? { sort: { column: sort, descending }, chosen } : { unsaid: `lines sorted by ${sort}`, chosen };
    },
    mode(state, c) {
      const all = allLines(c.analysis).ready?.line.length;
      if (all === undefined) return 'adding up …';
      const n = orderIn(state, c).length;
      const count = n === all ? plural(n, 'line') : `${formatCount(n)} of ${plural(all, 'line')}`;
      return count + filterText(c.matcher, siftingIn(c));
    },
    rebase: (state, _: Analysis, __: Analysis) => state,
  }),
);

/** Rows whose files are read where two runs are compared, and the most files at a time. */
const LOOKED_AT = 2000;
const MOST_FILES = 50;

/** Lines of the base are where the texts of both runs say: those of the first rows. */
function linesNeed(state: LinesState, c: ViewContext): string[] {
  const lines = c.analysis.before && allLines(c.analysis).ready;
  if (!lines) return [];
  const files = new Set<number>();
  for (const at of orderIn(state, c).subarray(0, LOOKED_AT)) {
    if (lines.file[at] >= 0) files.add(lines.file[at]);
    if (files.size === MOST_FILES) break;
  }
  return [...files].flatMap((file) => fileName(c.analysis.profile, file) ?? []);
}

/** The rows as they are shown, for a file. */
function* chosenLines(state: LinesState, c: ViewContext): Generator<LineRow> {
  const lines = allLines(c.analysis).now();
  for (const at of orderIn(state, c)) yield rowOf(lines, at);
}
