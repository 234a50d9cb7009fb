// Calls by place: rows of the same caller, callee, file, line and address are one call site.
import { zeroCosts } from '../model/event-value.ts';
import type { Analysis } from './analysis.ts';
import { stackCallSites } from './stacks.ts';

export interface CallSites {
  readonly caller: Uint32Array;
  readonly callee: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  /** Absent where the profile has no addresses. */
  readonly high?: Uint32Array;
  readonly low?: Uint32Array;
  readonly count: Float64Array;
  readonly costs: readonly Float64Array[];
}

/** Merges the given rows of the calls table; in order of caller, file, line, address. */
export function mergeCalls(analysis: Analysis, rows: ArrayLike<number>): CallSites {
  const { profile } = analysis;
  const calls = profile.calls!;
  const spans = profile.spans!;
  const known = new Map<string, number>();
  const first: number[] = [];
  const target = new Uint32Array(rows.length);
  for (let k = 0; k < rows.length; k++) {
    const i = rows[k];
    const s = calls.span[i];
    const at = calls.address ? `${spans.high[s]}.${calls.address[i]}` : '';
    const key = `${spans.routine[s]}.${calls.callee[i]}.${spans.file[s]}.${calls.line[i]}.${at}`;
    let g = known.get(key);
    if (g === undefined) {
      g = first.length;
      known.set(key, g);
      first.push(i);
    }
    target[k] = g;
  }
  const span = (g: number) => calls.span[first[g]];
  const order = first
    .map((_, g) => g)
    .sort(
      (a, b) =>
        spans.routine[span(a)] - spans.routine[span(b)] ||
        spans.file[span(a)] - spans.file[span(b)] ||
        calls.line[first[a]] - calls.line[first[b]] ||
        (calls.address ? spans.high[span(a)] - spans.high[span(b)] || calls.address[first[a]] - calls.address[first[b]] : 0),
    );
  const place = new Uint32Array(order.length);
  order.forEach((g, row) => {
    place[g] = row;
  });
  const count = new Float64Array(order.length);
  const costs = zeroCosts(profile.columns, order.length);
  for (let k = 0; k < rows.length; k++) {
    const row = place[target[k]];
    count[row] += calls.count[rows[k]];
    for (let c = 0; c < profile.columns; c++) costs[c][row] += calls.costs[c][rows[k]];
  }
  return {
    caller: Uint32Array.from(order, (g) => spans.routine[span(g)]),
    callee: Uint32Array.from(order, (g) => calls.callee[first[g]]),
    file: Int32Array.from(order, (g) => spans.file[span(g)]),
    line: Uint32Array.from(order, (g) => calls.line[first[g]]),
    ...(calls.address
      ? {
          high: Uint32Array.from(order, (g) => spans.high[span(g)]),
          low: Uint32Array.from(order, (g) => calls.address![first[g]]),
        }
      : {}),
    count,
    costs,
  };
}

/** Calls between contexts have no place in the source: an edge is a site. */
function edgeSites(analysis: Analysis, wanted: (caller: number, callee: number) => boolean): CallSites {
  const { edges } = analysis;
  const list = Array.from(edges.caller.keys()).filter((e) => wanted(edges.caller[e], edges.callee[e]));
  return {
    caller: Uint32Array.from(list, (e) => edges.caller[e]),
    callee: Uint32Array.from(list, (e) => edges.callee[e]),
    file: new Int32Array(list.length).fill(-1),
    line: new Uint32Array(list.length),
    count: Float64Array.from(list, (e) => edges.count[e]),
    costs: edges.costs.map((column) => Float64Array.from(list, (e) => column[e])),
  };
}

/** Calls that leave a routine. */
export function callSitesOf(analysis: Analysis, routine: number): CallSites | undefined {
  const { profile, partsOff } = analysis;
  if (routine < 0) return undefined;
  if (profile.stacks) return stackCallSites(profile, partsOff, (caller) => caller === routine);
  if (!profile.calls) return undefined;
  const { order, from } = analysis.callsByCaller;
  return mergeCalls(analysis, order.subarray(from[routine], from[routine + 1]));
}

/** Calls to and from a routine; all calls of the profile where none is named. */
export function callSitesAround(analysis: Analysis, routine: number | undefined): CallSites {
  const { profile, partsOff } = analysis;
  if (profile.stacks) return stackCallSites(profile, partsOff, (r, e) => routine === undefined || r === routine || e === routine);
  if (profile.contexts) return edgeSites(analysis, (r, e) => routine === undefined || r === routine || e === routine);
  const { order, from } = analysis.callsByCaller;
  if (routine === undefined) return mergeCalls(analysis, order);
  const into = analysis.callsByCallee;
  return mergeCalls(analysis, [
    ...into.order.subarray(into.from[routine], into.from[routine + 1]),
    ...Array.from(order.subarray(from[routine], from[routine + 1])).filter((i) => profile.calls!.callee[i] !== routine),
  ]);
}

/** Call sites whose line is in the file, of all routines. */
export function callSitesInFile(analysis: Analysis, file: number): CallSites | undefined {
  const { profile, partsOff } = analysis;
  if (file < 0) return undefined;
  if (profile.stacks) return stackCallSites(profile, partsOff, (_, __, f) => f === file);
  if (!profile.calls) return undefined;
  const { order, from } = analysis.spansByFile;
  const spans = new Set(order.subarray(from[file], from[file + 1]));
  const rows: number[] = [];
  const { span } = profile.calls;
  for (let i = 0; i < span.length; i++) if (spans.has(span[i])) rows.push(i);
  return mergeCalls(analysis, rows);
}
