// Changes over the kept builds, and the build in which each began.

import { buildOriginText, changeMs, historyOf, historyRows } from '../../analysis/builds/history.ts';
import { baseName } from '../../base/paths.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, say } from '../say.ts';

const MIN_CHANGE_SHARE = 0.02;
const MAX_NAMED_STEPS = 2;

export const slowerSinceRule = makeBuildRule({
  id: 'slower-since',
  question: 'Which step has become slower, and since which kept build?',
  evidence: 'the duration of each step over the kept builds',
  threshold:
    'a step or a straight line that reordered times and made courses with the same autocorrelation explain in at most 4 % of cases; of all steps that take 2 % of a full build, at most 4 % of those reported are chance; a change of at least 2 % of a full build: the last duration of every step',
  requires: ['history'],
  find({ analysis, profile }) {
    const all = historyOf(profile);
    const rows = historyRows(analysis, 'steps');
    // The summed time of a full build: each step with its latest duration.
    const last = rows.reduce((sum, row) => sum + (row.lastMs || 0), 0);
    if (!(last > 0)) return [];
    return rows
      .flatMap((row) => {
        const { change } = row;
        if (!change || changeMs(row) < MIN_CHANGE_SHARE * last) return [];
        const name = cutName(baseName(row.name));
        const more = asShareOf('more', changeMs(row), change.before);
        const before = asTime('before', change.before * 1000);
        const after = asTime('after', change.after * 1000);
        const sentence =
          change.kind === 'drift'
            ? say`${name} takes longer from build to build: ${before} in the first of ${asCount('builds', row.runs, 'build')}, ${after} now, ${more} more`
            : say`${name} has taken ${after} since the build of ${cutName(buildOriginText(all, change.build))}, ${more} more than before (${before})`;
        return {
          ...sentence,
          why:
            change.kind === 'drift'
              ? 'a straight line through the times of the kept builds; at most 4 % of such statements are chance'
              : 'medians of the kept builds before and since; at most 4 % of such statements are chance',
          ...viewSubject(`course ${row.name}`, 'history', { report: 'courses', row: row.name }),
          share: Math.min(1, changeMs(row) / last),
        };
      })
      .slice(0, MAX_NAMED_STEPS);
  },
});
