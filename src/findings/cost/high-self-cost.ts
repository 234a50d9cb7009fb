// Routines with a high self cost.
import { fileName } from '../../analysis/names/names.ts';
import { eventValue } from '../../model/head.ts';
import { callsSuffix, causeInOwnCode, costCallerText, routineTarget } from '../calls.ts';
import { costlyLinesOf, type RankedLine, rankingBySelf } from '../hottest.ts';
import { type Evidence, lineTarget, makeCostRule, routineSubject } from '../rule.ts';
import { asShare, EMPTY_PHRASE, eventName, locationText, routineText, say } from '../say.ts';
import { isLibrary } from './code-names.ts';
import { hotRoutines, isCalledOften } from './often.ts';

/** Minimum self share of routines other than the costliest one: a flat profile has many routines with 5 %. */
const MIN_SHARE_OF_OTHERS = 0.1;
const MIN_LINE_SHARE = 0.2;
/** Events of bytes that routines allocate. */
const BYTES_OF_MEMORY = /^(?:(?:alloc|inuse)_space|totB|curB)$/;

/**
 * The hottest line of a routine; undefined if none is known, or it is the only one, where a profiler may put all of the cost. `withoutLine`:
 * the cost of code without a line.
 */
function hottestLine({ analysis, event }: Evidence, routine: number): (RankedLine & { withoutLine: number }) | undefined {
  if (!analysis.costing.can.has('lines')) return undefined;
  const lines = costlyLinesOf(analysis, event, routine).sort((a, b) => b.value - a.value);
  const { line, costs } = analysis.costing.lines({ routine });
  const withoutLine = line.reduce((sum, at, row) => (at > 0 ? sum : sum + eventValue(event, costs, row)), 0);
  return lines.length > 1 ? { ...lines[0], withoutLine } : undefined;
}

export const highSelfCostRule = makeCostRule({
  id: 'high-self-cost',
  question: 'Which routine has a high self cost, and on which line?',
  evidence: 'its self cost, its calls where they are counted, and its lines',
  threshold:
    'a self cost of at least 5 % for the most expensive routine and 10 % for the next two, not because of many small calls',
  requires: ['routines', 'self'],
  find(e) {
    const { analysis, profile, totals, event, whole } = e;
    // Headers and templates say more than the phases of a compiler.
    if (profile.kind === 'steps' && profile.steps.compiles) return [];
    const { value, order } = rankingBySelf(analysis, event);
    const has = BYTES_OF_MEMORY.test(event.name) ? say`itself allocates` : say`has a self cost of`;
    return hotRoutines(e)
      .filter((r) => !isCalledOften(e, r) && (r === order[0] || value[r] >= MIN_SHARE_OF_OTHERS * whole))
      .map((r) => {
        const line = hottestLine(e, r);
        const isHot = line !== undefined && line.value >= MIN_LINE_SHARE * value[r];
        const hottest = isHot
          ? say`; its hottest ${line.withoutLine > line.value ? 'known ' : ''}line, ${locationText(fileName(profile, line.file), line.line)}, takes ${asShare(e, 'line', line.value)}`
          : EMPTY_PHRASE;
        // Library code cannot be changed, so name its caller instead of a line.
        const isOfLibrary = isLibrary(profile, r);
        const whom = isOfLibrary ? costCallerText(e, r) : EMPTY_PHRASE;
        const where = whom === EMPTY_PHRASE ? hottest : say`; ${whom}`;
        return {
          ...say`${routineText(profile, r)} ${has} ${asShare(e, 'self', value[r])} of ${eventName(e)}${callsSuffix(e, totals.calls[r])}${where}`,
          why: 'recorded self cost, callees excluded',
          ...routineSubject(r, value[r] / whole),
          target:
            line && whom === EMPTY_PHRASE
              ? lineTarget(r, fileName(profile, line.file), line.line)
              : routineTarget(e, isOfLibrary ? (causeInOwnCode(e, r) ?? r) : r),
        };
      });
  },
});
