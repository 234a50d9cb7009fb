// Demangles C++ and Rust names in WebAssembly (cpp_demangle and rustc-demangle), loaded when the first mangled name occurs.
// The demangler omits return types of template functions. c++filt makes names that must equal those in Callgrind profiles.
import { __wbg_set_wasm, __wbindgen_init_externref_table, demangle_any } from 'gecko-profiler-demangle/index_bg.js';
import { attempt } from '../../base/attempt.ts';
import { LLVM_NUMBER, RUST_HASH } from '../../model/canonical-name.ts';
import { demanglerCode } from '../own-files.ts';
import { endOf, findProgram, startProgram } from '../programs.ts';

/** False if WebAssembly does not start, for example under an address space limit: names stay mangled. */
let hasStarted: boolean | undefined;
const demangledNames = new Map<string, string>();

function startDemangler(): boolean {
  const module = new WebAssembly.Module(demanglerCode());
  const { exports } = new WebAssembly.Instance(module, { './index_bg.js': { __wbindgen_init_externref_table } });
  __wbg_set_wasm(exports);
  (exports['__wbindgen_start'] as () => void)();
  return true;
}

/** Programs that demangle the lines that they read. */
const CPP_FILTER = { names: /^_Z\S*$/, programs: ['c++filt', 'llvm-cxxfilt'], args: [] };
const FILTERS = [
  CPP_FILTER,
  { names: /^_D\d\S*$/, programs: ['c++filt'], args: ['-s', 'dlang'] },
  { names: /^\$[sS]\S*$/, programs: ['swift-demangle'], args: ['-compact'] },
];
type Filter = (typeof FILTERS)[number];
const TIMEOUT_MS = 20_000;

/** Demangled names as Valgrind writes them, by mangled name: by c++filt if installed, else by demangle(). Never rejects. */
export async function demangleAll(names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const mangled = names.filter((name) => CPP_FILTER.names.test(name));
  const lines = await runFilter(CPP_FILTER, mangled, signal);
  return new Map(mangled.map((name, i) => [name, lines[i] ?? demangle(name)]));
}

/** Lets demangle() know the names that only an installed program can demangle: D, Swift, and rare C++. Never rejects. */
export async function learnNames(names: readonly string[], signal: AbortSignal): Promise<void> {
  for (const filter of FILTERS) {
    const unknown = names.filter((name) => filter.names.test(name) && demangle(name) === name);
    const lines = await runFilter(filter, unknown, signal);
    for (const [i, line] of lines.slice(0, unknown.length).entries()) demangledNames.set(unknown[i], line);
  }
}

/** The output lines of the filter, one per name; empty if the filter is not installed or fails. */
async function runFilter({ programs, args }: Filter, names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const path = names.length === 0 ? undefined : programs.map((name) => findProgram(name)).find((found) => found !== undefined);
  if (path === undefined) return [];
  const child = startProgram(path, args, { signal, timeout: TIMEOUT_MS });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stdin.end(`${names.join('\n')}\n`);
  await endOf(child);
  const lines = Buffer.concat(pieces).toString('utf8').split('\n');
  return lines.length === names.length + 1 ? lines : [];
}

/** Demangles a name; returns it unchanged if it is not mangled or cannot be demangled. */
export function demangle(recorded: string): string {
  const name = recorded.replace(LLVM_NUMBER, '');
  const before = demangledNames.get(name);
  if (before !== undefined) return before;
  if (RUST_HASH.test(name) && !name.startsWith('_Z')) {
    const parts = name.split('::').map((part) => `${part.length}${part}`);
    return demangle(`_ZN${parts.join('')}E`);
  }
  if (!/^(?:_?_Z|_R|\?)/.test(name)) return name;
  hasStarted ??= attempt(startDemangler, false);
  if (!hasStarted) return recorded;
  // A name that cannot be demangled is returned unchanged, but without a leading underscore.
  const given = demangle_any(name);
  const text = given === '' || given === name.slice(1) ? name : given;
  demangledNames.set(name, text);
  return text;
}
