// The functions inlined into a routine, by their part of the routine's recorded self cost.
import { getOrMake, memo } from '../../../base/lists.ts';
import { type Event, eventValue } from '../../../model/head.ts';
import type { NodeGraph } from '../../../model/profile.ts';
import { graphOf } from './costing.ts';

/**
 * By recorded routine: its self cost in all parts together. `inlined`: the part of it that belongs to inlined code, and `functions`: these, the
 * costliest first.
 */
export const recordedSelf = memo(({ graph, routineOf }: NodeGraph, event: Event) => {
  const { totals, edges } = graphOf(graph).now();
  const { within } = graph.routines;
  const sums = new Map<number, { self: number; readonly parts: Map<number, number> }>();
  for (let n = 0; n < routineOf.length; n++) {
    const self = eventValue(event, totals.self, n);
    if (self === 0) continue;
    let root = n;
    // An inlined node has exactly one caller.
    while (within && within[root] >= 0 && edges.into.from[root] < edges.into.from[root + 1])
      root = edges.caller[edges.into.order[edges.into.from[root]]];
    const of = getOrMake(sums, routineOf[root], () => ({ self: 0, parts: new Map() }));
    of.self += self;
    if (routineOf[n] !== routineOf[root]) of.parts.set(routineOf[n], (of.parts.get(routineOf[n]) ?? 0) + self);
  }
  return new Map(
    Array.from(sums, ([routine, { self, parts }]) => {
      const functions = [...parts].sort((a, b) => b[1] - a[1]);
      return [routine, { self, functions, inlined: functions.reduce((sum, [, cost]) => sum + cost, 0) }];
    }),
  );
}, 4);
