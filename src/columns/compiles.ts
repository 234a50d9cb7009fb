// The columns of what the compilers spent their time on: headers, templates, functions, units, phases and the tree of includes.
import {
  allCompilersUs,
  type CompileRow,
  type CompileTable,
  chainsOf,
  compileRows,
  gainWithout,
  totalUs,
  unitName,
} from '../analysis/steps/compiles.ts';
import { formatCount } from '../base/units.ts';
import type { Column, ColumnContext, Json, Table } from './column.ts';
import { onScreen } from './column.ts';
import { ms, shareColumn, timeColumn } from './times.ts';

type Context = ColumnContext<'steps'>;

const right = { align: 'right' } as const;

/** What the two halves of a row's time are called. */
const HALVES: Readonly<Partial<Record<CompileTable, readonly [us: string, other: string]>>> = {
  functions: ['optimize', 'generate'],
  'function sets': ['optimize', 'generate'],
  units: ['frontend', 'backend'],
};

/** Headers without which the build is simulated: each takes three simulations. */
const SIMULATED = 20;
/** Ways of being included that machines get of a header. */
const CHAINS = 5;

export function compileTable(table: CompileTable): Table<CompileRow, 'steps'> {
  return {
    keys: 'name durationMs selfMs count units averageMs'.split(' '),
    columns: (c) => [...timeColumns(c, table), ...countColumns(table), ...moreColumns(c, table), nameColumn(c, table)],
  };
}

function timeColumns(c: Context, table: CompileTable): Column<CompileRow>[] {
  const column = (id: string, title: string, rank: number, us: (r: CompileRow) => number) => timeColumn(c, id, title, rank, us);
  const whole = allCompilersUs(c.analysis);
  const share = shareColumn(totalUs, whole);
  const duration = { ...column('duration', 'time', 9, totalUs), ...onScreen(c, {}, { title: 'ms' }) };
  const halves = HALVES[table];
  if (halves)
    return [duration, share, column(halves[0], halves[0], 8, (r) => r.us), column(halves[1], halves[1], 8, (r) => r.otherUs)];
  return [duration, share, column('self', 'self', 8, (r) => r.selfUs)];
}

function countColumns(table: CompileTable): Column<CompileRow>[] {
  const count = (id: string, rank: number, of: (r: CompileRow) => number): Column<CompileRow> => ({
    ...right,
    id,
    title: id,
    width: Math.max(6, id.length),
    rank,
    value: (r) => (Number.isNaN(of(r)) ? null : of(r)),
    text: (r) => (Number.isNaN(of(r)) ? '' : formatCount(of(r))),
    key: of,
  });
  if (table === 'units') return [];
  const counts = [count('count', 6, (r) => r.count)];
  return table === 'function sets' || table === 'includes' ? counts : [...counts, count('units', 5, (r) => r.units)];
}

function moreColumns(c: Context, table: CompileTable): Column<CompileRow>[] {
  const { analysis } = c;
  const { profile } = analysis;
  const average = (r: CompileRow) => totalUs(r) / r.count;
  const columns: Column<CompileRow>[] =
    table === 'units'
      ? []
      : [timeColumn(c, 'average', 'each', 4, average), { id: 'unit', title: 'unit', value: (r) => unitName(profile, r.unit) }];
  if (table === 'headers') {
    const dearest = new Set(compileRows(analysis, 'headers').slice(0, SIMULATED));
    const gain = (r: CompileRow): Json => {
      if (!dearest.has(r)) return null;
      const { leastUs, mostUs, simulated } = gainWithout(analysis, r.at);
      return { leastMs: ms(leastUs), mostMs: ms(mostUs), simulated };
    };
    const chains = (r: CompileRow): Json =>
      chainsOf(profile, r.at)
        .slice(0, CHAINS)
        .map(({ through, us, count }) => ({ through, ms: ms(us), count }));
    columns.push(
      { id: 'includedBy', title: 'included by', value: chains, optional: true },
      { id: 'gain', title: 'gain', value: gain, optional: true },
    );
  }
  if (table === 'includes') columns.push({ id: 'depth', title: 'depth', value: (r) => r.depth });
  return columns;
}

function nameColumn(c: Context, table: CompileTable): Column<CompileRow> {
  const isPath = table === 'headers' || table === 'units' || table === 'includes';
  return {
    id: 'name',
    title: table === 'includes' ? 'header' : table.replace(/s$/, ''),
    width: c.width < 60 ? 14 : 24,
    flex: 1,
    cut: isPath ? 'middle' : 'end',
    rank: 9,
    value: (r) => r.name,
    text: (r) => `${'  '.repeat(Math.min(r.depth, 20))}${r.name}`,
    key: (r) => r.name,
  };
}
