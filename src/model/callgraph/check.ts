// Invariants of lines, calls and jumps.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import type { CallGraph, LineTables } from './tables.ts';

/** For every profile with lines. */
export function checkLines(profile: Head & LineTables, to: Invariants): void {
  const { spans, lines, routines, files, parts } = profile;
  const n = spans.routine.length;
  to.sameLength('spans', n, { file: spans.file, part: spans.part, high: spans.high });
  to.holds(spans.start.length === n + 1, 'spans.start is not one longer than the spans');
  to.every(n, (s) => (spans.start[s] > spans.start[s + 1] ? `span ${s} ends before it starts` : undefined));
  to.holds(n === 0 || spans.start[0] === 0, 'the first span does not start at row 0');
  to.holds(spans.start[n] === lines.line.length, 'the spans do not cover the lines');
  to.within('spans.routine', spans.routine, 0, routines.name.length);
  to.within('spans.file', spans.file, -1, files.name.length);
  to.within('spans.part', spans.part, 0, parts.length);
  to.sameLength('lines', lines.line.length, { address: lines.address });
  to.costColumns('lines', lines.costs, profile.columns, lines.line.length);
}

export function checkCallGraph(profile: Head & CallGraph, to: Invariants): void {
  const { spans, calls, jumps, routines, files } = profile;
  checkLines(profile, to);
  if (calls) {
    const n = calls.span.length;
    to.sameLength('calls', n, { callee: calls.callee, line: calls.line, address: calls.address, count: calls.count });
    to.within('calls.span', calls.span, 0, spans.routine.length);
    to.within('calls.callee', calls.callee, 0, routines.name.length);
    to.costColumns('calls', calls.costs, profile.columns, n);
    to.every(n, (i) => (calls.count[i] >= 0 ? undefined : `calls.count[${i}] is ${calls.count[i]}`));
  }
  if (jumps) {
    to.within('jumps.span', jumps.span, 0, spans.routine.length);
    to.within('jumps.targetFile', jumps.targetFile, -1, files.name.length);
    if (jumps.targetRoutine) to.within('jumps.targetRoutine', jumps.targetRoutine, -1, routines.name.length);
    to.sameLength('jumps', jumps.span.length, { line: jumps.line, taken: jumps.taken, executed: jumps.executed });
  }
}
