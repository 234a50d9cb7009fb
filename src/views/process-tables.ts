// Tables of build traces: programs by how often they ran, and what was compiled.
import { type ProgramRow, programsOf, projectCompiles } from '../analysis/processes.ts';
import { formatCount, formatPercent, plural } from '../base/units.ts';
import { type RowColumn, rowsView } from './parts/rows-view.ts';
import { bar } from './parts/table.ts';

export const programsTable = rowsView<ProgramRow>({
  id: 'programs',
  title: 'Programs',
  digit: '2',
  requires: ['processes'],
  report: 'processes',
  empty: 'the trace has no processes',
  rows: programsOf,
  columns: (c): RowColumn<ProgramRow>[] => {
    const all = programsOf(c.analysis).reduce((n, r) => n + r.count, 0);
    return [
      { title: 'runs', width: 8, align: 'right', rank: 9, cell: (r) => formatCount(r.count), key: (r) => r.count },
      { title: '%', width: 7, align: 'right', rank: 5, cell: (r) => formatPercent(r.count, all) },
      {
        title: 'compiles',
        width: 8,
        align: 'right',
        rank: 7,
        cell: (r) => (r.compiles ? formatCount(r.compiles) : ''),
        key: (r) => r.compiles,
      },
      { title: 'folders', width: 7, align: 'right', rank: 4, cell: (r) => formatCount(r.directories), key: (r) => r.directories },
      { title: 'program', width: 20, flex: 1, cut: 'middle', rank: 9, cell: (r) => r.program, key: (r) => r.program },
      { title: '', width: 20, rank: 1, cell: (r) => bar(r.count / all, 20, c.ascii), style: 'dim' },
    ];
  },
  texts: (r) => [r.program],
  detail: (r) => `${r.program}: ${plural(r.count, 'run')} in ${plural(r.directories, 'folder')}`,
  mode: (rows) => plural(rows.length, 'program'),
});

type CompileRow = ReturnType<typeof projectCompiles>[number];

export const compilesTable = rowsView<CompileRow>({
  id: 'compiles',
  title: 'Compiles',
  digit: '5',
  requires: ['processes'],
  report: 'compile-commands',
  empty: 'no command of a known compiler compiles a file',
  rows: projectCompiles,
  columns: (): RowColumn<CompileRow>[] => [
    { title: 'language', width: 9, rank: 4, cell: (r) => r.language ?? '?', key: (r) => r.language ?? '' },
    { title: 'source', width: 24, flex: 3, cut: 'start', rank: 9, cell: (r) => r.file, key: (r) => r.file },
    { title: 'output', width: 12, flex: 1, cut: 'start', rank: 3, cell: (r) => r.output ?? '', key: (r) => r.output ?? '' },
    {
      title: 'command',
      width: 20,
      flex: 3,
      cut: 'middle',
      rank: 5,
      cell: (r) => r.arguments.join(' ').slice(0, 2000),
      style: 'dim',
    },
  ],
  texts: (r) => [r.file, r.arguments.join(' ')],
  detail: (r) => r.arguments.join(' ').slice(0, 4000),
  mode: (rows) => `${plural(rows.length, 'compile')}; --print compile-commands writes compile_commands.json`,
  step: (r) => r.process,
  stepView: 'process',
});
