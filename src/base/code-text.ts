// The disassembly of a routine, shown beside costs.

export interface CodeText {
  readonly path: string;
  /** Instructions by address (`0x…`), including instructions between the recorded ones, which never ran. */
  readonly instructions: ReadonlyMap<string, string>;
  /** Why this may not be the code that ran; undefined if there is no reason to doubt it. */
  readonly doubt: string | undefined;
}
