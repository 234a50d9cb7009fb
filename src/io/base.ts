// The runs that --base names.
import { resolveBase } from './find.ts';

/** The files of each run that is named. Throws FormatError. */
export function resolveRuns(bases: readonly string[], opened: readonly string[]): string[][] {
  return bases.map((base) => resolveBase(base, opened));
}
