// The columns of instructions: one row per address.
import type { MergedInstrs, RoutineJumps } from '../analysis/costing.ts';
import type { Cell } from '../base/style.ts';
import { formatAddress, formatCount } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { type Column, type ColumnContext, type Json, onScreen, type Table } from './column.ts';
import { costRoom, costsByName, costText, shareCell, shareColumn } from './costs.ts';
import { lineText, nameCell, routineKey, titleName } from './names.ts';

export interface InstrListing {
  readonly routine: number;
  readonly instrs: MergedInstrs;
  readonly jumps: RoutineJumps;
  /** Text by address; undefined if objdump was not run. */
  readonly text: ReadonlyMap<string, string> | undefined;
}

export interface InstrRow {
  readonly listing: InstrListing;
  /** Row of the merged instructions. */
  readonly at: number;
}

export function addressOf({ instrs }: InstrListing, row: number): string {
  return formatAddress(instrs.high[row], instrs.low[row]);
}

export interface InstrOptions {
  /** Cells of the longest address. */
  readonly addressWidth: number;
  /** Jump arcs beside the rows, on the screen. */
  readonly arcs?: ((row: InstrRow) => string) | undefined;
  readonly arcsWidth?: number;
  /** Rows of several routines. */
  readonly several: boolean;
}

export function instrTable(options: InstrOptions): Table<InstrRow> {
  return {
    keys: ['routine', 'address', 'line', 'self', 'text', 'jumps'],
    columns: (c) => [...costColumns(c, options), ...textColumns(c, options)],
  };
}

function costColumns(c: ColumnContext, { addressWidth }: InstrOptions): Column<InstrRow>[] {
  const address = (r: InstrRow) => addressOf(r.listing, r.at);
  return [
    { id: 'address', title: 'address', width: addressWidth, align: 'right', rank: 9, value: address, text: address },
    {
      ...costRoom(c, 'self'),
      id: 'self',
      rank: 9,
      value: (r) => costsByName(c.analysis.events, r.listing.instrs.costs, r.at),
      text: (r) => costText(c, exactValue(c.event, r.listing.instrs.costs, r.at)),
    },
    ...shareColumn<InstrRow>(c, '%', (r) => shareCell(c, eventValue(c.event, r.listing.instrs.costs, r.at))),
    {
      id: 'line',
      title: 'line',
      width: 6,
      align: 'right',
      rank: 6,
      value: (r) => r.listing.instrs.line[r.at],
      text: (r) => lineText(r.listing.instrs.line[r.at]),
    },
  ];
}

function textColumns(c: ColumnContext, options: InstrOptions): Column<InstrRow>[] {
  const { arcs, several } = options;
  const textOf = (r: InstrRow) => r.listing.text?.get(addressOf(r.listing, r.at));
  return [
    ...(arcs ? [{ id: 'arcs', title: 'jumps', width: options.arcsWidth ?? 0, rank: 5, style: 'dim' as const, text: arcs }] : []),
    {
      id: 'routine',
      title: 'routine',
      flex: 1,
      cut: 'middle',
      value: (r) => routineKey(c.analysis, r.listing.routine).routine,
      text: several ? (r) => nameCell(c, r.listing.routine) : undefined,
    },
    {
      id: 'jumps',
      title: onScreen(c, 'instruction', 'jumps'),
      width: 16,
      flex: 1,
      cut: 'end',
      rank: 9,
      value: jumpsOf,
      text: (r): string | Cell => {
        const [instruction, jump] = [textOf(r) ?? '', jumpText(c, r)];
        if (c.medium === 'text') return (instruction ? `${instruction}  ` : '') + jump;
        const shown = [instruction, jump].filter((t) => t !== '').join('   ');
        return { text: shown, style: jump && !instruction ? 'call' : 'plain' };
      },
    },
    { id: 'text', title: 'text', value: (r) => (r.listing.text ? (textOf(r) ?? null) : undefined) },
  ];
}

function jumpsAt({ listing, at }: InstrRow) {
  return listing.jumps.byAddress.get(addressOf(listing, at)) ?? [];
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

/** Where an instruction jumps to, and how often. */
export function jumpText(c: ColumnContext, row: InstrRow): string {
  return jumpsAt(row)
    .map((j) => {
      const to = formatAddress(j.targetHigh, j.targetLow);
      if (c.medium === 'text') return `→ ${to} ${j.taken}${j.conditional ? `/${j.executed}` : ''}`;
      const away = j.targetRoutine >= 0 && j.targetRoutine !== row.listing.routine;
      const where = away ? ` ${titleName(c, j.targetRoutine, Math.max(24, c.width >> 2))}` : '';
      const times = j.conditional ? `${formatCount(j.taken)} of ${formatCount(j.executed)}` : formatCount(j.taken);
      return `${c.ascii ? '->' : '→'} ${to}${where} (${times})`;
    })
    .join(', ');
}
