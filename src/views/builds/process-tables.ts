// Tables of build traces: programs by number of runs, and the files compiled.

import { type ProgramRow, programsOf } from '../../analysis/answers/processes/processes.ts';
import { formatCount, formatPercent, plural } from '../../base/units.ts';
import { barColumn, displayColumn, numberColumn, wordColumn } from '../../columns/builders.ts';
import { commandList } from '../../columns/builds/processes.ts';
import { makeListing } from '../../columns/listing.ts';
import { rowsView } from '../parts/rows-view.ts';

export const programList = makeListing<ProgramRow, 'processes'>({
  ...{ name: 'processes', requires: ['processes'], kind: 'processes' },
  columns(c) {
    const all = programsOf(c.analysis).reduce((n, r) => n + r.count, 0);
    const compiles = (r: ProgramRow) => (r.compiles ? formatCount(r.compiles) : '');
    return [
      numberColumn('runs', (r) => r.count, { width: 8, rank: 9 }),
      displayColumn('%', (r) => formatPercent(r.count, all), { width: 7, align: 'right', rank: 5 }),
      ...barColumn<ProgramRow>(c, (r) => r.count, all, { rank: 1 }),
      numberColumn('compiles', (r) => r.compiles, { width: 8, rank: 7, text: compiles }),
      numberColumn('folders', (r) => r.directories, { width: 7, rank: 4 }),
      wordColumn('program', (r) => r.program, { width: 20, flex: 1, cut: 'middle', rank: 9 }),
    ];
  },
  all: (c) => programsOf(c.analysis),
  texts: (r) => [r.program],
});

export const programsTable = rowsView({
  id: 'programs',
  title: 'Programs',
  lists: [programList],
  notInReport: () => 'programs, by their runs',
  step: (r) => r.first,
  // The cursor starts at the program with the most runs, not at the selected process.
  rowOf: () => -1,
  stepView: 'process',
  enterKey: { help: 'show its first run in full', footer: 'first run' },
  empty: 'the trace has no processes',
  detail: (r) => `${r.program}: ${plural(r.count, 'run')} in ${plural(r.directories, 'folder')}`,
  mode: (rows) => plural(rows.length, 'program'),
});

export const compilesTable = rowsView({
  id: 'compiles',
  title: 'Compiles',
  lists: [commandList],
  sorts: {},
  empty: 'no command of a known compiler compiles a file',
  detail: (r) => r.arguments.join(' ').slice(0, 4000),
  mode: (rows) => `${plural(rows.length, 'compile')}; --print compile-commands writes compile_commands.json`,
  step: (r) => r.process,
  stepView: 'process',
});
