// A routine that grows differently in one of its calling contexts.

import { contextsOfRoutine, curveOfContext } from '../../analysis/answers/inputs/points.ts';
import { degreeOf, lawLabel } from '../../analysis/growth/classes.ts';
import { fitLaw } from '../../analysis/growth/fit.ts';
import { costsOf, lawChange } from '../../analysis/growth/laws.ts';
import { rankingByInclusive } from '../hottest.ts';
import { makeGrowthRule, routineSubject } from '../rule.ts';
import { asShare, routineText, say } from '../say.ts';

/** Maximum number of routines, and of contexts per routine, to examine: the most expensive ones. */
const MAX_ROUTINES = 100;
const MAX_CONTEXTS = 50;
const MIN_SHARE = 0.01;
const MIN_R2 = 0.9;

export const contextsDifferRule = makeGrowthRule({
  id: 'contexts-differ',
  question: 'Does a routine grow differently depending on its caller?',
  evidence: 'the growth laws of its calling contexts, compared',
  threshold: 'two contexts with five or more sizes each; both laws settled, and neither fits the other context’s points',
  requires: ['contexts'],
  *find(e) {
    const { analysis, profile, totals, whole, event } = e;
    const { order } = rankingByInclusive(analysis, event);
    const { contexts } = profile;
    if (!contexts) return [];
    for (const routine of order.subarray(0, MAX_ROUTINES)) {
      if (!(totals.inclusive[0][routine] >= MIN_SHARE * whole)) break;
      const own = Array.from(contextsOfRoutine(analysis, routine).subarray(0, MAX_CONTEXTS));
      const laws = own.flatMap((context) => {
        const curve = curveOfContext(analysis, context);
        const fit = fitLaw(curve.size, costsOf(curve, 'worst'));
        if (!fit?.law || fit.undecided || fit.r2 < MIN_R2) return [];
        return [{ context, fit, degree: degreeOf(fit.law), label: lawLabel(fit.law) }];
      });
      yield;
      laws.sort((a, b) => b.degree - a.degree);
      const [worst, best] = [laws[0], laws.at(-1)];
      if (!worst || !best || lawChange(worst.fit, best.fit) !== 'worse') continue;
      const [worstCaller, bestCaller] = [worst, best].map(({ context }) => contexts.parent[context]);
      if (worstCaller < 0 || bestCaller < 0 || contexts.routine[worstCaller] === contexts.routine[bestCaller]) continue;
      const from = (parent: number) => say`when ${routineText(profile, contexts.routine[parent])} calls it`;
      const inclusive = totals.inclusive[0][routine];
      return {
        ...say`${routineText(profile, routine)} grows as ${worst.label} ${from(worstCaller)}, but as ${best.label} ${from(bestCaller)}; it takes ${asShare(e, 'inclusive', inclusive)} of the total`,
        why: 'neither law fits the sizes of the other context',
        ...routineSubject(routine, inclusive / whole, 'curve', { context: worst.context }),
        subject: `contexts of ${routine}`,
      };
    }
    return [];
  },
});
