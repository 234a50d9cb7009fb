// The answers of an analysis as plain objects, each created when it is iterated.
import { type Analysis as Inner, isOfKind } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { tagRows } from '../analysis/answers/stacks/tags.ts';
import { activeSteps, outputsOf, stepName, stepText } from '../analysis/answers/steps/steps.ts';
import { childrenOf, exactTerms, openTree } from '../analysis/answers/tree.ts';
import { fileName, nameInData, objectName } from '../analysis/names/names.ts';
import { requireEvent } from '../analysis/profiles/choices.ts';
import { runToEnd } from '../base/slices.ts';
import { finiteOrNull } from '../columns/builders.ts';
import { gatherFindings } from '../findings/gather.ts';
import { evidenceOf } from '../findings/rule.ts';
import { phraseText } from '../findings/say.ts';
import { type CostTable, type Event, eventValue, exactValue } from '../model/head.ts';
import { withRangeError } from './arguments.ts';
import type { Analysis, Costs, Edge, Finding, Label, Line, Routine, Stack, Step, TreeNode } from './types.ts';

export const rowCosts = (events: readonly Event[], costs: CostTable, row: number): Costs =>
  Object.fromEntries(events.map((event) => [event.name, exactValue(event, costs, row)]));

const findEvent = (analysis: Inner, name: string | undefined) => withRangeError(() => requireEvent(analysis, name));

/** The costs per call; events that are ratios have none. */
const perCall = (events: readonly Event[], costs: CostTable, row: number, calls: number): Costs =>
  Object.fromEntries(events.filter((e) => !e.per).map((e) => [e.name, eventValue(e, costs, row) / calls]));

const ROUTINE_STATES = [null, 'new', 'gone', 'both'] as const;

export function* routinesOf(analysis: Inner): Generator<Routine> {
  const { profile, costing, totals, events, before } = analysis;
  const [inclusive, counts] = [costing.can.has('inclusive'), costing.can.has('counts')];
  const sides = before && profile.compared?.routineSides;
  const baseEvents = events.map((event) => ({ ...eventInMeasure(analysis, event, 'before'), name: event.name }));
  const costs = (of: readonly Event[], id: number) => ({
    self: rowCosts(of, totals.self, id),
    inclusive: inclusive ? rowCosts(of, totals.inclusive, id) : null,
  });
  for (let id = 0; id < profile.routines.name.length; id++) {
    const side = before ? (sides?.[id] ?? 3) : 0;
    const calls = totals.calls[id];
    const average = (of: CostTable) => perCall(events, of, id, calls);
    yield {
      id,
      name: nameInData(profile, id),
      file: fileName(profile, profile.routines.file[id]),
      object: objectName(profile, profile.routines.object[id]),
      ...costs(events, id),
      calls: counts ? calls : null,
      perCall: counts && calls > 0 ? { self: average(totals.self), inclusive: average(totals.inclusive) } : null,
      state: ROUTINE_STATES[side],
      base: side >= 2 ? costs(baseEvents, id) : null,
    };
  }
}

export function* edgesOf({ profile, costing, events, edges }: Inner): Generator<Edge> {
  const counted = costing.can.has('counts');
  for (let e = 0; e < edges.caller.length; e++)
    yield {
      caller: edges.caller[e],
      callerName: nameInData(profile, edges.caller[e]),
      callee: edges.callee[e],
      calleeName: nameInData(profile, edges.callee[e]),
      calls: counted ? edges.count[e] : null,
      cost: rowCosts(events, edges.costs, e),
      perCall: counted && edges.count[e] > 0 ? { inclusive: perCall(events, edges.costs, e, edges.count[e]) } : null,
    };
}

export function* linesOf({ profile, costing, events }: Inner, routines: Iterable<number>): Generator<Line> {
  for (const routine of routines) {
    const { file, line, costs } = costing.lines({ routine });
    const name = nameInData(profile, routine);
    for (let i = 0; i < line.length; i++)
      yield { routine, routineName: name, file: fileName(profile, file[i]), line: line[i], self: rowCosts(events, costs, i) };
  }
}

/** Depth first, without recursion: a tree may be a thousand deep. */
export function* treeOf(
  analysis: Inner,
  { event: name, inverted = false, threshold = 0 }: NonNullable<Parameters<Analysis['tree']>[0]>,
): Generator<TreeNode> {
  const { events, costing, totals, profile } = analysis;
  const event = findEvent(analysis, name);
  const tree = openTree(costing.tree(inverted), inverted, event);
  const least = (Math.abs(eventValue(event, totals.total, 0)) * threshold) / 100;
  const costs = (of: Float64Array, calls: number): Costs =>
    Object.fromEntries(events.map((e) => [e.name, exactTerms(e, of, calls)]));
  const pending = [...tree.roots].reverse();
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const { routine, depth, calls, self, inclusive, estimated, selfEstimated } = tree.nodes[id];
    if (Math.abs(Number(exactTerms(event, inclusive, calls))) < least) continue;
    const sums = { self: costs(self, calls), inclusive: costs(inclusive, calls), calls: calls < 0 ? null : calls };
    yield { routine, name: nameInData(profile, routine), depth, estimated, selfEstimated, ...sums };
    pending.push(...[...childrenOf(tree, id, event)].reverse());
  }
}

export function* stacksOf({ profile, events, partsOff }: Inner): Generator<Stack> {
  if (profile.kind !== 'stacks') return;
  const { stacks, frames } = profile;
  for (let s = 0; s < stacks.part.length; s++) {
    if (partsOff.has(stacks.part[s])) continue;
    yield {
      frames: Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), (f) => ({
        routine: frames.routine[f],
        name: nameInData(profile, frames.routine[f]),
        file: fileName(profile, frames.file[f]),
        line: frames.line[f],
      })),
      part: stacks.part[s],
      costs: rowCosts(events, stacks.costs, s),
    };
  }
}

export function* stepsOf(analysis: Inner): Generator<Step> {
  if (!isOfKind(analysis, 'steps')) return;
  const { profile } = analysis;
  const { steps } = profile;
  for (const id of activeSteps(analysis))
    yield {
      id,
      name: stepName(profile, id),
      role: stepText(profile, 'role', id),
      target: stepText(profile, 'target', id),
      source: stepText(profile, 'source', id),
      part: steps.part[id],
      startMs: finiteOrNull(steps.startUs[id] / 1000),
      durationMs: finiteOrNull(steps.durationUs[id] / 1000),
      result: finiteOrNull(steps.result[id]),
      outputs: outputsOf(profile, id),
    };
}

export function* labelsOf({ profile, events, partsOff }: Inner): Generator<Label> {
  if (profile.kind !== 'stacks') return;
  const { tags, costs } = tagRows(profile, partsOff);
  for (const { key, value, row } of tags) yield { label: key, value, costs: rowCosts(events, costs, row) };
}

export function* findingsOf(analysis: Inner, event: string | undefined): Generator<Finding> {
  for (const finding of runToEnd(gatherFindings(evidenceOf(analysis, findEvent(analysis, event), [])))) {
    const { rule, why, share = null, target } = finding;
    const { routine = null, step = null } = target;
    yield { rule, text: phraseText(finding), why, try: finding.try ?? null, share, routine, step };
  }
}
