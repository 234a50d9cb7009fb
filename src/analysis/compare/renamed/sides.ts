// What of two runs side by side tells a routine from others: its cost and calls in the run that has it.
import { eventColumn } from '../../../model/event-value.ts';
import type { Event } from '../../../model/head.ts';
import { stringCount } from '../../../model/strings.ts';
import type { Analysis } from '../../analysis.ts';
import type { Edges } from '../../costing.ts';
import { BEFORE, NOW } from '../match.ts';
import { callsBefore, measured } from '../measure.ts';

type Column = ArrayLike<number>;

/** One of the two runs: the first three by routine, the others by edge. Costs are those of one event. */
export interface Side {
  readonly self: Column;
  readonly inclusive: Column;
  readonly calls: Column;
  readonly edgeCost: Column;
  readonly edgeCalls: Column;
}

export interface Sides {
  readonly now: Side;
  readonly before: Side;
  readonly edges: Edges;
  readonly routines: number;
  /** Costs are numbers of samples: those of the same thing differ by chance. */
  readonly sampled: boolean;
  /** There are no calls: a routine may have a row for each file that it has code from, so its name counts. */
  readonly flat: boolean;
  /** Routines that only the base has, and those that only this run has, as far as they cost anything. */
  readonly gone: Uint32Array;
  readonly added: Uint32Array;
}

/** A routine with fewer samples may have been missed in the other run by chance. */
const FEWEST_SAMPLES = 10;

/** By the first event that both runs have and that is a sum. Undefined if there is none. */
export function sidesOf(analysis: Analysis): Sides | undefined {
  const { profile, events, totals, edges, costing } = analysis;
  const event = events.find((e) => !e.per);
  if (!profile.compared || !event) return undefined;
  const routines = profile.routines.name.length;
  const last = callsBefore(analysis);
  const side = (of: Event, calls: Column, edgeCalls: Column): Side => ({
    self: eventColumn(of, totals.self, routines),
    inclusive: eventColumn(of, totals.inclusive, routines),
    calls,
    edgeCost: eventColumn(of, edges.costs, edges.caller.length),
    edgeCalls,
  });
  const now = side(measured(analysis, event, 'now'), totals.calls, edges.count);
  const before = side(measured(analysis, event, 'before'), totals.inclusive[last], edges.costs[last]);
  const sampled = costing.can.has('stacks');
  const least = sampled ? FEWEST_SAMPLES : Number.MIN_VALUE;
  const flat = edges.caller.length === 0;
  const { routineSides } = profile.compared;
  const { name } = profile.routines;
  const named = new Uint8Array(stringCount(profile.strings));
  if (flat)
    name.forEach((id, r) => {
      named[id] |= routineSides[r];
    });
  const only = (which: number, { inclusive }: Side) =>
    Uint32Array.from(routineSides.keys()).filter(
      (r) => routineSides[r] === which && inclusive[r] >= least && (!flat || named[name[r]] === which),
    );
  return { now, before, edges, routines, sampled, flat, gone: only(BEFORE, before), added: only(NOW, now) };
}
