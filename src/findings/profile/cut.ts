// A profile that was cut off.
import { visible } from '../../base/safe-text.ts';
import { ofProfile, profileRule } from '../rule.ts';
import { say } from '../say.ts';

export const cut = profileRule({
  id: 'cut',
  question: 'Is all of the profile there?',
  evidence: 'whether the file ends where it should, and could be read in full',
  threshold: 'any part that could not be read',
  runs: 'any',
  find({ analysis }) {
    const { cut: problem } = analysis.profile;
    if (!problem) return [];
    const at =
      problem.line !== undefined ? ` at line ${problem.line}` : problem.offset !== undefined ? ` at byte ${problem.offset}` : '';
    return {
      ...say`The profile is cut off${at}; numbers cover only the part before, and may be too small`,
      why: `expected ${visible(problem.expected)}, found ${visible(problem.found.slice(0, 200))}`,
      ...ofProfile('cut'),
    };
  },
});
