// Instructions: the addresses of a routine with their costs and jumps; their text once objdump was asked for it.
import type { Analysis } from '../analysis/analysis.ts';
import { jumpsOfRoutine, type RoutineJumps } from '../analysis/jumps.ts';
import { instrsOfRoutine, type MergedInstrs } from '../analysis/lines.ts';
import { baseName, fileName, routineName, UNKNOWN } from '../analysis/names.ts';
import { memo } from '../base/memo.ts';
import { formatAddress, formatCount } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/profile.ts';
import { type Arc, drawArcs } from './parts/arcs.ts';
import { costColumn, costText, PERCENT_COLUMN, percentCell } from './parts/costs.ts';
import { at, LIST_KEYS, type List, moveList, SHIFT_KEYS, START } from './parts/list.ts';
import { type Cell, drawTable } from './parts/table.ts';
import type { Binding, View, ViewContext } from './view.ts';

export interface InstrsState {
  readonly list: List;
  readonly placed: number;
  readonly hot: number;
}

interface Listing {
  readonly instrs: MergedInstrs;
  readonly jumps: RoutineJumps;
  readonly arcs: readonly Arc[];
  readonly rowOf: ReadonlyMap<string, number>;
}

const NOTHING: Listing = {
  instrs: { high: new Uint32Array(0), low: new Uint32Array(0), file: new Int32Array(0), line: new Uint32Array(0), costs: [] },
  jumps: { all: [], byAddress: new Map() },
  arcs: [],
  rowOf: new Map(),
};

const listingOf = memo((analysis: Analysis, focus: number): Listing => {
  if (focus < 0) return NOTHING;
  const instrs = instrsOfRoutine(analysis, focus);
  const jumps = jumpsOfRoutine(analysis, focus);
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

function jumpText(l: Listing, row: number, c: ViewContext): string {
  const address = formatAddress(l.instrs.high[row], l.instrs.low[row]);
  const list = l.jumps.byAddress.get(address) ?? [];
  return list
    .map((j) => {
      const to = formatAddress(j.targetHigh, j.targetLow);
      const where =
        j.targetRoutine >= 0 && j.targetRoutine !== c.focus ? ` ${routineName(c.analysis.profile, j.targetRoutine)}` : '';
      const times = j.conditional ? `${formatCount(j.taken)} of ${formatCount(j.executed)}` : formatCount(j.taken);
      return `${c.ascii ? '->' : '→'} ${to}${where} (${times})`;
    })
    .join(', ');
}

function goHot(state: InstrsState, by: number, c: ViewContext): InstrsState {
  const { instrs } = listingOf(c.analysis, c.focus);
  const order = hottest(instrs, c.event);
  if (order.length === 0) return state;
  const hot = Math.max(0, Math.min(order.length - 1, state.hot + by));
  const list = at(state.list, order[hot], instrs.low.length, c.height - 1);
  return { ...state, hot, list: moveList(list, { type: 'center' }, instrs.low.length, c.height - 1) };
}

function targetRow(state: InstrsState, c: ViewContext): number {
  const l = listingOf(c.analysis, c.focus);
  const row = state.list.cursor;
  if (row >= l.instrs.low.length) return -1;
  const jump = l.jumps.byAddress.get(formatAddress(l.instrs.high[row], l.instrs.low[row]))?.[0];
  return jump ? (l.rowOf.get(formatAddress(jump.targetHigh, jump.targetLow)) ?? -1) : -1;
}

const KEYS: readonly Binding<InstrsState>[] = [
  ...(LIST_KEYS as readonly Binding<InstrsState>[]),
  ...(SHIFT_KEYS as readonly Binding<InstrsState>[]),
  { keys: ['h'], action: { type: 'hot', by: 1 }, help: 'next hottest instruction', group: 'move', footer: 'next hot' },
  { keys: ['H'], action: { type: 'hot', by: -1 }, help: 'the instruction hotter than this', group: 'move' },
  { keys: ['t'], action: { type: 'hot', by: 0 }, help: 'the hottest instruction', group: 'move' },
  {
    keys: ['enter'],
    action: { type: 'follow' },
    help: 'follow the jump',
    group: 'move',
    footer: 'follow',
    off: (state, c) => (targetRow(state, c) < 0 ? 'no jump from here to an instruction of this routine' : undefined),
  },
  {
    keys: ['d'],
    action: { type: 'disassemble' },
    help: 'instruction text from objdump',
    group: 'do',
    footer: 'text',
    off: (_, c) => (c.focus < 0 ? 'no routine is in focus' : undefined),
  },
];

export const instrs: View<InstrsState> = {
  id: 'instrs',
  title: 'Instrs',
  digit: '5',
  requires: ['instrs'],
  report: 'instrs',
  keys: KEYS,
  init: () => ({ list: START, placed: -1, hot: 0 }),
  update(state, action, c) {
    if (state.placed !== c.focus) return goHot({ placed: c.focus, hot: 0, list: START }, 0, c);
    if (action.type === 'hot') return goHot({ ...state, hot: action['by'] === 0 ? 0 : state.hot }, action['by'] as number, c);
    const rows = listingOf(c.analysis, c.focus).instrs.low.length;
    if (action.type === 'follow') return { ...state, list: at(state.list, Math.max(0, targetRow(state, c)), rows, c.height - 1) };
    return { ...state, list: moveList(state.list, action, rows, c.height - 1) };
  },
  draw(state, c) {
    const l = listingOf(c.analysis, c.focus);
    const rows = l.instrs.low.length;
    const gutter =
      l.arcs.length > 0 && c.width >= 70 ? drawArcs(l.arcs, state.list.top, c.height - 1, LANES, c.ascii) : undefined;
    const text = c.disassembly.get(c.focus);
    const last = rows > 0 ? formatAddress(l.instrs.high[rows - 1], l.instrs.low[rows - 1]) : '';
    const spec = {
      columns: [
        { title: 'address', width: Math.max(8, last.length), align: 'right' as const, rank: 9 },
        costColumn(c, 'self', 9),
        ...(c.percent === 'none' ? [] : [PERCENT_COLUMN]),
        { title: 'line', width: 6, align: 'right' as const, rank: 6 },
        ...(gutter ? [{ title: 'jumps', width: LANES * 2, rank: 5, style: 'dim' as const }] : []),
        { title: 'instruction', width: 16, flex: 1, cut: 'end' as const, rank: 9 },
      ],
      rows,
      cells: (row: number) => {
        const address = formatAddress(l.instrs.high[row], l.instrs.low[row]);
        const instruction = typeof text === 'object' ? (text.get(address) ?? '') : '';
        const jump = jumpText(l, row, c);
        const what: Cell = {
          text: [instruction, jump].filter((t) => t !== '').join('   '),
          style: jump && !instruction ? 'call' : 'plain',
        };
        const self = eventValue(c.event, l.instrs.costs, row);
        return [
          address,
          costText(c, exactValue(c.event, l.instrs.costs, row)),
          ...(c.percent === 'none' ? [] : [percentCell(c, self)]),
          l.instrs.line[row] === 0 ? '?' : String(l.instrs.line[row]),
          ...(gutter ? [gutter[row - state.list.top] ?? ''] : []),
          what,
        ];
      },
      empty:
        c.focus < 0 ? 'no routine is in focus: choose one in Routines (1)' : 'the routine has no instructions of its own here',
    };
    return drawTable(spec, state.list, c.width, c.height, c.ascii);
  },
  rows: (_, c) => listingOf(c.analysis, c.focus).instrs.low.length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({
    ...state,
    list: at(state.list, row, listingOf(c.analysis, c.focus).instrs.low.length, c.height - 1),
  }),
  rowText(_, row, c) {
    const l = listingOf(c.analysis, c.focus);
    const address = formatAddress(l.instrs.high[row], l.instrs.low[row]);
    const text = c.disassembly.get(c.focus);
    return `${address} ${typeof text === 'object' ? (text.get(address) ?? '') : ''} ${jumpText(l, row, c)}`;
  },
  routineAt: (_, c) => c.focus,
  asks: (_, action, c) => (action.type === 'disassemble' ? { type: 'want-disassembly', routine: c.focus } : undefined),
  detail(state, c) {
    const l = listingOf(c.analysis, c.focus);
    const row = state.list.cursor;
    if (row >= l.instrs.low.length) return '';
    const text = c.disassembly.get(c.focus);
    if (typeof text === 'string') return text;
    const file = fileName(c.analysis.profile, l.instrs.file[row]);
    return `${baseName(file || UNKNOWN)}:${l.instrs.line[row] || '?'}  ${routineName(c.analysis.profile, c.focus)}${text ? '' : '  (d: instruction text from objdump)'}`;
  },
  place(state, c) {
    const l = listingOf(c.analysis, c.focus);
    const row = state.list.cursor;
    const file = row < l.instrs.low.length ? fileName(c.analysis.profile, l.instrs.file[row]) : null;
    return file === null ? undefined : { file, line: l.instrs.line[row] };
  },
  mode: (_, c) => (c.focus < 0 ? '' : routineName(c.analysis.profile, c.focus)),
};
