// The disassembly of a routine, shown beside costs.

export interface CodeText {
  readonly path: string;
  /** By address (`0x…`); also of instructions between the recorded ones, which never ran. */
  readonly instructions: ReadonlyMap<string, string>;
  /** Why it may not be the code that ran; undefined if nothing speaks against it. */
  readonly doubt: string | undefined;
}
