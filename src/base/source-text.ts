// The text of a source file, as it is shown beside its costs.

export interface SourceText {
  readonly path: string;
  readonly lines: readonly string[];
  /** The file was changed after the profile was written. */
  readonly newer: boolean;
}
