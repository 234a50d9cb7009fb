// The reports of build traces: processes and compile-commands.
import { pairedProcesses } from '../analysis/processes/paired.ts';
import { compilesOf, processAt, projectCompiles } from '../analysis/processes/processes.ts';
import { formatCount, plural } from '../base/units.ts';
import { type Pair, pairedTable } from '../columns/paired.ts';
import { type CompileRow, compileTable, type ProcessRow, processTable } from '../columns/processes.ts';
import { report } from './print.ts';
import { baseOf } from './report.ts';

export const processes = report<Pair<ProcessRow>, 'processes'>({
  name: 'processes',
  title: 'what a build executed, in the order of the file',
  asks: ['processes'],
  kind: 'processes',
  table: (context) => pairedTable(processTable, baseOf(context, 'processes')),
  all(context) {
    const { analysis } = context;
    const { part } = analysis.profile.processes;
    const base = baseOf(context, 'processes');
    const pairs = base && pairedProcesses(analysis, base);
    const row = (i: number | undefined) => (i === undefined || i < 0 ? undefined : { process: i });
    return [
      ...Array.from(part.keys(), (i) => ({ now: row(i), before: row(pairs?.of[i]) })).filter(
        (_, i) => !analysis.partsOff.has(part[i]),
      ),
      ...(pairs?.gone ?? []).map((i) => ({ now: undefined, before: row(i) })),
    ];
  },
  texts({ now, before }, context) {
    const of = now ? context.analysis : (baseOf(context, 'processes') ?? context.analysis);
    const { executable, args } = processAt(of.profile, (now ?? before)?.process ?? -1);
    return [executable, args.join(' ')];
  },
  foot({ analysis }) {
    const { list, fromCache } = compilesOf(analysis);
    const cached = fromCache > 0 ? `, ${formatCount(fromCache)} of them from a cache: no compiler ran` : '';
    return [`${plural(list.length, 'compile')}${cached}; --print compile-commands writes them`];
  },
});

export const compileCommands = report<CompileRow, 'processes'>({
  name: 'compile-commands',
  title: 'compile_commands.json of a build trace',
  asks: ['processes'],
  kind: 'processes',
  sorts: ['file', 'output', 'language'],
  array: true,
  table: () => compileTable,
  all: ({ analysis }) => projectCompiles(analysis),
  texts: (c) => [c.file, c.arguments.join(' ')],
});
