// Programs that may be compilers but do not count as compilers in a build trace.
import { compilesOf } from '../../analysis/answers/processes/processes.ts';
import { unknownCompilers } from '../../analysis/builds/compile-sets.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, cutName, firstNames, say } from '../say.ts';

export const compilersUnknownRule = makeBuildRule({
  kind: 'processes',
  id: 'unknown-compilers',
  question: 'Do programs compile sources that Compiles does not list?',
  evidence: 'processes with a source and `-c`, `-o` or an object file among their arguments',
  threshold:
    'any program that is neither known as a compiler nor as a tool that reads sources; any compiler with a response file and no source',
  assumes: 'it takes its arguments as gcc does',
  find({ analysis }) {
    const [found, { unread }] = [unknownCompilers(analysis), compilesOf(analysis)];
    const hidden = {
      ...say`${asCount('unread', unread.length, 'compiler run')} had arguments in response files, which the trace does not have: Compiles leaves out the sources`,
      why: 'the arguments of a known compiler name a file of arguments and no source',
      ...viewSubject('response files', 'processes', { step: unread[0] }),
    };
    const ofFiles = unread.length > 0 ? [hidden] : [];
    if (found.length === 0) return ofFiles;
    const nameProgram = ({ program, count }: (typeof found)[number], k: number) =>
      say`${cutName(program)} (${asCount(`runs${k + 1}`, count, 'run')})`;
    const [first, ...others] = found;
    const one = others.length === 0;
    const unknown = {
      ...say`${one ? 'A program' : asCount('programs', found.length, 'program')} may be ${one ? 'a compiler' : 'compilers'} that proftui does not know: ${firstNames(found, nameProgram, '')}; Compiles leaves out the sources`,
      why: 'a source and where to write are among the arguments; the names are in no list of compilers',
      try: 'if it compiles, open the trace with --compiler and its name',
      ...viewSubject('unknown compilers', 'processes', { step: first.process }),
    };
    return [unknown, ...ofFiles];
  },
});
