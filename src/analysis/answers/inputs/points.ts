// Cost by input size: the points of a routine or a calling context, merged by size; total costs of routines; calling
// contexts as edges. Sizes of several parts (threads, runs) are merged, as aprof-helper does.

import { getOrMake, memo } from '../../../base/lists.ts';
import type { Exact } from '../../../base/units.ts';
import { type Index, indexBy, pickColumn, rowsOfKey } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import { zeroCosts } from '../../../model/head.ts';
import { type Contexts, INPUT_FIELDS, type InputField } from '../../../model/inputs/tables.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Analysis } from '../analysis.ts';
import type { Edges, Totals } from '../costing.ts';
import { edgesFromPairs } from '../edges.ts';
import type { Active } from '../once.ts';
import { withoutCycles, zeroTotals } from '../without.ts';

/** Points in ascending order of size, one per size. Columns that the report lacks are absent. */
export type Curve = {
  readonly size: Float64Array;
  /** Exact values beyond 2^53, by row. */
  readonly beyond: ReadonlyMap<InputField, ReadonlyMap<number, bigint>>;
} & { readonly [F in InputField]?: Float64Array };

/** A curve without points, for a run that lacks the routine. */
export const EMPTY_CURVE: Curve = { size: new Float64Array(0), beyond: new Map() };

/** An exact value of a point; undefined if the report does not record it. */
export function pointValue(table: Curve, field: InputField, row: number): Exact | undefined {
  const value = table[field]?.[row];
  if (value === undefined || Number.isNaN(value)) return undefined;
  return table.beyond.get(field)?.get(row) ?? value;
}

const MINIMUM_FIELDS: ReadonlySet<InputField> = new Set(['min', 'selfMin']);
const MAXIMUM_FIELDS: ReadonlySet<InputField> = new Set(['max', 'selfMax']);

const NO_EXACT_VALUES: Curve['beyond'] = new Map();

type PointColumns = Pick<Curve, InputField>;

export function mapColumns(points: PointColumns, make: (column: Float64Array, field: InputField) => Float64Array): PointColumns {
  const columns: Partial<Record<InputField, Float64Array>> = {};
  for (const field of INPUT_FIELDS) {
    const column = points[field];
    if (column) columns[field] = make(column, field);
  }
  return columns;
}

export const mergeFunction = (field: InputField): ((a: number, b: number) => number) =>
  MINIMUM_FIELDS.has(field) ? Math.min : MAXIMUM_FIELDS.has(field) ? Math.max : (a, b) => a + b;

/** Merges the profile's points by size: the minimum of minima, the maximum of maxima, and sums of all others. */
function mergePoints(profile: ProfileOf<'inputs'>, rows: ArrayLike<number>): Curve {
  const inputs = profile.inputs;
  const order = Array.from(rows).sort((a, b) => inputs.size[a] - inputs.size[b]);
  const from: number[] = [];
  for (const [k, row] of order.entries()) if (k === 0 || inputs.size[row] !== inputs.size[order[k - 1]]) from.push(k);
  // Usually each size has one point, so there is nothing to merge.
  const pick = (column: Float64Array) => pickColumn(column, order);
  if (from.length === order.length && inputs.beyond.size === 0)
    return { size: pick(inputs.size), beyond: NO_EXACT_VALUES, ...mapColumns(inputs, pick) };
  const beyond = new Map<InputField, Map<number, bigint>>();
  const columns = mapColumns(inputs, (column, field) => {
    const wide = inputs.beyond.get(field);
    const out = new Float64Array(from.length);
    for (let g = 0; g < from.length; g++) {
      const members = order.slice(from[g], from[g + 1] ?? order.length);
      let value = Number.NaN;
      let exact: bigint | undefined;
      for (const row of members) {
        const v = column[row];
        if (Number.isNaN(v)) continue;
        const first = Number.isNaN(value);
        const w = wide?.get(row);
        if (MINIMUM_FIELDS.has(field) || MAXIMUM_FIELDS.has(field)) {
          if (first || (MINIMUM_FIELDS.has(field) ? v < value : v > value)) [value, exact] = [v, w];
          continue;
        }
        const sum = first ? v : value + v;
        if (w !== undefined || exact !== undefined || sum > Number.MAX_SAFE_INTEGER) {
          exact = (exact ?? (first ? 0n : BigInt(value))) + (w ?? BigInt(v));
          value = Number(exact);
        } else value = sum;
      }
      out[g] = value;
      if (exact !== undefined) getOrMake(beyond, field, () => new Map()).set(g, exact);
    }
    return out;
  });
  return { size: Float64Array.from(from, (k) => inputs.size[order[k]]), beyond, ...columns };
}

/** Rows of the points that count for each routine, in the active parts. */
export const pointsByRoutine = memo(({ profile, partsOff }: Analysis<'inputs'>): Index => {
  const { routine, counted, part } = profile.inputs;
  const keys = Int32Array.from(routine, (r, i) => (counted[i] && !partsOff.has(part[i]) ? r : -1));
  return indexBy(keys, profile.routines.name.length);
}, 4);

const pointsByContext = memo(
  ({ profile }: Analysis<'inputs'>) => indexBy(profile.inputs.context, profile.contexts?.id.length ?? 0),
  4,
);

/** The contexts of active parts, parents before children. */
export function activeContexts({ profile, partsOff }: Analysis<'inputs'>): number[] {
  const { contexts } = profile;
  return contexts ? Array.from(contexts.id.keys()).filter((c) => !partsOff.has(contexts.part[c])) : [];
}

const contextsByRoutine = memo((analysis: Analysis<'inputs'>): Index => {
  const { contexts, routines } = analysis.profile;
  const keys = new Int32Array(contexts?.id.length ?? 0).fill(-1);
  for (const c of activeContexts(analysis)) keys[c] = contexts?.routine[c] ?? -1;
  return indexBy(keys, routines.name.length);
});

/** The calling contexts of a routine in the active parts. */
export const contextsOfRoutine = (analysis: Analysis<'inputs'>, routine: number): Uint32Array =>
  rowsOfKey(contextsByRoutine(analysis), routine);

export const curveOfRoutine = (analysis: Analysis<'inputs'>, routine: number): Curve =>
  mergePoints(analysis.profile, rowsOfKey(pointsByRoutine(analysis), routine));

export const curveOfContext = (analysis: Analysis<'inputs'>, context: number): Curve =>
  mergePoints(analysis.profile, rowsOfKey(pointsByContext(analysis), context));

/** Adds a cost to the profile's columns, and its exact halves if those are kept. */
function addCost(columns: readonly Float64Array[], row: number, value: number, exact: bigint | undefined): void {
  if (Number.isNaN(value)) return;
  columns[0][row] += value;
  if (columns.length === 1) return;
  const high = exact === undefined ? Math.floor(value / 2 ** 32) : Number(exact >> 32n);
  columns[1][row] += high;
  columns[2][row] += exact === undefined ? value - high * 2 ** 32 : Number(exact & 0xffffffffn);
}

export function inputTotals(profile: ProfileOf<'inputs'>, active: Active): Totals {
  const inputs = profile.inputs;
  const { self, inclusive, total, calls } = zeroTotals(profile);
  for (let i = 0; i < inputs.size.length; i++) {
    if (!inputs.counted[i] || (active && !active(inputs.part[i]))) continue;
    const r = inputs.routine[i];
    calls[r] += inputs.calls?.[i] || 0;
    const own = inputs.selfSum?.[i] ?? Number.NaN;
    addCost(self, r, own, inputs.beyond.get('selfSum')?.get(i));
    addCost(total, 0, own, inputs.beyond.get('selfSum')?.get(i));
    const field: InputField = inputs.real && !Number.isNaN(inputs.real[i]) ? 'real' : 'sum';
    addCost(inclusive, r, inputs[field]?.[i] ?? Number.NaN, inputs.beyond.get(field)?.get(i));
  }
  // The total stated by the report, if it exceeds the sum over the routines.
  const stated = profile.parts.reduce((sum, p, i) => sum + (active && !active(i) ? 0 : Number(p.summary?.[0] ?? 0)), 0);
  const whole = total.map((t) => t.slice());
  if (stated > whole[0][0]) addCost(whole, 0, stated - whole[0][0], undefined);
  return withoutCycles({ total, whole, self, inclusive, calls });
}

export type ContextCosts = ReturnType<typeof contextCosts>;

const NONE = new Uint32Array(0);
export const NO_CONTEXTS: Contexts = { id: new Float64Array(0), parent: new Int32Array(0), end: NONE, routine: NONE, part: NONE };

/** The calls of each context, and its inclusive and self costs. */
export function contextCosts(profile: ProfileOf<'inputs'>) {
  const inputs = profile.inputs;
  const n = profile.contexts?.id.length ?? 0;
  const out = { calls: new Float64Array(n), inclusive: zeroCosts(profile.columns, n), self: zeroCosts(profile.columns, n) };
  for (let i = 0; i < inputs.size.length; i++) {
    const c = inputs.context[i];
    if (c < 0) continue;
    out.calls[c] += inputs.calls?.[i] || 0;
    addCost(out.inclusive, c, inputs.sum?.[i] ?? Number.NaN, inputs.beyond.get('sum')?.get(i));
    addCost(out.self, c, inputs.selfSum?.[i] ?? Number.NaN, inputs.beyond.get('selfSum')?.get(i));
  }
  return out;
}

/** Calls between contexts. A cost nested in another cost of the same edge is not counted again. */
export function contextEdges(profile: ProfileOf<'inputs'>, costs: ContextCosts, active: Active): Edges {
  const { contexts = NO_CONTEXTS } = profile;
  const routines = profile.routines.name.length;
  const pairs = new PairTable(Int32Array);
  const count: number[] = [];
  const sums: number[][] = Array.from({ length: profile.columns }, () => []);
  /** By edge: how many of its contexts contain the current one. */
  const open: number[] = [];
  const above: { end: number; edge: number }[] = [];
  for (let c = 0; c < contexts.id.length; c++) {
    for (let top = above.at(-1); top && top.end <= c; top = above.at(-1)) {
      open[top.edge]--;
      above.pop();
    }
    const parent = contexts.parent[c];
    if (parent < 0 || (active && !active(contexts.part[c]))) continue;
    const e = pairs.numberOf(contexts.routine[parent], contexts.routine[c]);
    if (e === count.length) for (const column of [count, open, ...sums]) column.push(0);
    count[e] += costs.calls[c];
    if (open[e] === 0) for (let k = 0; k < sums.length; k++) sums[k][e] += costs.inclusive[k][c];
    open[e]++;
    above.push({ end: contexts.end[c], edge: e });
  }
  return edgesFromPairs(pairs, routines, count, sums);
}

export const costsOfContexts = memo((analysis: Analysis<'inputs'>) => contextCosts(analysis.profile));
