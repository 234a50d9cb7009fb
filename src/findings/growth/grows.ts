// Routines whose cost grows as n² or worse.

import { curveOfRoutine } from '../../analysis/answers/inputs/points.ts';
import { degreeOf, growthText, lawAt } from '../../analysis/growth/classes.ts';
import { fitLaw, type LawFit } from '../../analysis/growth/fit.ts';
import { costsOf, type RoutineLaw, routineLaws } from '../../analysis/growth/laws.ts';
import { predict } from '../../analysis/growth/predict.ts';
import { hasNoFinding } from '../cost/code-names.ts';
import { type Evidence, growthRule, ofRoutine } from '../rule.ts';
import { ABOUT, cost, count, named, say, share } from '../say.ts';

/** n² and what is near it: exponents of power laws are not sharp. */
const SQUARE = 1.75;
const MOST_NAMED = 2;
const LEAST = 0.01;
/** Fewer sizes settle no law that one should bet on. */
const LEAST_SIZES = 8;
/** The law and the cost at the largest input differ by this factor at most. */
const MISS = 1.5;
/** Exponential growth is predicted for so many more units of input. */
const FURTHER = 10;

/** As many of the largest sizes do not make a law. */
const FEW = 2;

/** Whether every law that fits grows so fast. */
export const isSteep = (fit: LawFit): boolean =>
  fit.law !== undefined && fit.points >= LEAST_SIZES && fit.fitting.every((law) => degreeOf(law) >= SQUARE);

/** A law that misses the largest input says nothing of larger ones. */
export function nearLargest({ law }: LawFit, size: Float64Array, costs: Float64Array): boolean {
  const now = costs[costs.length - 1];
  const said = law ? lawAt(law, size[size.length - 1]) : Number.NaN;
  return now <= MISS * said && said <= MISS * now;
}

/** Whether it still grows so fast without its largest sizes: a jump there looks like growth. */
export function staysSteep(size: Float64Array, costs: Float64Array): boolean {
  const { law } = fitLaw(size.subarray(0, -FEW), costs.subarray(0, -FEW)) ?? {};
  return law !== undefined && degreeOf(law) >= SQUARE;
}

/** Routines that pass on the cost of another of them are left out: only that one is reported. */
function withoutCallers({ analysis }: Evidence<'inputs'>, laws: readonly RoutineLaw[]): readonly RoutineLaw[] {
  if (!analysis.costing.can.has('calls')) return laws;
  const { from, callee, costs } = analysis.edges;
  const all = new Set(laws.map((l) => l.routine));
  return laws.filter(({ routine: r }) => {
    for (let k = from[r]; k < from[r + 1]; k++)
      if (callee[k] !== r && all.has(callee[k]) && costs[0][k] >= 0.8 * analysis.totals.inclusive[0][r]) return false;
    return true;
  });
}

export const grows = growthRule({
  id: 'grows',
  question: 'Which routine grows as n² or worse, and what would larger inputs cost?',
  evidence: 'the law of each routine’s worst cost by input size, and its predictions',
  threshold:
    'every law that fits 8 or more sizes grows as n^1.75 or faster, even without the two largest sizes; it predicts the cost at the largest input to within a factor of 1.5; at least 1 % of the cost; routines that only pass on a callee’s growth are left out',
  assumes: 'the trend continues beyond the largest input',
  asks: ['inputs'],
  find(e) {
    const { analysis, profile, totals, whole } = e;
    const steep = routineLaws(analysis)
      .filter(
        (law) =>
          totals.inclusive[0][law.routine] >= LEAST * whole && law.fit && isSteep(law.fit) && !hasNoFinding(profile, law.routine),
      )
      .sort((a, b) => b.score - a.score);
    return withoutCallers(e, steep)
      .flatMap(({ routine, fit, largest }) => {
        if (!fit?.law) return [];
        const curve = curveOfRoutine(analysis, routine);
        const costs = costsOf(curve, 'worst');
        const now = costs[costs.length - 1];
        if (!nearLargest(fit, curve.size, costs) || !staysSteep(curve.size, costs)) return [];
        const at = (size: number) => predict(fit, curve.size, costs, size)?.cost ?? Number.NaN;
        const inclusive = totals.inclusive[0][routine];
        // An exponential law passes all numbers before the input is ten times as large.
        const further = fit.best === 'exponential' ? [largest + FURTHER, largest + 2 * FURTHER] : [10 * largest, 100 * largest];
        const ten = say`${ABOUT}${cost(e, 'at10', at(further[0]))} at ${count('size10', further[0])}`;
        const hundred = say`${ABOUT}${cost(e, 'at100', at(further[1]))} at ${count('size100', further[1])}`;
        return {
          ...say`${named(profile, routine)} grows as ${growthText(fit.law)}${fit.undecided ? ' (?)' : ''}: ${cost(e, 'worst', now)} per call at input size ${count('largest', largest)} (largest measured), ${ten}, ${hundred}; it takes ${share(e, 'inclusive', inclusive)} of the total`,
          why: `no slower-growing law fits its ${fit.points} sizes; predictions assume that the trend continues`,
          ...ofRoutine(routine, inclusive / whole, 'curve', { size: largest }),
        };
      })
      .slice(0, MOST_NAMED);
  },
});
