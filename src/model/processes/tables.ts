// Processes: what a build executed, without times.

/**
 * The processes of a build, in file order. Arguments of event i are args[argStart[i]] .. args[argStart[i + 1] - 1], and its
 * environment changes likewise; a value of -1 means that the variable was removed. `parent` is a row, -1 for roots. `program` is a routine of
 * the profile: the name of the executable without its folder.
 */
export interface Processes {
  readonly id: Uint32Array;
  readonly parent: Int32Array;
  readonly part: Uint32Array;
  /** The line of the file at which the event starts. */
  readonly line: Uint32Array;
  readonly executable: Uint32Array;
  readonly program: Uint32Array;
  readonly directory: Int32Array;
  readonly argStart: Uint32Array;
  readonly args: Uint32Array;
  readonly envStart: Uint32Array;
  readonly envName: Uint32Array;
  readonly envValue: Int32Array;
}

export interface ProcessTrace {
  readonly kind: 'processes';
  readonly processes: Processes;
  /** Names of further programs that are compilers. A name may have two words, with the first argument second: `zig c++`. */
  readonly compilers: readonly string[];
}
