// The call graph around a routine: its callers and callees, and those one call further, from the edges of the profile.
import { addToList } from '../../base/lists.ts';
import { memo } from '../../base/memo.ts';
import { rowsOfKey } from '../../model/column.ts';
import { eventColumn, eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Analysis } from './analysis.ts';
import { magnitudes, orderByNumber } from './order.ts';

export type NeighbourSide = 'callers' | 'callees';

/** A caller or callee, and the edges to it: one, or those of all members of a cycle. */
export interface Neighbour {
  readonly routine: number;
  readonly edges: readonly number[];
  /** The sum of the edges' costs. */
  readonly value: number;
}

/** The edges into a routine, or out of it, each with the routine at its other end. */
function* edgesInDirection({ edges }: Analysis, routine: number, way: NeighbourSide): Generator<[edge: number, far: number]> {
  const { from, into, caller, callee } = edges;
  if (way === 'callees') for (let e = from[routine]; e < from[routine + 1]; e++) yield [e, callee[e]];
  else for (const e of rowsOfKey(into, routine)) yield [e, caller[e]];
}

/** The edges to each caller or callee of a routine, or of a whole cycle if its number is not 0. */
export const edgesByNeighbour = memo((analysis: Analysis, routine: number, cycle: number, way: NeighbourSide) => {
  const { of } = analysis.totals.cycles;
  const edges = new Map<number, number[]>();
  // Calls inside the cycle count neither as callers nor as callees.
  for (const from of membersOf(analysis, routine, cycle))
    for (const [edge, far] of edgesInDirection(analysis, from, way))
      if (cycle === 0 || of[far] !== cycle) addToList(edges, far, edge);
  return edges;
}, 16);

/** The callers or callees of a routine, or of a whole cycle if its number is not 0; the costliest edge first. */
export const neighboursOf = memo((analysis: Analysis, event: Event, routine: number, cycle: number, way: NeighbourSide) => {
  if (routine < 0) return [];
  const cost = (all: readonly number[]) => all.reduce((sum, e) => sum + eventValue(event, analysis.edges.costs, e), 0);
  const found = edgesByNeighbour(analysis, routine, cycle, way);
  const list = Array.from(found, ([far, all]): Neighbour => ({ routine: far, edges: all, value: cost(all) }));
  // In a comparison, the neighbours that changed most come first.
  return Array.from(orderByNumber(magnitudes(list.map((n) => n.value)), true), (i) => list[i]);
}, 16);

/** The routines of a cycle; only the routine itself if the number is 0. */
function membersOf({ totals }: Analysis, routine: number, cycle: number): number[] {
  const { of } = totals.cycles;
  return cycle === 0 ? [routine] : Array.from(of.keys()).filter((r) => of[r] === cycle);
}

const NEIGHBOUR_SIDES = ['callers', 'callees'] as const;

/** All routines at most two calls away, for use by a filter. */
export const routinesWithinTwoCalls = memo((analysis: Analysis, routine: number, cycle: number): readonly number[] => {
  const out = new Set<number>();
  for (const way of NEIGHBOUR_SIDES) {
    const near = new Set<number>();
    for (const from of membersOf(analysis, routine, cycle))
      for (const [, far] of edgesInDirection(analysis, from, way)) near.add(far);
    for (const from of near) {
      out.add(from);
      for (const [, far] of edgesInDirection(analysis, from, way)) out.add(far);
    }
  }
  return [...out];
});

/** The routine with the highest inclusive cost, or the largest change of it; -1 if the profile has no routines. */
export const costliestRoutine = memo((analysis: Analysis, event: Event): number => {
  const values = eventColumn(event, analysis.totals.inclusive, analysis.profile.routines.name.length);
  let best = -1;
  for (let r = 0; r < values.length; r++) if (best < 0 || Math.abs(values[r]) > Math.abs(values[best])) best = r;
  return best;
});

/** How many calls an edge's far end is away. Callers are negative. */
export type EdgeLevel = -2 | -1 | 1 | 2;

export interface GraphEdge {
  readonly edge: number;
  readonly level: EdgeLevel;
}

/**
 * The edges at most two calls away from a routine, the nearest first, callers before callees, the costliest first. On each side an edge
 * is there once; in a circle of calls it may be on both.
 */
export function edgesAround(analysis: Analysis, event: Event, routine: number): GraphEdge[] {
  if (routine < 0) return [];
  const near = NEIGHBOUR_SIDES.map((way) => [...edgesInDirection(analysis, routine, way)]);
  const far = NEIGHBOUR_SIDES.map((way, i) => {
    const from = new Set(near[i].map(([, other]) => other));
    // A recursive edge of the routine is among the nearest edges.
    from.delete(routine);
    return [...from].flatMap((r) => [...edgesInDirection(analysis, r, way)]);
  });
  const inOrder = (edges: readonly (readonly [edge: number, far: number])[], level: EdgeLevel): GraphEdge[] => {
    const costs = magnitudes(edges.map(([edge]) => eventValue(event, analysis.edges.costs, edge)));
    return Array.from(orderByNumber(costs, true), (i) => ({ edge: edges[i][0], level }));
  };
  return [...inOrder(near[0], -1), ...inOrder(near[1], 1), ...inOrder(far[0], -2), ...inOrder(far[1], 2)];
}
