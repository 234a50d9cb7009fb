// Programs that may be compilers but do not count as compilers in a build trace.
import { unknownCompilers } from '../../analysis/builds/compile-sets.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, cutName, firstNames, say } from '../say.ts';

export const compilersUnknownRule = makeBuildRule({
  kind: 'processes',
  id: 'unknown-compilers',
  question: 'Do programs compile sources that Compiles does not list?',
  evidence: 'processes with a source and `-c`, `-o` or an object file among their arguments',
  threshold: 'any program that is neither known as a compiler nor as a tool that reads sources',
  assumes: 'it takes its arguments as gcc does',
  find({ analysis }) {
    const found = unknownCompilers(analysis);
    if (found.length === 0) return [];
    const nameProgram = ({ program, count }: (typeof found)[number], k: number) =>
      say`${cutName(program)} (${asCount(`runs${k + 1}`, count, 'run')})`;
    const [first, ...others] = found;
    const one = others.length === 0;
    return {
      ...say`${one ? 'A program' : asCount('programs', found.length, 'program')} may be ${one ? 'a compiler' : 'compilers'} that proftui does not know: ${firstNames(found, nameProgram, '')}; Compiles leaves out the sources`,
      why: 'a source and where to write are among the arguments; the names are in no list of compilers',
      try: 'if it compiles, open the trace with --compiler and its name',
      ...viewSubject('unknown compilers', 'processes', { step: first.process }),
    };
  },
});
