// Code without symbol names.

import { routineName, routineObject } from '../../analysis/names/names.ts';
import { baseName } from '../../base/paths.ts';
import { insidePurposes, purposesOf } from '../cost/code-cost.ts';
import { isNameless } from '../cost/code-names.ts';
import { rankingBySelf } from '../hottest.ts';
import { makeSampledRule, routineSubject } from '../rule.ts';
import { asShare, cutName, EMPTY_PHRASE, eventName, say } from '../say.ts';

const MIN_SHARE = 0.05;

export const namesMissingRule = makeSampledRule({
  id: 'names-missing',
  question: 'How much of the cost is in code without symbol names?',
  evidence: 'the self cost of routines whose name is an address or ???, by object',
  threshold: 'at least 5 % of the cost',
  requires: ['routines', 'self'],
  *find(e) {
    const { analysis, profile, event, whole } = e;
    if (profile.granularity && profile.granularity !== 'routines') return [];
    const { value, order } = rankingBySelf(analysis, event);
    // Code below exceptions, sorting and their like is counted there.
    const inside = insidePurposes(analysis, event, yield* purposesOf(analysis, event).wait());
    const byObject = new Map<string, number>();
    let [sum, first] = [0, -1];
    for (const [i, r] of order.entries()) {
      if (i % 2000 === 1999) yield;
      const name = routineName(profile, r);
      if (!isNameless(name) || inside.has(r)) continue;
      if (first < 0) first = r;
      sum += value[r];
      const object = routineObject(profile, r) ?? '';
      byObject.set(object, (byObject.get(object) ?? 0) + value[r]);
    }
    if (sum < MIN_SHARE * whole) return [];
    const hint = profile.warnings.find((w) => w.sign === 'NO NAMES');
    const [[object, most]] = [...byObject].sort((a, b) => b[1] - a[1]);
    const part = most === sum ? 'all' : asShare(e, 'inObject', most);
    const where = object !== '' && !/^\?+$/.test(object) ? say`, ${part} in ${cutName(baseName(object))}` : EMPTY_PHRASE;
    // Addresses get names from object files when proftui loads the profile. Other names are fixed when the profile is recorded.
    const isNamedLater = profile.kind === 'stacks' && profile.places !== undefined;
    return {
      ...say`Code without symbol names takes ${asShare(e, 'self', sum)} of ${eventName(e)}${where}`,
      try: isNamedLater
        ? 'give the unstripped binary (--binary PATH) or its debug files (--symbol-path DIR)'
        : 'record again with an unstripped binary',
      // Only the reason, which follows the colon: the sentence already contains the share.
      why: hint?.found.slice(hint.found.indexOf(': ') + 2) ?? 'the self cost of routines whose name is an address or ???',
      ...routineSubject(first, sum / whole, 'routines'),
      subject: 'names',
      // If most code has no name, this is the main finding, not a note.
      isNote: sum < whole / 2,
    };
  },
});
