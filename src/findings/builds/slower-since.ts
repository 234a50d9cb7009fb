// Changes over the kept builds, and the build in which each began.

import { buildOriginText, changeMs, type HistoryRow, historyOf, historyRows } from '../../analysis/builds/history.ts';
import { groupByKey } from '../../base/lists.ts';
import { baseName } from '../../base/paths.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, say } from '../say.ts';

const MIN_CHANGE_SHARE = 0.02;
const MAX_NAMED_STEPS = 2;
const MIN_TOGETHER = 3;

/** The steps that became slower in one build, and by how much, if they are several, take half of the time, and none has most of the change. */
function findTogether(rows: readonly HistoryRow[], lastMs: number) {
  const slower = rows.filter((row) => row.change?.kind === 'step' && changeMs(row) > 0);
  return Array.from(
    groupByKey(slower, ({ change }) => change?.build),
    ([build = 0, group]) => {
      const [moreMs, tookMs] = group.reduce(([more, took], row) => [more + changeMs(row), took + (row.lastMs || 0)], [0, 0]);
      return { build, rows: group, moreMs, tookMs };
    },
  ).find(
    ({ rows: group, moreMs, tookMs }) =>
      group.length >= MIN_TOGETHER &&
      tookMs >= lastMs / 2 &&
      moreMs >= MIN_CHANGE_SHARE * lastMs &&
      group.every((row) => changeMs(row) <= moreMs / 2),
  );
}

export const slowerSinceRule = makeBuildRule({
  id: 'slower-since',
  question: 'Which step has become slower, and since which kept build?',
  evidence: 'the duration of each step over the kept builds',
  threshold:
    'a step or a straight line that reordered times and made courses with the same autocorrelation explain in at most 4 % of cases; of all steps that take 2 % of a full build, at most 4 % of those reported are chance; a change of at least 2 % of a full build: the last duration of every step; 3 or more steps with half of the time, none with more than half of the change, are one finding',
  requires: ['history'],
  find({ analysis, profile }) {
    const all = historyOf(profile);
    const rows = historyRows(analysis, 'steps');
    // The summed time of a full build: each step with its latest duration.
    const last = rows.reduce((sum, row) => sum + (row.lastMs || 0), 0);
    if (!(last > 0)) return [];
    const together = findTogether(rows, last);
    const told = together && {
      ...say`${asCount('steps', together.rows.length)} of ${asCount('all', rows.length, 'step')} take longer since the build of ${cutName(buildOriginText(all, together.build))}: ${asTime('more', together.moreMs * 1000)} more together, so no single step is blamed`,
      try: 'compare that build with the one before: the host, its load, the compiler or an option may have changed',
      why: 'medians of the kept builds before and since; these steps have half of the time or more',
      ...viewSubject('course of all', 'history', { report: 'courses' }),
      share: Math.min(1, together.moreMs / last),
    };
    const alone = rows
      .flatMap((row) => {
        const { change } = row;
        if (!change || together?.rows.includes(row) || changeMs(row) < MIN_CHANGE_SHARE * last) return [];
        const name = cutName(baseName(row.name));
        const more = asShareOf('more', changeMs(row), change.before);
        const before = asTime('before', change.before * 1000);
        const after = asTime('after', change.after * 1000);
        const isDrift = change.kind === 'drift';
        const basis = isDrift
          ? 'a straight line through the times of the kept builds'
          : 'medians of the kept builds before and since';
        const sentence = isDrift
          ? say`${name} takes longer from build to build: ${before} in the first of ${asCount('builds', row.runs, 'build')}, ${after} now, ${more} more`
          : say`${name} has taken ${after} since the build of ${cutName(buildOriginText(all, change.build))}, ${more} more than before (${before})`;
        return {
          ...sentence,
          why: `${basis}; at most 4 % of such statements are chance`,
          ...viewSubject(`course ${row.name}`, 'history', { report: 'courses', row: row.name }),
          share: Math.min(1, changeMs(row) / last),
        };
      })
      .slice(0, MAX_NAMED_STEPS);
    return [told ?? [], alone].flat();
  },
});
