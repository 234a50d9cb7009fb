// The columns of instructions: one row per address.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { numberIn } from '../analysis/answers/compared/old-lines.ts';
import type { Jump } from '../analysis/answers/costing.ts';
import { addressBefore, addressOf, type InstrListing, isOwn } from '../analysis/answers/instr-listing.ts';
import { baseName, fileName } from '../analysis/names/names.ts';
import { memo } from '../base/memo.ts';
import type { Cell } from '../base/style.ts';
import { cellWidth, fit, visible } from '../base/text.ts';
import { formatAddress, formatCount, plural } from '../base/units.ts';
import { type CostTable, eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { data, shown } from './builders.ts';
import { type Column, type ColumnContext, type Json, onScreen, type Table } from './column.ts';
import {
  costCell,
  costRoom,
  costsByName,
  estimatedColumn,
  eventColumns,
  markRoom,
  shareCell,
  shareColumn,
  sidesAt,
} from './costs.ts';
import { calleeText, callRecords } from './line-calls.ts';
import { lineText, nameCell, routineKey, titleName } from './names.ts';
import { selfIn } from './source.ts';

/** Cells from which on a screen has room for the share of calls. Few rows have one: a narrow screen needs the room for the instruction. */
const WIDE = 130;

export interface InstrRow {
  /** A recorded instruction, a call from it, a gap behind it, an instruction in that gap, the source line or the inlined function it belongs to. */
  readonly kind: 'instr' | 'call' | 'gap' | 'never' | 'source' | 'function';
  readonly listing: InstrListing;
  /** Row of the merged instructions. */
  readonly at: number;
  /** Row of the calls, or which of the gap's instructions. */
  readonly of: number;
}

export interface InstrOptions {
  /** Cells of the longest address. */
  readonly addressWidth: number;
  /** Jump arcs beside the rows, on the screen. */
  readonly arcs?: ((row: InstrRow) => string) | undefined;
  readonly arcsWidth?: number;
  readonly places: Places;
  /** Rows of several routines. */
  readonly several: boolean;
  /** Whether calls have the address of their instruction, and whether there are any among the rows. */
  readonly withCalls: boolean;
  readonly callsHere: boolean;
  /** The text of a source line, on the screen. */
  readonly source?: ((row: InstrRow) => string) | undefined;
}

/** The row of a recorded instruction. */
export const instrRow = (listing: InstrListing, at: number): InstrRow => ({ kind: 'instr', listing, at, of: -1 });

/** The calls from an instruction, and the gap behind it. */
export function rowsUnder({ listing, at }: InstrRow): InstrRow[] {
  const calls = (listing.callsAt.get(at) ?? []).map((of): InstrRow => ({ kind: 'call', listing, at, of }));
  return listing.gaps.has(at) ? [...calls, { kind: 'gap', listing, at, of: -1 }] : calls;
}

export function instrTable(options: InstrOptions): Table<InstrRow> {
  return {
    sides: (_, r) => sidesAt(r.listing.instrs.sides, r.at),
    keys: ['routine', 'address', 'line', 'self', 'inclusive', 'text', 'jumps', 'calls'],
    columns: (c) => [...costColumns(c, options), ...textColumns(c, options)],
  };
}

/** How the places of instructions are written: with their file, where they come from several, and in how many cells at most. */
export interface Places {
  readonly withFile: boolean;
  readonly cells: number;
}

export const placesOf = memo((analysis: Analysis, { instrs: { file, line } }: InstrListing): Places => {
  const longest = new Map<number, number>();
  for (let at = 0; at < file.length; at++)
    longest.set(file[at], Math.max(longest.get(file[at]) ?? 0, lineText({ analysis }, line[at]).length));
  const withFile = longest.size > 1;
  const before = (of: number) => (withFile ? cellWidth(visible(fileText(analysis, of))) : 0);
  return { withFile, cells: [...longest].reduce((most, [of, cells]) => Math.max(most, before(of) + cells), 6) };
}, 3);

const fileText = ({ profile }: Analysis, file: number): string => {
  const name = fileName(profile, file);
  return name === null ? '' : `${baseName(name)}:`;
};

/** The line of an instruction; what has no room goes from the start of its file's name. */
function placeText(c: ColumnContext, { listing, at }: InstrRow, { withFile }: Places): string | Cell {
  const { file, line } = listing.instrs;
  const text = `${withFile ? fileText(c.analysis, file[at]) : ''}${lineText(c, line[at])}`;
  return withFile ? { text, short: (room) => fit(visible(text), room, 'left', 'start').trimEnd() } : text;
}

/** For machines: the function that an instruction belongs to, where functions are shown that were inlined. */
const functionColumn = (c: ColumnContext): Column<InstrRow>[] =>
  c.analysis.costing.code
    ? [data('function', ({ listing, at }) => routineKey(c.analysis, listing.instrs.function?.[at] ?? listing.routine).routine)]
    : [];

/** The address of a row; '' for rows that are no instructions. */
function addressText({ kind, listing, at, of }: InstrRow): string {
  if (kind === 'instr') return addressOf(listing, at);
  return kind === 'never' ? (listing.gaps.get(at)?.never[of] ?? '') : '';
}

/** For people. Only the base has an address with a minus, as it is with lines. */
const shownAddress = (r: InstrRow): string =>
  r.kind === 'instr' && r.listing.instrs.sides?.[r.at] === 2 ? `- ${addressText(r)}` : addressText(r);

/** Cells of the longest address. */
export const addressRoom = memo(
  (listing: InstrListing): number =>
    listing.instrs.low.reduce((most, _, at) => Math.max(most, shownAddress(instrRow(listing, at)).length), 8),
  3,
);

function costColumns(c: ColumnContext, { addressWidth, withCalls, callsHere, places }: InstrOptions): Column<InstrRow>[] {
  const self = (r: InstrRow) => r.listing.instrs.costs;
  /** A call's cost is inclusive; an instruction has such a cost of its own where it calls. */
  const inclusive = ({ kind, listing, at, of }: InstrRow): readonly [CostTable, number] | undefined => {
    if (kind === 'call' && listing.calls) return [listing.calls.costs, of];
    return kind === 'instr' && listing.callsAt.has(at) ? [listing.inclusive, at] : undefined;
  };
  const guessed = (r: InstrRow) => c.analysis.totals.estimated?.self[r.listing.routine] === 1;
  const inclusiveGuessed = ({ kind, listing, at, of }: InstrRow): boolean => {
    const calls = listing.calls?.estimated;
    if (kind === 'call') return calls?.[of] === 1;
    return (
      c.analysis.totals.estimated?.self[listing.routine] === 1 || (listing.callsAt.get(at) ?? []).some((i) => calls?.[i] === 1)
    );
  };
  const selfText = (event: Event, r: InstrRow) => {
    if (r.kind === 'never') return '.';
    return r.kind === 'instr' ? costCell(c, self(r), r.at, guessed(r), event) : '';
  };
  return [
    shown('address', (r) => ({ text: shownAddress(r), ...(r.kind === 'never' ? { style: 'dim' } : {}) }), {
      width: addressWidth,
      align: 'right',
      rank: 9,
      measured: true,
      value: c.side === 'before' ? (r) => addressBefore(r.listing, r.at) ?? null : addressText,
    }),
    shown('self', (r) => selfText(c.event, r), {
      ...costRoom(c, 'self', c.event, markRoom(c, 'self')),
      rank: 8,
      measured: true,
      value: (r) => costsByName(c.analysis.events, self(r), r.at, guessed(r)),
    }),
    ...shareColumn<InstrRow>(c, 'self%', (r) => (r.kind === 'instr' ? shareCell(c, eventValue(c.event, self(r), r.at)) : ''), {
      rank: 7,
    }),
    data(
      'inclusive',
      (r) => (withCalls ? costsByName(c.analysis.events, r.listing.inclusive, r.at, inclusiveGuessed(r)) : undefined),
      {
        ...costRoom(c, 'incl', c.event, markRoom(c, 'inclusive')),
        rank: 6,
        measured: true,
        text: callsHere
          ? (r) => {
              const cost = inclusive(r);
              return cost ? costCell(c, ...cost, inclusiveGuessed(r)) : '';
            }
          : undefined,
      },
    ),
    ...(callsHere && !(c.medium === 'screen' && c.width < WIDE)
      ? shareColumn<InstrRow>(
          c,
          'inclusive%',
          (r) => {
            const cost = inclusive(r);
            return cost ? shareCell(c, eventValue(c.event, ...cost)) : '';
          },
          { rank: 7, title: 'incl%' },
        )
      : []),
    ...eventColumns<InstrRow>(c, selfText, selfIn),
    ...estimatedColumn<InstrRow>(c.analysis.totals.estimated !== undefined, (r) => guessed(r) || inclusiveGuessed(r)),
    shown('line', (r) => (r.kind === 'instr' ? placeText(c, r, places) : ''), {
      width: Math.min(places.cells, Math.max(8, Math.round(c.width / 6) - 5)),
      align: 'right',
      rank: 6,
      value: (r) => numberIn(c.analysis, r.listing.instrs.line[r.at]),
    }),
    ...functionColumn(c),
    data('file', (r) => fileName(c.analysis.profile, r.listing.instrs.file[r.at])),
  ];
}

function textColumns(c: ColumnContext, options: InstrOptions): Column<InstrRow>[] {
  const { arcs, several } = options;
  const text = (r: InstrRow): string | Cell => {
    if (r.kind === 'call') return callText(c, r);
    if (r.kind === 'gap') return { text: gapText(c, r), own: [gapText(c, r), ''], style: 'dim' };
    if (r.kind === 'source') return { text: options.source?.(r) ?? '', style: 'accent' };
    if (r.kind === 'function')
      return nameCell(c, r.listing.instrs.function?.[r.at] ?? r.listing.routine, { before: '── ', style: 'bold' });
    if (r.kind === 'instr' && !isOwn(r.listing, r.at)) return { text: 'only in the base', style: 'dim' };
    const known = textOf(r) ?? '';
    if (r.kind === 'never') return { text: known, style: 'dim' };
    const jump = jumpText(c, r);
    // The jump, and the call below, name their targets as the profile does. A disassembler knows only the symbols of its file.
    const instruction = jump || (r.listing.callsAt.get(r.at)?.length ?? 0) > 0 ? known.replace(/ <.*/, '') : known;
    const shown = [instruction, jump].filter((t) => t !== '').join(onScreen(c, '   ', '  '));
    const style = jump && !instruction ? 'call' : 'plain';
    if (jump === '') return { text: shown, style };
    // The instruction goes first, then how often the jump was taken: whole, since no number is ever cut.
    const targets = jumpsAt(r)
      .map((to) => jumpArrow(to))
      .join(', ');
    const taken = jumpsAt(r)
      .map((j) => (j.conditional ? `(${formatCount(j.taken)} of ${formatCount(j.executed)})` : `(${formatCount(j.taken)})`))
      .join(', ');
    const forms = instruction === '' ? [jump] : [`${instruction}  ${taken}`, instruction, jump];
    return { text: shown, style, short: (room) => [shown, ...forms].find((f) => cellWidth(f) <= room) ?? targets };
  };
  return [
    ...(arcs ? [{ id: 'arcs', title: 'jumps', width: options.arcsWidth ?? 0, rank: 5, style: 'dim' as const, text: arcs }] : []),
    data('routine', (r) => routineKey(c.analysis, r.listing.routine).routine, {
      flex: 1,
      cut: 'middle',
      text: several ? (r) => (r.kind === 'instr' ? nameCell(c, r.listing.routine) : '') : undefined,
    }),
    shown('jumps', text, {
      title: onScreen(c, 'instruction', 'jumps'),
      width: c.width < 70 ? 16 : 24,
      flex: 1,
      cut: 'end',
      rank: 9,
      value: jumpsOf,
    }),
    { id: 'text', title: 'text', value: (r) => (r.listing.code ? (textOf(r) ?? null) : undefined) },
    { id: 'calls', title: 'calls', value: (r) => (options.withCalls ? callsOf(c, r) : undefined) },
  ];
}

/** The text of an instruction; undefined if it is not known. */
export function textOf(row: InstrRow): string | undefined {
  return isOwn(row.listing, row.at) ? row.listing.code?.instructions.get(addressText(row)) : undefined;
}

function callText(c: ColumnContext, { listing: { calls }, of }: InstrRow): string | Cell {
  return calls ? calleeText(c, calls, of) : '';
}

/** The gap between two recorded instructions. A profile of samples has only those that a sample met. */
function gapText(c: ColumnContext, { listing, at }: InstrRow): string {
  const gap = listing.gaps.get(at);
  const why = c.analysis.costing.can.has('stacks') ? 'without samples' : 'never ran';
  if (!gap || gap.never.length === 0) return `⋯ ${formatCount(gap?.bytes ?? 0)} bytes to the next executed instruction`;
  return `⋯ ${plural(gap.never.length, 'instruction')} ${why}${onScreen(c, ' (Enter opens)', '')}`;
}

function callsOf(c: ColumnContext, { listing: { calls, callsAt }, at }: InstrRow): Json {
  return calls ? callRecords(c, calls, callsAt.get(at) ?? []) : [];
}

/** The jumps of an instruction. Code moves: those of the base have no place here, unless all of the routine is the base's. */
export function jumpsAt({ listing, at }: InstrRow): readonly Jump[] {
  return (isOwn(listing, at) && listing.jumps.byAddress.get(addressOf(listing, at))) || [];
}

function jumpsOf(row: InstrRow): Json {
  return jumpsAt(row).map((j) => ({
    kind: j.conditional ? 'conditional' : 'unconditional',
    target: formatAddress(j.targetHigh, j.targetLow),
    line: j.targetLine,
    taken: j.taken,
    executed: j.executed,
  }));
}

/** Where a jump goes. */
function jumpArrow({ targetHigh, targetLow }: Jump): string {
  return `→ ${formatAddress(targetHigh, targetLow)}`;
}

/** Where an instruction jumps to, and how often. */
export function jumpText(c: ColumnContext, row: InstrRow): string {
  return jumpsAt(row)
    .map((j) => {
      if (c.medium === 'text') return `${jumpArrow(j)} ${j.taken}${j.conditional ? `/${j.executed}` : ''}`;
      const away = j.targetRoutine >= 0 && j.targetRoutine !== row.listing.routine;
      const where = away ? ` ${titleName(c, j.targetRoutine, Math.max(24, c.width >> 2))}` : '';
      const times = j.conditional ? `${formatCount(j.taken)} of ${formatCount(j.executed)}` : formatCount(j.taken);
      return `${jumpArrow(j)}${where} (${times})`;
    })
    .join(', ');
}
