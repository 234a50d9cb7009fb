// Data that was not recorded, and the option that records it.
import type { Question } from '../../model/head.ts';
import { ofProfile, profileRule } from '../rule.ts';
import { say, tried } from '../say.ts';

/** Missing tables and the consequence, the most missed first. */
const GOOD_FOR: readonly (readonly [table: Question, what: string, lost: string])[] = [
  ['calls', 'Calls', 'callers'],
  ['lines', 'Source lines', 'hot lines'],
  ['contexts', 'Calling contexts', 'costs by context'],
  ['instrs', 'Instructions', 'hot instructions'],
];

export const notRecorded = profileRule({
  id: 'not-recorded',
  remark: true,
  question: 'Which useful data was not recorded?',
  evidence: 'the tables that the format has and this file lacks, and the option that records them',
  threshold: 'any table with such an option; the most useful one is named',
  find({ analysis }) {
    const { lacks = [], format } = analysis.profile;
    // Where only instructions are counted, each of them costs 1.
    const stalls = analysis.events.some(({ name }) => name === 'CEst');
    for (const [table, what, lost] of GOOD_FOR) {
      const lack = lacks.find((l) => l.table === table && l.option);
      if (!lack?.option || (table === 'instrs' && !stalls)) continue;
      return {
        ...say`${what} were not recorded, so ${lost} are unknown`,
        ...tried(`${lack.option.startsWith('-') ? 'record with' : 'run'} ${lack.option}`),
        why: `the ${format} format can hold them, and this file has none`,
        ...ofProfile('not recorded'),
      };
    }
    return [];
  },
});
