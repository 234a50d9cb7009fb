// The help texts for columns and marks.
import { mapOf } from '../base/lists.ts';

/** By the name of a column on the screen: its heading, and what it means. Columns that need no explanation are absent. */
export const COLUMN_MEANINGS: ReadonlyMap<string, readonly [heading: string, meaning: string]> = mapOf({
  self: ['self', 'cost by itself, without what it calls'],
  inclusive: ['incl', 'cost with all that it calls'],
  '%': ['%', 'share of the total, or of what the title says; "of it": of this routine'],
  'self%': ['%', 'the self cost as a share of the total'],
  'cum%': ['cum%', 'the shares of the rows so far, added up'],
  calls: ['calls', 'how often it was called'],
  'change%': ['Δ%', 'change since the base, as a share of what it was'],
  state: ['new gone', 'only in this run, only in the base; name: renamed; ?: perhaps'],
  weighted: ['weighted', 'its time, each moment shared among the steps that ran at once'],
  weightedMs: ['weighted', 'the time of its steps, each moment shared among the steps that ran at once'],
  crit: ['crit', '◆: on the critical path'],
  critical: ['critical', 'the time of its steps on the critical path'],
  waitedMs: ['waited', 'from the end of its last object to the start of its link'],
  gain: ['gain', 'how much shorter the build would be if the step took no time (simulated)'],
  waitMs: ['wait', 'from the end of what it waited for to its start'],
  why: ['waited for', 'why it started no earlier: a step that it needs, a free job, unknown'],
  jobs: ['jobs', 'how many ran at once; below, simulated: how many may run at once'],
  units: ['units', 'how many translation units have it'],
  average: ['each', 'the time divided by the count'],
  sizes: ['sizes', 'how many input sizes were measured'],
  law: ['law', 'how the worst cost grows with the input; ?: other laws fit about as well'],
  r2: ['r²', 'how much of the differences of cost the law explains; 1: all of them'],
  tenfold: ['×10', 'the factor by which ten times the largest input costs more; ≥: at least'],
  spark: ['by size', 'the worst cost by input size, small sizes left'],
  worst: ['worst', 'the cost of the costliest call'],
  deviation: ['sd', 'standard deviation of the cost of a call'],
});

export const MARK_MEANINGS: readonly (readonly [mark: string, meaning: string])[] = [
  ['≈', 'an estimate: it follows from what is recorded, but is not recorded'],
  ['±', 'a change that is no larger than the noise of the samples'],
  ['?', 'unknown, or in doubt'],
  ['▸ ▾', 'rows that are folded, rows that are unfolded'],
  ['↻', 'it calls itself'],
  ['◆', 'on the critical path'],
  ['●', 'the routine or step that other views show'],
  ['·', 'nothing, 0; in Waterfall: ready, but not started'],
  ['(inl)', 'inlined: its code is part of its caller'],
  ['a / b', 'in a frame of the flame graph: self cost / cost with all that it calls'],
];
