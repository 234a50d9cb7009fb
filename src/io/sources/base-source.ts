// The source text that the base of a comparison was built from: read from the disk as it is, or from git as it was.
import type { SourceText, Withheld } from '../../base/source-text.ts';
import { NotThenError, readAtRevision } from './git.ts';
import { firstSource, LARGEST_SOURCE, linesOf, readSource, type SourcePlaces, sourcesGone, sourcesHere } from './source-text.ts';

export interface BasePlaces extends SourcePlaces {
  /** A revision of git that has the base's texts; the other places then say where the sources are now. Without it, they say where the base's are. */
  readonly rev?: string | undefined;
}

/**
 * The base's text of a file that its profile names, as readSource() gives that of this run. With a revision, git is asked for the file that
 * may be shown now, or that was deleted from a folder that may be; the path of the text is then `REV:PATH`, and it is never newer. A file
 * that was renamed since is not found.
 */
export function readBaseSource(
  file: string,
  places: BasePlaces,
  hint = '--base-source-dir DIR or --path-map FROM=TO',
): SourceText | Withheld | string {
  const { rev } = places;
  if (rev === undefined) return readSource(file, places, hint);
  const read = (path: string): SourceText => {
    const { bytes, name } = readAtRevision(path, rev, LARGEST_SOURCE);
    return { path: `${rev}:${name}`, lines: linesOf(bytes), newer: false };
  };
  const here = [...sourcesHere(file, places)];
  if (here.length > 0) return firstSource(file, here, hint, read);
  return firstSource(file, sourcesGone(file, places), hint, (path) => {
    try {
      return read(path);
    } catch (error) {
      // Only a place where it might have been.
      if (error instanceof NotThenError) return undefined;
      throw error;
    }
  });
}
