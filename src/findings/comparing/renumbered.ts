// Lambdas of one function that the compiler numbers in the order of the source: with another one among them, the numbers shift.
import { makeComparingRule, viewSubject } from '../rule.ts';
import { asCount, cutName, fromToText, say } from '../say.ts';
import { baseTotal, minReportedChange, renumberedLambdas } from './delta.ts';

export const renumberedRule = makeComparingRule({
  id: 'renumbered',
  question: 'Do both runs have the same lambdas?',
  evidence: 'numbered lambdas and closures of one function whose self cost changed',
  threshold: 'some are in both runs and some in only one; changes of at least 1 % of the base together',
  find(e) {
    const least = minReportedChange(e.analysis, e.event, baseTotal(e));
    return renumberedLambdas(e.analysis, e.event).flatMap(([name, list]) => {
      const sum = (of: 'now' | 'before') => list.reduce((all, d) => all + d[of], 0);
      if (list.reduce((all, { delta }) => all + Math.abs(delta), 0) < least) return [];
      const [now, before] = [list.filter((d) => d.state !== 'gone'), list.filter((d) => d.state !== 'new')];
      return {
        ...say`${cutName(name)} has ${asCount('lambdas', now.length)} changed lambdas, the base ${asCount('lambdasBefore', before.length)}: their numbers shift when one is added, so which is which is unknown; together they cost ${fromToText(e, sum('before'), sum('now'))}`,
        why: 'names with the number of a lambda or closure, which only one run has',
        ...viewSubject(`lambdas ${name}`, 'routines', { routine: list[0].routine }),
      };
    });
  },
});
