// Routines whose cost grows as n² or worse.

import { curveOfRoutine } from '../../analysis/answers/inputs/points.ts';
import { costByLaw, degreeOf, growthText } from '../../analysis/growth/classes.ts';
import { fitLaw, type LawFit } from '../../analysis/growth/fit.ts';
import { costsOf, type RoutineLaw, routineLaws } from '../../analysis/growth/laws.ts';
import { predict } from '../../analysis/growth/predict.ts';
import { hasNoFinding } from '../cost/code-names.ts';
import { type Evidence, makeGrowthRule, routineSubject } from '../rule.ts';
import { APPROX_MARK, asCost, asCount, asShare, routineText, say } from '../say.ts';

/** Minimum exponent of reported growth. It is below 2, because fitted exponents are not exact. */
const MIN_EXPONENT = 1.75;
const MAX_NAMED_ROUTINES = 2;
const MIN_SHARE = 0.01;
const MIN_SIZES = 8;
const MAX_MISS_FACTOR = 1.5;
/** Number of further units of input for which exponential growth is predicted. */
const EXPONENTIAL_STEP = 10;

/** Number of largest sizes without which the law must still hold. */
const DROPPED_SIZES = 2;

/** Whether the fit has enough sizes, and every law that fits grows at least as n^1.75. */
export const isSteep = (fit: LawFit): boolean =>
  fit.law !== undefined && fit.points >= MIN_SIZES && fit.fitting.every((law) => degreeOf(law) >= MIN_EXPONENT);

/** Whether the law predicts the cost at the largest input; otherwise it cannot predict larger ones. */
export function fitsLargest({ law }: LawFit, size: Float64Array, costs: Float64Array): boolean {
  const now = costs[costs.length - 1];
  const predicted = law ? costByLaw(law, size[size.length - 1]) : Number.NaN;
  return now <= MAX_MISS_FACTOR * predicted && predicted <= MAX_MISS_FACTOR * now;
}

/** Whether the cost grows as steeply without the largest sizes: a jump at the end can look like growth. */
export function staysSteep(size: Float64Array, costs: Float64Array): boolean {
  const { law } = fitLaw(size.subarray(0, -DROPPED_SIZES), costs.subarray(0, -DROPPED_SIZES)) ?? {};
  return law !== undefined && degreeOf(law) >= MIN_EXPONENT;
}

/** Drops routines that only pass on the cost of another one in the list. */
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

export const steepGrowthRule = makeGrowthRule({
  id: 'grows',
  question: 'Which routine grows as n² or worse, and what would larger inputs cost?',
  evidence: 'the law of each routine’s worst cost by input size, and its predictions',
  threshold:
    'every law that fits 8 or more sizes grows as n^1.75 or faster, even without the two largest sizes; it predicts the cost at the largest input to within a factor of 1.5; at least 1 % of the cost; routines that only pass on a callee’s growth are left out',
  assumes: 'the trend continues beyond the largest input',
  find(e) {
    const { analysis, profile, totals, whole } = e;
    const [inclusive] = totals.inclusive;
    const steep = routineLaws(analysis)
      .filter(({ routine: r, fit }) => inclusive[r] >= MIN_SHARE * whole && fit && isSteep(fit) && !hasNoFinding(profile, r))
      .sort((a, b) => b.score - a.score);
    return withoutCallers(e, steep)
      .flatMap(({ routine, fit, largest }) => {
        if (!fit?.law) return [];
        const curve = curveOfRoutine(analysis, routine);
        const costs = costsOf(curve, 'worst');
        const now = costs[costs.length - 1];
        if (!fitsLargest(fit, curve.size, costs) || !staysSteep(curve.size, costs)) return [];
        const at = (size: number) => predict(fit, curve.size, costs, size)?.cost ?? Number.NaN;
        // Exponential laws overflow long before the input is ten times as large.
        const further =
          fit.best === 'exponential'
            ? [largest + EXPONENTIAL_STEP, largest + 2 * EXPONENTIAL_STEP]
            : [10 * largest, 100 * largest];
        const ten = say`${APPROX_MARK}${asCost(e, 'at10', at(further[0]))} at ${asCount('size10', further[0])}`;
        const hundred = say`${APPROX_MARK}${asCost(e, 'at100', at(further[1]))} at ${asCount('size100', further[1])}`;
        return {
          ...say`${routineText(profile, routine)} grows as ${growthText(fit.law)}${fit.undecided ? ' (?)' : ''}: ${asCost(e, 'worst', now)} in the worst call of input size ${asCount('largest', largest)} (largest measured), ${ten}, ${hundred}; it takes ${asShare(e, 'inclusive', inclusive[routine])} of the total`,
          why: `no slower-growing law fits its ${fit.points} sizes; predictions assume that the trend continues`,
          ...routineSubject(routine, inclusive[routine] / whole, 'curve', { size: largest }),
        };
      })
      .slice(0, MAX_NAMED_ROUTINES);
  },
});
