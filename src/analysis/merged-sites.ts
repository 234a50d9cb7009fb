// Call sites by line: the same call from several addresses of a line is one row.
import type { CallSites } from './costing.ts';

/** Rows with the same caller, callee, file and line, added up, in the order of the first of them. */
export function mergeAddresses(sites: CallSites): CallSites {
  const { caller, callee, file, line, high, low, inlined, count, costs } = sites;
  if (!high || !low) return sites;
  const first: number[] = [];
  const rowOf = new Uint32Array(caller.length);
  // Rows of a caller's line are neighbours, whatever they call.
  let known = new Map<number, number>();
  for (let i = 0; i < caller.length; i++) {
    if (i === 0 || caller[i] !== caller[i - 1] || file[i] !== file[i - 1] || line[i] !== line[i - 1]) known = new Map();
    let row = known.get(callee[i]);
    if (row === undefined) {
      row = first.push(i) - 1;
      known.set(callee[i], row);
    }
    rowOf[i] = row;
  }
  if (first.length === caller.length) return sites;
  const spread = Uint8Array.from(first, (i) => sites.spread?.[i] ?? 0);
  const plain = new Uint8Array(first.length);
  const sides = new Uint8Array(first.length);
  const estimated = new Uint8Array(first.length);
  rowOf.forEach((row, i) => {
    if (sites.sides) sides[row] |= sites.sides[i];
    if (sites.estimated) estimated[row] |= sites.estimated[i];
    if (inlined?.[i] === 0) plain[row] = 1;
    if (high[i] !== high[first[row]] || low[i] !== low[first[row]]) spread[row] = 1;
  });
  const sum = (column: Float64Array) => {
    const out = new Float64Array(first.length);
    rowOf.forEach((row, i) => {
      out[row] += column[i];
    });
    return out;
  };
  return {
    caller: Uint32Array.from(first, (i) => caller[i]),
    callee: Uint32Array.from(first, (i) => callee[i]),
    file: Int32Array.from(first, (i) => file[i]),
    line: Uint32Array.from(first, (i) => line[i]),
    high: Uint32Array.from(first, (i) => high[i]),
    low: Uint32Array.from(first, (i) => low[i]),
    spread,
    ...(inlined ? { inlined: Uint8Array.from(first, (_, row) => (plain[row] ? 0 : 1)) } : {}),
    count: sum(count),
    costs: costs.map(sum),
    ...(sites.sides ? { sides } : {}),
    ...(sites.estimated ? { estimated } : {}),
  };
}
