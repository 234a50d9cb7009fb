// The columns of the costs of changing a header.
import type { CompileRow } from '../../analysis/builds/compiles.ts';
import { allUnitsUs, rebuildRows } from '../../analysis/builds/rebuilds.ts';
import { counts, known, words } from '../builders.ts';
import { onScreen, type Table } from '../column.ts';
import type { Listing } from '../listing.ts';
import { shareColumn, timeColumn } from '../times.ts';

const table: Table<CompileRow, 'steps'> = {
  keys: ['name', 'units', 'durationMs', 'percent'],
  columns(c) {
    const whole = allUnitsUs(c.analysis);
    const percent = (r: CompileRow) => known((r.us / whole) * 100);
    return [
      { ...timeColumn<CompileRow>(c, 'duration', 'time', 9, (r) => r.us), ...onScreen(c, {}, { title: 'ms' }) },
      { ...shareColumn<CompileRow>((r) => r.us, whole), id: 'percent', only: undefined, value: percent, measured: true },
      counts('units', (r) => r.units, { width: 6, rank: 8, measured: true }),
      words('name', (r) => r.name, { title: 'header', width: c.width < 60 ? 14 : 24, flex: 1, rank: 9, cut: 'middle' }),
    ];
  },
};

export const rebuildList: Listing<CompileRow, 'steps'> = {
  ...{ name: 'rebuilds', asks: ['rebuilds'], kind: 'steps' },
  table: () => table,
  all: ({ analysis }) => rebuildRows(analysis),
  texts: (row) => [row.name],
};
