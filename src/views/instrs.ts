// Instructions: the addresses of a routine with costs and jumps, and their disassembly once objdump has run.
import type { Analysis } from '../analysis/analysis.ts';
import type { MergedInstrs, RoutineJumps } from '../analysis/costing.ts';
import { baseName, fileName, UNKNOWN } from '../analysis/names.ts';
import { memo } from '../base/memo.ts';
import { formatAddress } from '../base/units.ts';
import { addressOf, type InstrListing, type InstrRow, instrTable, jumpText } from '../columns/instrs.ts';
import { titleName } from '../columns/names.ts';
import { eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { entry } from './open-view.ts';
import { type Arc, drawArcs } from './parts/arcs.ts';
import { at, jumpTo, type List, listView, START } from './parts/list.ts';
import { drawTable } from './parts/table.ts';
import { withReasons } from './parts/unchanged.ts';
import { type Binding, ofAnyKind, type ViewContext } from './view.ts';

interface InstrsState {
  readonly list: List;
  /** The routine the cursor was placed for. */
  readonly placed: number;
  readonly hot: number;
}

type InstrsAction =
  | { readonly type: 'follow' | 'disassemble' }
  /** To the next hot instruction, the one before, or the hottest of all (0). */
  | { readonly type: 'hot'; readonly by: 1 | -1 | 0 };

interface Listing {
  readonly instrs: MergedInstrs;
  readonly jumps: RoutineJumps;
  readonly arcs: readonly Arc[];
  readonly rowOf: ReadonlyMap<string, number>;
}

const listingOf = memo((analysis: Analysis, focus: number): Listing => {
  const instrs = analysis.costing.instrs(focus);
  const jumps = analysis.costing.jumps(focus);
  const rowOf = new Map(Array.from(instrs.low, (low, i) => [formatAddress(instrs.high[i], low), i]));
  const arcs = jumps.all.flatMap((j) => {
    const from = rowOf.get(formatAddress(j.high, j.low));
    const to = rowOf.get(formatAddress(j.targetHigh, j.targetLow));
    return from === undefined || to === undefined || from === to || j.taken === 0 ? [] : [{ from, to, weight: j.taken }];
  });
  return { instrs, jumps, arcs, rowOf };
}, 3);

const hottest = memo((instrs: MergedInstrs, event: Event): number[] => {
  const rows = Array.from(instrs.low, (_, i) => i);
  return rows.sort((a, b) => eventValue(event, instrs.costs, b) - eventValue(event, instrs.costs, a));
});

const LANES = 4;

/** What the columns show: the listing, with the disassembly if requested. */
function shown(c: ViewContext): InstrListing {
  const { instrs, jumps } = listingOf(c.analysis, c.focus);
  const text = c.disassembly.get(c.focus);
  return { routine: c.focus, instrs, jumps, text: typeof text === 'object' ? text : undefined };
}

function goHot(state: InstrsState, by: number, c: ViewContext): InstrsState {
  const { instrs } = listingOf(c.analysis, c.focus);
  const order = hottest(instrs, c.event);
  if (order.length === 0) return state;
  const hot = Math.max(0, Math.min(order.length - 1, state.hot + by));
  return { ...state, hot, list: jumpTo(state.list, order[hot], instrs.low.length, c.height - 1) };
}

function targetRow(state: InstrsState, c: ViewContext): number {
  const l = listingOf(c.analysis, c.focus);
  const row = state.list.cursor;
  if (row >= l.instrs.low.length) return -1;
  const jump = l.jumps.byAddress.get(formatAddress(l.instrs.high[row], l.instrs.low[row]))?.[0];
  return jump ? (l.rowOf.get(formatAddress(jump.targetHigh, jump.targetLow)) ?? -1) : -1;
}

const BINDINGS: readonly Binding<InstrsState, InstrsAction>[] = [
  { keys: ['h'], action: { type: 'hot', by: 1 }, help: 'next hottest instruction', group: 'move', footer: 'next hot' },
  { keys: ['H'], action: { type: 'hot', by: -1 }, help: 'next hotter instruction', group: 'move' },
  { keys: ['x'], action: { type: 'hot', by: 0 }, help: 'hottest instruction', group: 'move' },
  {
    keys: ['enter'],
    action: { type: 'follow' },
    help: 'follow the jump',
    group: 'move',
    footer: 'follow',
    off: (state, c) => (targetRow(state, c) < 0 ? 'there is no jump from here within this routine' : undefined),
  },
  {
    keys: ['d'],
    action: { type: 'disassemble' },
    help: 'disassemble with objdump',
    group: 'do',
    footer: 'text',
    off: (_, c) => (c.focus < 0 ? 'no routine is in focus' : undefined),
  },
];

const rowsIn = (c: ViewContext) => listingOf(c.analysis, c.focus).instrs.low.length;

function change(state: InstrsState, action: InstrsAction, c: ViewContext): InstrsState {
  if (action.type === 'hot') return goHot({ ...state, hot: action.by === 0 ? 0 : state.hot }, action.by, c);
  if (action.type !== 'follow') return state;
  return { ...state, list: at(state.list, Math.max(0, targetRow(state, c)), rowsIn(c), c.height - 1) };
}

const KEYS = withReasons(
  BINDINGS,
  change,
  { h: 'no instruction costs less', H: 'no instruction costs more', x: 'this is the hottest instruction' },
  (_, c) =>
    c.focus < 0 ? 'no routine is in focus' : rowsIn(c) === 0 ? 'no instructions are recorded for this routine' : undefined,
);

export const instrs = entry(
  listView({
    id: 'instrs',
    title: 'Instrs',
    digit: '5',
    asks: ['instrs'],
    follows: [{ flag: 'disassemble' }],
    report: { name: 'instrs', ofFocus: true },
    of: ofAnyKind,
    shifts: true,
    keys: KEYS,
    init: (): InstrsState => ({ list: START, placed: -1, hot: 0 }),
    change,
    settle: (state, c) => (state.placed === c.focus ? state : goHot({ placed: c.focus, hot: 0, list: START }, 0, c)),
    draw(state, c) {
      const { arcs } = listingOf(c.analysis, c.focus);
      const listing = shown(c);
      const rows = rowsIn(c);
      const beside = arcs.length > 0 && c.width >= 70;
      const gutter = beside ? drawArcs(arcs, state.list.top, c.height - 1, LANES, c.ascii) : [];
      const options = {
        addressWidth: Math.max(8, rows > 0 ? addressOf(listing, rows - 1).length : 0),
        several: false,
        ...(beside ? { arcs: (row: InstrRow) => gutter[row.at - state.list.top] ?? '', arcsWidth: LANES * 2 } : {}),
      };
      const spec = {
        columns: instrTable(options).columns(c),
        rows,
        row: (at: number) => ({ listing, at }),
        empty:
          c.focus < 0 ? 'no routine is in focus: choose one in Routines (1)' : 'no instructions are recorded for this routine',
      };
      return drawTable(spec, state.list, c.width, c.height, c.ascii);
    },
    rows: (_, c) => rowsIn(c),
    rowText(_, at, c) {
      const listing = shown(c);
      const address = addressOf(listing, at);
      return `${address} ${listing.text?.get(address) ?? ''} ${jumpText(c, { listing, at })}`;
    },
    routineAt: (_, c) => c.focus,
    request: (_, action, c) => (action.type === 'disassemble' ? { type: 'want-disassembly', routine: c.focus } : undefined),
    detail(state, c) {
      const { instrs: merged } = listingOf(c.analysis, c.focus);
      const row = state.list.cursor;
      if (row >= merged.low.length) return '';
      const text = c.disassembly.get(c.focus);
      if (typeof text === 'string') return text;
      const file = baseName(fileName(c.analysis.profile, merged.file[row]) || UNKNOWN);
      const hint = text ? '' : '  (d: disassemble with objdump)';
      const place = `${file}:${merged.line[row] || '?'}  `;
      return place + titleName(c, c.focus, c.width - 1 - place.length - hint.length) + hint;
    },
    place(state, c) {
      const { instrs: merged } = listingOf(c.analysis, c.focus);
      const row = state.list.cursor;
      const file = row < merged.low.length ? fileName(c.analysis.profile, merged.file[row]) : null;
      return file === null ? undefined : { file, line: merged.line[row] };
    },
    printed: (_, c) => ({ unfiltered: true, disassemble: typeof c.disassembly.get(c.focus) === 'object' }),
    mode: (_, c, room) => (c.focus < 0 ? '' : titleName(c, c.focus, room)),
  }),
);
