// Empty answers, for kinds of profiles without calls, lines or routines.

import { PairTable } from '../../model/hash-table.ts';
import { withCalls, zeroCosts } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import type { Costing, Edges, LineCalls, MergedInstrs, Totals } from './costing.ts';
import { edgesFromPairs } from './edges.ts';
import type { TreeSource } from './tree.ts';

const NO_ROWS = new Uint32Array(0);

export const noEdges = (columns: number, routines: number): Edges =>
  edgesFromPairs(new PairTable(Int32Array), routines, [], zeroCosts(columns, 0));

/** Zero costs and calls by routine, and in total, to which a profile's are added. */
export function zeroTotals({ columns, routines }: Profile) {
  const calls = new Float64Array(routines.name.length);
  const [self, inclusive, total] = [calls.length, calls.length, 1].map((rows) => zeroCosts(columns, rows));
  return { self, inclusive, total, calls };
}

/** Totals of a profile in which no recursion cycles are known. */
export function withoutCycles(totals: Pick<Totals, 'total' | 'whole' | 'self' | 'inclusive' | 'calls'>): Totals {
  const none = zeroCosts(totals.total.length, 1);
  const cycles = { of: new Uint32Array(totals.calls.length), count: 0, calleesFirst: NO_ROWS };
  const { self, inclusive, calls } = totals;
  const tables = { self: withCalls(self, calls), inclusive: withCalls(inclusive, calls) };
  return { ...totals, ...tables, cycles, cycleSelf: none, cycleInclusive: none };
}

export const noInstrs = (): MergedInstrs => ({ high: NO_ROWS, low: NO_ROWS, file: new Int32Array(0), line: NO_ROWS, costs: [] });

export const noLineCalls = (): LineCalls => ({
  line: NO_ROWS,
  callee: NO_ROWS,
  inside: new Uint8Array(0),
  sites: NO_ROWS,
  count: new Float64Array(0),
  costs: [],
});

export const withoutLines: Pick<Costing, 'lines' | 'inclusiveLines' | 'lineCalls' | 'instrs' | 'instrCalls' | 'jumps'> = {
  lines: () => ({ file: new Int32Array(0), line: NO_ROWS, costs: [] }),
  inclusiveLines: (_, __, self) => self.costs.map((column) => column.slice()),
  lineCalls: noLineCalls,
  instrs: noInstrs,
  instrCalls: () => undefined,
  jumps: () => [],
};

const noTree = (): TreeSource => ({
  exact: true,
  roots: () => ({ shown: [], leftOut: 0 }),
  canUnfold: () => false,
  unfold: () => [],
});

export const withoutCalls: Pick<Costing, 'callSites' | 'tree' | 'routineTree' | 'groups'> = {
  callSites: () => undefined,
  groups: () => undefined,
  tree: noTree,
  routineTree: noTree,
};
