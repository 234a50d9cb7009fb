// The rows of the Instrs view: instructions, calls, gaps that can be opened, and source lines.
import { type HotLine, hotLines, nextIndex } from '../../analysis/answers/hot-lines.ts';
import { type InstrListing, listInstrs, rowOfJumpAddress } from '../../analysis/answers/instr-listing.ts';
import { fileName } from '../../analysis/names/names.ts';
import { memo } from '../../base/lists.ts';
import { callAndGapRows, type InstrRow, instrRow, jumpsAt } from '../../columns/instrs.ts';
import type { JumpArc } from '../parts/arcs.ts';
import { centerCursorOn } from '../parts/list.ts';
import type { SourceState } from '../source/listing.ts';
import type { ViewContext } from '../view.ts';

export interface InstrsState extends Pick<SourceState, 'list' | 'placedFocus' | 'wrapped' | 'numbers'> {
  /** The instruction that `]` or `[` went to last. */
  readonly hot: number;
  /** The first instructions of gaps that the user has opened. */
  readonly open: ReadonlySet<number>;
  /** Whether source lines are shown between the instructions. */
  readonly withSource: boolean;
  readonly withBytes: boolean;
  /** The rows for which the cursor was placed, to find its instruction after a change. */
  readonly rows: readonly InstrRow[];
}

const MAX_OPEN_GAP = 2;

/** Whether the instruction is of another source line than the one before it. */
export const beginsLine = ({ instrs: { file, line } }: InstrListing, at: number): boolean =>
  at === 0 || file[at] !== file[at - 1] || line[at] !== line[at - 1];

const makeRows = memo((listing: InstrListing, open: ReadonlySet<number>, withSource: boolean): readonly InstrRow[] => {
  const rows: InstrRow[] = [];
  const { low, function: own } = listing.instrs;
  for (let at = 0; at < low.length; at++) {
    if (own && (at === 0 || own[at] !== own[at - 1])) rows.push({ kind: 'function', listing, at, of: -1 });
    if (withSource && beginsLine(listing, at)) rows.push({ kind: 'source', listing, at, of: -1 });
    const instr = instrRow(listing, at);
    rows.push(instr);
    const never = listing.gaps.get(at)?.never ?? [];
    for (const row of callAndGapRows(instr)) {
      if (row.kind !== 'gap' || never.length === 0 || (never.length > MAX_OPEN_GAP && !open.has(at))) rows.push(row);
      else for (let of = 0; of < never.length; of++) rows.push({ kind: 'never', listing, at, of });
    }
  }
  return rows;
}, 3);

const rowNumbers = memo((rows: readonly InstrRow[]): Int32Array => {
  const out = new Int32Array(rows[0]?.listing.instrs.low.length ?? 0);
  rows.forEach((row, i) => {
    if (row.kind === 'instr') out[row.at] = i;
  });
  return out;
}, 3);

export const rowOfInstr = (rows: readonly InstrRow[], at: number): number => rowNumbers(rows)[at] ?? 0;

export function listingOf(c: ViewContext): InstrListing {
  const code = c.disassembly.get(c.focus);
  return listInstrs(c.analysis, c.focus, typeof code === 'object' ? code : undefined, true);
}

export const instrRows = (state: InstrsState, c: ViewContext): readonly InstrRow[] =>
  makeRows(listingOf(c), state.open, state.withSource);

export const jumpArcsOf = memo((rows: readonly InstrRow[]): JumpArc[] => {
  const listing = rows[0]?.listing;
  if (!listing) return [];
  const places = rowNumbers(rows);
  return listing.jumps.flatMap((jump) => {
    const from = rowOfJumpAddress(listing, jump.high, jump.low);
    const to = rowOfJumpAddress(listing, jump.targetHigh, jump.targetLow);
    if (from < 0 || to < 0 || from === to || jump.taken === 0) return [];
    return [{ from: places[from], to: places[to], weight: jump.taken }];
  });
}, 3);

/** The target of the jump in a row; -1 if there is no jump, or if it leaves the routine. */
export function jumpTargetOf(row: InstrRow): number {
  const jump = row.kind === 'instr' ? jumpsAt(row)[0] : undefined;
  return jump ? rowOfJumpAddress(row.listing, jump.targetHigh, jump.targetLow) : -1;
}

/** The costliest routine that is called from a row; -1 if it has no call. */
export function calleeOf({ kind, listing, at, of }: InstrRow): number {
  const { calls, callsAt, instrs } = listing;
  if (kind === 'function') return instrs.function && instrs.function[at] !== listing.routine ? instrs.function[at] : -1;
  if (!calls) return -1;
  if (kind === 'call') return calls.callee[of];
  const all = kind === 'instr' ? (callsAt.get(at) ?? []) : [];
  const [first] = [...all].sort((a, b) => calls.costs[0][b] - calls.costs[0][a]);
  return first === undefined ? -1 : calls.callee[first];
}

export const instrsByCost = (c: ViewContext): readonly HotLine[] => hotLines(costedLines(listingOf(c)), c.event);

const costedLines = memo(({ instrs, inclusive }: InstrListing) => [{ line: instrs.low, self: instrs.costs, inclusive }], 3);

/** Moves the cursor to an instruction, in the middle of the screen. */
export function goToInstr(state: InstrsState, at: number, c: ViewContext): InstrsState {
  const rows = instrRows(state, c);
  return { ...state, rows, list: centerCursorOn(state.list, rowOfInstr(rows, at), rows.length, c.height - 1) };
}

/** Goes to the next (1) or previous (-1) hot instruction, wrapping around, or to the costliest one (0). */
export function goToHotInstr(state: InstrsState, by: 1 | -1 | 0, c: ViewContext): InstrsState {
  const order = instrsByCost(c);
  if (order.length === 0) return state;
  const at = order.findIndex((o) => o.row === state.hot);
  const { to, wrapped } = nextIndex(order.length, at, by);
  return goToInstr({ ...state, hot: order[to].row, wrapped }, order[to].row, c);
}

/** The costliest instruction of a source line; -1 if the routine has none. */
export function instrAtLine(c: ViewContext, wanted: { readonly file: string; readonly line: number }): number {
  const { file, line } = listingOf(c).instrs;
  const { profile } = c.analysis;
  const isWanted = (at: number) => line[at] === wanted.line && fileName(profile, file[at]) === wanted.file;
  const hot = instrsByCost(c).find((o) => isWanted(o.row));
  return hot ? hot.row : line.findIndex((_, at) => isWanted(at));
}
