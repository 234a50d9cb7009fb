// A profile: a head and the tables of one of five kinds, told apart by `kind`.
import type { CallGraph } from './callgraph/tables.ts';
import type { Head } from './head.ts';
import type { InputCosts } from './inputs/tables.ts';
import type { ProcessTrace } from './processes/tables.ts';
import type { StackSamples } from './stacks/tables.ts';
import type { Timeline } from './steps/tables.ts';

/** The profile of each kind. */
interface Profiles {
  readonly callgraph: Head & CallGraph;
  readonly stacks: Head & StackSamples;
  readonly inputs: Head & InputCosts;
  readonly steps: Head & Timeline;
  readonly processes: Head & ProcessTrace;
}

export type Kind = keyof Profiles;
export type ProfileOf<K extends Kind> = Profiles[K];
export type Profile = ProfileOf<Kind>;
export type Tables = CallGraph | StackSamples | InputCosts | Timeline | ProcessTrace;
