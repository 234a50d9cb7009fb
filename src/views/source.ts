// Source: the lines of a file with their costs, calls between them, what costs nothing folded.
import { type Analysis, wholeOf } from '../analysis/analysis.ts';
import { type AnnotatedFile, annotateFile, annotateRoutine } from '../analysis/annotate.ts';
import { jumpsOfRoutine } from '../analysis/jumps.ts';
import { baseName, fileName, routineName, UNKNOWN } from '../analysis/names.ts';
import { memo } from '../base/memo.ts';
import { formatPercent, plural } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { type Event, hasInclusive } from '../model/profile.ts';
import { type Arc, drawArcs } from './parts/arcs.ts';
import { costColumn, costText, PERCENT_COLUMN, percentCell } from './parts/costs.ts';
import { at, LIST_KEYS, type List, moveList, SHIFT_KEYS, START } from './parts/list.ts';
import { type Cell, drawTable } from './parts/table.ts';
import type { Action, Binding, SourceText, View, ViewContext } from './view.ts';

export interface SourceState {
  readonly list: List;
  /** The routine that the cursor was placed for. */
  readonly placed: number;
  /** Which of the routine's files; its own is the first. */
  readonly file: number;
  /** All routines of the file, not only the one in focus. */
  readonly whole: boolean;
  readonly folded: boolean;
  /** First lines of the folds that are open. */
  readonly open: ReadonlySet<number>;
  /** Place in the order of cost of the line that `h` went to last. */
  readonly hot: number;
  /** The text had come when the cursor was placed: it moves the rows. */
  readonly withText: boolean;
}

interface Row {
  readonly kind: 'line' | 'call' | 'fold';
  readonly line: number;
  /** Row of the annotated file, call site, or number of lines folded; -1 for a line without cost. */
  readonly of: number;
}

interface Listing {
  readonly files: readonly AnnotatedFile[];
  readonly file: AnnotatedFile | undefined;
  readonly name: string | null;
  readonly text: SourceText | string | undefined;
  readonly rows: readonly Row[];
}

const annotations = memo(
  (analysis: Analysis, focus: number): AnnotatedFile[] => (focus < 0 ? [] : annotateRoutine(analysis, focus)),
  4,
);
const wholeFile = memo((analysis: Analysis, file: number) => annotateFile(analysis, file), 2);

/** Lines kept around those that cost something. */
const AROUND = 4;

const layRows = memo(
  (
    file: AnnotatedFile,
    event: Event,
    text: SourceText | string | undefined,
    folded: boolean,
    open: ReadonlySet<number>,
  ): Row[] => {
    const rows: Row[] = [];
    const rowOf = new Map(Array.from(file.line, (line, row) => [line, row]));
    const put = (line: number) => {
      const row = rowOf.get(line) ?? -1;
      rows.push({ kind: 'line', line, of: row });
      if (row < 0) return;
      const calls = [...file.callsAt[row]].sort(
        (a, b) => eventValue(event, file.calls!.costs, b) - eventValue(event, file.calls!.costs, a),
      );
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
      // A fold of a line or two would be no shorter than they are.
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
  const text = name === null ? 'the profile does not say which file' : c.sources.get(name);
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
  const list = at(state.list, row, rows.length, c.height - 1);
  return { ...state, hot, list: moveList(list, { type: 'center' }, rows.length, c.height - 1) };
}

const arcsOf = memo((analysis: Analysis, focus: number, file: number, rows: readonly Row[]): Arc[] => {
  const rowOf = new Map<number, number>();
  rows.forEach((r, i) => {
    if (r.kind === 'line') rowOf.set(r.line, i);
  });
  const out = new Map<string, Arc>();
  for (const j of jumpsOfRoutine(analysis, focus).all) {
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

function cells(l: Listing, row: Row, c: ViewContext): (string | Cell)[] {
  const { profile } = c.analysis;
  const file = l.file!;
  const share = (cell: string | Cell) => (c.percent === 'none' ? [] : [cell]);
  const withCalls = (cell: string | Cell) => (hasInclusive(profile) ? [cell] : []);
  if (row.kind === 'fold') {
    return [
      '',
      ...share(''),
      ...withCalls(''),
      '',
      { text: `${c.ascii ? '...' : '⋯'} ${plural(row.of, 'line')} without cost (Enter opens)`, style: 'dim' },
    ];
  }
  if (row.kind === 'call') {
    const { calls } = file;
    const cost = eventValue(c.event, calls!.costs, row.of);
    const n = calls!.count[row.of];
    const times = n === 0 ? '' : ` (${plural(n, 'call')})`;
    return [
      '',
      ...share(percentCell(c, cost)),
      costText(c, exactValue(c.event, calls!.costs, row.of)),
      '',
      { text: `  ${c.ascii ? '=>' : '⇒'} ${routineName(profile, calls!.callee[row.of])}${times}`, style: 'call' },
    ];
  }
  const text = typeof l.text === 'object' ? (l.text.lines[row.line - 1] ?? '').replaceAll('\t', '    ') : '';
  const shown = row.line === 0 ? '(code without a line)' : text;
  if (row.of < 0) return ['.', ...share(''), ...withCalls(''), String(row.line), { text: shown, style: 'dim' }];
  const self = eventValue(c.event, file.self, row.of);
  return [
    self === 0 ? '.' : costText(c, exactValue(c.event, file.self, row.of)),
    ...share(self === 0 ? '' : percentCell(c, self)),
    ...withCalls(
      file.callsAt[row.of].length > 0 || profile.stacks ? costText(c, exactValue(c.event, file.inclusive, row.of)) : '',
    ),
    row.line === 0 ? '?' : String(row.line),
    shown,
  ];
}

function change(state: SourceState, action: Action, c: ViewContext): SourceState {
  const l = listing(state, c);
  switch (action.type) {
    case 'next-file': {
      const file = (state.file + (action['by'] as number) + l.files.length) % Math.max(1, l.files.length);
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
      return goHot({ ...state, hot: action['by'] === 0 ? 0 : state.hot }, action['by'] as number, c);
    case 'enter': {
      const row = l.rows[state.list.cursor];
      return row?.kind === 'fold' ? { ...state, open: new Set([...state.open, row.line]) } : state;
    }
    default:
      return state;
  }
}

const noFocus = (_: SourceState, c: ViewContext) => (c.focus < 0 ? 'no routine is in focus' : undefined);

const KEYS: readonly Binding<SourceState>[] = [
  ...(LIST_KEYS as readonly Binding<SourceState>[]),
  ...(SHIFT_KEYS as readonly Binding<SourceState>[]),
  { keys: ['h'], action: { type: 'hot', by: 1 }, help: 'next hottest line', group: 'move', footer: 'next hot', off: noFocus },
  { keys: ['H'], action: { type: 'hot', by: -1 }, help: 'the line hotter than this', group: 'move', off: noFocus },
  { keys: ['t'], action: { type: 'hot', by: 0 }, help: 'the hottest line', group: 'move', off: noFocus },
  {
    keys: ['enter'],
    action: { type: 'enter' },
    help: 'to the routine called from here; open a fold',
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
    help: 'next file that the routine has code in (inlined)',
    group: 'show',
    footer: 'file',
    off: (state, c) => (listing(state, c).files.length < 2 ? 'the routine has code in one file only' : undefined),
  },
  {
    keys: ['F'],
    action: { type: 'next-file', by: -1 },
    help: 'the file before',
    group: 'show',
    off: (s, c) => (listing(s, c).files.length < 2 ? 'the routine has code in one file only' : undefined),
  },
  {
    keys: ['w'],
    action: { type: 'whole' },
    help: 'all routines of the file, or only the one in focus',
    group: 'show',
    footer: 'whole file',
    off: noFocus,
  },
  { keys: ['o'], action: { type: 'fold' }, help: 'fold what costs nothing, or show all', group: 'show' },
];

export const source: View<SourceState> = {
  id: 'source',
  title: 'Source',
  digit: '4',
  requires: ['lines'],
  report: 'source',
  keys: KEYS,
  init: () => ({ list: START, placed: -1, file: 0, whole: false, folded: true, open: new Set(), hot: 0, withText: false }),
  update(state, action, c) {
    const withText = typeof listing(state, c).text === 'object';
    if (state.placed !== c.focus) {
      const fresh = { ...state, placed: c.focus, file: 0, hot: 0, open: new Set<number>(), list: START };
      return goHot({ ...fresh, withText: typeof listing(fresh, c).text === 'object' }, 0, c);
    }
    if (withText !== state.withText) return goHot({ ...state, withText }, 0, c);
    const next = change(state, action, c);
    if (next !== state && next.list !== state.list) return next;
    return { ...next, list: moveList(next.list, action, listing(next, c).rows.length, c.height - 1) };
  },
  draw(state, c) {
    const l = listing(state, c);
    const arcs =
      c.analysis.profile.jumps && l.file && !state.whole && c.width >= 70 ? arcsOf(c.analysis, c.focus, l.file.file, l.rows) : [];
    const gutter = arcs.length > 0 ? drawArcs(arcs, state.list.top, c.height - 1, LANES, c.ascii) : undefined;
    const widest = Math.max(4, String(l.file?.line.at(-1) ?? 0).length);
    const spec = {
      columns: [
        costColumn(c, 'self', 9),
        ...(c.percent === 'none' ? [] : [PERCENT_COLUMN]),
        ...(hasInclusive(c.analysis.profile) ? [costColumn(c, 'incl', 6)] : []),
        { title: 'line', width: widest, align: 'right' as const, rank: 9 },
        ...(gutter ? [{ title: 'jumps', width: LANES * 2, rank: 5, style: 'dim' as const }] : []),
        { title: l.name === null ? 'source' : l.name, width: 20, flex: 1, cut: 'end' as const, rank: 9 },
      ],
      rows: l.rows.length,
      cells: (row: number) => {
        const out = cells(l, l.rows[row], c);
        if (gutter) out.splice(out.length - 1, 0, gutter[row - state.list.top] ?? '');
        return out;
      },
      empty:
        c.focus < 0
          ? 'no routine is in focus: choose one in Routines (1)'
          : 'the routine has no cost of its own by line; Calls (2) shows where its cost comes from',
    };
    return drawTable(spec, state.list, c.width, c.height, c.ascii);
  },
  rows: (state, c) => listing(state, c).rows.length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, listing(state, c).rows.length, c.height - 1) }),
  rowText(state, row, c) {
    const l = listing(state, c);
    const r = l.rows[row];
    if (r.kind === 'call') return routineName(c.analysis.profile, l.file!.calls!.callee[r.of]);
    return typeof l.text === 'object' && r.kind === 'line' ? (l.text.lines[r.line - 1] ?? '') : '';
  },
  routineAt(state, c) {
    const l = listing(state, c);
    const row = l.rows[state.list.cursor];
    return row?.kind === 'call' ? l.file!.calls!.callee[row.of] : c.focus;
  },
  asks(state, action, c) {
    if (action.type !== 'enter') return undefined;
    const l = listing(state, c);
    const row = l.rows[state.list.cursor];
    return row?.kind === 'call' ? { type: 'show', view: 'source', routine: l.file!.calls!.callee[row.of] } : undefined;
  },
  detail(state, c) {
    const l = listing(state, c);
    const row = l.rows[state.list.cursor];
    if (typeof l.text === 'string') return `${l.text}${l.name ? `: ${l.name}` : ''}`;
    if (typeof l.text === 'object' && l.text.newer) return `${l.text.path} is newer than the profile: lines may not match`;
    if (row?.kind !== 'line' || row.of < 0) return l.name ?? '';
    const cost = eventValue(c.event, l.file!.inclusive, row.of);
    return `${baseName(l.name ?? UNKNOWN)}:${row.line}  ${c.analysis.profile.stacks ? 'in the stack of' : 'with its calls'} ${costText(c, exactValue(c.event, l.file!.inclusive, row.of))} ${c.event.name} (${formatPercent(cost, wholeOf(c.analysis, c.event))})`;
  },
  place(state, c) {
    const l = listing(state, c);
    const row = l.rows[state.list.cursor];
    return l.name === null || !row ? undefined : { file: l.name, line: row.line };
  },
  needs(state, c) {
    const { name } = listing(state, c);
    return name === null ? [] : [{ source: name }];
  },
  mode(state, c) {
    if (c.focus < 0) return '';
    const { files } = listing(state, c);
    const which = files.length > 1 ? `, file ${Math.min(state.file, files.length - 1) + 1} of ${files.length}` : '';
    return `${state.whole ? 'whole file' : routineName(c.analysis.profile, c.focus)}${which}`;
  },
};
