// Reads source text from which the base of a comparison was built: the present file on disk, or an old version from git.
import { attempt } from '../../base/attempt.ts';
import type { SourceText, WithheldSource } from '../../base/source-text.ts';
import { NotInRevisionError, readAtRevision } from './git.ts';
import {
  deletedSources,
  existingSources,
  MAX_SOURCE_BYTES,
  readFirstSource,
  readSource,
  type SourcePaths,
  textLines,
} from './source-text.ts';

export interface BaseSourcePaths extends SourcePaths {
  /** The git revision of the base's sources. If set, other paths locate the present sources; else they locate the base's. */
  readonly rev?: string | undefined;
}

/**
 * The base's text of a file. With a revision, it comes from git: for a file that may be shown now, or one deleted from a
 * folder that may be shown. The path is then `REV:PATH`, and the text is never newer. A file renamed since is not found.
 */
export function readBaseSource(file: string, places: BaseSourcePaths): SourceText | WithheldSource | string {
  const { rev } = places;
  const hint = '--base-source-dir DIR or --path-map FROM=TO';
  if (rev === undefined) return readSource(file, places, hint);
  const read = (path: string): SourceText => {
    const { bytes, name } = readAtRevision(path, rev, MAX_SOURCE_BYTES);
    return { path: `${rev}:${name}`, lines: textLines(bytes), newer: false };
  };
  const existing = [...existingSources(file, places)];
  if (existing.length > 0) return readFirstSource(file, existing, hint, read);
  // A path that the revision lacks was only a candidate, so the next path is tried.
  const tryToRead = (path: string) => attempt<SourceText | undefined>(() => read(path), undefined, NotInRevisionError);
  return readFirstSource(file, deletedSources(file, places), hint, tryToRead);
}
