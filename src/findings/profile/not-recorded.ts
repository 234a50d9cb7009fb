// Data that was not recorded, and the option that records it.
import type { Question } from '../../model/head.ts';
import { ofProfile, profileRule } from '../rule.ts';
import { say, tried } from '../say.ts';

/** The uses of a missing table, the most missed first. */
const GOOD_FOR: readonly (readonly [table: Question, what: string, use: string])[] = [
  ['calls', 'Calls were', 'who causes a cost'],
  ['lines', 'Source lines were', 'which lines cost'],
  ['contexts', 'Calling contexts were', 'from where a routine is slow'],
  ['instrs', 'Instructions were', 'which instructions cost'],
];

export const notRecorded = profileRule({
  id: 'not-recorded',
  remark: true,
  question: 'What could have been recorded, and was not?',
  evidence: 'the tables that the format has and this file lacks, and the option that records them',
  threshold: 'any table with such an option; the most useful one is named',
  find({ analysis }) {
    const { lacks = [], format } = analysis.profile;
    // Where only instructions are counted, each of them costs 1.
    const stalls = analysis.events.some(({ name }) => name === 'CEst');
    for (const [table, what, use] of GOOD_FOR) {
      const lack = lacks.find((l) => l.table === table && l.option);
      if (!lack?.option || (table === 'instrs' && !stalls)) continue;
      return {
        ...say`${what} not recorded: ${use} is unknown`,
        ...tried(`record ${format} with ${lack.option}`),
        why: 'the file has none of them',
        ...ofProfile('not recorded'),
      };
    }
    return [];
  },
});
