// Warnings of compilers and linkers.
import { stepWarnings } from '../../analysis/builds/warnings.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, cutName, EMPTY_PHRASE, say } from '../say.ts';

export const warningsRule = makeBuildRule({
  id: 'warnings',
  question: 'How many warnings did the commands of the build write?',
  evidence: 'the lines of recorded messages that say warning:, by the file that they name',
  threshold: 'any warning; a file that several steps warn of, or that has several warnings, is named',
  onlyNotes: true,
  find({ analysis }) {
    const warnings = stepWarnings(analysis);
    if (!warnings || warnings.total === 0) return [];
    const [[file, steps]] = [...warnings.byFile, ['', []] as const].sort((a, b) => b[1].length - a[1].length);
    const most = steps.length > 1 ? say`, ${asCount('inFile', steps.length)} of them from ${cutName(file)}` : EMPTY_PHRASE;
    const [[first]] = [...warnings.counts].sort(([, a], [, b]) => b - a);
    return {
      ...say`The commands wrote ${asCount('warnings', warnings.total, 'warning')}${most}`,
      why: 'the messages of steps, as they are recorded',
      ...viewSubject('warnings', 'steps', { step: steps[0] ?? first }),
    };
  },
});
