// Source files that were changed after the profile was made.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { routineFile } from '../../analysis/names/names.ts';
import type { SourceText } from '../../base/source-text.ts';
import type { Event } from '../../model/head.ts';
import { rankingBySelf } from '../hottest.ts';
import { makeProfileRule, viewSubject } from '../rule.ts';
import { cutName, firstNames, say } from '../say.ts';

/** Maximum files to examine, and the number of hottest routines that they come from. */
const MAX_FILES = 5;
const MAX_ROUTINES = 20;

/** The hottest routine of each file, the hottest first. */
function hottestRoutinePerFile(analysis: Analysis, event: Event): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  if (!analysis.costing.can.has('lines') || !analysis.costing.can.has('self')) return files;
  for (const r of rankingBySelf(analysis, event).order.subarray(0, MAX_ROUTINES)) {
    const file = routineFile(analysis.profile, r);
    if (file && !file.startsWith('?') && !files.has(file)) files.set(file, r);
    if (files.size >= MAX_FILES) break;
  }
  return files;
}

/** The source files of the hottest routines. */
export const hotFiles = (analysis: Analysis, event: Event): readonly string[] => [
  ...hottestRoutinePerFile(analysis, event).keys(),
];

/** Source files that changed after the profile was made. `textOf`: the text of a file, if the file was read. */
export const newerFiles = (analysis: Analysis, event: Event, textOf: (file: string) => SourceText | string | undefined) =>
  hotFiles(analysis, event).filter((file) => {
    const text = textOf(file);
    return typeof text === 'object' && text.newer;
  });

export const newerSourcesRule = makeProfileRule({
  id: 'newer-sources',
  onlyNotes: true,
  question: 'Did sources change after the profile was recorded?',
  evidence: `the dates of the source files of the hottest routines, ${MAX_FILES} at most`,
  threshold: 'any of them is newer than the profile',
  requires: ['lines', 'self'],
  runs: 'any',
  find({ analysis, event, newer }) {
    const [first] = newer;
    const routine = first === undefined ? undefined : hottestRoutinePerFile(analysis, event).get(first);
    if (first === undefined || routine === undefined) return [];
    return {
      ...say`${firstNames(newer, cutName, '')} ${newer.length === 1 ? 'was' : 'were'} changed after the profile was recorded: lines may not match`,
      why: 'the dates of the files',
      ...viewSubject('sources', 'source', { routine, file: first }),
    };
  },
});
