// The reports of build traces: processes and compile-commands.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { compilesOf, projectCompiles } from '../../analysis/answers/processes/processes.ts';
import { pairedProcesses } from '../../analysis/builds/paired-processes.ts';
import type { Pair } from '../../base/lists.ts';
import { formatCount, plural } from '../../base/units.ts';
import { commandList, type ProcessRow, processList } from '../../columns/builds/processes.ts';
import type { ColumnContext } from '../../columns/column.ts';
import { baseOf } from '../../columns/listing.ts';
import { paired } from '../../columns/paired.ts';
import { listReport } from '../print.ts';

function pairs({ analysis }: ColumnContext<'processes'>, base: Analysis<'processes'> | undefined): Pair<ProcessRow>[] {
  const { part } = analysis.profile.processes;
  const found = base && pairedProcesses(analysis, base);
  const row = (i: number | undefined) => (i === undefined || i < 0 ? undefined : { process: i });
  return [
    ...Array.from(part.keys(), (i) => ({ now: row(i), before: row(found?.of[i]) })).filter(
      (_, i) => !analysis.partsOff.has(part[i]),
    ),
    ...(found?.gone ?? []).map((i) => ({ now: undefined, before: row(i) })),
  ];
}

export const processes = listReport({
  ...paired(processList, (c) => baseOf(c, 'processes'), pairs),
  title: 'processes of a build, in file order',
  foot({ analysis }) {
    const { list, fromCache } = compilesOf(analysis);
    const own = projectCompiles(analysis).length;
    const cached = fromCache > 0 ? `, ${formatCount(fromCache)} of them from a cache: no compiler ran` : '';
    const checks = list.length > own ? `; left out: ${formatCount(list.length - own)} that only test the compiler` : '';
    return [`${plural(own, 'compile')}${cached}; --print compile-commands writes them${checks}`];
  },
});

export const compileCommands = listReport({
  ...commandList,
  title: 'compile_commands.json of a build trace',
  sorts: ['file', 'output', 'language'],
  array: true,
});
