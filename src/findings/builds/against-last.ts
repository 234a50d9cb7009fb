// The last kept build against the one before it.

import { historyOf } from '../../analysis/builds/history.ts';
import { baseName } from '../../analysis/names/names.ts';
import { buildLabel } from '../../model/steps/history.ts';
import { stringAt } from '../../model/strings.ts';
import { buildRule } from '../rule.ts';
import { count, cutName, listed, part, say, time } from '../say.ts';

/** Fewer steps in both builds are too few to compare builds. */
const LEAST_STEPS = 3;
const LEAST = 0.1;
const MOST_NAMED = 3;

export const againstLast = buildRule({
  id: 'against-last',
  question: 'Did the last kept build take longer than the one before it, and in which steps?',
  evidence: 'steps that ran in both of the last two kept builds (builds of fewer than three steps are skipped)',
  threshold: `${LEAST_STEPS} or more steps that ran in both; their summed time grew by at least 10 %`,
  requires: ['history'],
  find(e) {
    const { profile } = e.analysis;
    const all = historyOf(profile);
    const { builds, key, ms } = all;
    const n = builds.length;
    const runs = builds.map((_, b) => key.reduce((sum, __, i) => sum + (Number.isNaN(ms[i * n + b]) ? 0 : 1), 0));
    const last = runs.findLastIndex((r) => r >= LEAST_STEPS);
    const before = runs.findLastIndex((r, b) => b < last && r >= LEAST_STEPS);
    if (before < 0) return [];
    const both = Array.from(key.keys()).filter((i) => !Number.isNaN(ms[i * n + last]) && !Number.isNaN(ms[i * n + before]));
    if (both.length < LEAST_STEPS) return [];
    const sum = (b: number) => both.reduce((s, i) => s + ms[i * n + b], 0);
    const [now, then] = [sum(last), sum(before)];
    if (!(now > then) || now - then < LEAST * then) return [];
    const more = (i: number) => ms[i * n + last] - ms[i * n + before];
    const most = both
      .sort((a, b) => more(b) - more(a))
      .slice(0, MOST_NAMED)
      .filter((i) => more(i) > 0);
    const name = (i: number) => stringAt(profile.strings, key[i]);
    const names = most.map((i, k) => say`${cutName(baseName(name(i)))} (+${time(`more${k + 1}`, more(i) * 1000)})`);
    return {
      ...say`The build of ${buildLabel(builds[last])} took ${time('now', now * 1000)} of summed time for the ${count('both', both.length)} steps that it shares with the build of ${buildLabel(builds[before])}, ${part('more', now - then, then)} more than before (${time('before', then * 1000)}): ${listed(names)} grew most`,
      why: 'durations in the last two kept builds; a busy machine makes all steps slower',
      subject: 'last build',
      share: Math.min(1, (now - then) / then),
      target: { view: 'history', report: 'courses', row: name(most[0]) },
    };
  },
});
