// Routines that are dear by themselves: their own code is where to look.
import { fileName } from '../../analysis/names.ts';
import { eventValue } from '../../model/event-value.ts';
import { atRoutine, byWhom } from '../calls.ts';
import { bySelf } from '../dearest.ts';
import { costRule, type Evidence } from '../rule.ts';
import { count, eventName, NOTHING, named, placed, say, share } from '../say.ts';
import { isLibrary } from './code-names.ts';
import { dearRoutines, isOften } from './often.ts';

/** A line that takes less of its routine is not told: there is no hot one. */
const HOT_LINE = 0.2;

/** The dearest line of a routine; undefined if none is known. */
function dearestLine({ analysis, event }: Evidence, routine: number) {
  if (!analysis.costing.can.has('lines')) return undefined;
  const { file, line, costs } = analysis.costing.lines({ routine });
  let best: { file: string | null; line: number; value: number } | undefined;
  for (let i = 0; i < line.length; i++) {
    const value = eventValue(event, costs, i);
    if (line[i] > 0 && value > (best?.value ?? 0)) best = { file: fileName(analysis.profile, file[i]), line: line[i], value };
  }
  return best;
}

export const dearItself = costRule({
  id: 'dear-itself',
  question: 'Which routine is dear by itself, and on which line?',
  evidence: 'its self cost, its calls where they are counted, and its lines',
  threshold: 'at least 5 % of the cost by itself, not because of many small calls',
  asks: ['routines', 'self'],
  find(e) {
    const { analysis, event, whole } = e;
    const { profile, totals, costing } = analysis;
    const { value } = bySelf(analysis, event);
    return dearRoutines(e)
      .filter((r) => !isOften(e, r))
      .map((r) => {
        const line = dearestLine(e, r);
        const calls =
          costing.can.has('counts') && totals.calls[r] > 0 ? say`, in ${count('calls', totals.calls[r], 'call')}` : NOTHING;
        const isHot = line !== undefined && line.value >= HOT_LINE * value[r];
        const hottest = isHot
          ? say`; its hottest line, ${placed(line.file, line.line)}, takes ${share(e, 'line', line.value)}`
          : NOTHING;
        // Nobody changes a line of a library: who calls it is what one can change.
        const whom = isLibrary(profile, r) ? byWhom(e, r) : NOTHING;
        const where = whom === NOTHING ? hottest : say`; ${whom}`;
        return {
          ...say`${named(profile, r)} takes ${share(e, 'self', value[r])} of ${eventName(e)} by itself${calls}${where}`,
          why: 'its self cost as recorded, without what it calls',
          subject: `routine ${r}`,
          share: value[r] / whole,
          target:
            line && whom === NOTHING
              ? { view: 'source', report: 'source', routine: r, file: line.file ?? '', line: line.line }
              : atRoutine(e, r),
        };
      });
  },
});
