// The source text that the base of a comparison was built from: read from the disk as it is, or from git as it was.
import type { SourceText, Withheld } from '../../base/source-text.ts';
import { NotInRevisionError, readAtRevision } from './git.ts';
import {
  deletedSources,
  existingSources,
  LARGEST_SOURCE,
  readFirstSource,
  readSource,
  type SourcePaths,
  textLines,
} from './source-text.ts';

export interface BaseSourcePaths extends SourcePaths {
  /** A git revision with the base's texts; then the other paths locate the present sources, else the base's. */
  readonly rev?: string | undefined;
}

/**
 * The base's text of a file. With a revision, it comes from git: for a file that may be shown now, or one deleted from a
 * folder that may be shown. The path is then `REV:PATH`, and the text is never newer. A file renamed since is not found.
 */
export function readBaseSource(
  file: string,
  places: BaseSourcePaths,
  hint = '--base-source-dir DIR or --path-map FROM=TO',
): SourceText | Withheld | string {
  const { rev } = places;
  if (rev === undefined) return readSource(file, places, hint);
  const read = (path: string): SourceText => {
    const { bytes, name } = readAtRevision(path, rev, LARGEST_SOURCE);
    return { path: `${rev}:${name}`, lines: textLines(bytes), newer: false };
  };
  const existing = [...existingSources(file, places)];
  if (existing.length > 0) return readFirstSource(file, existing, hint, read);
  return readFirstSource(file, deletedSources(file, places), hint, (path) => {
    try {
      return read(path);
    } catch (error) {
      // This path was only a candidate; the next one is tried.
      if (error instanceof NotInRevisionError) return undefined;
      throw error;
    }
  });
}
