// Source: the lines of a file with their costs, calls between them; lines without cost are folded.

import type { AnnotatedFile } from '../../analysis/answers/annotate.ts';
import { isOldIn } from '../../analysis/answers/compared/old-lines.ts';
import { baseName, fileName, routineDetail, routineName, UNKNOWN } from '../../analysis/names/names.ts';
import { memo } from '../../base/memo.ts';
import { shownPath } from '../../base/paths.ts';
import { formatCount, formatPercent } from '../../base/units.ts';
import { costText, wholeIn } from '../../columns/costs.ts';
import { lineText, titleName } from '../../columns/names.ts';
import { callsIn, numbersOf, type SourceListing, type SourceRow, sourceTable, withNumbers } from '../../columns/source.ts';
import { fileColumns } from '../../columns/source-files.ts';
import { eventValue, exactValue } from '../../model/event-value.ts';
import type { Profile } from '../../model/profile.ts';
import { entry } from '../open-view.ts';
import { drawArcs } from '../parts/arcs.ts';
import { at, listView, START } from '../parts/list.ts';
import { chosen, onOrOff, switched } from '../parts/options.ts';
import { drawTable } from '../parts/table.ts';
import { withReasons } from '../parts/unchanged.ts';
import { type Binding, key, ofAnyKind, type ScreenLine, type ViewContext } from '../view.ts';
import {
  arcsOf,
  goHot,
  goToFile,
  goToLine,
  hotOrder,
  keptLine,
  type Listing,
  lineOfText,
  listing,
  rankOf,
  type SourceState,
} from './listing.ts';

type SourceAction =
  | { readonly type: 'enter' | 'files' | 'next-file' }
  | { readonly type: 'whole' | 'fold' | 'numbers'; readonly value?: string }
  /** To the next hot line, the one before, or the hottest of all (0). */
  | { readonly type: 'hot'; readonly by: 1 | -1 | 0 };

const LANES = 3;

const withoutFiles = (state: SourceState): SourceState | undefined =>
  state.choosing && { ...state, choosing: undefined, list: state.choosing };

/** Shows the list of the routine's files, or closes it. */
function toggleFiles(state: SourceState, l: Listing): SourceState {
  const closed = withoutFiles(state);
  if (closed) return closed;
  const cursor = Math.max(
    0,
    l.files.findIndex((f) => f.file === l.file?.file),
  );
  return { ...state, choosing: state.list, list: { ...START, cursor } };
}

function enter(state: SourceState, l: Listing, c: ViewContext): SourceState {
  if (state.choosing) {
    const file = l.files[state.list.cursor];
    return file ? goToFile({ ...state, choosing: undefined, list: START }, file.file, c) : state;
  }
  const row = l.rows[state.list.cursor];
  return row?.kind === 'fold' ? { ...state, open: new Set([...state.open, row.line]) } : state;
}

function change(state: SourceState, action: SourceAction, c: ViewContext): SourceState {
  const l = listing(state, c);
  switch (action.type) {
    case 'files':
      return toggleFiles(state, l);
    case 'next-file': {
      const next = l.files.findIndex((f) => f.file === l.file?.file) + 1;
      return goToFile(state, l.files[next % l.files.length].file, c);
    }
    case 'whole':
      return goHot({ ...state, whole: switched(state.whole, action.value), hot: undefined, open: new Set() }, 0, c);
    case 'fold': {
      const line = l.rows[state.list.cursor]?.line;
      const next = { ...state, folded: switched(state.folded, action.value), open: new Set<number>() };
      const row = listing(next, c).rows.findIndex((r) => r.line >= (line ?? 0));
      return { ...next, list: at(next.list, Math.max(0, row), listing(next, c).rows.length, c.height - 1) };
    }
    case 'numbers':
      return { ...state, numbers: chosen(numbersOf(callsIn(c, listing(state, c).files)), state.numbers, action.value) };
    case 'hot':
      return goHot(state, action.by, c);
    case 'enter':
      return enter(state, l, c);
  }
}

const noLines = (state: SourceState, c: ViewContext) =>
  c.focus < 0
    ? 'no routine is in focus'
    : state.choosing
      ? 'choose a file first: Enter shows it, Esc closes the list'
      : undefined;
const noHot = (state: SourceState, c: ViewContext) =>
  noLines(state, c) ?? (hotOrder(state, c).length === 0 ? `no line costs any ${c.event.name}` : undefined);
const noOther = (state: SourceState, c: ViewContext) => {
  const order = hotOrder(state, c);
  const there = order.length === 1 && rankOf(order, state.hot) === 0;
  return noHot(state, c) ?? (there ? `no other line costs any ${c.event.name}` : undefined);
};
const oneFile = (state: SourceState, c: ViewContext) =>
  !state.choosing && listing(state, c).files.length < 2 ? 'the routine has code in only one file' : undefined;

const BINDINGS: readonly Binding<SourceState, SourceAction>[] = [
  key(']', { type: 'hot', by: 1 }, 'move', 'next hottest line, in all files of the routine', {
    footer: 'next hot',
    off: noOther,
  }),
  key('[', { type: 'hot', by: -1 }, 'move', 'next hotter line', { off: noOther }),
  key('', { type: 'hot', by: 0 }, 'move', 'hottest line', { off: noHot }),
  key('enter', { type: 'enter' }, 'view', 'go to the callee (=>), open the fold, or show the file', {
    footer: 'open',
    off: (state, c) => {
      if (state.choosing) return undefined;
      const row = listing(state, c).rows[state.list.cursor];
      return row && row.kind !== 'line' ? undefined : 'Enter goes to a callee (=>) or opens a fold; this line is neither';
    },
  }),
  key('', { type: 'files' }, 'show', 'list the files with code of the routine, with their costs', { off: oneFile }),
  key('', { type: 'next-file' }, 'show', 'next file with code of the routine, by cost', {
    off: (state, c) => noLines(state, c) ?? oneFile(state, c),
  }),
  key('c', { type: 'numbers' }, 'show', 'columns: all, self cost only, or none (room for the text)', {
    footer: 'columns',
    options: {
      of: 'columns',
      values: (state, c) => numbersOf(callsIn(c, listing(state, c).files)),
      now: ({ numbers }) => numbers,
    },
    off: noLines,
  }),
  key('', { type: 'whole' }, 'show', 'show the whole file, or only this routine', {
    options: onOrOff('whole file', ({ whole }) => whole),
    off: noLines,
  }),
  key('', { type: 'fold' }, 'show', 'fold lines without cost, or show all lines', {
    options: onOrOff('lines without cost folded', ({ folded }) => folded),
    off: (state, c) => noLines(state, c) ?? (typeof listing(state, c).text === 'object' ? undefined : 'there is no text to fold'),
  }),
];

const KEYS = withReasons(BINDINGS, change, { hot: 'this is the hottest line' }, noHot);

/** The routine called from the row under the cursor; undefined if it is not a call. */
function calleeAt(state: SourceState, c: ViewContext): number | undefined {
  const { file, rows } = listing(state, c);
  const row = state.choosing ? undefined : rows[state.list.cursor];
  return row?.kind === 'call' ? file?.calls?.callee[row.of] : undefined;
}

/** Cells of the longest line number. */
const widestLine = memo((rows: Listing['rows'], analysis: ViewContext['analysis']): number =>
  rows.reduce((most, { kind, line }) => (kind === 'line' ? Math.max(most, lineText({ analysis }, line).length) : most), 4),
);

/** A line of this run's text: for one that is gone, the line that it stands behind. */
function nowLine({ behind }: Listing, line: number, c: ViewContext): number {
  if (!isOldIn(c.analysis, line)) return line;
  for (const [after, lines] of behind) if (lines.includes(line)) return Math.max(1, after);
  return 1;
}

/** The input of the columns of a listing. */
function shown(l: Listing, file: AnnotatedFile, state: SourceState, c: ViewContext): SourceListing {
  const beside = c.analysis.costing.can.has('jumps') && !state.whole && c.width >= 70;
  const arcs = beside ? arcsOf(c.analysis, c.focus, file.file, l.rows) : [];
  const gutter = drawArcs(arcs, state.list.top, c.height - 1, LANES);
  const rowOf = new Map(l.rows.slice(state.list.top, state.list.top + c.height).map((row, k) => [row, gutter[k] ?? '']));
  return {
    file,
    // Beside another view, nothing else says why there is no text; the line below all says what to do.
    title: shownPath(l.name ?? 'source') + (typeof l.text === 'string' && l.name !== null ? ` (${l.text.split(' (')[0]})` : ''),
    text: (line) => lineOfText(l, line, c),
    widest: widestLine(l.rows, c.analysis),
    change: l.map?.change,
    ...(arcs.length > 0 ? { jumps: (row) => rowOf.get(row) ?? '', jumpsWidth: LANES * 2 } : {}),
  };
}

function lineDetail(l: Listing, file: AnnotatedFile, row: SourceRow, c: ViewContext): string {
  const { costing } = c.analysis;
  const share = formatPercent(eventValue(c.event, file.inclusive, row.of), wholeIn(c));
  const cost = costText(c, exactValue(c.event, file.inclusive, row.of), file.estimated?.inclusive[row.of] === 1);
  const how = costing.can.has('stacks') ? 'in the stack of' : 'including calls';
  return `${baseName(l.name ?? UNKNOWN)}:${lineText(c, row.line)}  ${how} ${cost} ${c.event.name} (${share})`;
}

/** Where the line is among the hot ones, if that is how it was reached. */
function hotText(state: SourceState, file: AnnotatedFile, row: SourceRow, c: ViewContext): string {
  const { hot } = state;
  if (hot?.file !== file.file || hot.line !== row.line) return '';
  const order = hotOrder(state, c);
  const rank = rankOf(order, hot);
  const around = state.wrapped && order.length > 1 ? `, again from the ${rank === 0 ? 'first' : 'last'}` : '';
  return `hot line ${formatCount(rank + 1)} of ${formatCount(order.length)}${around}: `;
}

/** Places the cursor on the costliest line of the routine's costliest file. */
function placed(state: SourceState, c: ViewContext): SourceState {
  const fresh = { ...state, placed: c.focus, file: undefined, choosing: undefined, open: new Set<number>(), list: START };
  const { file, text } = listing(fresh, c);
  const next = { ...fresh, hot: undefined, withText: typeof text === 'object' };
  return file ? goToFile(next, file.file, c) : next;
}

function drawFiles(state: SourceState, l: Listing, c: ViewContext): ScreenLine[] {
  const spec = {
    columns: fileColumns(c, callsIn(c, l.files)),
    rows: l.files.length,
    row: (row: number) => l.files[row],
    empty: '',
  };
  return drawTable(spec, state.list, c.width, c.height);
}

/** Whether most of the cost is in code whose file is unknown. */
const knowsFewFiles = memo((profile: Profile): boolean => {
  if (profile.kind !== 'callgraph' && profile.kind !== 'stacks') return false;
  const { spans, lines } = profile;
  let [known, all] = [0, 0];
  for (let s = 0; s < spans.part.length; s++) {
    let sum = 0;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) sum += lines.costs[0][i];
    all += sum;
    if (/^[^?]/.test(fileName(profile, spans.file[s]) ?? '')) known += sum;
  }
  return known < all / 2;
}, 4);

export const source = entry(
  listView({
    id: 'source',
    title: 'Source',
    unfiltered: true,
    digit: '4',
    asks: ['lines'],
    columns: ['events'],
    report: { name: 'source', ofFocus: true },
    isPoor: knowsFewFiles,
    followers: { beside: ['instrs', 'calls'], below: ['instrs', 'calls'] },
    of: ofAnyKind,
    shifts: true,
    keys: KEYS,
    init: (): SourceState => ({
      list: START,
      placed: -1,
      file: undefined,
      choosing: undefined,
      whole: false,
      folded: true,
      numbers: 'all',
      open: new Set(),
      hot: undefined,
      wrapped: false,
      withText: false,
    }),
    change,
    settle(state, c) {
      if (state.placed !== c.focus) return placed(state, c);
      const withText = typeof listing(state, c).text === 'object';
      if (withText === state.withText || state.choosing) return state;
      return withText ? keptLine({ ...state, withText }, c) : { ...state, withText };
    },
    draw(state, c) {
      const l = listing(state, c);
      if (state.choosing) return drawFiles(state, l, c);
      const first = l.file && shown(l, l.file, state, c);
      const table = first && sourceTable<SourceRow>(() => first, { first, withCalls: callsIn(c, l.file ? [l.file] : []) });
      const spec = {
        columns: table ? withNumbers(table.columns(c), state.numbers) : [],
        rows: l.rows.length,
        row: (row: number) => l.rows[row],
        empty:
          c.focus < 0
            ? 'no routine is in focus: choose one in Routines (1)'
            : 'no line of this routine has self cost; Calls (2) shows where its cost comes from',
      };
      return drawTable(spec, state.list, c.width, c.height);
    },
    rows: (state, c) => (state.choosing ? listing(state, c).files.length : listing(state, c).rows.length),
    goTo(state, line, c) {
      const file = listing(state, c).file?.file;
      const next = file === undefined ? state : goToLine(state, { file, line }, c);
      const row = listing(next, c).rows[next.list.cursor];
      return row?.kind === 'line' && row.line === line ? next : undefined;
    },
    rowText(state, row, c) {
      const l = listing(state, c);
      if (state.choosing) return fileName(c.analysis.profile, l.files[row].file) ?? '';
      const { kind, line, of } = l.rows[row];
      if (kind === 'call') return routineName(c.analysis.profile, l.file?.calls?.callee[of] ?? -1);
      return kind === 'line' ? (lineOfText(l, line, c) ?? '') : '';
    },
    routineAt: (state, c) => calleeAt(state, c) ?? c.focus,
    request(state, action, c) {
      const routine = action.type === 'enter' ? calleeAt(state, c) : undefined;
      return routine === undefined ? undefined : { type: 'show', view: 'source', routine };
    },
    detail(state, c) {
      const l = listing(state, c);
      if (state.choosing) return fileName(c.analysis.profile, l.files[state.list.cursor]?.file ?? -1) || UNKNOWN;
      const row = l.rows[state.list.cursor];
      const callee = calleeAt(state, c);
      if (callee !== undefined) return routineDetail(c.analysis.profile, callee);
      if (typeof l.text === 'string') return `${l.text}${l.name ? `: ${shownPath(l.name)}` : ''}`;
      if (typeof l.text === 'object' && l.text.newer) return `${l.text.path} is newer than the profile: lines may not match`;
      if (!l.file || row?.kind !== 'line' || row.of < 0) return shownPath(l.name ?? '');
      return hotText(state, l.file, row, c) + lineDetail(l, l.file, row, c);
    },
    close: withoutFiles,
    place(state, c) {
      const l = listing(state, c);
      const row = state.choosing ? undefined : l.rows[state.list.cursor];
      // The editor has this run's text: beside a line that is gone, the one that it stood behind.
      return l.name === null || !row ? undefined : { file: l.name, line: nowLine(l, row.line, c) };
    },
    goToPlace(state, place, c) {
      const l = listing(state, c);
      const here = state.choosing ? undefined : l.rows[state.list.cursor];
      if (l.name === place.file && here?.line === place.line) return state;
      const file = l.files.find((f) => fileName(c.analysis.profile, f.file) === place.file);
      return file ? goToLine({ ...state, choosing: undefined }, { file: file.file, line: place.line }, c) : state;
    },
    needs(state, c) {
      const { name } = listing(state, c);
      return name === null ? [] : [name];
    },
    printed: ({ whole }) => ({ unsaid: whole ? 'the whole file' : undefined }),
    mode(state, c, room) {
      if (c.focus < 0) return '';
      const { files, file } = listing(state, c);
      const number = files.findIndex((f) => f.file === file?.file) + 1;
      const which = files.length > 1 ? `, file ${number} of ${files.length}` : '';
      return `${state.whole ? 'whole file' : titleName(c, c.focus, room - which.length)}${which}`;
    },
  }),
);
