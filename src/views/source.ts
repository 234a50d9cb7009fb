// Source: the lines of a file with their costs, calls between them; lines without cost are folded.
import { type Analysis, wholeOf } from '../analysis/analysis.ts';
import { type AnnotatedFile, annotateFile, annotateRoutine } from '../analysis/annotate.ts';
import { baseName, fileName, routineDetail, routineName, UNKNOWN } from '../analysis/names.ts';
import { memo } from '../base/memo.ts';
import { shownPath } from '../base/paths.ts';
import type { SourceText } from '../base/source-text.ts';
import { formatPercent } from '../base/units.ts';
import { costText } from '../columns/costs.ts';
import { titleName } from '../columns/names.ts';
import { type SourceListing, type SourceRow, sourceTable } from '../columns/source.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { entry } from './open-view.ts';
import { type Arc, drawArcs } from './parts/arcs.ts';
import { at, jumpTo, type List, listView, START } from './parts/list.ts';
import { drawTable } from './parts/table.ts';
import { withReasons } from './parts/unchanged.ts';
import { type Binding, ofAnyKind, type ViewContext } from './view.ts';

interface SourceState {
  readonly list: List;
  /** The routine the cursor was placed for. */
  readonly placed: number;
  /** Which of the routine's files; its own is the first. */
  readonly file: number;
  /** Whether to show all routines of the file, not only the one in focus. */
  readonly whole: boolean;
  readonly folded: boolean;
  /** First lines of the open folds. */
  readonly open: ReadonlySet<number>;
  /** Rank by cost of the line that `h` went to last. */
  readonly hot: number;
  /** Whether the text was there when the cursor was placed; its arrival moves the rows. */
  readonly withText: boolean;
}

type SourceAction =
  | { readonly type: 'whole' | 'fold' | 'enter' }
  | { readonly type: 'next-file'; readonly by: 1 | -1 }
  /** To the next hot line, the one before, or the hottest of all (0). */
  | { readonly type: 'hot'; readonly by: 1 | -1 | 0 };

interface Listing {
  readonly files: readonly AnnotatedFile[];
  readonly file: AnnotatedFile | undefined;
  readonly name: string | null;
  readonly text: SourceText | string | undefined;
  readonly rows: readonly SourceRow[];
}

const annotations = memo(
  (analysis: Analysis, focus: number): AnnotatedFile[] => (focus < 0 ? [] : annotateRoutine(analysis, focus)),
  4,
);
const wholeFile = memo((analysis: Analysis, file: number) => annotateFile(analysis, file), 2);

/** Lines of context kept around those with cost. */
const AROUND = 4;

const layRows = memo(
  (
    file: AnnotatedFile,
    event: Event,
    text: SourceText | string | undefined,
    folded: boolean,
    open: ReadonlySet<number>,
  ): SourceRow[] => {
    const rows: SourceRow[] = [];
    const rowOf = new Map(Array.from(file.line, (line, row) => [line, row]));
    const put = (line: number) => {
      const row = rowOf.get(line) ?? -1;
      rows.push({ kind: 'line', line, of: row });
      if (row < 0) return;
      const costs = file.calls?.costs ?? [];
      const calls = [...file.callsAt[row]].sort((a, b) => eventValue(event, costs, b) - eventValue(event, costs, a));
      for (const i of calls) rows.push({ kind: 'call', line, of: i });
    };
    if (typeof text !== 'object') {
      for (const line of file.line) put(line);
      return rows;
    }
    if (rowOf.has(0)) put(0);
    const length = Math.max(text.lines.length, file.line.at(-1) ?? 0);
    const near = new Uint8Array(length + AROUND + 2);
    for (const line of file.line) if (line > 0) near.fill(1, Math.max(1, line - AROUND), line + AROUND + 1);
    for (let line = 1; line <= length; line++) {
      if (!folded || near[line]) {
        put(line);
        continue;
      }
      let end = line;
      while (end < length && !near[end + 1]) end++;
      // Folding one or two lines would hardly save space.
      if (open.has(line) || end - line < 2) for (let k = line; k <= end; k++) put(k);
      else rows.push({ kind: 'fold', line, of: end - line + 1 });
      line = end;
    }
    return rows;
  },
  3,
);

function listing(state: SourceState, c: ViewContext): Listing {
  const files = annotations(c.analysis, c.focus);
  const chosen = files[Math.min(state.file, files.length - 1)];
  if (!chosen) return { files, file: undefined, name: null, text: undefined, rows: [] };
  const file = state.whole && chosen.file >= 0 ? wholeFile(c.analysis, chosen.file) : chosen;
  const name = fileName(c.analysis.profile, file.file);
  const text = name === null ? 'the profile does not record the file' : c.sources.get(name);
  return { files, file, name, text, rows: layRows(file, c.event, text, state.folded, state.open) };
}

/** Rows of the annotated file by self cost, the hottest first. */
const hottest = memo((file: AnnotatedFile, event: Event): number[] => {
  const rows = Array.from(file.line, (_, row) => row).filter((row) => eventValue(event, file.self, row) !== 0);
  return rows.sort((a, b) => eventValue(event, file.self, b) - eventValue(event, file.self, a));
}, 3);

function goHot(state: SourceState, by: number, c: ViewContext): SourceState {
  const { file, rows } = listing(state, c);
  if (!file) return state;
  const order = hottest(file, c.event);
  if (order.length === 0) return state;
  const hot = Math.max(0, Math.min(order.length - 1, state.hot + by));
  const line = file.line[order[hot]];
  const row = rows.findIndex((r) => r.kind === 'line' && r.line === line);
  return { ...state, hot, list: jumpTo(state.list, row, rows.length, c.height - 1) };
}

const arcsOf = memo((analysis: Analysis, focus: number, file: number, rows: readonly SourceRow[]): Arc[] => {
  const rowOf = new Map<number, number>();
  rows.forEach((r, i) => {
    if (r.kind === 'line') rowOf.set(r.line, i);
  });
  const out = new Map<string, Arc>();
  for (const j of analysis.costing.jumps(focus).all) {
    if (j.file !== file || j.targetFile !== file || j.line === j.targetLine || j.taken === 0) continue;
    const from = rowOf.get(j.line);
    const to = rowOf.get(j.targetLine);
    if (from === undefined || to === undefined) continue;
    const key = `${from}-${to}`;
    out.set(key, { from, to, weight: (out.get(key)?.weight ?? 0) + j.taken });
  }
  return [...out.values()];
});

const LANES = 3;

function change(state: SourceState, action: SourceAction, c: ViewContext): SourceState {
  const l = listing(state, c);
  switch (action.type) {
    case 'next-file': {
      const file = (state.file + action.by + l.files.length) % Math.max(1, l.files.length);
      return goHot({ ...state, file, hot: 0, open: new Set() }, 0, c);
    }
    case 'whole':
      return goHot({ ...state, whole: !state.whole, hot: 0, open: new Set() }, 0, c);
    case 'fold': {
      const line = l.rows[state.list.cursor]?.line;
      const next = { ...state, folded: !state.folded, open: new Set<number>() };
      const row = listing(next, c).rows.findIndex((r) => r.line >= (line ?? 0));
      return { ...next, list: at(next.list, Math.max(0, row), listing(next, c).rows.length, c.height - 1) };
    }
    case 'hot':
      return goHot({ ...state, hot: action.by === 0 ? 0 : state.hot }, action.by, c);
    case 'enter': {
      const row = l.rows[state.list.cursor];
      return row?.kind === 'fold' ? { ...state, open: new Set([...state.open, row.line]) } : state;
    }
  }
}

const noFocus = (_: SourceState, c: ViewContext) => (c.focus < 0 ? 'no routine is in focus' : undefined);
const oneFile = (state: SourceState, c: ViewContext) =>
  listing(state, c).files.length < 2 ? 'the routine has code in only one file' : undefined;

const BINDINGS: readonly Binding<SourceState, SourceAction>[] = [
  { keys: ['h'], action: { type: 'hot', by: 1 }, help: 'next hottest line', group: 'move', footer: 'next hot', off: noFocus },
  { keys: ['H'], action: { type: 'hot', by: -1 }, help: 'next hotter line', group: 'move', off: noFocus },
  { keys: ['x'], action: { type: 'hot', by: 0 }, help: 'hottest line', group: 'move', off: noFocus },
  {
    keys: ['enter'],
    action: { type: 'enter' },
    help: 'go to the callee (=>), or open the fold',
    group: 'view',
    footer: 'callee',
    off: (state, c) => {
      const row = listing(state, c).rows[state.list.cursor];
      return row && row.kind !== 'line' ? undefined : 'Enter goes to a callee (=>) or opens a fold; this line is neither';
    },
  },
  {
    keys: ['f'],
    action: { type: 'next-file', by: 1 },
    help: 'next file with code of the routine (inlined)',
    group: 'show',
    footer: 'file',
    off: oneFile,
  },
  { keys: ['F'], action: { type: 'next-file', by: -1 }, help: 'previous file with its code', group: 'show', off: oneFile },
  {
    keys: ['w'],
    action: { type: 'whole' },
    help: 'show the whole file, or only this routine',
    group: 'show',
    footer: 'whole file',
    off: noFocus,
  },
  {
    keys: ['o'],
    action: { type: 'fold' },
    help: 'fold lines without cost, or show all lines',
    group: 'show',
    off: (state, c) => (typeof listing(state, c).text === 'object' ? undefined : 'there is no text to fold'),
  },
];

const KEYS = withReasons(
  BINDINGS,
  change,
  { h: 'no line costs less', H: 'no line costs more', x: 'this is the hottest line' },
  (state, c) => {
    const { file } = listing(state, c);
    return file && hottest(file, c.event).length > 0 ? undefined : 'no line here has self cost';
  },
);

/** The routine called from the row under the cursor; undefined if it is not a call. */
function calleeAt(state: SourceState, c: ViewContext): number | undefined {
  const { file, rows } = listing(state, c);
  const row = rows[state.list.cursor];
  return row?.kind === 'call' ? file?.calls?.callee[row.of] : undefined;
}

/** What the columns show of a listing. */
function shown(l: Listing, file: AnnotatedFile, state: SourceState, c: ViewContext): SourceListing {
  const { text } = l;
  const beside = c.analysis.costing.can.has('jumps') && !state.whole && c.width >= 70;
  const arcs = beside ? arcsOf(c.analysis, c.focus, file.file, l.rows) : [];
  const gutter = drawArcs(arcs, state.list.top, c.height - 1, LANES, c.ascii);
  const rowOf = new Map(l.rows.slice(state.list.top, state.list.top + c.height).map((row, k) => [row, gutter[k] ?? '']));
  return {
    file,
    title: shownPath(l.name ?? 'source'),
    text: (line) => (typeof text === 'object' ? text.lines[line - 1] : undefined),
    widest: Math.max(4, String(file.line.at(-1) ?? 0).length),
    ...(arcs.length > 0 ? { jumps: (row) => rowOf.get(row) ?? '', jumpsWidth: LANES * 2 } : {}),
  };
}

function lineDetail(l: Listing, file: AnnotatedFile, row: SourceRow, c: ViewContext): string {
  const { costing } = c.analysis;
  const share = formatPercent(eventValue(c.event, file.inclusive, row.of), wholeOf(c.analysis, c.event));
  const cost = costText(c, exactValue(c.event, file.inclusive, row.of));
  const how = costing.can.has('stacks') ? 'in the stack of' : 'with its calls';
  return `${baseName(l.name ?? UNKNOWN)}:${row.line}  ${how} ${cost} ${c.event.name} (${share})`;
}

/** Goes to a line of the file, and opens the fold that it is in. */
function toLine(state: SourceState, line: number, c: ViewContext): SourceState | undefined {
  const fold = listing(state, c).rows.find((r) => r.kind === 'fold' && line >= r.line && line < r.line + r.of);
  const next = fold ? { ...state, open: new Set([...state.open, fold.line]) } : state;
  const { rows } = listing(next, c);
  const row = rows.findIndex((r) => r.kind === 'line' && r.line === line);
  return row < 0 ? undefined : { ...next, list: jumpTo(next.list, row, rows.length, c.height - 1) };
}

/** Places the cursor on the hottest line of the routine's first file. */
function placed(state: SourceState, c: ViewContext): SourceState {
  const fresh = { ...state, placed: c.focus, file: 0, hot: 0, open: new Set<number>(), list: START };
  return goHot({ ...fresh, withText: typeof listing(fresh, c).text === 'object' }, 0, c);
}

export const source = entry(
  listView({
    id: 'source',
    title: 'Source',
    digit: '4',
    asks: ['lines'],
    report: { name: 'source', ofFocus: true },
    of: ofAnyKind,
    shifts: true,
    keys: KEYS,
    init: (): SourceState => ({
      list: START,
      placed: -1,
      file: 0,
      whole: false,
      folded: true,
      open: new Set(),
      hot: 0,
      withText: false,
    }),
    change,
    settle(state, c) {
      if (state.placed !== c.focus) return placed(state, c);
      const withText = typeof listing(state, c).text === 'object';
      return withText === state.withText ? state : goHot({ ...state, withText }, 0, c);
    },
    draw(state, c) {
      const l = listing(state, c);
      const first = l.file && shown(l, l.file, state, c);
      const spec = {
        columns: first ? sourceTable<SourceRow>(() => first, first).columns(c) : [],
        rows: l.rows.length,
        row: (row: number) => l.rows[row],
        empty:
          c.focus < 0
            ? 'no routine is in focus: choose one in Routines (1)'
            : 'the routine has no self cost by line; Calls (2) shows where its cost comes from',
      };
      return drawTable(spec, state.list, c.width, c.height, c.ascii);
    },
    rows: (state, c) => listing(state, c).rows.length,
    goTo: toLine,
    rowText(state, row, c) {
      const l = listing(state, c);
      const { kind, line, of } = l.rows[row];
      if (kind === 'call') return routineName(c.analysis.profile, l.file?.calls?.callee[of] ?? -1);
      return typeof l.text === 'object' && kind === 'line' ? (l.text.lines[line - 1] ?? '') : '';
    },
    routineAt: (state, c) => calleeAt(state, c) ?? c.focus,
    request(state, action, c) {
      const routine = action.type === 'enter' ? calleeAt(state, c) : undefined;
      return routine === undefined ? undefined : { type: 'show', view: 'source', routine };
    },
    detail(state, c) {
      const l = listing(state, c);
      const row = l.rows[state.list.cursor];
      const callee = calleeAt(state, c);
      if (callee !== undefined) return routineDetail(c.analysis.profile, callee);
      if (typeof l.text === 'string') return `${l.text}${l.name ? `: ${shownPath(l.name)}` : ''}`;
      if (typeof l.text === 'object' && l.text.newer) return `${l.text.path} is newer than the profile: lines may not match`;
      return l.file && row?.kind === 'line' && row.of >= 0 ? lineDetail(l, l.file, row, c) : shownPath(l.name ?? '');
    },
    place(state, c) {
      const l = listing(state, c);
      const row = l.rows[state.list.cursor];
      return l.name === null || !row ? undefined : { file: l.name, line: row.line };
    },
    needs(state, c) {
      const { name } = listing(state, c);
      return name === null ? [] : [name];
    },
    printed: ({ whole }) => ({ unfiltered: true, unsaid: whole ? 'the whole file' : undefined }),
    mode(state, c, room) {
      if (c.focus < 0) return '';
      const { files } = listing(state, c);
      const which = files.length > 1 ? `, file ${Math.min(state.file, files.length - 1) + 1} of ${files.length}` : '';
      return `${state.whole ? 'whole file' : titleName(c, c.focus, room - which.length)}${which}`;
    },
  }),
);
