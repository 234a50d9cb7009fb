// The cost of own code together with the library code that it calls: exact for sampled stacks; in call graphs, library routines
// with several callers are split among them by the cost of their calls.

import { AnswerError, ChoiceError } from '../../base/errors.ts';
import { forEachInSlices, memoInBackground, runInSlices } from '../../base/slices.ts';
import { type Event, eventValue } from '../../model/head.ts';
import type { Profile, ProfileOf } from '../../model/profile.ts';
import { analyse } from '../answers/analyse.ts';
import type { Analysis } from '../answers/analysis.ts';
import { graphSumsOf, shareGraph } from '../answers/callgraph/costing.ts';
import { eventInEachRun } from '../answers/compared/events.ts';
import { scaleFactor } from '../answers/compared/measure.ts';
import { markOwnRoutines } from '../names/origin.ts';
import { transformInSlices } from './transforms/apply.ts';

export interface OwnCost {
  readonly routine: number;
  /** The routine's self cost and that of library code called from it; in a comparison, that of this run. */
  readonly value: number;
  /** In a comparison: the value of the base. Else 0. */
  readonly before: number;
  readonly estimated: boolean;
}

/** Own routines with a cost in a run, the largest first; in a comparison, the largest increase first. Computed in slices. */
export const ownCostsOf = memoInBackground(function* (analysis: Analysis, event: Event) {
  const { profile, partsOff, before: base } = analysis;
  const [eventNow, eventBefore] = eventInEachRun(event);
  const { compared } = profile;
  const now = yield* costsOfRun(compared?.now ?? profile, eventNow, partsOff);
  const before = compared && base ? yield* costsOfRun(compared.before, eventBefore, base.partsOff) : undefined;
  const scale = before ? scaleFactor(analysis, event) : 1;
  const rows: OwnCost[] = [];
  for (const [routine, value] of now.value.entries()) {
    const was = (before?.value[routine] ?? 0) * scale;
    const estimated = now.estimated[routine] === 1 || before?.estimated[routine] === 1;
    if (value !== 0 || was !== 0) rows.push({ routine, value, before: was, estimated });
  }
  yield;
  rows.sort((a, b) => b.value - b.before - (a.value - a.before));
  return { rows, isSelf: now.isSelf };
});

/** `isSelf`: costs are self costs only, as no calls are recorded, or there are too many to follow. */
function* costsOfRun(run: Profile, event: Event, partsOff: ReadonlySet<number>) {
  const own = yield* markOwnRoutines(run);
  if (run.kind === 'stacks') return yield* costsOfStacks(run, event, partsOff, own);
  try {
    if (run.kind === 'callgraph' && run.calls && own.includes(0)) return yield* costsOfGraph(run, event, partsOff);
  } catch (error) {
    if (!(error instanceof ChoiceError || error instanceof AnswerError)) throw error;
  }
  const { self } = analyse(run, [event], partsOff).totals;
  const value = Float64Array.from(own, (is, r) => (is === 1 ? eventValue(event, self, r) : 0));
  return { value, estimated: new Uint8Array(own.length), isSelf: true };
}

/** Each stack counts for its innermost own frame. */
function* costsOfStacks(run: ProfileOf<'stacks'>, event: Event, off: ReadonlySet<number>, own: Uint8Array) {
  const { stacks, frames, routines } = run;
  const value = new Float64Array(routines.name.length);
  yield* forEachInSlices(stacks.part.length, (s) => {
    if (off.has(stacks.part[s])) return;
    let k = stacks.start[s];
    while (k < stacks.start[s + 1] && own[frames.routine[stacks.frame[k]]] === 0) k++;
    if (k < stacks.start[s + 1]) value[frames.routine[stacks.frame[k]]] += eventValue(event, stacks.costs, s);
  });
  return { value, estimated: new Uint8Array(value.length), isSelf: false };
}

function* costsOfGraph(run: ProfileOf<'callgraph'>, event: Event, partsOff: ReadonlySet<number>) {
  const { profile, event: only } = yield* withoutLines(run, event);
  const left = yield* transformInSlices(profile, [{ word: 'only-own' }]);
  if (left.kind === 'callgraph' && partsOff.size === 0) yield* graphSumsOf(left).wait();
  const { self, selfEstimated } = analyse(left, [only], partsOff).totals;
  yield;
  // The transform keeps the order of the routines that are left, and adds one for what own code did not call.
  const value = new Float64Array(run.routines.name.length);
  const estimated = new Uint8Array(value.length);
  const isSame = (a: number, b: number) =>
    (['name', 'file', 'object'] as const).every((key) => left.routines[key][a] === run.routines[key][b]) &&
    (left.routines.line?.[a] ?? 0) === (run.routines.line?.[b] ?? 0);
  for (let a = 0, b = 0; a < left.routines.name.length && b < value.length; b++) {
    if (!isSame(a, b)) continue;
    value[b] = eventValue(only, self, a);
    estimated[b] = selfEstimated?.[a] ?? 0;
    a++;
  }
  return { value, estimated, isSelf: false };
}

/** The graph with one row per span, and only the raw columns of the event: all that sums by routine need. */
function* withoutLines(run: ProfileOf<'callgraph'>, event: Event) {
  const { nodes: _nodes, jumps: _jumps, inlines: _inlines, ...rest } = run;
  const { spans, lines, calls } = run;
  const columns = [...new Set(event.terms.map(([, column]) => column))];
  const spanCount = spans.routine.length;
  const costs = columns.map(() => new Float64Array(spanCount));
  yield* runInSlices(spanCount, (from, to) => {
    for (const [c, column] of columns.entries())
      for (let s = from; s < to; s++)
        for (let i = spans.start[s]; i < spans.start[s + 1]; i++) costs[c][s] += lines.costs[column][i];
  });
  const { exact: _exact, per: _per, ...plain } = event;
  const only: Event = { ...plain, terms: event.terms.map(([factor, column]) => [factor, columns.indexOf(column)]) };
  const profile: ProfileOf<'callgraph'> = {
    ...rest,
    events: [only],
    columns: columns.length,
    spans: { ...spans, start: Uint32Array.from({ length: spanCount + 1 }, (_, s) => s) },
    lines: { line: new Uint32Array(spanCount), costs },
    ...(calls ? { calls: { ...calls, costs: columns.map((column) => calls.costs[column]) } } : {}),
  };
  if (columns.length === run.columns && columns.every((column, c) => column === c)) shareGraph(profile, run);
  return { profile, event: only };
}
