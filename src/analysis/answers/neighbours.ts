// The call graph around a routine: its callers and callees, and theirs, from the edges of the profile.
import { addToList, groupByKey, memo } from '../../base/lists.ts';
import { rowsOfKey } from '../../model/column.ts';
import { type Event, eventColumn, eventValue } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { fileName, objectName, UNKNOWN_NAME } from '../names/names.ts';
import { type Analysis, percentageBase } from './analysis.ts';
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

/** Routines of one cluster are framed together. */
export const CLUSTER_KEYS = ['file', 'object'] as const;
export type ClusterKey = (typeof CLUSTER_KEYS)[number];

/** The name of a routine's cluster; null if its file or object is unknown. */
export function clusterName(profile: Profile, key: ClusterKey, routine: number): string | null {
  const { file, object } = profile.routines;
  const name = key === 'file' ? fileName(profile, file[routine]) : objectName(profile, object[routine]);
  return name === UNKNOWN_NAME ? null : name;
}

const neighboursAbove = memo(
  (list: readonly Neighbour[], least: number) => list.filter(({ value }) => Math.abs(value) >= least),
  16,
);

/** The neighbours that cost at least `threshold` percent of the total, framed by `cluster`. */
export function chooseNeighbours(
  list: readonly Neighbour[],
  { analysis, event }: { readonly analysis: Analysis; readonly event: Event },
  { cluster, threshold = 0 }: { readonly cluster?: ClusterKey | undefined; readonly threshold?: number | undefined },
): readonly Neighbour[] {
  const kept = threshold > 0 ? neighboursAbove(list, (Math.abs(percentageBase(analysis, event)) * threshold) / 100) : list;
  return cluster ? inClusters(kept, analysis.profile, cluster) : kept;
}

/** Neighbours of one cluster side by side: the costliest cluster first, and the costliest neighbour of each. */
const inClusters = memo((list: readonly Neighbour[], profile: Profile, key: ClusterKey): readonly Neighbour[] => {
  const clusters = [...groupByKey(list, ({ routine }) => clusterName(profile, key, routine)).values()];
  const sums = magnitudes(clusters.map((members) => members.reduce((sum, { value }) => sum + value, 0)));
  return Array.from(orderByNumber(sums, true)).flatMap((i) => clusters[i]);
}, 16);

/**
 * The neighbours by level, from 1 call away (callers negative) to `depth`. Those of an outer level belong to the chosen one of the level inside;
 * `chosen` is an index by level, absent for the first. `listOf`: gives the neighbours of a routine, or of the focus if it is undefined.
 */
export function neighboursByLevel(
  depth: number,
  chosen: ReadonlyMap<number, number>,
  listOf: (routine: number | undefined, way: NeighbourSide) => readonly Neighbour[],
): Map<number, readonly Neighbour[]> {
  const lists = new Map<number, readonly Neighbour[]>();
  for (const [way, sign] of [['callers', -1] as const, ['callees', 1] as const]) {
    let list = listOf(undefined, way);
    for (let far = 1; far <= depth; far++) {
      lists.set(sign * far, list);
      list = listOf(list[Math.min(chosen.get(sign * far) ?? 0, list.length - 1)]?.routine ?? -1, way);
    }
  }
  return lists;
}

/** The routines of a cycle; only the routine itself if the number is 0. */
export function membersOf({ totals }: Analysis, routine: number, cycle: number): number[] {
  const { of } = totals.cycles;
  return cycle === 0 ? [routine] : Array.from(of.keys()).filter((r) => of[r] === cycle);
}

const NEIGHBOUR_SIDES = ['callers', 'callees'] as const;

/** All routines at most `depth` calls away, for use by a filter. */
export const routinesWithin = memo((analysis: Analysis, routine: number, cycle: number, depth: number): readonly number[] => {
  const sides = NEIGHBOUR_SIDES.map((way) => ringsAround(analysis, membersOf(analysis, routine, cycle), way, depth));
  return [...new Set(sides.flat(2).map(([, far]) => far))];
});

/** The edges by distance in one direction, each once: those of the nearest routines first. Ends early where no routine is left. */
function ringsAround(analysis: Analysis, start: readonly number[], way: NeighbourSide, depth: number) {
  const seen = new Set(start);
  const rings: (readonly [edge: number, far: number])[][] = [];
  for (let from = start; rings.length < depth && from.length > 0; ) {
    const ring = from.flatMap((r) => [...edgesInDirection(analysis, r, way)]);
    rings.push(ring);
    from = [...new Set(ring.map(([, far]) => far))].filter((r) => !seen.has(r));
    for (const r of from) seen.add(r);
  }
  return rings;
}

/** The routine with the highest inclusive cost, or the largest change of it; -1 if the profile has no routines. */
export const costliestRoutine = memo((analysis: Analysis, event: Event): number => {
  const values = eventColumn(event, analysis.totals.inclusive, analysis.profile.routines.name.length);
  let best = -1;
  for (let r = 0; r < values.length; r++) if (best < 0 || Math.abs(values[r]) > Math.abs(values[best])) best = r;
  return best;
});

/** How many calls away an edge is shown without a choice. */
export const USUAL_DEPTH = 2;

/** `level`: how many calls the edge's far end is away. Callers are negative. */
export type GraphEdge = Readonly<Record<'edge' | 'level', number>>;

/**
 * The edges at most `depth` calls away from a routine, the nearest first, callers before callees, the costliest first. On each side an edge
 * is there once; in a circle of calls it may be on both.
 */
export function edgesAround(analysis: Analysis, event: Event, routine: number, depth = USUAL_DEPTH): GraphEdge[] {
  if (routine < 0) return [];
  const [callers, callees] = NEIGHBOUR_SIDES.map((way) => ringsAround(analysis, [routine], way, depth));
  const inOrder = (edges: readonly (readonly [edge: number, far: number])[] = [], level: number): GraphEdge[] => {
    const costs = magnitudes(edges.map(([edge]) => eventValue(event, analysis.edges.costs, edge)));
    return Array.from(orderByNumber(costs, true), (i) => ({ edge: edges[i][0], level }));
  };
  const rings = Array.from({ length: Math.max(callers.length, callees.length) }, (_, k) => k);
  return rings.flatMap((k) => [...inOrder(callers[k], -1 - k), ...inOrder(callees[k], 1 + k)]);
}
