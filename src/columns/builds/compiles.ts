// The columns of compiler time: by header, template, function, unit and phase, the tree of includes, and rebuilds.

import {
  allCompilers,
  allUnitsUs,
  COMPILE_TABLES,
  type CompileRow,
  type CompileTable,
  compileRows,
  compilesOf,
  gainWithoutHeader,
  type HeaderGain,
  includeChains,
  isWideGain,
  rebuildRows,
  totalUs,
  unitName,
} from '../../analysis/builds/compiles.ts';
import { nameText, parseName, UNLIMITED } from '../../analysis/names/parts.ts';
import { formatBytes } from '../../base/units.ts';
import { dataColumn, finiteOrNull, numberColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, type Json, onScreen } from '../column.ts';
import { makeListing } from '../listing.ts';
import { msOrNull, timeColumn, timeShareColumn, timeText } from '../times.ts';

/** Some tables split a row's time into two halves: the titles of both. */
const HALF_NAMES: Readonly<Partial<Record<CompileTable, readonly [us: string, other: string]>>> = {
  functions: ['optimize', 'generate'],
  'function sets': ['optimize', 'generate'],
  units: ['frontend', 'backend'],
};

/** Maximum number of headers whose removal is simulated; each takes three simulations of the build. */
const MAX_SIMULATED_HEADERS = 20;
const MAX_CHAINS_PER_HEADER = 5;

function timeColumns(c: ColumnContext<'steps'>, table: CompileTable): Column<CompileRow>[] {
  const column = (id: string, title: string, rank: number, us: (r: CompileRow) => number) => timeColumn(c, id, title, rank, us);
  const share = timeShareColumn(totalUs, allCompilers(c.analysis).us);
  const duration = { ...column('duration', 'time', 9, totalUs), ...onScreen(c, {}, { title: 'ms' }) };
  const halves = HALF_NAMES[table];
  if (halves) {
    const half = (name: string, us: (r: CompileRow) => number): Column<CompileRow> => ({
      ...column(name, name, 8, us),
      // The compiler may record the other half under another name, or not at all.
      ...onScreen(c, { text: (r: CompileRow) => (us(r) > 0 ? timeText(us(r)) : '') }, {}),
    });
    return [duration, share, half(halves[0], (r) => r.us), half(halves[1], (r) => r.otherUs)];
  }
  if (table === 'includers') return [duration, share];
  const self = column('self', 'self', 8, (r) => r.selfUs);
  if (table !== 'phases' || !compilesOf(c.analysis.profile).phases.userUs) return [duration, share, self];
  const more = (of: keyof NonNullable<CompileRow['more']>) => (r: CompileRow) => r.more?.[of] ?? Number.NaN;
  return [
    duration,
    share,
    // GCC does not say how much of a phase is of the phases in it.
    { ...self, text: undefined },
    column('user', 'user', 7, more('userUs')),
    column('system', 'system', 7, more('systemUs')),
    numberColumn('bytes', more('bytes'), {
      ...{ title: 'memory', unit: 'bytes', width: 10, rank: 6, measured: true },
      text: (r) => (r.more === undefined ? '' : Number.isNaN(r.more.bytes) ? '?' : `≈${formatBytes(r.more.bytes)}`),
    }),
  ];
}

/** The time that a change would save: `at least ≈ 1.2s`, `≈ 1.2s to 1.9s`. */
export const gainText = (gain: HeaderGain, text: (us: number) => string): string =>
  isWideGain(gain) ? `at least ≈ ${text(gain.leastUs)}` : `≈ ${text(gain.leastUs)} to ${text(gain.mostUs)}`;

function countColumns(table: CompileTable): Column<CompileRow>[] {
  const count = (id: string, rank: number, of: (r: CompileRow) => number) =>
    numberColumn(id, of, { width: Math.max(6, id.length), rank, measured: true });
  if (table === 'units') return [];
  const all = [count('count', 6, (r) => r.count)];
  return ['function sets', 'includes', 'includers'].includes(table) ? all : [...all, count('units', 5, (r) => r.units)];
}

function moreColumns(c: ColumnContext<'steps'>, table: CompileTable): Column<CompileRow>[] {
  const { analysis } = c;
  const { profile } = analysis;
  const average = (r: CompileRow) => totalUs(r) / r.count;
  const columns: Column<CompileRow>[] =
    table === 'units' ? [] : [timeColumn(c, 'average', 'each', 4, average), dataColumn('unit', (r) => unitName(profile, r))];
  if (table === 'headers') {
    const first = new Set(compileRows(analysis, 'headers').slice(0, MAX_SIMULATED_HEADERS));
    const gain = (r: CompileRow): Json => {
      if (!first.has(r)) return null;
      const { leastUs, mostUs, simulated } = gainWithoutHeader(analysis, r.at);
      return { leastMs: msOrNull(leastUs), mostMs: msOrNull(mostUs), simulated };
    };
    const chains = (r: CompileRow): Json =>
      includeChains(profile, r.at)
        .slice(0, MAX_CHAINS_PER_HEADER)
        .map(({ through, us, count }) => ({ through, ms: msOrNull(us), count }));
    columns.push(
      dataColumn('includedBy', chains, { optional: true, measured: true }),
      dataColumn('gain', gain, { optional: true, measured: true }),
    );
  }
  if (table === 'includes' || table === 'includers') columns.push(dataColumn('depth', (r) => r.depth));
  return columns;
}

/** Parameters are longer than names, and tell fewer functions apart. */
const withoutParameters = (name: string): string => nameText(parseName(name), { depth: UNLIMITED, params: false, without: 0 });

function nameColumn(c: ColumnContext<'steps'>, table: CompileTable): Column<CompileRow> {
  const title = table.startsWith('include') ? 'header' : table.replace(/s$/, '');
  const isPath = ['headers', 'units', 'includes', 'includers'].includes(table);
  const isFunction = table.startsWith('function');
  return wordColumn('name', (r) => r.name, {
    ...{ title, width: c.width < 60 ? 14 : 24, flex: 1, rank: 9 },
    cut: isPath ? 'path' : 'middle',
    text: (r) =>
      `${'  '.repeat(Math.min(r.depth, 20))}${isFunction && c.medium === 'screen' ? withoutParameters(r.name) : r.name}`,
  });
}

export const compileLists = COMPILE_TABLES.map((table) =>
  makeListing<CompileRow, 'steps'>({
    ...{ name: table.replace(' ', ''), requires: ['compiles'], kind: 'steps' },
    keys: 'name durationMs selfMs count units averageMs'.split(' '),
    columns(c) {
      // With one unit, their number and the average say nothing, and names are long.
      const isOne = c.medium === 'screen' && !c.base && c.analysis.profile.steps.compiles?.units.step.length === 1;
      const more = [...countColumns(table), ...moreColumns(c, table)];
      const shown = isOne ? more.filter(({ id }) => id !== 'units' && id !== 'averageMs') : more;
      return [...timeColumns(c, table), ...shown, nameColumn(c, table)];
    },
    all: ({ analysis }) => compileRows(analysis, table),
    texts: (row) => [row.name],
  }),
);

/** The compile time that a change of each header causes. */
export const rebuildList = makeListing<CompileRow, 'steps'>({
  ...{ name: 'rebuilds', requires: ['rebuilds'], kind: 'steps' },
  keys: ['name', 'units', 'durationMs', 'percent'],
  columns(c) {
    const whole = allUnitsUs(c.analysis);
    const percent = (r: CompileRow) => finiteOrNull((r.us / whole) * 100);
    return [
      { ...timeColumn<CompileRow>(c, 'duration', 'time', 9, (r) => r.us), ...onScreen(c, {}, { title: 'ms' }) },
      { ...timeShareColumn<CompileRow>((r) => r.us, whole), id: 'percent', only: undefined, value: percent, measured: true },
      numberColumn('units', (r) => r.units, { width: 6, rank: 8, measured: true }),
      wordColumn('name', (r) => r.name, { title: 'header', width: c.width < 60 ? 14 : 24, flex: 1, rank: 9, cut: 'path' }),
    ];
  },
  all: ({ analysis }) => rebuildRows(analysis),
  texts: (row) => [row.name],
});
