// Which commands compile, and which sources: calls of compiler drivers (gcc, clang, icc, armcc, tcc and the like, with any prefix
// and version; MSVC's cl). Option values that look like sources do not count.
import { memo } from '../../../base/lists.ts';
import { absolutePath, programName } from '../../../base/paths.ts';

export interface CompileEntry {
  readonly process: number;
  readonly directory: string;
  /** Absolute, where the directory is known. */
  readonly file: string;
  readonly arguments: readonly string[];
  readonly output: string | null;
  readonly language: string | null;
}

export interface CompileCommand {
  readonly process: number;
  readonly executable: string;
  readonly directory: string | null;
  readonly args: readonly string[];
}

/** Drivers that take their arguments as gcc does: of hosts, of Fortran, MPI and GPUs, and for embedded processors (docs/build-trace.md). */
const DRIVERS: ReadonlySet<string> = new Set(
  (
    'gcc g++ cc c++ clang clang++ icc icpc icx icpx dpcpp tcc pgcc pgc++ nvc nvc++ xlc xlc++ xlC c89 c99 wcl wcl386 wcc wcc386 ' +
    'gfortran ifort ifx flang mpicc mpicxx mpic++ mpiCC nvcc hipcc emcc em++ qcc q++ ' +
    'armcc armclang armcpp tiarmclang cl2000 cl430 cl470 cl6x clpru clarp32 ctc cctc ccarm cxarm ccppc cxppc dcc dplus c51 c251 cx51 ' +
    'cxstm8 ccrx ccrl ccrh sdcc'
  ).split(' '),
);

/** With any prefix and version: arm-none-eabi-gcc-12.2. IAR's compilers are named after their processors: iccarm, icc430. */
function isDriverName(program: string): boolean {
  const name = program.replace(/-\d{1,9}(?:\.\d{1,9}){0,9}$/, '');
  const own = name.slice(name.lastIndexOf('-') + 1);
  return DRIVERS.has(own) || /^icc[a-z0-9]{2,6}$/.test(own);
}

const WRAPPER_NAME = /^(ccache|sccache|distcc|icecc|buildcache|goma|gomacc|env|time|strace|libtool)$/;

export const isWrapper = (program: string): boolean => WRAPPER_NAME.test(programName(program));

/** Programs that a driver runs internally. */
export function isCompilerInternal(executable: string): boolean {
  return /^(cc1|cc1plus|cc1obj|f951|as|ld|ld\.\w+|collect2|lto1|lto-wrapper|lto-plugin)$/.test(
    programName(executable).replace(/^.*-(?=(as|ld)$)/, ''),
  );
}

const SOURCE_ENDINGS: ReadonlySet<string> = new Set(
  'c cc cp cpp cxx c++ C CPP s S sx i ii m mi mm M cu hip f for fpp f77 f90 f95 f03 f08 F FOR F77 F90 F95 F03 F08'.split(' '),
);
export const isSourceFile = (path: string): boolean =>
  path.includes('.') && SOURCE_ENDINGS.has(path.slice(path.lastIndexOf('.') + 1));
const MSVC_SOURCE_FILE = /\.(c|cc|cpp|cxx|asm)$/i;

/** Options of gcc-like drivers that take the next argument as their value. */
const OPTIONS_WITH_VALUE = new Set(
  (
    '-o -I -include -imacros -isystem -iquote -idirafter -isysroot -iprefix -iwithprefix -iwithprefixbefore -imultilib -D -U -L -l -MF -MT -MQ -x -arch -target --target ' +
    '-T -Xlinker -Xassembler -Xpreprocessor -Xclang -Xarch_host -u -z --param -framework -b -V -A -aux-info -dumpbase -dumpbase-ext -dumpdir -e -G -specs --sysroot -wrapper -fplugin-arg -rpath -soname -h -install_name ' +
    '-compatibility_version -current_version -seg1addr -mllvm -gcc-toolchain -imultiarch -auxbase -auxbase-strip -ivfsoverlay -iframework -cxx-isystem -c-isystem -include-pch ' +
    '-working-directory -Tdata -Ttext -Tbss -gencode --generate-code -Xcompiler -Xptxas -Xnvlink -Xarchive -ccbin --compiler-bindir ' +
    '--preinclude --dlib_config --predef_macros --system_include_dir --via -f --config'
  ).split(' '),
);

/** Options with which nothing is compiled: the driver only prints, preprocesses or lists. */
const NON_COMPILE_OPTION =
  /^(-E|-M|-MM|-###|--version|--help(=.*)?|-dump(machine|version|fullversion|specs)|-print-.*|--print-.*|-cc1|-cc1as)$/;

/** A trace runs the same few programs over and over. */
const driverKind = memo((path: string): 'msvc' | 'gcc' | 'none' => {
  const program = programName(path);
  if (/^(cl|clang-cl|icl)$/i.test(program)) return 'msvc';
  return isDriverName(program) ? 'gcc' : 'none';
}, 8);

/** Whether a program is a compiler, by its name or by the user's list. */
export const isCompilerDriver = (path: string, compilers: readonly string[]): boolean =>
  driverKind(path) !== 'none' || compilers.some((compiler) => compiler.split(' ', 1)[0] === programName(path));

/** How many words of a command name one of the compilers: two for `zig c++`; 0 if none does. */
function compilerWordCount({ executable, args }: CompileCommand, compilers: readonly string[]): number {
  if (compilers.length === 0) return 0;
  const programs = [programName(args[0] ?? executable), programName(executable)];
  const named = compilers
    .map((compiler) => compiler.split(' ', 2))
    .find(([name, second]) => programs.includes(name) && (second === undefined || second === args[1]));
  return named?.length ?? 0;
}

/**
 * The sources that a command compiles, one entry each; empty if it does not compile. `compilers`: programs that take their arguments
 * as gcc does, besides those that are known by name.
 */
export function compilesOfCommand(command: CompileCommand, compilers: readonly string[] = []): CompileEntry[] {
  const words = compilerWordCount(command, compilers);
  if (words === 0) {
    const named = driverKind(command.args[0] ?? command.executable);
    const executed = driverKind(command.executable);
    if (named === 'msvc' || executed === 'msvc') return msvcCompiles(command);
    if (named === 'none' && executed === 'none') return [];
  }
  const { args } = command;
  const files: [file: string, language: string | null][] = [];
  let language: string | null = null;
  let output: string | null = null;
  let onlyFiles = false;
  for (let i = words || 1; i < args.length; i++) {
    const a = args[i];
    const is = argumentKind(a);
    if (is === 'stop') return [];
    if (!onlyFiles && is !== 'source' && is !== 'word') {
      if (is === 'end') onlyFiles = true;
      else if (is === 'language') language = a === '-xnone' ? null : a.slice(2);
      else if (is === 'output') output = a.slice(2);
      else if (is === 'valued') {
        const value = args[++i] ?? null;
        if (a === '-x') language = value === 'none' ? null : value;
        if (a === '-o') output = value;
        // Such an option prevents compiling wherever it appears.
        if (value !== null && argumentKind(value) === 'stop') return [];
      }
      continue;
    }
    // nvcc compiles what it generates with another compiler.
    if (a.includes('tmpxft_')) continue;
    if (is === 'source' || (language !== null && language !== 'none') || (onlyFiles && isSourceFile(a)))
      files.push([a, language]);
  }
  return files.map(([file, l]) => makeCompile(command, file, files.length === 1 ? output : null, l ?? languageOf(file)));
}

/**
 * The sources of a driver whose arguments are in a response file, which the trace does not have: those that its own compiler proper
 * was given. `internal`: what the driver ran.
 */
export function compilesOfResponseFile(driver: CompileCommand, internal: readonly CompileCommand[]): CompileEntry[] {
  if (!driver.args.some((a) => a.startsWith('@'))) return [];
  const compilers = internal.filter(({ executable }) => /^(cc1|cc1plus|cc1obj|f951)$/.test(programName(executable)));
  const own = compilers.flatMap(({ args }) => compilesOfCommand({ ...driver, args: [driver.args[0], ...args.slice(1)] }));
  return own.map((entry) => ({ ...entry, arguments: driver.args, output: null }));
}

function argumentKind(arg: string) {
  // A lone - is standard input, not a file; the contents of @file are not in the trace.
  if (!arg.startsWith('-') && !arg.startsWith('@')) return isSourceFile(arg) ? 'source' : 'word';
  if (NON_COMPILE_OPTION.test(arg)) return 'stop';
  if (arg === '--') return 'end';
  // --preprocess=n of IAR has its file behind it.
  if (OPTIONS_WITH_VALUE.has(arg) || /^--(?:preprocess|dependencies)=\w*$/.test(arg)) return 'valued';
  if (arg.startsWith('-x')) return 'language';
  return arg.startsWith('-o') && arg.length > 2 ? 'output' : 'skipped';
}

/** Options of MSVC's cl whose value may be the next argument; /Tp and /Tc name a source. */
const MSVC_OPTION_WITH_VALUE =
  /^[/-](?:I|D|U|FI|FU|AI|Fo|Fe|Fd|Fp|F|external:I|imsvc|winsysroot|ifcOutput|reference|sourceDependencies)$/;
const MSVC_OTHER_INPUT = /\.(?:obj|lib|res|def|exe|dll)$/i;

function msvcCompiles(command: CompileCommand): CompileEntry[] {
  const link = command.args.findIndex((a) => /^[/-]link$/i.test(a));
  const rest = command.args.slice(1, link < 0 ? undefined : link);
  if (rest.some((a) => /^[/-](E|EP|P|\?|help|showIncludesOnly)$/i.test(a))) return [];
  const takesAll = rest.some((a) => /^[/-]T[CP]$/.test(a));
  const files: string[] = [];
  let output: string | null = null;
  for (let i = 0; i < rest.length; i++) {
    const a = rest[i];
    if (/^[/-]T[cp]/.test(a)) files.push(a.length > 3 ? a.slice(3) : (rest[++i] ?? ''));
    else if (MSVC_OPTION_WITH_VALUE.test(a)) i++;
    else if (/^[/-]Fo/.test(a)) output = a.slice(3);
    else if (!/^[/@-]/.test(a) && (takesAll ? !MSVC_OTHER_INPUT.test(a) : MSVC_SOURCE_FILE.test(a))) files.push(a);
  }
  const sources = files.filter((file) => file !== '');
  return sources.map((file) => makeCompile(command, file, sources.length === 1 ? output : null, languageOf(file)));
}

function languageOf(file: string): string | null {
  if (/\.(c|i)$/.test(file)) return 'c';
  if (/\.(s|S|sx|asm)$/.test(file)) return 'assembler';
  if (/\.(m|mi)$/.test(file)) return 'objective-c';
  return isSourceFile(file) || MSVC_SOURCE_FILE.test(file) ? 'c++' : null;
}

function makeCompile(command: CompileCommand, file: string, output: string | null, language: string | null): CompileEntry {
  const directory = command.directory ?? '';
  // A path of a server or of a drive's root stays.
  const path = file.startsWith('\\') ? file : absolutePath(directory, file);
  return { process: command.process, directory, file: path, arguments: command.args, output, language };
}
