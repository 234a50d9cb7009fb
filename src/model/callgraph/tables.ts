// A call graph with costs by line, as Callgrind, Cachegrind and gprof record it: spans of rows, calls and jumps.
import type { Costs } from '../column.ts';
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';

/**
 * A span: neighbouring rows of one routine, source file and part. Inlined code gives a routine spans in other files.
 * Line rows of span s are [start[s], start[s + 1]); calls and jumps name their span.
 * `high` is the upper half of every address of the span.
 */
export interface Spans {
  readonly routine: Uint32Array;
  readonly file: Int32Array;
  readonly part: Uint32Array;
  readonly high: Uint32Array;
  readonly start: Uint32Array;
}

/** Self cost as recorded, unmerged and in file order: one row per cost line. Line 0 means unknown. */
export interface Lines {
  readonly line: Uint32Array;
  readonly address?: Uint32Array;
  readonly costs: Costs;
}

/** Calls as recorded, one row each; costs are inclusive. A count of 0 is unknown, or was counted in an earlier part. */
export interface Calls extends Lines {
  readonly span: Uint32Array;
  readonly callee: Uint32Array;
  readonly count: Uint32Array | Float64Array;
}

/**
 * Jumps within or between routines; `executed` is taken + fallen through, the same as `taken` for unconditional ones.
 * targetRoutine is -1 for a jump within its routine, and absent if all are; targetHigh is absent if all targets share the upper half
 * of their span.
 */
export interface Jumps extends Omit<Lines, 'costs'> {
  readonly span: Uint32Array;
  readonly targetFile: Int32Array;
  readonly targetRoutine?: Int32Array;
  readonly targetLine: Uint32Array;
  readonly targetHigh?: Uint32Array;
  readonly targetAddress?: Uint32Array;
  readonly conditional: Uint8Array;
  readonly taken: Uint32Array | Float64Array;
  readonly executed: Uint32Array | Float64Array;
}

/** Lines of a profile from any source: recorded rows, or the innermost frames of sampled stacks. */
export interface LineTables {
  readonly spans: Spans;
  readonly lines: Lines;
}

/** Flags for estimated costs: self and inclusive cost by routine, and cost of the call by row of `calls`. */
export type Estimated = Readonly<Record<'self' | 'inclusive' | 'calls', Uint8Array>>;

/** A call graph: self cost by line, and calls and jumps if the file records them. */
export interface CallGraph extends LineTables {
  readonly kind: 'callgraph';
  readonly calls?: Calls;
  readonly jumps?: Jumps;
  /** Which costs are shares of what several callers cost together. Absent if everything is exact. */
  readonly estimated?: Estimated;
}

export function checkLines(profile: Head & LineTables, to: Invariants): void {
  const { spans, lines, routines, files, parts } = profile;
  const n = spans.routine.length;
  const { start: _, ...rows } = spans;
  to.checkTable('spans', rows, { routine: routines.name.length, file: files.name.length, part: parts.length });
  to.check(spans.start.length === n + 1, 'spans.start is not one longer than the spans');
  to.checkRows(n, (s) => (spans.start[s] > spans.start[s + 1] ? `span ${s} ends before it starts` : undefined));
  to.check(n === 0 || spans.start[0] === 0, 'the first span does not start at row 0');
  to.check(spans.start[n] === lines.line.length, 'the spans do not cover the lines');
  to.checkTable('lines', lines, {});
  to.checkCostColumns('lines', lines.costs, profile.columns, lines.line.length);
}

export function checkCallGraph(profile: Head & CallGraph, to: Invariants): void {
  const { spans, calls, jumps, routines, files } = profile;
  const [span, routine] = [spans.routine.length, routines.name.length];
  checkLines(profile, to);
  if (calls) {
    const n = calls.span.length;
    to.checkTable('calls', calls, { span, callee: routine });
    to.checkCostColumns('calls', calls.costs, profile.columns, n);
    to.checkRows(n, (i) => (calls.count[i] >= 0 ? undefined : `calls.count[${i}] is ${calls.count[i]}`));
  }
  if (jumps) to.checkTable('jumps', jumps, { span, targetFile: files.name.length, targetRoutine: routine });
}
