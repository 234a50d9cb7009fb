// The text of a source file, as it is shown beside its costs.

export interface SourceText {
  readonly path: string;
  readonly lines: readonly string[];
  /** The file was changed after the profile was written. */
  readonly newer: boolean;
}

/** A file that is there, but outside the folders that the profile has to do with. */
export interface Withheld {
  readonly path: string;
  /** The subject of a yes. */
  readonly folder: string;
}

export const isWithheld = (text: SourceText | Withheld | string): text is Withheld =>
  typeof text === 'object' && 'folder' in text;
