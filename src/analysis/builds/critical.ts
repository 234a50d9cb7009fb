// The critical path: from the step that ended last back to the start, each link to what it waited for.

import { Background } from '../../base/background.ts';
import { memo } from '../../base/memo.ts';
import { firstWhere } from '../../base/search.ts';
import { formatCost } from '../../base/units.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Steps } from '../../model/steps/tables.ts';
import type { Analysis } from '../answers/analysis.ts';
import { foldsOf } from '../answers/steps/folds.ts';
import { shortStepName, stepFile } from '../answers/steps/step-names.ts';
import { endUs, jobConcurrency, ranBefore, slackUs, stepName, stepText } from '../answers/steps/steps.ts';
import { FullPools } from './full-pools.ts';
import { dependencies, dependenciesOf, longestChain } from './needs.ts';
import { builtJobs, type Stages, stagesOf, stagesWorked } from './stages.ts';

/** Where the dependencies come from. */
export type Basis = 'recorded' | 'ninja' | 'make' | 'outputs' | 'lanes';

const BASIS: Readonly<Record<Basis, { readonly short: string; readonly text: string }>> = {
  recorded: { short: 'recorded by the build tool', text: "the build tool's own critical path" },
  ninja: { short: 'by build.ninja', text: 'build.ninja' },
  make: { short: 'by Makefile2', text: 'target order in Makefile2 and outputs used by later commands' },
  outputs: { short: 'inferred from outputs in commands', text: 'outputs used by later commands' },
  lanes: { short: 'inferred from times only', text: 'times only' },
};

/** The reason that a step waited: a step that it needs, a step that left its full pool or the last place, what only ended before it, or nothing. */
export type Waited = 'needs' | 'pool' | 'place' | 'after' | 'start';

export interface Link {
  readonly step: number;
  /** From the end of the previous link to this one's start; for the first of a stage, from the start of that. */
  readonly waitUs: number;
  readonly waited: Waited;
  /** The step it waited for; -1 for the start. */
  readonly before: number;
  /** How long it waited for its pool, from the end of the last step that it needs. */
  readonly poolUs?: number;
}

export interface CriticalPath {
  readonly basis: Basis;
  /** In order of time. */
  readonly links: readonly Link[];
  /** 1 for steps on it. */
  readonly on: Uint8Array;
}

/** The same in few words, for a narrow column. */
export function shortWhyText(profile: ProfileOf<'steps'>, link: Link): string {
  const name = (step: number) => stepFile(profile, step);
  return link.waited === 'place' ? `place of ${name(link.before)}` : whyText(profile, link, name);
}

/** The reason for a link's wait, in words. */
export function whyText(profile: ProfileOf<'steps'>, link: Link, name = (step: number) => stepName(profile, step)): string {
  switch (link.waited) {
    case 'needs':
      return `needs ${name(link.before)}`;
    case 'pool':
      return `the pool ${stepText(profile, 'pool', link.step)} for ${formatCost(link.poolUs ?? 0, 'us')}, left by ${name(link.before)}`;
    case 'place':
      return `a free place, left by ${name(link.before)}`;
    case 'after':
      return `after ${name(link.before)}`;
    case 'start':
      if (!profile.steps.clip) return isLate(link) ? 'no step that it needs' : 'the start';
      return ranBefore(profile.steps, link.step) ? 'nothing: it ran before the range' : 'nothing in the range';
  }
}

/** A first link that began long after the stage did was no start of it. */
const isLate = ({ waitUs }: Link): boolean => waitUs > START_US;

/** The same as a sentence about the step. */
export function whySentence(profile: ProfileOf<'steps'>, link: Link): string {
  const why = () => whyText(profile, link, (step) => shortStepName(profile, step));
  switch (link.waited) {
    case 'needs':
      return `it ${why()}`;
    case 'pool':
    case 'place':
      return `it waited for ${why()}`;
    case 'after':
      return `it began ${why()}`;
    case 'start':
      if (!profile.steps.clip) return isLate(link) ? 'it waited for no step that it needs' : 'it began with the build';
      return ranBefore(profile.steps, link.step) ? 'it ran before the range' : 'it waited for nothing in the range';
  }
}

const basisOf = (analysis: Analysis<'steps'>): Basis => {
  const { needs, targetNeeds, critical } = analysis.profile.steps;
  if (critical) return 'recorded';
  return !dependencies(analysis) ? 'lanes' : needs ? 'ninja' : targetNeeds ? 'make' : 'outputs';
};

/** Whether it is known which step needs which: only then can other builds be simulated. */
export function* knowsNeeds(analysis: Analysis<'steps'>): Generator<undefined, boolean> {
  yield* dependenciesOf(analysis).wait();
  const basis = basisOf(analysis);
  return basis !== 'lanes' && basis !== 'recorded';
}

/** Where the dependencies come from, and what makes them doubtful. */
export function basisText(analysis: Analysis<'steps'>, length: 'short' | 'text'): string {
  const basis = basisOf(analysis);
  const caveat = analysis.profile.steps.needsCaveat ?? (basis === 'lanes' ? 'no command names an output' : '');
  return `${BASIS[basis][length]}${caveat === '' ? '' : `: ${caveat}`}`;
}

/** How many places were taken just before a time, at which one became free. */
function takenBefore({ stages }: Stages, slack: number): (us: number) => number {
  const units = stages.flatMap((s) => s.units);
  const starts = Float64Array.from(units, (u) => u.startUs).sort();
  const ends = Float64Array.from(units, (u) => u.endUs).sort();
  return (us) => firstWhere(starts.length, (k) => starts[k] >= us) - firstWhere(ends.length, (k) => ends[k] >= us - slack);
}

/** A step that was ready begins so soon after a place became free. */
const START_US = 1_000_000;

/** Follows what each step waited for, back from the one that ended last. */
export const criticalPath = (analysis: Analysis<'steps'>): CriticalPath => criticalPathOf(analysis).now();

/** The same, worked out a slice at a time. */
export const criticalPathOf = memo(
  (analysis: Analysis<'steps'>) =>
    new Background(analysis.profile.steps.critical ? recorded(analysis, analysis.profile.steps.critical) : followed(analysis)),
  4,
);

function* followed(analysis: Analysis<'steps'>): Generator<undefined, CriticalPath> {
  const { steps } = analysis.profile;
  const slack = slackUs(steps);
  const needs = yield* dependenciesOf(analysis).wait();
  // Each of these looks at all steps.
  jobConcurrency(analysis);
  yield;
  foldsOf(analysis);
  yield;
  const stages = yield* stagesWorked(analysis).wait();
  const { unitOf, stageOf } = stages;
  const byEnd = [...builtJobs(analysis)].sort((a, b) => endUs(steps, a) - endUs(steps, b) || a - b);
  const ends = Float64Array.from(byEnd, (i) => endUs(steps, i));
  const taken = takenBefore(stages, slack);
  const on = new Uint8Array(steps.name.length);
  const links: Link[] = [];
  /** The jobs to end before a time, the last one first, of those that began before the step: of steps of a millisecond, each seems to end before the other. */
  function* endedBefore(us: number, self: number): Generator<number> {
    for (let k = firstWhere(ends.length, (i) => ends[i] > us) - 1; k >= 0; k--)
      if (byEnd[k] < self && on[byEnd[k]] === 0) yield byEnd[k];
  }
  /** The job that left the last place before a step that was ready began; -1 if there was a free one. The tool takes its time to start the step. */
  const leftPlace = (step: number, readyUs: number): number => {
    const stage = stageOf.get(step);
    const isFull = (us: number) => taken(us) >= (stage?.places ?? 1);
    /** The last one to end counts whenever that was. */
    let since = Number.NEGATIVE_INFINITY;
    for (const before of needs ? endedBefore(steps.startUs[step] + slack, step) : []) {
      const us = endUs(steps, before);
      if (us < since) return -1;
      if (stageOf.get(before) === stage && isFull(us)) return before;
      since = Math.max(readyUs + slack, steps.startUs[step] - START_US);
    }
    return -1;
  };
  const pools = new FullPools(analysis, stages);
  const linkOf = (step: number): Pick<Link, 'waited' | 'before' | 'poolUs'> => {
    const unit = unitOf.get(step)?.steps ?? [step];
    const own = unit.indexOf(step);
    // The commands of one rule follow each other, whatever else is free or ends.
    if (own > 0) return { waited: 'needs', before: unit[own - 1] };
    // The reason for its wait was before the range.
    if (ranBefore(steps, step)) return { waited: 'start', before: -1 };
    const stage = stageOf.get(step);
    // The rule begins when all that its commands need is there. What an earlier stage made was there when this stage began.
    const all = unit.flatMap((i) => needs?.get(i) ?? []);
    const isBefore = (d: number) => d < step && on[d] === 0 && !unit.includes(d) && stageOf.get(d) === stage;
    const need = latestOf(steps, all.filter(isBefore));
    const [before = -1] = endedBefore(steps.startUs[step] + slack, step);
    if (need >= 0 && (before < 0 || endUs(steps, before) <= endUs(steps, need) + slack)) return { waited: 'needs', before: need };
    const readyUs = need < 0 ? (stage?.units[0].startUs ?? 0) : endUs(steps, need);
    const pool = pools.leftFor(step, readyUs, slack);
    if (pool && on[pool.before] === 0) return { waited: 'pool', ...pool };
    if (before < 0) return { waited: 'start', before };
    const left = leftPlace(step, readyUs);
    if (left >= 0) return { waited: 'place', before: left };
    return need >= 0 ? { waited: 'needs', before: need } : { waited: 'after', before };
  };
  for (let at = byEnd.at(-1) ?? -1; at >= 0 && on[at] === 0; ) {
    on[at] = 1;
    const { before, ...why } = linkOf(at);
    links.push({ step: at, waitUs: waitUs(steps, stages, at, before), before, ...why });
    at = before;
  }
  return { basis: basisOf(analysis), links: links.reverse(), on };
}

/** The step that ended last; -1 of none. */
const latestOf = (steps: Steps, list: readonly number[]): number =>
  list.reduce((best, d) => (best < 0 || endUs(steps, d) > endUs(steps, best) ? d : best), -1);

/** The path that the build tool recorded: of several files, that of the last one which is on. */
function* recorded(analysis: Analysis<'steps'>, critical: Uint32Array): Generator<undefined, CriticalPath> {
  const { steps } = analysis.profile;
  const stages = yield* stagesWorked(analysis).wait();
  const on = new Uint8Array(steps.name.length);
  const active = critical.filter((step) => !analysis.partsOff.has(steps.part[step]));
  const last = steps.part[active[active.length - 1]];
  const path = active.filter((step) => steps.part[step] === last);
  for (const step of path) on[step] = 1;
  return { basis: 'recorded', links: linksOf(steps, stages, path), on };
}

/** Steps that need each other, each the one before it. */
const linksOf = (steps: Steps, stages: Stages, path: ArrayLike<number>): Link[] =>
  Array.from(path, (step, k) => {
    const before = k > 0 ? path[k - 1] : -1;
    return { step, waitUs: waitUs(steps, stages, step, before), waited: before < 0 ? 'start' : 'needs', before };
  });

/** Time between two stages is nobody's wait. */
function waitUs(steps: Steps, { stageOf }: Stages, step: number, before: number): number {
  const stage = stageOf.get(step);
  const since = before >= 0 && stageOf.get(before) === stage ? endUs(steps, before) : stage?.units[0].startUs;
  return Math.max(0, steps.startUs[step] - (since ?? steps.startUs[step]));
}

/** The longest chain as links: each step needs the one before it. */
export const chainLinks = memo((analysis: Analysis<'steps'>): readonly Link[] => {
  return linksOf(analysis.profile.steps, stagesOf(analysis), longestChain(analysis));
}, 4);
