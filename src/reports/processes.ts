// The reports of build traces: processes and compile-commands.
import { compilesOf, processAt, processTree, projectCompiles } from '../analysis/processes.ts';
import { formatCount, plural } from '../base/units.ts';
import { stringAt } from '../model/strings.ts';
import { textColumn } from './cells.ts';
import type { Json, Report, ReportContext, Row } from './report.ts';

const matchesProcess = (context: ReportContext, i: number): boolean => {
  if (!context.filtered) return true;
  const { executable, args } = processAt(context.analysis.profile, i);
  return context.matches(executable, args.join(' '));
};

/** Numbers as such, where they keep every digit. */
const idOf = (id: string): Json =>
  id === '' ? null : String(Number(id)) === id && Number.isSafeInteger(Number(id)) ? Number(id) : id;

const text = (value: Json | undefined) => (value === null || value === undefined ? '?' : String(value));

export const processes: Report = {
  name: 'processes',
  title: 'what a build executed, in the order of the file',
  requires: ['processes'],
  sorts: [],
  optional: ['compiles'],
  *rows(context) {
    const { analysis } = context;
    const { profile } = analysis;
    const p = profile.processes!;
    const { kind, list } = compilesOf(analysis);
    const { depth } = processTree(analysis);
    const of = new Map<number, Row[]>();
    for (const c of list) {
      const rows = of.get(c.process) ?? [];
      rows.push({ file: c.file, output: c.output, language: c.language });
      of.set(c.process, rows);
    }
    let left = context.limit;
    for (let i = 0; i < p.id.length; i++) {
      if (analysis.partsOff.has(p.part[i]) || !matchesProcess(context, i)) continue;
      if (left-- <= 0) return;
      const process = processAt(profile, i);
      const own = of.get(i);
      yield {
        id: idOf(stringAt(profile.strings, p.id[i])),
        parent: p.parent[i] < 0 ? null : idOf(stringAt(profile.strings, p.id[p.parent[i]])),
        depth: depth[i],
        executable: process.executable,
        args: process.args,
        directory: process.directory,
        // A variable may be called __proto__.
        env: Object.fromEntries(process.env),
        kind: kind[i],
        row: i,
        parentRow: p.parent[i] < 0 ? null : p.parent[i],
        ...(own ? { compiles: own } : {}),
      };
    }
  },
  columns: () => [
    { title: 'id', align: 'right', cell: (row) => text(row['id']) },
    { title: 'kind', align: 'left', cell: (row) => (row['kind'] === 'other' ? '' : text(row['kind'])), from: 60 },
    {
      title: 'command',
      align: 'left',
      flex: 'end',
      cell: (row) => `${'  '.repeat(Math.min(20, (row['depth'] as number) - 1))}${commandOf(row)}`,
    },
    { ...textColumn('directory', 'directory', 'start'), from: 120 },
  ],
  foot(context) {
    const { list, fromCache } = compilesOf(context.analysis);
    return [
      `${plural(list.length, 'compile')}${fromCache > 0 ? `, ${formatCount(fromCache)} of them from a cache: no compiler ran` : ''}; --print compile-commands writes them`,
    ];
  },
};

function commandOf(row: Row): string {
  const args = row['args'] as readonly string[];
  return args.length > 0 ? args.join(' ').slice(0, 4096) : text(row['executable']);
}

export const compileCommands: Report = {
  name: 'compile-commands',
  title: 'compile_commands.json of a build trace',
  requires: ['processes'],
  sorts: [],
  array: true,
  optional: ['output'],
  *rows(context) {
    let left = context.limit;
    for (const c of projectCompiles(context.analysis)) {
      if (context.filtered && !context.matches(c.file, c.arguments.join(' '))) continue;
      if (left-- <= 0) return;
      yield {
        directory: c.directory,
        file: c.file,
        arguments: c.arguments,
        ...(c.output === null ? {} : { output: c.output }),
      };
    }
  },
  columns: () => [],
};
