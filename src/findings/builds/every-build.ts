// Steps that ran in every kept build while other steps did not.

import { historyOf, historyRows } from '../../analysis/builds/history.ts';
import { baseName } from '../../base/paths.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, asTime, cutName, firstNames, say } from '../say.ts';

const MIN_BUILDS = 4;
/** At least half of the steps must run in at most this share of the builds; otherwise most builds were full ones. */
const MAX_USUAL_RUN_SHARE = 0.75;

export const rebuiltEveryTimeRule = makeBuildRule({
  id: 'every-build',
  question: 'Which steps are rebuilt every time?',
  evidence: 'the kept builds that ran any step, and the steps that each of them ran',
  threshold: `${MIN_BUILDS} or more such builds; most steps ran in at most three quarters of them; at least 1 % of the summed time`,
  requires: ['history'],
  find({ analysis, profile }) {
    const { builds, ms, key } = historyOf(profile);
    const most = builds.filter((_, b) => key.some((__, i) => !Number.isNaN(ms[i * builds.length + b]))).length;
    if (most < MIN_BUILDS) return [];
    const rows = historyRows(analysis, 'steps');
    const always = rows.filter((row) => row.runs === most);
    const often = rows.filter((row) => row.runs > MAX_USUAL_RUN_SHARE * most);
    if (always.length === 0 || often.length * 2 > rows.length) return [];
    const sum = (list: typeof rows) => list.reduce((n, row) => n + row.ms.reduce((s, v) => s + (v || 0), 0), 0);
    const [taken, all] = [sum(always), sum(rows)];
    const longest = [...always].sort((a, b) => b.lastMs - a.lastMs);
    const names = firstNames(longest, (row) => cutName(baseName(row.name)), 'the longest are ');
    return {
      ...say`${asCount('always', always.length, 'step')} ran in all ${asCount('builds', most)} kept builds, while most of the ${asCount('steps', rows.length)} steps ran in fewer: ${names}; ${asTime('taken', taken * 1000)} in total`,
      why: 'the steps that ran in each kept build',
      try: 'check whether a generated file is rewritten in every build',
      ...viewSubject('every build', 'history', { report: 'courses', row: longest[0].name }),
      share: taken / all,
    };
  },
});
