// Call sites: call rows with the same caller, callee, file, line and address, merged.
import type { Calls } from '../../model/callgraph/tables.ts';
import { type Index, indexBy } from '../../model/column.ts';
import { zeroCosts } from '../../model/event-value.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { CallSiteQuery, CallSites } from '../costing.ts';
import { type Active, once } from '../once.ts';

type CallGraphProfile = ProfileOf<'callgraph'>;

/** Finds the call sites of a query. */
export function callSiteFinder(
  profile: CallGraphProfile,
  calls: Calls,
  spansByFile: () => Index,
  active: Active,
): (of: CallSiteQuery) => CallSites | undefined {
  const { spans } = profile;
  const index = (of: (row: number, span: number) => number) => {
    const keys = Int32Array.from(calls.span, (span, i) => (active && !active(spans.part[span]) ? -1 : of(i, span)));
    return indexBy(keys, profile.routines.name.length);
  };
  const byCaller = once(() => index((_, span) => spans.routine[span]));
  const byCallee = once(() => index((i) => calls.callee[i]));
  const rowsOf = ({ order, from }: Index, key: number) => order.subarray(from[key], from[key + 1]);
  return (of) => {
    if (of === 'all') return mergeCalls(profile, calls, byCaller().order);
    if ('from' in of) return of.from < 0 ? undefined : mergeCalls(profile, calls, rowsOf(byCaller(), of.from));
    if ('around' in of) {
      const out = Array.from(rowsOf(byCaller(), of.around)).filter((i) => calls.callee[i] !== of.around);
      return mergeCalls(profile, calls, [...rowsOf(byCallee(), of.around), ...out]);
    }
    if (of.inFile < 0) return undefined;
    const inFile = new Set(rowsOf(spansByFile(), of.inFile));
    const rows: number[] = [];
    for (let i = 0; i < calls.span.length; i++) if (inFile.has(calls.span[i])) rows.push(i);
    return mergeCalls(profile, calls, rows);
  };
}

/** Merges the given rows of the calls table; in order of caller, file, line, address. */
function mergeCalls({ spans, columns, transformed }: CallGraphProfile, calls: Calls, rows: ArrayLike<number>): CallSites {
  const { address } = calls;
  const known = new Map<string, number>();
  const first: number[] = [];
  const target = new Uint32Array(rows.length);
  for (let k = 0; k < rows.length; k++) {
    const i = rows[k];
    const s = calls.span[i];
    const at = address ? `${spans.high[s]}.${address[i]}` : '';
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
        (address ? spans.high[span(a)] - spans.high[span(b)] || address[first[a]] - address[first[b]] : 0),
    );
  const place = new Uint32Array(order.length);
  order.forEach((g, row) => {
    place[g] = row;
  });
  const count = new Float64Array(order.length);
  const costs = zeroCosts(columns, order.length);
  const guessed = transformed?.estimated?.calls;
  const estimated = guessed && new Uint8Array(order.length);
  for (let k = 0; k < rows.length; k++) {
    const row = place[target[k]];
    if (estimated) estimated[row] |= guessed[rows[k]];
    count[row] += calls.count[rows[k]];
    for (let c = 0; c < columns; c++) costs[c][row] += calls.costs[c][rows[k]];
  }
  return {
    caller: Uint32Array.from(order, (g) => spans.routine[span(g)]),
    callee: Uint32Array.from(order, (g) => calls.callee[first[g]]),
    file: Int32Array.from(order, (g) => spans.file[span(g)]),
    line: Uint32Array.from(order, (g) => calls.line[first[g]]),
    ...(address
      ? {
          high: Uint32Array.from(order, (g) => spans.high[span(g)]),
          low: Uint32Array.from(order, (g) => address[first[g]]),
        }
      : {}),
    count,
    costs,
    ...(estimated ? { estimated } : {}),
  };
}
