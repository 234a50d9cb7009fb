// The text of a source file, shown beside costs.

export interface SourceText {
  readonly path: string;
  readonly lines: readonly string[];
  /** The file was changed after the profile was written. */
  readonly newer: boolean;
}

/** A file that is there, but outside the folders that the profile has to do with. */
export interface Withheld {
  readonly path: string;
  /** The folder that the user is asked to allow. */
  readonly folder: string;
}

export const isWithheld = (text: SourceText | Withheld | string): text is Withheld =>
  typeof text === 'object' && 'folder' in text;
