// Node provides WebAssembly, but its types do not declare it.
declare namespace WebAssembly {
  type Exports = Record<string, unknown>;
  function validate(bytes: Uint8Array): boolean;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Exports;
  }
}
