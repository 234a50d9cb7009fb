// C++ and Rust names as written in the source, by a demangler in WebAssembly (cpp_demangle and rustc-demangle). It omits the
// return types of template functions. Loaded on the first mangled name.
import { __wbg_set_wasm, __wbindgen_init_externref_table, demangle_any } from 'gecko-profiler-demangle/index_bg.js';
import { demanglerCode } from '../own-files.ts';

/** `off`: WebAssembly does not start, as under a limit of address space; names stay as they are. */
let state: 'new' | 'ready' | 'off' = 'new';
const known = new Map<string, string>();

function start(): void {
  const module = new WebAssembly.Module(demanglerCode());
  const { exports } = new WebAssembly.Instance(module, { './index_bg.js': { __wbindgen_init_externref_table } });
  __wbg_set_wasm(exports);
  (exports['__wbindgen_start'] as () => void)();
}

/** Returns the name unchanged if it is not mangled or cannot be demangled. */
export function demangle(name: string): string {
  if (!/^(?:_?_Z|_R|\?)/.test(name)) return name;
  const before = known.get(name);
  if (before !== undefined) return before;
  if (state === 'new') {
    try {
      start();
      state = 'ready';
    } catch {
      state = 'off';
    }
  }
  if (state === 'off') return name;
  // Names it cannot demangle come back unchanged, but without a leading underscore.
  const given = demangle_any(name);
  const text = given === '' || given === name.slice(1) ? name : given;
  known.set(name, text);
  return text;
}
