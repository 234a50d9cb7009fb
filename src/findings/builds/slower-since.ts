// Changes over the kept builds, and the build in which each began.

import { changeMs, historyOf, historyRows, originOf } from '../../analysis/answers/steps/history.ts';
import { baseName } from '../../analysis/names/names.ts';
import { buildRule } from '../rule.ts';
import { cutName, part, say, time } from '../say.ts';

const LEAST = 0.02;
const MOST_NAMED = 2;

export const slowerSince = buildRule({
  id: 'slower-since',
  question: 'Which step has become slower, and since which kept build?',
  evidence: 'the duration of each step over the kept builds',
  threshold:
    'a shift with a false-alarm rate of at most 4 %, not explained by a trend or by autocorrelation; at least 2 % of a full build: the last duration of every step',
  asks: ['history'],
  find(e) {
    const all = historyOf(e.analysis.profile);
    const rows = historyRows(e.analysis, 'steps');
    // The time of a full build: each step as long as in the last build in which it ran.
    const last = rows.reduce((sum, row) => sum + (row.lastMs || 0), 0);
    if (!(last > 0)) return [];
    return rows
      .flatMap((row) => {
        const { change } = row;
        if (!change || changeMs(row) < LEAST * last) return [];
        return {
          ...say`${cutName(baseName(row.name))} has taken ${time('after', change.after * 1000)} since the build of ${cutName(originOf(all, change.build))}, ${part('more', changeMs(row), change.before)} more than before (${time('before', change.before * 1000)})`,
          why: 'medians of the kept builds before and since; false-alarm rate at most 4 %',
          subject: `course ${row.name}`,
          share: Math.min(1, changeMs(row) / last),
          target: { view: 'history', report: 'courses', row: row.name },
        };
      })
      .slice(0, MOST_NAMED);
  },
});
