// The processes of a build: their tree, their programs, and the files that commands compile.
import { getOrMake, memo, memoTest, pairByKey } from '../../../base/lists.ts';
import type { StringId } from '../../../model/column.ts';
import { depthFirst } from '../../../model/inputs/contexts.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt, stringCount } from '../../../model/strings.ts';
import type { Analysis } from '../analysis.ts';
import {
  type CompileCommand,
  type CompileEntry,
  compilesOfCommand,
  compilesOfResponseFile,
  isCompilerDriver,
  isCompilerInternal,
  isWrapper,
} from './compiles.ts';

export interface BuildProcess extends CompileCommand {
  readonly env: readonly (readonly [name: string, value: string | null])[];
}

/** A process. `text`: gives a string by its id. */
export function processAt(
  { processes: p, strings }: ProfileOf<'processes'>,
  i: number,
  text = (id: StringId) => stringAt(strings, id),
): BuildProcess {
  // Loops, since Array.from() goes through an iterator.
  const args: string[] = [];
  for (let k = p.argStart[i]; k < p.argStart[i + 1]; k++) args.push(text(p.args[k]));
  const env: [string, string | null][] = [];
  for (let k = p.envStart[i]; k < p.envStart[i + 1]; k++)
    env.push([text(p.envName[k]), p.envValue[k] < 0 ? null : text(p.envValue[k])]);
  const directory = p.directory[i] < 0 ? null : text(p.directory[i]);
  return { process: i, executable: text(p.executable[i]), directory, args: args.slice(), env };
}

/** Children are in file order; may be over a thousand deep. */
export const processTree = memo((analysis: Analysis<'processes'>) => {
  const { parent, part } = analysis.profile.processes;
  const depth = new Uint32Array(parent.length);
  const tree = depthFirst(parent, (i) => !analysis.partsOff.has(part[i]));
  for (const i of tree.order) depth[i] = parent[i] < 0 ? 1 : depth[parent[i]] + 1;
  return { ...tree, depth, roots: Array.from(tree.order).filter((i) => parent[i] < 0) };
}, 2);

const NO_COMPILES: readonly CompileEntry[] = [];

const NO_SOURCES: ReadonlySet<string> = new Set();

/**
 * One compile per source, not per program: if a driver runs another for the same source, the outer one counts; what runs below a
 * driver (cc1, as, ld) is part of it; a cache's wrapper counts if no compiler ran below it (`fromCache`). `list` has the order of the file.
 * `unread`: drivers whose sources may be in a response file, which the trace does not have. `kind`: by process, whether it is a driver that compiles, a program that a driver runs internally, or anything else.
 */
export const compilesOf = memo((analysis: Analysis<'processes'>) => {
  const { profile } = analysis;
  const p = profile.processes;
  const n = p.parent.length;
  /** By string id: the decoded text. Caching is worth it, because most commands have much in common. */
  const known = new Array<string | undefined>(stringCount(profile.strings));
  const text = (id: StringId) => (known[id] ??= stringAt(profile.strings, id));
  const drives = memoTest(known.length, (id) => isCompilerDriver(text(id), profile.compilers));
  const isInternal = memoTest(known.length, (id) => isCompilerInternal(text(id)));
  const own = Array.from({ length: n }, (_, i): readonly CompileEntry[] => {
    const first = p.argStart[i + 1] > p.argStart[i] ? p.args[p.argStart[i]] : p.executable[i];
    return drives(first) || drives(p.executable[i])
      ? compilesOfCommand(processAt(profile, i, text), profile.compilers)
      : NO_COMPILES;
  });
  const { order, end, place } = processTree(analysis);
  const unread: number[] = [];
  for (const i of order) {
    if (own[i].length > 0 || !drives(p.executable[i])) continue;
    const below = Array.from(order.subarray(place[i] + 1, end[place[i]]), (k) => processAt(profile, k, text));
    const driver = processAt(profile, i, text);
    own[i] = compilesOfResponseFile(driver, below);
    // A driver that ran a linker, and no compiler, has linked.
    const hasFile =
      driver.args.some((arg) => arg.startsWith('@')) && !below.some(({ executable }) => isCompilerInternal(executable));
    if (own[i].length === 0 && hasFile) unread.push(i);
  }
  const kind = own.map((list): 'compile' | 'internal' | 'other' => (list.length > 0 ? 'compile' : 'other'));
  const isDriven = (i: number) => i >= 0 && (kind[i] === 'internal' || drives(p.executable[i]));
  const key = (c: CompileEntry) => `${c.directory}\n${c.file}`;
  const list: CompileEntry[] = [];
  let fromCache = 0;
  const done = new Map<number, ReadonlySet<string>>();
  // An assembler or linker that make runs directly is a separate step.
  for (const i of order) if (own[i].length === 0 && isDriven(p.parent[i]) && isInternal(p.executable[i])) kind[i] = 'internal';
  for (const i of order) {
    const above = done.get(p.parent[i]) ?? NO_SOURCES;
    const isParent = end[place[i]] > place[i] + 1;
    // Most processes compile at most one file and start no other process.
    const mine = isParent || own[i].length > 1 ? new Set<string>() : undefined;
    for (const c of own[i]) {
      const source = mine || above.size > 0 ? key(c) : '';
      if (above.has(source) || mine?.has(source)) continue;
      mine?.add(source);
      list.push(c);
    }
    if (isParent) done.set(i, mine && mine.size > 0 ? new Set([...above, ...mine]) : above);
  }
  for (const i of order) {
    if (!isWrapper(text(p.argStart[i + 1] > p.argStart[i] ? p.args[p.argStart[i]] : p.executable[i]))) continue;
    const process = processAt(profile, i, text);
    const below = order.subarray(place[i] + 1, end[place[i]]);
    const inner = compilesOfCommand(
      { ...process, executable: process.args[1] ?? '', args: process.args.slice(1) },
      profile.compilers,
    );
    for (const c of inner) {
      if (Array.from(below).some((k) => own[k].some((o) => key(o) === key(c)))) continue;
      list.push(c);
      kind[i] = 'compile';
      fromCache++;
    }
  }
  list.sort((a, b) => a.process - b.process);
  return { kind, list, fromCache, unread: unread.filter((i) => kind[i] === 'other') };
}, 2);

/** Folders in which CMake tests the compiler. CHECK_SOURCE matches test sources of Autoconf and Meson. */
const CHECK_FOLDER = /[\\/]CMakeFiles[\\/](CMakeScratch|CMakeTmp|[\d.][^\\/]*[\\/]CompilerId\w+)([\\/]|$)/; // bounded: a name in a path
const CHECK_SOURCE = /[\\/](conftest\.\w{1,4}|meson-private[\\/](tmp\w{1,20}[\\/]testfile|sanitycheck\w{1,10})\.\w{1,4})$/;

/** Whether a compile only tests the compiler. `includes` runs first, because it is faster than a regular expression. */
const isConfigureCheck = ({ directory, file }: CompileEntry): boolean =>
  (directory.includes('CMakeFiles') && CHECK_FOLDER.test(directory)) ||
  ((file.includes('conftest.') || file.includes('meson-private')) && CHECK_SOURCE.test(file));

/**
 * The compiles of the project, without those that only test the compiler, which are no part of the build (CMake's own
 * compile_commands.json omits them too).
 */
export const projectCompiles = memo((analysis: Analysis<'processes'>) =>
  compilesOf(analysis).list.filter((c) => !isConfigureCheck(c)),
);

export type ProgramRow = ReturnType<typeof programsOf>[number];

/** The programs, the most often executed first, each with its number of processes, compiles and directories, and its first process. */
export const programsOf = memo((analysis: Analysis<'processes'>) => {
  const { profile } = analysis;
  const p = profile.processes;
  const rows = new Map<number, { count: number; compiles: number; directories: Set<number>; readonly first: number }>();
  const compiles = new Uint32Array(p.parent.length);
  for (const c of compilesOf(analysis).list) compiles[c.process]++;
  for (const i of processTree(analysis).order) {
    const row = getOrMake(rows, p.program[i], () => ({ count: 0, compiles: 0, directories: new Set(), first: i }));
    row.count++;
    row.compiles += compiles[i];
    row.directories.add(p.directory[i]);
  }
  const programs = Array.from(rows, ([id, { directories, ...row }]) => {
    return { program: stringAt(profile.strings, profile.routines.name[id]), ...row, directories: directories.size };
  });
  return programs.sort((a, b) => b.count - a.count || (a.program < b.program ? -1 : 1));
}, 2);

/** The processes of all parts that are on, in file order. */
export const activeProcesses = ({ profile, partsOff }: Analysis<'processes'>): number[] =>
  Array.from(profile.processes.part.keys()).filter((i) => !partsOff.has(profile.processes.part[i]));

/** The processes of two builds with the same program, arguments and folder, in order. `of`: that of the base. */
export const pairedProcesses = memo((analysis: Analysis<'processes'>, base: Analysis<'processes'>) => {
  const key = (i: number, isBefore: boolean) => processKey(isBefore ? base : analysis, i);
  const { pairs, left } = pairByKey(activeProcesses(analysis), activeProcesses(base), key);
  const before = new Map(pairs.map(([now, process]) => [now, { process }]));
  return {
    of: ({ process }: Pick<BuildProcess, 'process'>) => before.get(process),
    removed: left.map((process) => ({ process })),
  };
}, 2);

function processKey({ profile }: Analysis<'processes'>, i: number): string {
  const { executable, directory, argStart, args } = profile.processes;
  const texts = [executable[i], directory[i], ...args.subarray(argStart[i], argStart[i + 1])];
  return texts.map((id) => stringAt(profile.strings, id)).join('\0');
}
