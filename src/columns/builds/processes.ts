// The columns of processes and of their compile commands.

import { type Analysis, isOfKind } from '../../analysis/answers/analysis.ts';
import type { CompileEntry } from '../../analysis/answers/processes/compiles.ts';
import {
  activeProcesses,
  type BuildProcess,
  compilesOf,
  processAt,
  processTree,
  projectCompiles,
} from '../../analysis/answers/processes/processes.ts';
import { compileCommandsOf } from '../../analysis/builds/commands.ts';
import { addToList, memo } from '../../base/lists.ts';
import { baseName, commonFolderOf } from '../../base/paths.ts';
import type { TableCell } from '../../base/style.ts';
import { formatCount } from '../../base/units.ts';
import type { Kind } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';
import { dataColumn, displayColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, type Json, onScreen } from '../column.ts';
import { makeListing } from '../listing.ts';

export interface ProcessRow {
  readonly process: number;
  /** On the screen: `folded` if the process's descendants are hidden, `hit` if the process matches the filter. */
  readonly folded?: boolean;
  readonly hit?: boolean;
}

/** A process id in JSON: a number if the number is exact, else text. */
const idJson = (id: string): Json =>
  id === '' ? null : String(Number(id)) === id && Number.isSafeInteger(Number(id)) ? Number(id) : id;

const idOf = ({ profile }: Analysis<'processes'>, i: number) => stringAt(profile.strings, profile.processes.id[i]);

/** The command line as given; the program if no arguments are recorded. */
export const commandText = ({ args, executable }: BuildProcess): string => (args.length > 0 ? args.join(' ') : executable);

export function descendantCount(analysis: Analysis<'processes'>, i: number): number {
  const { end, place } = processTree(analysis);
  return end[place[i]] - place[i] - 1;
}

function idColumns({ analysis }: ColumnContext<'processes'>): Column<ProcessRow>[] {
  const kindOf = (r: ProcessRow) => compilesOf(analysis).kind[r.process];
  const kind = (r: ProcessRow): string | TableCell => {
    const k = kindOf(r);
    if (k === 'other') return '';
    return { text: k, own: [k, ''], style: k === 'compile' ? 'hot' : 'dim' };
  };
  const inner = (r: ProcessRow) => descendantCount(analysis, r.process);
  return [
    wordColumn('id', (r) => idOf(analysis, r.process), {
      ...{ width: 7, align: 'right', rank: 3, style: 'dim', key: undefined, measured: true },
      value: (r) => idJson(idOf(analysis, r.process)),
      text: (r) => idOf(analysis, r.process) || '?',
    }),
    displayColumn('below', (r) => (inner(r) === 0 ? '' : formatCount(inner(r))), {
      width: 6,
      align: 'right',
      rank: 4,
      only: 'screen',
    }),
    wordColumn('kind', kindOf, { width: 8, rank: 5, from: 60, text: kind, key: undefined }),
  ];
}

function commandColumns(c: ColumnContext<'processes'>): Column<ProcessRow>[] {
  const { analysis } = c;
  const { depth } = processTree(analysis);
  const process = (r: ProcessRow) => processAt(analysis.profile, r.process);
  const text = (r: ProcessRow) => `${'  '.repeat(Math.min(20, depth[r.process] - 1))}${commandText(process(r)).slice(0, 4096)}`;
  return [
    displayColumn('command', (r) => (c.medium === 'screen' ? screenCommand(c, r) : text(r)), {
      ...{ width: 30, flex: 5, cut: onScreen(c, 'middle', 'end'), rank: 9 },
    }),
    wordColumn('directory', (r) => process(r).directory, {
      ...{ title: onScreen(c, 'folder', 'directory'), width: 14, flex: 1, cut: 'start', rank: 1, style: 'dim', from: 120 },
      text: (r) => process(r).directory || onScreen(c, '?', '???'),
      key: undefined,
    }),
  ];
}

function screenCommand(c: ColumnContext<'processes'>, { process, folded, hit }: ProcessRow): TableCell {
  const { analysis } = c;
  const mark = descendantCount(analysis, process) === 0 ? ' ' : folded ? '▸' : '▾';
  const d = processTree(analysis).depth[process] - 1;
  const most = Math.max(4, Math.floor(c.width / 4));
  const indent = d <= most ? '  '.repeat(d) : `${'  '.repeat(Math.max(0, most - 3))}⋯${d} `;
  const command = commandText(processAt(analysis.profile, process)).slice(0, 2000);
  return { text: `${indent}${mark} ${command}`, style: hit === false ? 'dim' : 'plain' };
}

const compilesByProcess = memo((analysis: Analysis<'processes'>): ReadonlyMap<number, readonly Json[]> => {
  const out = new Map<number, Json[]>();
  for (const { process, file, output, language } of compilesOf(analysis).list)
    addToList(out, process, { file, output, language });
  return out;
}, 2);

function dataOnlyColumns({ analysis }: ColumnContext<'processes'>): Column<ProcessRow>[] {
  const { parent } = analysis.profile.processes;
  const process = (r: ProcessRow) => processAt(analysis.profile, r.process);
  const above = (r: ProcessRow) => (parent[r.process] < 0 ? null : parent[r.process]);
  const aboveId = (r: ProcessRow) => (parent[r.process] < 0 ? null : idJson(idOf(analysis, parent[r.process])));
  return [
    dataColumn('parent', aboveId, { measured: true }),
    dataColumn('depth', (r) => processTree(analysis).depth[r.process]),
    dataColumn('executable', (r) => process(r).executable),
    dataColumn('args', (r) => process(r).args),
    // A variable may be called __proto__, which Object.fromEntries() allows.
    dataColumn('env', (r) => Object.fromEntries(process(r).env)),
    dataColumn('row', (r) => r.process),
    dataColumn('parentRow', above),
    dataColumn('compiles', (r) => compilesByProcess(analysis).get(r.process), { optional: true }),
  ];
}

const allCompiles = (analysis: Analysis): readonly CompileEntry[] =>
  isOfKind(analysis, 'processes') ? projectCompiles(analysis) : isOfKind(analysis, 'steps') ? compileCommandsOf(analysis) : [];

/** The folder that all compiled files are in, with a slash, which the screen leaves out, and the number of languages. */
const sourcesOf = memo((analysis: Analysis) => {
  const all = allCompiles(analysis);
  const folder = all.length > 1 ? all.map(({ file }) => file).reduce(commonFolderOf) : '';
  const title = folder.length > 1 ? `source in ${baseName(folder.slice(0, -1))}/` : 'source';
  return { folder, title, languages: new Set(all.map(({ language }) => language)).size };
}, 2);

/** The list of compile commands, of build traces on the screen, in reports also of CMake's steps. The keys are those of compile_commands.json. */
export const commandList = makeListing<CompileEntry, Kind>({
  ...{ name: 'compile-commands', requires: ['processes'] },
  keys: ['directory', 'file', 'arguments', 'output'],
  columns: (c) => [
    wordColumn('file', (r) => r.file, {
      ...{ title: sourcesOf(c.analysis).title, width: 24, flex: 3, cut: 'start', rank: 9, only: 'screen' },
      text: (r) => r.file.slice(sourcesOf(c.analysis).folder.length),
    }),
    wordColumn('language', (r) => r.language, {
      ...{ width: 9, rank: 4, only: 'screen', value: undefined },
      text: sourcesOf(c.analysis).languages > 1 ? (r) => r.language ?? '?' : undefined,
    }),
    wordColumn('output', (r) => r.output, {
      ...{ width: 12, flex: 1, cut: 'start', rank: 3, only: 'screen', optional: true },
      value: (r) => r.output ?? undefined,
    }),
    wordColumn('arguments', (r) => r.arguments.join(' ').slice(0, 2000), {
      ...{ title: 'command', width: 20, flex: 3, cut: 'middle', rank: 5, style: 'dim', only: 'screen', key: undefined },
      value: (r) => r.arguments,
    }),
    dataColumn('directory', (r) => r.directory),
  ],
  all: ({ analysis }) => allCompiles(analysis),
  texts: (r) => [r.file, r.arguments.join(' ')],
});

export const processList = makeListing<ProcessRow, 'processes'>({
  ...{ name: 'processes', requires: ['processes'], kind: 'processes' },
  keys: 'id parent depth executable args directory env kind row parentRow compiles'.split(' '),
  columns: (c) => [...idColumns(c), ...commandColumns(c), ...dataOnlyColumns(c)],
  all: ({ analysis }) => activeProcesses(analysis).map((process) => ({ process })),
  texts({ process }, { analysis }) {
    const { executable, args } = processAt(analysis.profile, process);
    return [executable, args.join(' ')];
  },
});
