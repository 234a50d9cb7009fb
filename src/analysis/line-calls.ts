// The calls from source lines, as people read them: one row a line and callee, however many instructions make the call.
import { zeroCosts } from '../model/event-value.ts';
import type { CallSites, LineCalls } from './costing.ts';

/** True for calls that stay in the routine or in its cycle. `of`: cycle numbers by routine, 0 for none. */
export function staysInside(of: Uint32Array, caller: number, callee: number): boolean {
  return caller === callee || (of[caller] !== 0 && of[caller] === of[callee]);
}

/**
 * Merges call sites of one file by line, callee, and whether the call stays inside; sums their counts and costs. `lines`: what stands
 * for the lines, where rows are something else.
 */
export function mergeSites(sites: CallSites, of: Uint32Array, columns: number, lines: ArrayLike<number> = sites.line): LineCalls {
  const groups = new LineCallGroups(of);
  const group = Uint32Array.from(lines, (line, i) => groups.of(line, sites.caller[i], sites.callee[i]));
  const count = new Float64Array(groups.size);
  const costs = zeroCosts(columns, groups.size);
  const estimated = sites.estimated && new Uint8Array(groups.size);
  group.forEach((g, i) => {
    groups.sites[g]++;
    if (estimated) estimated[g] |= sites.estimated?.[i] ?? 0;
    count[g] += sites.count[i];
    for (let c = 0; c < columns; c++) costs[c][g] += sites.costs[c][i];
  });
  return { ...groups.rows(count, costs), ...(estimated ? { estimated } : {}) };
}

/** Numbers the rows of LineCalls as their calls are met. */
export class LineCallGroups {
  /** Call sites by row; whoever adds a site counts it here. */
  readonly sites: number[] = [];
  private readonly line: number[] = [];
  private readonly callee: number[] = [];
  private readonly inside: number[] = [];
  private readonly known = new Map<string, number>();
  private readonly cycles: Uint32Array;

  constructor(cycles: Uint32Array) {
    this.cycles = cycles;
  }

  get size(): number {
    return this.line.length;
  }

  of(line: number, caller: number, callee: number): number {
    const inside = staysInside(this.cycles, caller, callee) ? 1 : 0;
    const key = `${line}.${callee}.${inside}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.line.length);
    this.sites.push(0);
    this.callee.push(callee);
    this.inside.push(inside);
    return this.line.push(line) - 1;
  }

  rows(count: Float64Array, costs: readonly Float64Array[]): LineCalls {
    return {
      line: Uint32Array.from(this.line),
      callee: Uint32Array.from(this.callee),
      inside: Uint8Array.from(this.inside),
      sites: Uint32Array.from(this.sites),
      count,
      costs,
    };
  }
}

/** The sites whose line is in the file. */
export function sitesIn(sites: CallSites, file: number): CallSites {
  const rows = Array.from(sites.file.keys()).filter((i) => sites.file[i] === file);
  return {
    caller: Uint32Array.from(rows, (i) => sites.caller[i]),
    callee: Uint32Array.from(rows, (i) => sites.callee[i]),
    file: new Int32Array(rows.length).fill(file),
    line: Uint32Array.from(rows, (i) => sites.line[i]),
    count: Float64Array.from(rows, (i) => sites.count[i]),
    costs: sites.costs.map((column) => Float64Array.from(rows, (i) => column[i])),
    ...(sites.sides ? { sides: Uint8Array.from(rows, (i) => sites.sides?.[i] ?? 3) } : {}),
    ...(sites.estimated ? { estimated: Uint8Array.from(rows, (i) => sites.estimated?.[i] ?? 0) } : {}),
  };
}
