// The columns of instructions: one row per address.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { ownLineNumber } from '../analysis/answers/compared/old-lines.ts';
import { type Jump, jumpsByAddress } from '../analysis/answers/costing.ts';
import { addressBefore, addressOf, hasInstrCalls, type InstrListing, isOfListedRun } from '../analysis/answers/instr-listing.ts';
import { fileName } from '../analysis/names/names.ts';
import { memo } from '../base/lists.ts';
import { baseName } from '../base/paths.ts';
import type { TableCell } from '../base/style.ts';
import { cellWidth, fit, visible } from '../base/text.ts';
import { formatAddress, formatCount, plural } from '../base/units.ts';
import { type CostTable, type Event, eventValue } from '../model/head.ts';
import { dataColumn, displayColumn } from './builders.ts';
import { type Column, type ColumnContext, type Json, onScreen, type TableColumns } from './column.ts';
import {
  costCell,
  costColumn,
  costsByName,
  estimatedColumn,
  extraEventColumns,
  heatMark,
  percentageBaseIn,
  rowSidesAt,
  shareCell,
  shareColumn,
} from './costs.ts';
import { calleeText, callRecords } from './line-calls.ts';
import { lineText, nameCell, routineKey, titleName } from './names.ts';
import { selfColumnId } from './source.ts';

/** Seven bytes, which few instructions exceed. */
const BYTES_WIDTH = 20;

export interface InstrRow {
  /** A recorded instruction, a call from it, the gap after it, an instruction in a gap, a source line, or an inlined function. */
  readonly kind: 'instr' | 'call' | 'gap' | 'never' | 'source' | 'function';
  readonly listing: InstrListing;
  /** The instruction's row among the merged instructions. */
  readonly at: number;
  /** The row of a call, or the index of an instruction in its gap; else -1. */
  readonly of: number;
}

export interface InstrOptions {
  readonly addressWidth: number;
  /** Jump arcs beside the rows, on the screen. */
  readonly arcs?: Column<InstrRow> | undefined;
  readonly locationFormat: LocationFormat;
  /** On the screen: whether the bytes of instructions are shown. */
  readonly withBytes?: boolean;
  /** False if no instruction is known: the rows have source text. */
  readonly hasCode?: boolean;
  /** True if the rows belong to several routines. */
  readonly several: boolean;
  /** Whether some of the rows have calls. */
  readonly callsHere: boolean;
  /** The text of a source line, on the screen. */
  readonly source?: ((row: InstrRow) => string) | undefined;
}

export const instrRow = (listing: InstrListing, at: number): InstrRow => ({ kind: 'instr', listing, at, of: -1 });

export function callAndGapRows({ listing, at }: InstrRow): InstrRow[] {
  const calls = (listing.callsAt.get(at) ?? []).map((of): InstrRow => ({ kind: 'call', listing, at, of }));
  return listing.gaps.has(at) ? [...calls, { kind: 'gap', listing, at, of: -1 }] : calls;
}

export function instrTable(options: InstrOptions): TableColumns<InstrRow> {
  return {
    sides: (_, r) => rowSidesAt(r.listing.instrs.sides, r.at),
    keys: ['routine', 'address', 'line', 'self', 'inclusive', 'text', 'jumps', 'calls'],
    columns: (c) => [...costColumns(c, options), ...textColumns(c, options)],
  };
}

/** The format of source locations: whether to write the file, and the width of the longest location. */
export const locationFormatOf = memo((analysis: Analysis, { instrs: { file, line } }: InstrListing) => {
  const longest = new Map<number, number>();
  for (let at = 0; at < file.length; at++)
    longest.set(file[at], Math.max(longest.get(file[at]) ?? 0, lineText({ analysis }, line[at]).length));
  const withFile = longest.size > 1;
  const before = (of: number) => (withFile ? cellWidth(visible(filePrefix(analysis, of))) : 0);
  return { withFile, cells: [...longest].reduce((most, [of, cells]) => Math.max(most, before(of) + cells), 6) };
}, 3);

type LocationFormat = ReturnType<typeof locationFormatOf>;

const filePrefix = ({ profile }: Analysis, file: number): string => {
  const name = fileName(profile, file);
  return name === null ? '' : `${baseName(name)}:`;
};

/** The source line of an instruction. A narrow cell cuts the start of the file name. */
function locationText(c: ColumnContext, { listing, at }: InstrRow, { withFile }: LocationFormat): string | TableCell {
  const { file, line } = listing.instrs;
  const text = `${withFile ? filePrefix(c.analysis, file[at]) : ''}${lineText(c, line[at])}`;
  return withFile ? { text, short: (width) => fit(visible(text), width, 'left', 'start').trimEnd() } : text;
}

/** For machines: the function of an instruction, if inlined functions are shown. */
function functionColumn({ analysis }: ColumnContext): Column<InstrRow>[] {
  const name = ({ listing, at }: InstrRow) => routineKey(analysis, listing.instrs.function?.[at] ?? listing.routine).routine;
  return analysis.costing.code ? [dataColumn('function', name)] : [];
}

/** The address of a row; '' for rows other than instructions. */
const addressText = ({ kind, listing, at, of }: InstrRow): string =>
  kind === 'instr' ? addressOf(listing, at) : kind === 'never' ? (listing.gaps.get(at)?.never[of] ?? '') : '';

/** The address as people see it. A minus marks an instruction that only the base has. */
const displayAddress = (r: InstrRow): string =>
  r.kind === 'instr' && r.listing.instrs.sides?.[r.at] === 2 ? `- ${addressText(r)}` : addressText(r);

export const maxAddressWidth = memo(
  (listing: InstrListing): number =>
    listing.instrs.low.reduce((most, _, at) => Math.max(most, displayAddress(instrRow(listing, at)).length), 8),
  3,
);

function costColumns(c: ColumnContext, { addressWidth, callsHere, locationFormat }: InstrOptions): Column<InstrRow>[] {
  const self = (r: InstrRow) => r.listing.instrs.costs;
  const inclusive = ({ kind, listing, at, of }: InstrRow): readonly [CostTable, number] | undefined => {
    if (kind === 'call' && listing.calls) return [listing.calls.costs, of];
    return kind === 'instr' ? [listing.inclusive, at] : undefined;
  };
  const isSelfEstimated = (r: InstrRow) => c.analysis.totals.selfEstimated?.[r.listing.routine] === 1;
  const isInclusiveEstimated = (r: InstrRow): boolean => {
    const isEstimated = (call: number) => r.listing.calls?.estimated?.[call] === 1;
    if (r.kind === 'call') return isEstimated(r.of);
    return isSelfEstimated(r) || (r.listing.callsAt.get(r.at) ?? []).some(isEstimated);
  };
  const selfText = (event: Event, r: InstrRow) =>
    r.kind === 'never' ? '.' : r.kind === 'instr' ? costCell(c, self(r), r.at, isSelfEstimated(r), event) : '';
  const whole = c.event.per || c.event.measure === 'delta' ? 0 : percentageBaseIn(c);
  const heat = (r: InstrRow) => (r.kind === 'instr' ? heatMark(eventValue(c.event, r.listing.inclusive, r.at) / whole) : '');
  const selfJson = (r: InstrRow) => costsByName(c.analysis.events, self(r), r.at, isSelfEstimated(r));
  const inclusiveJson = (r: InstrRow) =>
    hasInstrCalls(c.analysis) ? costsByName(c.analysis.events, r.listing.inclusive, r.at, isInclusiveEstimated(r)) : undefined;
  const inclusiveText = (r: InstrRow) => {
    const cost = inclusive(r);
    return cost ? costCell(c, ...cost, isInclusiveEstimated(r)) : '';
  };
  const inclusiveShare = (r: InstrRow) => {
    const cost = inclusive(r);
    return cost ? shareCell(c, eventValue(c.event, ...cost)) : '';
  };
  return [
    displayColumn('address', (r) => ({ text: displayAddress(r), ...(r.kind === 'never' ? { style: 'dim' } : {}) }), {
      width: addressWidth,
      align: 'right',
      rank: 9,
      measured: true,
      value: c.side === 'before' ? (r) => addressBefore(r.listing, r.at) ?? null : addressText,
    }),
    costColumn(c, 'self', 'self', selfJson, { rank: 8, text: (r) => selfText(c.event, r) }),
    ...shareColumn<InstrRow>(c, 'self%', (r) => (r.kind === 'instr' ? shareCell(c, eventValue(c.event, self(r), r.at)) : ''), {
      rank: 7,
    }),
    costColumn(c, 'inclusive', 'incl', inclusiveJson, { rank: 6, text: callsHere ? inclusiveText : undefined }),
    ...(callsHere ? shareColumn<InstrRow>(c, 'inclusive%', inclusiveShare, { rank: 7, title: 'incl%' }) : []),
    ...(whole > 0 ? [displayColumn('heat', heat, { title: '', width: 1, rank: 7, only: 'screen' })] : []),
    ...extraEventColumns<InstrRow>(c, selfText, selfColumnId),
    ...estimatedColumn<InstrRow>(c, (r) => isSelfEstimated(r) || isInclusiveEstimated(r)),
    displayColumn('line', (r) => (r.kind === 'instr' ? locationText(c, r, locationFormat) : ''), {
      width: Math.min(locationFormat.cells, Math.max(12, Math.round(c.width / 6) - 5)),
      align: 'right',
      rank: 6,
      value: (r) => ownLineNumber(c.analysis, r.listing.instrs.line[r.at]),
    }),
    ...functionColumn(c),
    dataColumn('file', (r) => fileName(c.analysis.profile, r.listing.instrs.file[r.at])),
  ];
}

function textColumns(c: ColumnContext, options: InstrOptions): Column<InstrRow>[] {
  const { arcs, several, withBytes = false, source } = options;
  const bytes = (r: InstrRow) => (isOfListedRun(r.listing, r.at) ? r.listing.code?.bytes.get(addressText(r)) : undefined);
  const text = (r: InstrRow): string | TableCell => {
    if (r.kind === 'call') return calleeText(c, r.listing.calls, r.of);
    if (r.kind === 'gap') return { text: gapText(c, r), own: [gapText(c, r), ''], style: 'dim' };
    if (r.kind === 'source') return { text: source?.(r) ?? '', style: 'accent' };
    if (r.kind === 'function')
      return nameCell(c, r.listing.instrs.function?.[r.at] ?? r.listing.routine, { before: '── ', style: 'bold' });
    if (r.kind === 'instr' && !isOfListedRun(r.listing, r.at)) return { text: 'only in the base', style: 'dim' };
    const known = instructionText(r) ?? '';
    if (known === '' && source && jumpsAt(r).length === 0) return { text: source(r), style: 'dim' };
    if (r.kind === 'never') return { text: known, style: 'dim' };
    const jump = jumpText(c, r);
    // Removes the target that the disassembler wrote: the jump, or the call row below, has the profile's name for it.
    const instruction = jump || (r.listing.callsAt.get(r.at)?.length ?? 0) > 0 ? known.replace(/ <.*/, '') : known;
    const shown = [instruction, jump].filter((t) => t !== '').join(onScreen(c, '   ', '  '));
    const style = jump && !instruction ? 'call' : 'plain';
    if (jump === '') return { text: shown, style };
    // Shorter forms: the instruction with jump counts, only the instruction, only the jump. Counts are never cut.
    const jumps = jumpsAt(r);
    const targets = jumps.map(jumpArrow).join(', ');
    const taken = jumps.map((j) => `(${timesText(j)})`).join(', ');
    const forms = instruction === '' ? [jump] : [`${instruction}  ${taken}`, instruction, jump];
    return { text: shown, style, short: (width) => [shown, ...forms].find((f) => cellWidth(f) <= width) ?? targets };
  };
  return [
    ...(arcs ? [arcs] : []),
    dataColumn('routine', (r) => routineKey(c.analysis, r.listing.routine).routine, {
      flex: 1,
      cut: 'middle',
      text: several ? (r) => (r.kind === 'instr' ? nameCell(c, r.listing.routine) : '') : undefined,
    }),
    dataColumn('bytes', (r) => (r.listing.code ? (bytes(r) ?? null) : undefined), {
      ...{ width: BYTES_WIDTH, rank: 5 },
      text: withBytes ? (r) => ({ text: bytes(r) ?? '', style: 'dim' }) : undefined,
    }),
    displayColumn('jumps', text, {
      title: onScreen(c, options.hasCode === false ? 'jumps, source' : 'instruction', 'jumps'),
      width: c.width < 70 ? 16 : 24,
      flex: 1,
      cut: 'end',
      rank: 9,
      value: jumpsJson,
    }),
    { id: 'text', title: 'text', value: (r) => (r.listing.code ? (instructionText(r) ?? null) : undefined) },
    dataColumn('calls', ({ listing: { calls, callsAt }, at }) =>
      hasInstrCalls(c.analysis) ? callRecords(c, calls, callsAt.get(at)) : undefined,
    ),
  ];
}

export const instructionText = (row: InstrRow): string | undefined =>
  isOfListedRun(row.listing, row.at) ? row.listing.code?.instructions.get(addressText(row)) : undefined;

/** The text of a gap between two recorded instructions. In sampled profiles, instructions without samples are missing. */
function gapText(c: ColumnContext, { listing, at }: InstrRow): string {
  const gap = listing.gaps.get(at);
  const why = c.analysis.costing.can.has('stacks') ? 'without samples' : 'never ran';
  if (!gap || gap.never.length === 0) return `⋯ ${formatCount(gap?.bytes ?? 0)} bytes to the next executed instruction`;
  return `⋯ ${plural(gap.never.length, 'instruction')} ${why}${onScreen(c, ' (Enter opens)', '')}`;
}

/** The jumps of an instruction. None if only the base has the instruction, except in the listing of a removed routine. */
export const jumpsAt = ({ listing, at }: InstrRow): readonly Jump[] =>
  (isOfListedRun(listing, at) && jumpsByAddress(listing.jumps).get(addressOf(listing, at))) || [];

function jumpsJson(row: InstrRow): Json {
  return jumpsAt(row).map((j) => ({
    ...{ kind: j.conditional ? 'conditional' : 'unconditional', target: formatAddress(j.targetHigh, j.targetLow) },
    ...{ line: j.targetLine, taken: j.taken, executed: j.executed },
  }));
}

const jumpArrow = ({ targetHigh, targetLow }: Jump): string => `→ ${formatAddress(targetHigh, targetLow)}`;

/** How often a jump was taken; if it is conditional, of how many times. */
const timesText = ({ conditional, taken, executed }: Jump): string =>
  conditional ? `${formatCount(taken)} of ${formatCount(executed)}` : formatCount(taken);

/** The targets of an instruction's jumps, and how often each was taken. */
export function jumpText(c: ColumnContext, row: InstrRow): string {
  return jumpsAt(row)
    .map((j) => {
      if (c.medium === 'text') return `${jumpArrow(j)} ${j.taken}${j.conditional ? `/${j.executed}` : ''}`;
      const away = j.targetRoutine >= 0 && j.targetRoutine !== row.listing.routine;
      const where = away ? ` ${titleName(c, j.targetRoutine, Math.max(24, c.width >> 2))}` : '';
      return `${jumpArrow(j)}${where} (${timesText(j)})`;
    })
    .join(', ');
}
