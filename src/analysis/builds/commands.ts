// The compile commands of a build's steps, as compile_commands.json has them.
import { memo } from '../../base/lists.ts';
import type { Analysis } from '../answers/analysis.ts';
import type { CompileEntry } from '../answers/processes/compiles.ts';
import { activeSteps, outputsOf, stepText } from '../answers/steps/steps.ts';

/** The arguments of a command as CMake records it: those with a blank are in quotes, and quotes within are not escaped. */
export function argumentsOfCommand(command: string): string[] {
  const out: string[] = [];
  let quoted: string[] = [];
  for (const word of command.split(' ')) {
    if (quoted.length > 0) {
      quoted.push(word);
      if (!word.endsWith('"')) continue;
      out.push(quoted.join(' ').slice(1, -1));
      quoted = [];
    } else if (word === '"' || (word.startsWith('"') && !word.endsWith('"'))) quoted.push(word);
    else if (word !== '') out.push(word);
  }
  return [...out, ...quoted];
}

/** The words of a command as the shell splits them; undefined if it is more than one command, or if only a shell could tell. */
export function shellWords(command: string): string[] | undefined {
  const out: string[] = [];
  let word: string | undefined;
  for (const [, blank, single, double, escaped, plain] of command.matchAll(SHELL_TOKEN)) {
    const text = single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? '') + text;
    else if (blank === undefined) return undefined;
    else if (word !== undefined) {
      out.push(word);
      word = undefined;
    }
  }
  return word === undefined ? out : [...out, word];
}

/** Blanks, text in quotes, an escaped or several plain characters; else an operator or an expansion. */
const SHELL_TOKEN = /([ \t]+)|'([^']*)'|"((?:[^"\\$`]|\\.)*)"|\\(.)|([^\s'"\\;&|<>()$`]+)|./gs; // bounded: no run can be split in two ways

/** The compiles with a recorded command, in order of start; of several builds, the last compile of each output. `process`: the step. */
export const compileCommandsOf = memo((analysis: Analysis<'steps'>): readonly CompileEntry[] => {
  const { profile } = analysis;
  const found = new Map<string, CompileEntry>();
  for (const i of activeSteps(analysis)) {
    const [command, file] = [stepText(profile, 'command', i), stepText(profile, 'source', i)];
    if (stepText(profile, 'role', i) !== 'compile' || command === null || file === null) continue;
    const words = profile.steps.shellCommands ? shellWords(command) : argumentsOfCommand(command);
    if (!words) continue;
    const [directory, output] = [stepText(profile, 'directory', i) ?? '', outputsOf(profile, i)[0] ?? null];
    const key = JSON.stringify([directory, output ?? file, output === null ? command : '']);
    found.delete(key);
    found.set(key, {
      directory,
      file,
      arguments: words,
      output,
      language: stepText(profile, 'language', i),
      process: i,
    });
  }
  return [...found.values()];
}, 2);
