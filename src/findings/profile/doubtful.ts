// Warnings that the numbers may be wrong: objects and traces that are not those of the run.
import { warningText } from '../../base/problem.ts';
import { ofProfile, profileRule } from '../rule.ts';
import { count, NOTHING, say } from '../say.ts';

export const doubtful = profileRule({
  id: 'doubtful',
  remark: true,
  question: 'Do objects, records or clocks contradict the profile?',
  evidence:
    'loader warnings that the title shows: an object newer than the profile or with another build ID, contradictory records',
  threshold: 'any such warning',
  runs: 'any',
  find({ analysis }) {
    const { warnings, paths } = analysis.profile;
    // Missing names have a finding of their own.
    const signed = warnings.filter((w) => w.sign !== undefined && w.sign !== 'NO NAMES');
    const [first] = signed;
    if (!first) return [];
    const more = signed.length > 1 ? say` (and ${count('others', signed.length - 1, 'other warning')})` : NOTHING;
    return {
      ...say`The numbers may be wrong: ${{ called: warningText(first, paths).slice(0, 300) }}${more}`,
      why: `expected ${first.expected}`,
      ...ofProfile('doubt'),
    };
  },
});
