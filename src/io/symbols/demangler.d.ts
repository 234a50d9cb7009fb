// Types of the parts of gecko-profiler-demangle that proftui loads itself: the package's entry point needs a bundler.
declare module 'gecko-profiler-demangle/index_bg.js' {
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
  export function __wbindgen_init_externref_table(): void;
  export function demangle_any(name: string): string;
}
