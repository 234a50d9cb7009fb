// The text of a source file and the disassembly of a routine, shown beside costs.

export interface SourceText {
  readonly path: string;
  readonly lines: readonly string[];
  /** Whether the file was changed after the profile was written. */
  readonly newer: boolean;
}

/** A source file that exists, but lies outside of the folders that the profile may read from. */
export interface WithheldSource {
  /** The folder that the user is asked to allow. */
  readonly folder: string;
}

/** The text of a source, or why there is none: the user's consent is missing, or as the message says. */
export type FoundSource = SourceText | WithheldSource | string;

export const isWithheld = (text: FoundSource): text is WithheldSource => typeof text === 'object' && 'folder' in text;

export interface CodeRequest {
  readonly object: string;
  /** The object is the profiled program itself. */
  readonly isMain: boolean;
  /** The code's name in the object's symbol table; undefined if the routine may be inlined code. */
  readonly symbol: string | undefined;
  /** The addresses of the instructions, ascending. */
  readonly addresses: readonly bigint[];
}

/** The syntaxes of x86 instructions. */
export const SYNTAXES = ['att', 'intel'] as const;
export type Syntax = (typeof SYNTAXES)[number];

export interface CodeText {
  /** Instructions by address (`0x…`), including instructions between the recorded ones, which never ran. */
  readonly instructions: ReadonlyMap<string, string>;
  /** By address: the bytes of the instruction in hexadecimal digits. */
  readonly bytes: ReadonlyMap<string, string>;
  /** Why this may not be the code that ran; undefined if there is no reason to doubt it. */
  readonly doubt: string | undefined;
}
