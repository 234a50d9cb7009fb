// The reports of build traces: processes and compile-commands.
import { pairedProcesses } from '../analysis/processes/paired.ts';
import { compilesOf, processAt, projectCompiles } from '../analysis/processes/processes.ts';
import { formatCount, plural } from '../base/units.ts';
import { type Pair, pairedTable, singleTable } from '../columns/paired.ts';
import { type CompileRow, compileTable, type ProcessRow, processTable } from '../columns/processes.ts';
import { report } from './print.ts';
import { baseOf, ofKind, type ReportContext, sorted } from './report.ts';

function matchesProcess({ analysis, filtered, matches }: ReportContext<'processes'>, i: number): boolean {
  if (!filtered) return true;
  const { executable, args } = processAt(analysis.profile, i);
  return matches(executable, args.join(' '));
}

/** A process has its id in each build. */
const MEASURED: ReadonlySet<string> = new Set(['id', 'parent']);

export const processes = report<Pair<ProcessRow>, 'processes'>({
  name: 'processes',
  title: 'what a build executed, in the order of the file',
  asks: ['processes'],
  of: ofKind('processes'),
  table(context) {
    const base = baseOf(context, 'processes');
    return base ? pairedTable(processTable, base, MEASURED) : singleTable(processTable);
  },
  *rows(context) {
    const { analysis } = context;
    const { profile, partsOff } = analysis;
    const { id, part } = profile.processes;
    const base = baseOf(context, 'processes');
    const pairs = base && pairedProcesses(analysis, base);
    const row = (i: number | undefined) => (i === undefined || i < 0 ? undefined : { process: i });
    for (let i = 0; i < id.length; i++)
      if (!partsOff.has(part[i]) && matchesProcess(context, i)) yield { now: row(i), before: row(pairs?.of[i]) };
    for (const i of pairs?.gone ?? [])
      if (base && matchesProcess({ ...context, analysis: base }, i)) yield { now: undefined, before: row(i) };
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
  of: ofKind('processes'),
  sorts: ['file', 'output', 'language'],
  array: true,
  table: () => compileTable,
  rows(context) {
    const { analysis, filtered, matches } = context;
    const rows = projectCompiles(analysis).filter((c) => !filtered || matches(c.file, c.arguments.join(' ')));
    return sorted(context, rows, compileTable.columns(context));
  },
});
