// Maps the kind of a profile to the code for its tables. No other file in the model switches on the kind.
import { type CallGraph, checkCallGraph } from './callgraph/tables.ts';
import type { Head, Question } from './head.ts';
import { checkInputs, type InputCosts } from './inputs/tables.ts';
import type { Invariants } from './invariants.ts';
import { checkProcesses } from './processes/tables.ts';
import type { Profile } from './profile.ts';
import { checkStacks } from './stacks/check.ts';
import { KERNEL_OBJECT } from './stacks/samples.ts';
import type { StackSamples } from './stacks/tables.ts';
import { checkSteps } from './steps/check.ts';
import type { Timeline } from './steps/tables.ts';
import { stringAt } from './strings.ts';

/** The questions that a profile has answers for. */
export const questionsOf = (profile: Profile): ReadonlySet<Question> => new Set(tablesOf(profile).questions);

export function tablesOf(profile: Profile): { readonly questions: readonly Question[]; check(to: Invariants): void } {
  switch (profile.kind) {
    case 'callgraph':
      return { questions: callGraphQuestions(profile), check: (to) => checkCallGraph(profile, to) };
    case 'stacks':
      return { questions: stackQuestions(profile), check: (to) => checkStacks(profile, to) };
    case 'inputs':
      return { questions: inputQuestions(profile), check: (to) => checkInputs(profile, to) };
    case 'steps':
      return { questions: stepQuestions(profile), check: (to) => checkSteps(profile, to) };
    case 'processes':
      return { questions: ['processes', 'commands', 'self', 'trees'], check: (to) => checkProcesses(profile, to) };
  }
}

/** The rows with the source file of a routine's code; undefined for kinds without such rows. */
export const codeRowsOf = (profile: Profile): { readonly routine: Uint32Array; readonly file: Int32Array } | undefined =>
  profile.kind === 'callgraph' ? profile.spans : profile.kind === 'stacks' ? profile.frames : undefined;

function callGraphQuestions({ lines, calls, jumps }: CallGraph): Question[] {
  const out: Question[] = ['routines', 'lines', 'self'];
  if (calls) out.push('calls', 'trees', 'inclusive', 'counts');
  if (lines.address) out.push('instrs');
  if (jumps) out.push('jumps');
  return out;
}

/** Whether some stacks have frames of the kernel; they may begin with a command (part-labels.ts). */
export const hasKernel = ({ objects, strings }: Pick<Head, 'objects' | 'strings'>): boolean =>
  objects.name.some((name) => stringAt(strings, name) === KERNEL_OBJECT);

/** The questions that sampled stacks can answer. Addresses without debug information have rows, but no line numbers. */
function stackQuestions(profile: Head & StackSamples): Question[] {
  const out: Question[] = ['routines', 'calls', 'trees', 'inclusive', 'self', 'stacks', 'samples'];
  if (profile.files.name.length > 0) out.push('lines');
  if (profile.lines.address) out.push('instrs');
  if (profile.labels || hasKernel(profile) || profile.parts.some(({ thread }) => thread !== null)) out.push('labels');
  for (const table of ['times', 'snapshots'] as const) if (profile[table]) out.push(table);
  return out;
}

function inputQuestions({ inputs, contexts }: InputCosts): Question[] {
  const out: Question[] = ['routines', 'inputs', 'inclusive', 'counts'];
  if (contexts) out.push('contexts', 'calls', 'trees');
  // The oldest reports record no self cost.
  if (inputs.selfSum) out.push('self');
  return out;
}

/** The questions that steps can answer. Only traces have routines: the names of slices, which call nested slices. */
function stepQuestions({ routines, steps }: Head & Timeline): Question[] {
  const out: Question[] = ['steps', 'inclusive', 'counts', 'self'];
  for (const table of ['compiles', 'rebuilds', 'history', 'tests'] as const) if (steps[table]) out.push(table);
  if (steps.command.some((command) => command >= 0)) out.push('commands');
  if (routines.name.length > 0) out.push('routines', 'calls', 'trees');
  return out;
}
