// The columns of rebuild costs: the compile time that a change of each header causes.
import { allUnitsUs, type CompileRow, rebuildRows } from '../../analysis/builds/compiles.ts';
import { finiteOrNull, numberColumn, wordColumn } from '../builders.ts';
import { onScreen } from '../column.ts';
import { makeListing } from '../listing.ts';
import { timeColumn, timeShareColumn } from '../times.ts';

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
