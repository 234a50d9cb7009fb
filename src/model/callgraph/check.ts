// Checks the invariants of lines, calls and jumps.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import type { CallGraph, LineTables } from './tables.ts';

/** Checks the lines of any profile that has them. */
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
