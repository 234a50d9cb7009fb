// Compares the last kept build with the build before it.

import { comparableBuilds, historyOf } from '../../analysis/builds/history.ts';
import { baseName } from '../../base/paths.ts';
import { buildLabel } from '../../model/steps/history.ts';
import { stringAt } from '../../model/strings.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, firstNames, say } from '../say.ts';

const MIN_SHARED_STEPS = 3;
const MIN_GROWTH = 0.1;

export const slowerThanLastRule = makeBuildRule({
  id: 'against-last',
  question: 'Did the last kept build take longer than the one before it, and in which steps?',
  evidence:
    'steps that ran in both of the last two kept builds (those of fewer than three steps, of another host or with another -j, are skipped)',
  threshold: `${MIN_SHARED_STEPS} or more steps that ran in both; their summed time grew by at least 10 %`,
  requires: ['history'],
  find({ analysis, profile }) {
    const { builds, key, ms } = historyOf(profile);
    const n = builds.length;
    const alike = comparableBuilds(analysis);
    const runs = builds.map(
      (_, b) => (alike[b] ? 1 : 0) * key.reduce((sum, __, i) => sum + (Number.isNaN(ms[i * n + b]) ? 0 : 1), 0),
    );
    const last = runs.findLastIndex((r) => r >= MIN_SHARED_STEPS);
    const before = runs.findLastIndex((r, b) => b < last && r >= MIN_SHARED_STEPS);
    if (before < 0) return [];
    const both = Array.from(key.keys()).filter((i) => !Number.isNaN(ms[i * n + last]) && !Number.isNaN(ms[i * n + before]));
    if (both.length < MIN_SHARED_STEPS) return [];
    const sum = (b: number) => both.reduce((s, i) => s + ms[i * n + b], 0);
    const [now, then] = [sum(last), sum(before)];
    if (!(now > then) || now - then < MIN_GROWTH * then) return [];
    const more = (i: number) => ms[i * n + last] - ms[i * n + before];
    const most = both.filter((i) => more(i) > 0).sort((a, b) => more(b) - more(a));
    const name = (i: number) => stringAt(profile.strings, key[i]);
    const nameStep = (i: number, k: number) => say`${cutName(baseName(name(i)))} (+${asTime(`more${k + 1}`, more(i) * 1000)})`;
    return {
      ...say`The build of ${buildLabel(builds[last])} took ${asTime('now', now * 1000)} of summed time for the ${asCount('both', both.length)} steps that it shares with the build of ${buildLabel(builds[before])}, ${asShareOf('more', now - then, then)} more than before (${asTime('before', then * 1000)}): ${firstNames(most, nameStep, '')} grew most`,
      why: 'durations in the last two kept builds; a busy machine makes all steps slower',
      ...viewSubject('last build', 'history', { report: 'courses', row: name(most[0]) }),
      share: Math.min(1, (now - then) / then),
    };
  },
});
