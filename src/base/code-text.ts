// The text of a routine's instructions, as it is shown beside their costs.

export interface CodeText {
  readonly path: string;
  /** By address (`0x…`); also of instructions between the recorded ones, which never ran. */
  readonly instructions: ReadonlyMap<string, string>;
  /** Why it may not be the code that ran; undefined if nothing speaks against it. */
  readonly doubt: string | undefined;
}
