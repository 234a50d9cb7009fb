// The texts of a file in both runs, from which follows where its lines are now.
import type { SourceText } from '../../../base/source-text.ts';
import type { Analysis } from '../../answers/analysis.ts';
import type { SourceTexts } from '../../answers/compared/lines-of-files.ts';
import { fileName } from '../../names/names.ts';
import { IN_BASE } from './match.ts';

/** The name that a file has in the base; null where the base does not have it. */
export function baseFileName({ before, profile }: Analysis, file: number): string | null {
  return before && profile.compared && file >= 0 && profile.compared.fileSides[file] & IN_BASE
    ? fileName(before.profile, file)
    : null;
}

type ReadSource = (name: string) => SourceText | string | undefined;

/** `trusted`: the user named the folder of the base's sources. Otherwise a text newer than the base's profile is ignored. */
export function textsOfBothRuns(analysis: Analysis, now: ReadSource, before: ReadSource, trusted: boolean): SourceTexts {
  return (file) => {
    const name = fileName(analysis.profile, file);
    const old = baseFileName(analysis, file);
    if (name === null || old === null) return undefined;
    const [ours, theirs] = [now(name), before(old)];
    if (typeof ours !== 'object' || typeof theirs !== 'object' || (theirs.newer && !trusted)) return undefined;
    return { now: ours.lines, before: theirs.lines };
  };
}
