// Tables of build traces: programs by number of runs, and the files compiled.

import { type ProgramRow, programsOf } from '../../analysis/answers/processes/processes.ts';
import { barText } from '../../base/text.ts';
import { formatCount, formatPercent, plural } from '../../base/units.ts';
import { displayColumn } from '../../columns/builders.ts';
import { commandList } from '../../columns/builds/processes.ts';
import type { TableColumns } from '../../columns/column.ts';
import { rowsView } from '../parts/rows-view.ts';

const RIGHT_ALIGNED = { align: 'right' } as const;

const programTable: TableColumns<ProgramRow, 'processes'> = {
  columns(c) {
    const all = programsOf(c.analysis).reduce((n, r) => n + r.count, 0);
    const compiles = (r: ProgramRow) => (r.compiles ? formatCount(r.compiles) : '');
    return [
      { ...RIGHT_ALIGNED, id: 'runs', title: 'runs', width: 8, rank: 9, text: (r) => formatCount(r.count), key: (r) => r.count },
      { ...RIGHT_ALIGNED, id: '%', title: '%', width: 7, rank: 5, text: (r) => formatPercent(r.count, all) },
      { ...RIGHT_ALIGNED, id: 'compiles', title: 'compiles', width: 8, rank: 7, text: compiles, key: (r) => r.compiles },
      displayColumn('folders', (r) => formatCount(r.directories), {
        ...RIGHT_ALIGNED,
        width: 7,
        rank: 4,
        key: (r) => r.directories,
      }),
      displayColumn('program', (r) => r.program, {
        width: 20,
        flex: 1,
        cut: 'middle',
        rank: 9,
        key: (r) => r.program,
      }),
      { id: 'bar', title: '', width: 20, rank: 1, style: 'dim', text: (r) => barText(r.count / all, 20) },
    ];
  },
};

export const programsTable = rowsView({
  id: 'programs',
  title: 'Programs',
  digit: '2',
  lists: [
    {
      ...{ name: 'processes', requires: ['processes'], kind: 'processes' },
      table: () => programTable,
      all: (c) => programsOf(c.analysis),
      texts: (r: ProgramRow) => [r.program],
    },
  ],
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
  digit: '5',
  lists: [commandList],
  empty: 'no command of a known compiler compiles a file',
  detail: (r) => r.arguments.join(' ').slice(0, 4000),
  mode: (rows) => `${plural(rows.length, 'compile')}; --print compile-commands writes compile_commands.json`,
  step: (r) => r.process,
  stepView: 'process',
});
