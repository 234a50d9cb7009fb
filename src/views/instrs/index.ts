// The Instrs view: instructions of a routine with costs, calls and jumps, and their disassembly if the object file is available.

import { ONLY_BASE_HAS_CODE } from '../../analysis/answers/code-wanted.ts';
import { isOldLineIn, ownLineNumber } from '../../analysis/answers/compared/old-lines.ts';
import { addressOf, correspondingRow, hasInstrCalls } from '../../analysis/answers/instr-listing.ts';
import { fileName, routineDetail, routineName, UNKNOWN_NAME } from '../../analysis/names/names.ts';
import { baseFileName } from '../../analysis/profiles/compare/texts.ts';
import { baseName } from '../../base/paths.ts';
import { formatCount } from '../../base/units.ts';
import { insideRoutine } from '../../columns/costs.ts';
import { type InstrRow, instrTable, instructionText, jumpText, locationFormatOf, maxAddressWidth } from '../../columns/instrs.ts';
import { lineText, titleName } from '../../columns/names.ts';
import { filterNumberColumns, numberModesOf } from '../../columns/source.ts';
import { arcsColumn } from '../parts/arcs.ts';
import { listView, START, withCursorAt } from '../parts/list.ts';
import { nextOnOff, nextValue, onOffKey } from '../parts/options.ts';
import { drawTable } from '../parts/table.ts';
import { withNoEffectReasons } from '../parts/unchanged.ts';
import { type Binding, key, type ViewContext } from '../view.ts';
import {
  beginsLine,
  calleeOf,
  goToHotInstr,
  goToInstr,
  type InstrsState,
  instrAtLine,
  instrRows,
  instrsByCost,
  jumpArcsOf,
  jumpTargetOf,
  listingOf,
  rowOfInstr,
} from './listing.ts';

type InstrsAction =
  | { readonly type: 'follow' | 'disassemble' }
  | { readonly type: 'source' | 'bytes' | 'numbers'; readonly value?: string }
  /** To the next hot instruction (1), the previous one (-1), or the hottest of all (0). */
  | { readonly type: 'hot'; readonly by: 1 | -1 | 0 };

const ARC_LANES = 4;

const rowUnderCursor = (state: InstrsState, c: ViewContext): InstrRow | undefined => instrRows(state, c)[state.list.cursor];

/** Goes to the target of a jump, or opens a gap. The app goes to the callee of a call. */
function followJumpOrGap(state: InstrsState, c: ViewContext): InstrsState {
  const row = rowUnderCursor(state, c);
  if (!row) return state;
  if (row.kind === 'gap') return rebuildRows({ ...state, open: new Set([...state.open, row.at]) }, row, c);
  const target = jumpTargetOf(row);
  if (target < 0) return state;
  const rows = instrRows(state, c);
  return { ...state, list: withCursorAt(state.list, rowOfInstr(rows, target), rows.length, c.height - 1) };
}

/** Rebuilds the rows. The cursor stays on its row or instruction, at the same line of the screen. */
function rebuildRows(state: InstrsState, row: InstrRow, c: ViewContext): InstrsState {
  const rows = instrRows(state, c);
  const same = rows.findIndex((r) => r.at === row.at && r.kind === row.kind && r.of === row.of);
  const cursor = same >= 0 ? same : rowOfInstr(rows, row.at);
  const top = Math.max(0, state.list.top + cursor - state.list.cursor);
  return { ...state, rows, list: withCursorAt({ ...state.list, top }, cursor, rows.length, c.height - 1) };
}

function noFollowReason(state: InstrsState, c: ViewContext): string | undefined {
  const row = rowUnderCursor(state, c);
  const opensOrCalls =
    row && ((row.kind === 'gap' && (row.listing.gaps.get(row.at)?.never.length ?? 0) > 0) || calleeOf(row) >= 0);
  if (opensOrCalls || (row && jumpTargetOf(row) >= 0)) return undefined;
  return row?.kind === 'gap' ? 'o, disassemble: then the gap can be opened' : 'No call or local jump on this line';
}

const noHotInstrReason = (_: InstrsState, c: ViewContext) => {
  if (c.focus < 0) return 'no routine is in focus';
  return instrsByCost(c).length === 0 ? `no instruction costs any ${c.event.name}` : undefined;
};
const noOtherHotReason = (state: InstrsState, c: ViewContext) => {
  const [first, second] = instrsByCost(c);
  const isOnlyHot = first !== undefined && second === undefined && first.row === state.hot;
  return noHotInstrReason(state, c) ?? (isOnlyHot ? `no other instruction costs any ${c.event.name}` : undefined);
};
const noFocusReason = (state: InstrsState, c: ViewContext) => {
  if (c.focus < 0) return 'no routine is in focus';
  return instrRows(state, c).length === 0 ? 'no instructions are recorded for this routine' : undefined;
};

/** Whether this run has instructions of the routine. Instructions of the base belong to another build. */
const hasOwnCode = (c: ViewContext) => listingOf(c).side === 1 && listingOf(c).own.length > 0;
const noCodeReason = (state: InstrsState, c: ViewContext) =>
  noFocusReason(state, c) ?? (hasOwnCode(c) ? undefined : ONLY_BASE_HAS_CODE);

const BINDINGS: readonly Binding<InstrsState, InstrsAction>[] = [
  key(']', { type: 'hot', by: 1 }, 'move', 'next hottest instruction', { footer: 'next hot', off: noOtherHotReason }),
  key('[', { type: 'hot', by: -1 }, 'move', 'next hotter instruction', { off: noOtherHotReason }),
  key('', { type: 'hot', by: 0 }, 'move', 'hottest instruction', { off: noHotInstrReason }),
  key('enter', { type: 'follow' }, 'move', 'go to the callee, follow the jump, or open the gap', {
    footer: 'follow',
    off: noFollowReason,
  }),
  onOffKey('source', 'show source lines between the instructions, or not', 'source lines', ({ withSource }) => withSource, {
    off: noFocusReason,
  }),
  onOffKey('bytes', 'show the bytes of the instructions, or not', 'bytes', ({ withBytes }) => withBytes, { off: noCodeReason }),
  key('c', { type: 'numbers' }, 'show', 'columns: all, self cost only, or none (room for the text)', {
    footer: 'columns',
    options: { label: 'columns', values: (_, c) => numberModesOf(hasInstrCalls(c.analysis)), current: ({ numbers }) => numbers },
    off: noFocusReason,
  }),
  key('', { type: 'disassemble' }, 'do', 'disassemble with objdump, whatever the object is', { off: noCodeReason }),
];

function applyAction(state: InstrsState, action: InstrsAction, c: ViewContext): InstrsState {
  switch (action.type) {
    case 'hot':
      return goToHotInstr(state, action.by, c);
    case 'follow':
      return followJumpOrGap(state, c);
    case 'source': {
      const row = rowUnderCursor(state, c);
      const next = { ...state, withSource: nextOnOff(state.withSource, action.value) };
      return row ? rebuildRows(next, row, c) : next;
    }
    case 'bytes':
      return { ...state, withBytes: nextOnOff(state.withBytes, action.value) };
    case 'numbers':
      return { ...state, numbers: nextValue(numberModesOf(hasInstrCalls(c.analysis)), state.numbers, action.value) };
    case 'disassemble':
      return state;
  }
}

/** The source line of a row: `file:line` and its text, if known. Of an instruction, only the text, where another line begins. */
function sourceText(row: InstrRow, c: ViewContext): string {
  const { file, line } = row.listing.instrs;
  if (row.kind === 'instr' && !beginsLine(row.listing, row.at)) return '';
  const name = fileName(c.analysis.profile, file[row.at]);
  const old = isOldLineIn(c.analysis, line[row.at]) ? baseFileName(c.analysis, file[row.at]) : undefined;
  const text = old === undefined ? c.sources.get(name ?? '') : c.baseSources.get(old ?? '');
  const shown = typeof text === 'object' ? (text.lines[ownLineNumber(c.analysis, line[row.at]) - 1] ?? '') : '';
  const code = shown.trim().replaceAll('\t', ' ');
  return row.kind === 'instr' ? code : `${baseName(name || UNKNOWN_NAME)}:${lineText(c, line[row.at])}  ${code}`;
}

function instrDetail(state: InstrsState, c: ViewContext): string {
  const row = rowUnderCursor(state, c);
  if (!row) return '';
  const code = c.disassembly.get(c.focus);
  if (row.kind === 'call') return routineDetail(c.analysis.profile, calleeOf(row));
  const { file, line } = row.listing.instrs;
  const place = `${baseName(fileName(c.analysis.profile, file[row.at]) || UNKNOWN_NAME)}:${lineText(c, line[row.at])}`;
  const where = `${hotRankText(state, row, c)}${place}`;
  const problem = typeof code === 'object' ? code.doubt : code;
  // The problem with the disassembly comes first. The routine name is omitted, because the heading has it.
  if (problem !== undefined) return `${problem}  ${where}`;
  return `${where}  ${titleName(c, c.focus, c.width - 3 - where.length)}`;
}

/** The rank by cost of an instruction that the key `]` or `[` went to; '' for other rows. */
function hotRankText(state: InstrsState, row: InstrRow, c: ViewContext): string {
  if (row.kind !== 'instr' || row.at !== state.hot) return '';
  const order = instrsByCost(c);
  const rank = order.findIndex((o) => o.row === state.hot);
  const around = state.wrapped && order.length > 1 ? `, again from the ${rank === 0 ? 'first' : 'last'}` : '';
  return rank < 0 ? '' : `no. ${formatCount(rank + 1)} of ${formatCount(order.length)} by cost${around}: `;
}

const KEYS = withNoEffectReasons(BINDINGS, applyAction, { hot: 'this is the hottest instruction' }, noHotInstrReason);

export const instrsView = listView({
  id: 'instrs',
  title: 'Instrs',
  unfiltered: true,
  requires: ['instrs'],
  columns: ['events'],
  follows: [{ flag: 'disassemble' }],
  report: { name: 'instrs', ofFocus: true },
  followers: { beside: ['source'], below: ['source'] },
  shifts: true,
  keys: KEYS,
  init: (): InstrsState => ({
    list: START,
    placedFocus: -1,
    hot: -1,
    wrapped: false,
    open: new Set(),
    withSource: false,
    withBytes: false,
    numbers: 'all',
    rows: [],
  }),
  change: applyAction,
  adaptToContext(state, c) {
    if (state.placedFocus !== c.focus)
      return goToHotInstr({ ...state, placedFocus: c.focus, hot: -1, wrapped: false, open: new Set(), list: START }, 0, c);
    const before = state.rows[state.list.cursor];
    if (!before || instrRows(state, c) === state.rows) return state;
    // The rows change when the disassembly or a source text arrives.
    const newRow = (at: number) => correspondingRow(listingOf(c), before.listing, at);
    const renumbered = () => ({ ...state, hot: newRow(state.hot), open: new Set([...state.open].map(newRow)) });
    const next = before.listing.instrs === listingOf(c).instrs ? state : renumbered();
    return rebuildRows(next, { ...before, at: newRow(before.at) }, c);
  },
  draw(state, c) {
    const rows = instrRows(state, c);
    const listing = listingOf(c);
    const arcs = jumpArcsOf(rows);
    const hasArcs = arcs.length > 0 && c.width >= 70;
    const { top } = state.list;
    const options = {
      ...{ addressWidth: maxAddressWidth(listing), locationFormat: locationFormatOf(c.analysis, listing), several: false },
      callsHere: listing.callsAt.size > 0,
      ...{ withBytes: state.withBytes, hasCode: listing.code !== undefined },
      source: (row: InstrRow) => sourceText(row, c),
      arcs: hasArcs ? arcsColumn(arcs, rows.slice(top, top + c.height - 1), top, ARC_LANES) : undefined,
    };
    return drawTable(state.list, c.width, c.height, {
      columns: filterNumberColumns(instrTable(options).columns(insideRoutine(c, c.focus)), state.numbers),
      rows,
      empty: c.focus < 0 ? 'no routine is in focus: choose one in Routines' : 'no instructions are recorded for this routine',
    });
  },
  rowCount: (state, c) => instrRows(state, c).length,
  rowText(state, number, c) {
    const row = instrRows(state, c)[number];
    if (row.kind === 'source') return sourceText(row, c);
    if (row.kind === 'call') return routineName(c.analysis.profile, calleeOf(row));
    if (row.kind === 'function') return routineName(c.analysis.profile, row.listing.instrs.function?.[row.at] ?? c.focus);
    return row.kind === 'gap' ? '' : `${addressOf(row.listing, row.at)} ${instructionText(row) ?? ''} ${jumpText(c, row)}`;
  },
  routineAt(state, c) {
    const row = rowUnderCursor(state, c);
    return row?.kind === 'call' ? calleeOf(row) : c.focus;
  },
  request(state, action, c) {
    if (action.type === 'disassemble') return { type: 'want-disassembly', routine: c.focus };
    const row = action.type === 'follow' ? rowUnderCursor(state, c) : undefined;
    const routine = row && jumpTargetOf(row) < 0 ? calleeOf(row) : -1;
    return routine < 0 ? undefined : { type: 'show', view: 'instrs', routine };
  },
  detail: instrDetail,
  sourcePosition(state, c) {
    const row = rowUnderCursor(state, c);
    if (!row || row.kind === 'call') return undefined;
    const { file, line } = row.listing.instrs;
    const name = fileName(c.analysis.profile, file[row.at]);
    return name === null ? undefined : { file: name, line: line[row.at] };
  },
  goToSourceLine(state, place, c) {
    const here = rowUnderCursor(state, c);
    const at = instrAtLine(c, place);
    const { file, line } = listingOf(c).instrs;
    const isThere = here && line[here.at] === place.line && fileName(c.analysis.profile, file[here.at]) === place.file;
    return at < 0 || isThere ? state : goToInstr(state, at, c);
  },
  neededSources(state, c) {
    if (!state.withSource && typeof c.disassembly.get(c.focus) !== 'string') return [];
    const { file } = listingOf(c).instrs;
    return [...new Set(file)].flatMap((f) => fileName(c.analysis.profile, f) ?? []);
  },
  printed: (_, c) => ({ disassemble: typeof c.disassembly.get(c.focus) === 'object' }),
  disassembledRoutine: (_, c) => (hasOwnCode(c) ? c.focus : -1),
  mode: (_, c, width) => (c.focus < 0 ? '' : titleName(c, c.focus, width)),
});
