// Noteworthy sets of compiles in a captured build: repeated, not optimized, or by an unknown compiler.
import { getOrMake, groupByKey, memo } from '../../base/lists.ts';
import { baseName, programName } from '../../base/paths.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../answers/analysis.ts';
import { compilesOfCommand, isWrapper } from '../answers/processes/compiles.ts';
import { type BuildProcess, compilesOf, processAt, processTree, projectCompiles } from '../answers/processes/processes.ts';

export type ProjectCompile = ReturnType<typeof projectCompiles>[number];

/** Options that name outputs, followed by a value. Two compiles that differ only in these do the same work. */
const OUTPUT_OPTION = /^(?:-o|-MF|-MT|-MQ|-dumpbase|-dumpdir|-aux-info|--serialize-diagnostics)$/;
const JOINED_OUTPUT_OPTION = /^(?:-o(?!penmp).|-MF.|-MT.|-MQ.)/;
const CL_OUTPUT_OPTION = /^[/-]F[odpa]/;

const CL = /^(?:clang-)?cl(?:\.exe)?$/i;

/** The arguments of a compile without those that name its outputs. */
export function argumentsWithoutOutput(args: readonly string[]): string[] {
  const joined = CL.test(baseName(args[0] ?? '')) ? CL_OUTPUT_OPTION : JOINED_OUTPUT_OPTION;
  const kept: string[] = [];
  for (let i = 0; i < args.length; i++) {
    if (OUTPUT_OPTION.test(args[i])) i++;
    else if (!joined.test(args[i])) kept.push(args[i]);
  }
  return kept;
}

/**
 * The project's sources that are compiled several times, the most often compiled first. `again`: the compiles beyond the first of each;
 * `alike`: those of them with the same arguments as another.
 */
export const repeatedCompiles = memo((analysis: Analysis<'processes'>) => {
  const list = projectCompiles(analysis);
  const several = [...groupByKey(list, ({ file }) => file)].filter(([, compiles]) => compiles.length > 1);
  const sources = several
    .map(([file, compiles]) => ({ file, times: compiles.length, process: compiles[1].process }))
    .sort((a, b) => b.times - a.times || (a.file < b.file ? -1 : 1));
  const differing = (compiles: readonly ProjectCompile[]) =>
    new Set(compiles.map((c) => `${c.directory}\0${argumentsWithoutOutput(c.arguments).join('\0')}`)).size;
  const again = several.reduce((n, [, compiles]) => n + compiles.length - 1, 0);
  const alike = several.reduce((n, [, compiles]) => n + compiles.length - differing(compiles), 0);
  return { compiles: list.length, sources, again, alike };
}, 2);

const isOptimizing = (arg: string): boolean => /^-O(?![0n]$)|^[/-]O[12xst]|^--optimize(?!=0$)/.test(arg);
const isOptimizationLevel = (arg: string): boolean => /^-O|^[/-]O[12dxst]|^--optimize/.test(arg);

/** Compilers that do not optimize unless an option says so. Those of other makers do. */
const UNOPTIMIZING_COMPILER =
  /^(?:[\w.]*-)*(?:gcc|g\+\+|cc|c\+\+|gfortran|clang|clang\+\+|clang-cl|cl|cc1|cc1plus)(?:-[\d.]+)?(?:\.exe)?$/i; // bounded: a name

/** Whether the arguments tell if a compile optimizes: a file of further arguments (`@flags`, `--config`), or for MSVC the variable CL, may. */
const tellsOptimization = (
  analysis: Analysis<'processes'>,
  { arguments: [program = '', ...args], process }: ProjectCompile,
): boolean =>
  UNOPTIMIZING_COMPILER.test(baseName(program)) &&
  !args.some((arg) => arg.startsWith('@') || arg.startsWith('--config')) &&
  !(CL.test(baseName(program)) && processAt(analysis.profile, process).env.some(([name]) => /^_?CL_?$/i.test(name)));

/** The project's compiles without optimization by their last -O option, without assembler. `unknown`: how many do not tell it. */
export const unoptimizedCompiles = memo((analysis: Analysis<'processes'>) => {
  const compiles = projectCompiles(analysis).filter((c) => c.language !== 'assembler');
  const all = compiles.filter((c) => tellsOptimization(analysis, c));
  const without = all.filter((c) => !isOptimizing(c.arguments.findLast(isOptimizationLevel) ?? ''));
  return { all, without, unknown: compiles.length - all.length };
}, 2);

/** Programs that may have a source and `-c` or `-o` among their arguments, but do not compile the source. */
const NON_COMPILER_NAME =
  /^(?:\w*(?:sh|make|test)|cmd|busybox|env|sudo|time|nice|xargs|ninja|libtool|cp|mv|ln|rm|install|touch|cat|cut|sort|uniq|wc|head|tail|tr|g?sed|[gm]?awk|[ef]?grep|find|diff|cmp|tar|zip|git|svn|patch|perl|python[\d.]*|ruby|node|java|tclsh|[ce]tags|gcov|lcov|indent|astyle|clang-format|clang-tidy|cppcheck|cpplint|splint|doxygen|xgettext|nm|strip|objcopy|objdump|flex|lex|bison|yacc|moc|uic|rcc|protoc|swig|gperf|(?:[\w.]*-)*(?:as|ld)(?:\.\w+)?)(?:\.exe)?$/i; // bounded: one name of a program

/** Whether the program would compile something, if it were a compiler. */
const looksCompiling = (process: BuildProcess, program: string): boolean =>
  process.args.some((arg) => /^[/-]c$|^-o|\.o(?:bj)?$/.test(arg)) && compilesOfCommand(process, [program]).length > 0;

/**
 * Programs that may be compilers under other names: they got a source and an output. Processes below a compile do not count, nor
 * do programs that run a compile themselves. Most frequent first, each with one of its processes.
 */
export const unknownCompilers = memo((analysis: Analysis<'processes'>) => {
  const { profile } = analysis;
  const { kind, list } = compilesOf(analysis);
  const { parent, program: programs } = profile.processes;
  const { order, end, place } = processTree(analysis);
  const runsCompile = new Uint8Array(parent.length);
  for (const { process } of list) for (let k = parent[process]; k >= 0 && runsCompile[k] === 0; k = parent[k]) runsCompile[k] = 1;
  const names = Array.from(profile.routines.name, (name) => stringAt(profile.strings, name));
  const isNone = names.map((name) => NON_COMPILER_NAME.test(name) || isWrapper(name));
  const found = new Map<number, { count: number; process: number }>();
  for (let k = 0; k < order.length; ) {
    const i = order[k];
    k = kind[i] === 'compile' ? end[place[i]] : k + 1;
    if (kind[i] !== 'other' || runsCompile[i] === 1 || isNone[programs[i]]) continue;
    const process = processAt(profile, i);
    if (NON_COMPILER_NAME.test(programName(process.args[0] ?? '')) || !looksCompiling(process, names[programs[i]])) continue;
    getOrMake(found, programs[i], () => ({ count: 0, process: i })).count++;
  }
  return [...found].map(([program, of]) => ({ program: names[program], ...of })).sort((a, b) => b.count - a.count);
}, 2);
