// A file whose own summary is not the sum of its lines.
import { eventValue, exactValue } from '../../model/event-value.ts';
import { ofProfile, profileRule } from '../rule.ts';
import { cost, eventName, part, say } from '../say.ts';

const LEAST = 0.01;

export const totalSummary = profileRule({
  id: 'total-summary',
  remark: true,
  question: 'Does the file’s own summary equal the sum of its lines?',
  evidence: 'the summary line of each part, compared with the sum of its cost lines',
  threshold: 'the summary exceeds the sum by at least 1 %',
  asks: ['routines', 'self'],
  find(e) {
    const { analysis, event } = e;
    if (event.per || analysis.profile.transformed) return [];
    const [sum, said] = [analysis.totals.total, analysis.totals.whole].map((table) => eventValue(event, table, 0));
    const missing = said - sum;
    if (exactValue(event, analysis.totals.total, 0) === 0 || !(said > 0) || missing < LEAST * said) return [];
    return {
      ...say`${part('missing', missing, said)} of the file’s stated total (${cost(e, 'summary', said)} ${eventName(e)}) ${analysis.profile.cut ? 'is in the part that was cut off' : 'belongs to no routine'}; the routines add up to ${cost(e, 'sum', sum)}`,
      why: 'the summary of the file, which is the base of percentages',
      ...ofProfile('total'),
    };
  },
});
