// The columns of processes and of what they compile.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { compilesOf, type Process, processAt, processTree, projectCompiles } from '../../analysis/answers/processes/processes.ts';
import { addTo } from '../../base/lists.ts';
import { memo } from '../../base/memo.ts';
import type { Cell } from '../../base/style.ts';
import { formatCount } from '../../base/units.ts';
import { stringAt } from '../../model/strings.ts';
import { data, shown, words } from '../builders.ts';
import { type Column, type ColumnContext, type Json, onScreen, type Table } from '../column.ts';
import type { Listing } from '../listing.ts';

type Context = ColumnContext<'processes'>;

export interface ProcessRow {
  readonly process: number;
  /** On the screen: whether its descendants are hidden, and whether it matches the filter. */
  readonly folded?: boolean;
  readonly hit?: boolean;
}

/** A number if that keeps every digit, else the text. */
const idJson = (id: string): Json =>
  id === '' ? null : String(Number(id)) === id && Number.isSafeInteger(Number(id)) ? Number(id) : id;

const idOf = ({ profile }: Analysis<'processes'>, i: number) => stringAt(profile.strings, profile.processes.id[i]);

/** The command line as given; the program if no arguments are recorded. */
export function commandText({ args, executable }: Process): string {
  return args.length > 0 ? args.join(' ') : executable;
}

/** How many descendants a process has. */
export function below(analysis: Analysis<'processes'>, i: number): number {
  const { end, place } = processTree(analysis);
  return end[place[i]] - place[i] - 1;
}

const processTable: Table<ProcessRow, 'processes'> = {
  keys: 'id parent depth executable args directory env kind row parentRow compiles'.split(' '),
  columns: (c) => [...idColumns(c), ...commandColumns(c), ...dataOnly(c)],
};

function idColumns(c: Context): Column<ProcessRow>[] {
  const { analysis } = c;
  const kindOf = (r: ProcessRow) => compilesOf(analysis).kind[r.process];
  const kind = (r: ProcessRow): string | Cell => {
    const k = kindOf(r);
    if (k === 'other') return '';
    return { text: k, own: [k, ''], style: k === 'compile' ? 'hot' : 'dim' };
  };
  const inner = (r: ProcessRow) => below(analysis, r.process);
  return [
    words('id', (r) => idOf(analysis, r.process), {
      ...{ width: 7, align: 'right', rank: 3, style: 'dim', key: undefined, measured: true },
      value: (r) => idJson(idOf(analysis, r.process)),
      text: (r) => idOf(analysis, r.process) || '?',
    }),
    shown('below', (r) => (inner(r) === 0 ? '' : formatCount(inner(r))), { width: 6, align: 'right', rank: 4, only: 'screen' }),
    words('kind', kindOf, { width: 8, rank: 5, from: 60, text: kind, key: undefined }),
  ];
}

function commandColumns(c: Context): Column<ProcessRow>[] {
  const { analysis } = c;
  const { depth } = processTree(analysis);
  const process = (r: ProcessRow) => processAt(analysis.profile, r.process);
  const text = (r: ProcessRow) => `${'  '.repeat(Math.min(20, depth[r.process] - 1))}${commandText(process(r)).slice(0, 4096)}`;
  return [
    shown('command', (r) => (c.medium === 'screen' ? screenCommand(c, r) : text(r)), {
      ...{ width: 30, flex: 5, cut: onScreen(c, 'middle', 'end'), rank: 9 },
    }),
    words('directory', (r) => process(r).directory, {
      ...{ title: onScreen(c, 'folder', 'directory'), width: 14, flex: 1, cut: 'start', rank: 1, style: 'dim', from: 120 },
      text: (r) => process(r).directory || onScreen(c, '?', '???'),
      key: undefined,
    }),
  ];
}

function screenCommand(c: Context, { process, folded, hit }: ProcessRow): Cell {
  const { analysis } = c;
  const mark = below(analysis, process) === 0 ? ' ' : folded ? '▸' : '▾';
  const d = processTree(analysis).depth[process] - 1;
  const most = Math.max(4, Math.floor(c.width / 4));
  const indent = d <= most ? '  '.repeat(d) : `${'  '.repeat(Math.max(0, most - 3))}⋯${d} `;
  const command = commandText(processAt(analysis.profile, process)).slice(0, 2000);
  return { text: `${indent}${mark} ${command}`, style: hit === false ? 'dim' : 'plain' };
}

/** The files that each process compiles. */
const compilesBy = memo((analysis: Analysis<'processes'>): ReadonlyMap<number, readonly Json[]> => {
  const out = new Map<number, Json[]>();
  for (const { process, file, output, language } of compilesOf(analysis).list) addTo(out, process, { file, output, language });
  return out;
}, 2);

function dataOnly({ analysis }: Context): Column<ProcessRow>[] {
  const { parent } = analysis.profile.processes;
  const process = (r: ProcessRow) => processAt(analysis.profile, r.process);
  const above = (r: ProcessRow) => (parent[r.process] < 0 ? null : parent[r.process]);
  const aboveId = (r: ProcessRow) => (parent[r.process] < 0 ? null : idJson(idOf(analysis, parent[r.process])));
  return [
    data('parent', aboveId, { measured: true }),
    data('depth', (r) => processTree(analysis).depth[r.process]),
    data('executable', (r) => process(r).executable),
    data('args', (r) => process(r).args),
    // A variable may be called __proto__.
    data('env', (r) => Object.fromEntries(process(r).env)),
    data('row', (r) => r.process),
    data('parentRow', above),
    data('compiles', (r) => compilesBy(analysis).get(r.process), { optional: true }),
  ];
}

export type CompileRow = ReturnType<typeof projectCompiles>[number];

/** compile_commands.json: its keys are those of that format. */
const compileTable: Table<CompileRow, 'processes'> = {
  keys: ['directory', 'file', 'arguments', 'output'],
  columns: () => [
    words('language', (r) => r.language, {
      ...{ width: 9, rank: 4, only: 'screen', value: undefined },
      text: (r) => r.language ?? '?',
    }),
    words('file', (r) => r.file, { title: 'source', width: 24, flex: 3, cut: 'start', rank: 9, only: 'screen' }),
    words('output', (r) => r.output, {
      ...{ width: 12, flex: 1, cut: 'start', rank: 3, only: 'screen', optional: true },
      value: (r) => r.output ?? undefined,
    }),
    words('arguments', (r) => r.arguments.join(' ').slice(0, 2000), {
      ...{ title: 'command', width: 20, flex: 3, cut: 'middle', rank: 5, style: 'dim', only: 'screen', key: undefined },
      value: (r) => r.arguments,
    }),
    data('directory', (r) => r.directory),
  ],
};

export const commandList: Listing<CompileRow, 'processes'> = {
  ...{ name: 'compile-commands', asks: ['processes'], kind: 'processes' },
  table: () => compileTable,
  all: ({ analysis }) => projectCompiles(analysis),
  texts: (r) => [r.file, r.arguments.join(' ')],
};

export const processList: Listing<ProcessRow, 'processes'> = {
  ...{ name: 'processes', asks: ['processes'], kind: 'processes' },
  table: () => processTable,
  all: ({ analysis }) => Array.from(analysis.profile.processes.id.keys(), (process) => ({ process })),
  texts({ process }, { analysis }) {
    const { executable, args } = processAt(analysis.profile, process);
    return [executable, args.join(' ')];
  },
};
