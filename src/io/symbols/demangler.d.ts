// The parts of gecko-profiler-demangle that the program starts itself: its own entry needs a bundler for WebAssembly.
declare module 'gecko-profiler-demangle/index_bg.js' {
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
  export function __wbindgen_init_externref_table(): void;
  export function demangle_any(name: string): string;
}

/** Node has it; the types that come with it do not. */
declare namespace WebAssembly {
  type Exports = Record<string, unknown>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Exports;
  }
}
