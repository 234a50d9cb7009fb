// Routines with a high self cost: their own code is where to look.
import { fileName } from '../../analysis/names/names.ts';
import { atRoutine, byWhom, inCalls } from '../calls.ts';
import { bySelf, type HotLine, linesOf } from '../hottest.ts';
import { atLine, costRule, type Evidence, ofRoutine } from '../rule.ts';
import { eventName, NOTHING, named, placed, say, share } from '../say.ts';
import { isLibrary } from './code-names.ts';
import { hotRoutines, isOften } from './often.ts';

/** Minimum self share of routines beside the most expensive one: a flat profile has many with 5 %. */
const LEAST_OF_OTHERS = 0.1;
/** Minimum share of a hot line in its routine. */
const HOT_LINE = 0.2;

/** The hottest line of a routine; undefined if none is known. */
function hottestLine({ analysis, event }: Evidence, routine: number): HotLine | undefined {
  if (!analysis.costing.can.has('lines')) return undefined;
  return linesOf(analysis, event, routine).sort((a, b) => b.value - a.value)[0];
}

export const dearItself = costRule({
  id: 'dear-itself',
  question: 'Which routine has a high self cost, and on which line?',
  evidence: 'its self cost, its calls where they are counted, and its lines',
  threshold:
    'a self cost of at least 5 % for the most expensive routine and 10 % for the next two, not because of many small calls',
  asks: ['routines', 'self'],
  find(e) {
    const { analysis, profile, totals, event, whole } = e;
    const { value, order } = bySelf(analysis, event);
    return hotRoutines(e)
      .filter((r) => !isOften(e, r) && (r === order[0] || value[r] >= LEAST_OF_OTHERS * whole))
      .map((r) => {
        const line = hottestLine(e, r);
        const isHot = line !== undefined && line.value >= HOT_LINE * value[r];
        const hottest = isHot
          ? say`; its hottest line, ${placed(fileName(profile, line.file), line.line)}, takes ${share(e, 'line', line.value)}`
          : NOTHING;
        // Nobody changes a line of a library: who calls it is what one can change.
        const whom = isLibrary(profile, r) ? byWhom(e, r) : NOTHING;
        const where = whom === NOTHING ? hottest : say`; ${whom}`;
        return {
          ...say`${named(profile, r)} has a self cost of ${share(e, 'self', value[r])} of ${eventName(e)}${inCalls(e, totals.calls[r])}${where}`,
          why: 'recorded self cost, callees excluded',
          ...ofRoutine(r, value[r] / whole),
          target: line && whom === NOTHING ? atLine(r, fileName(profile, line.file), line.line) : atRoutine(e, r),
        };
      });
  },
});
