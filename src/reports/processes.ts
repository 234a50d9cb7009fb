// The reports of build traces: processes and compile-commands.
import { compilesOf, processAt, projectCompiles } from '../analysis/processes/processes.ts';
import { formatCount, plural } from '../base/units.ts';
import { type CompileRow, compileTable, type ProcessRow, processTable } from '../columns/processes.ts';
import { report } from './print.ts';
import { ofKind, type ReportContext, sorted } from './report.ts';

function matchesProcess({ analysis, filtered, matches }: ReportContext<'processes'>, i: number): boolean {
  if (!filtered) return true;
  const { executable, args } = processAt(analysis.profile, i);
  return matches(executable, args.join(' '));
}

export const processes = report<ProcessRow, 'processes'>({
  name: 'processes',
  title: 'what a build executed, in the order of the file',
  asks: ['processes'],
  of: ofKind('processes'),
  table: () => processTable,
  *rows(context) {
    const { profile, partsOff } = context.analysis;
    const { id, part } = profile.processes;
    for (let i = 0; i < id.length; i++) if (!partsOff.has(part[i]) && matchesProcess(context, i)) yield { process: i };
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
