// Two runs of different programs.
import { programName } from '../../base/paths.ts';
import { makeComparingRule, profileSubject } from '../rule.ts';
import { cutName, say } from '../say.ts';

const programOf = (command: string | null): string | undefined => {
  const [word = ''] = (command ?? '').trim().split(' ');
  return word === '' ? undefined : programName(word);
};

export const otherProgramRule = makeComparingRule({
  id: 'other-program',
  onlyNotes: true,
  question: 'Are these runs of different programs?',
  evidence: 'the commands of both runs',
  threshold: 'both are recorded, and the names of their programs differ',
  find({ profile }) {
    // For a build, the command is the project's name.
    if (profile.kind === 'steps' || !profile.compared) return [];
    const [now, before] = [profile.compared.now, profile.compared.before].map(({ command }) => programOf(command));
    if (now === undefined || before === undefined || now === before) return [];
    return {
      ...say`The base ran another program: ${cutName(before)} instead of ${cutName(now)}`,
      why: 'the commands of both runs',
      try: 'compare two runs of one program',
      ...profileSubject('program'),
    };
  },
});
