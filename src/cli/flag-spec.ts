// What a flag is.

/** Headings of --help, in its order. */
export const GROUPS = {
  print: 'Print instead of opening the screen',
  shown: 'What is shown',
  counts: 'What counts: stacks, calls and slices of a trace',
  compare: 'Comparing with another run',
  places: 'Binaries and sources',
  session: 'Reading and the screen',
  about: 'About',
} as const;

/** What completes a value: paths, folders, or names that the program knows. */
export type Completes = 'file' | 'folder' | 'view' | 'column' | 'format' | readonly string[];

export interface FlagSpec {
  /** As it is typed, without the two dashes. */
  readonly name: string;
  /** Its letter, typed after one dash. */
  readonly short?: string;
  readonly type: 'string' | 'boolean' | 'number';
  readonly arg?: string;
  readonly many?: boolean;
  readonly group: keyof typeof GROUPS;
  /** It is about what --print writes, and refused where the screen opens. */
  readonly printed?: boolean;
  /** It is about the screen, and refused where none opens. */
  readonly screen?: boolean;
  readonly completes?: Completes;
  readonly help: string;
}
