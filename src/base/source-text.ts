// The text of a source file, shown beside costs.

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

export const isWithheld = (text: SourceText | WithheldSource | string): text is WithheldSource =>
  typeof text === 'object' && 'folder' in text;
