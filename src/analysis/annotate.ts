// Source lines with their costs, as callgrind_annotate lists them: self cost, and the calls that leave from the line.
import { zeroCosts } from '../model/event-value.ts';
import type { Analysis } from './analysis.ts';
import { type CallSites, callSitesInFile, callSitesOf } from './call-sites.ts';
import { linesOfFile, linesOfRoutine, type MergedLines } from './lines.ts';
import { stackLines } from './stacks.ts';

/** The lines of one file that cost anything, by line; line 0 is what has no line. */
export interface AnnotatedFile {
  readonly file: number;
  readonly line: Uint32Array;
  readonly self: readonly Float64Array[];
  /** Self and the calls from the line, but those that stay in the routine or its cycle: they would count twice. Of samples, those that have the line in their stack. */
  readonly inclusive: readonly Float64Array[];
  readonly calls: CallSites | undefined;
  /** Rows of `calls` by row of this table. */
  readonly callsAt: readonly (readonly number[])[];
}

/** The files that a routine has code in, its own first, then by cost as the file has them. */
export function annotateRoutine(analysis: Analysis, routine: number): AnnotatedFile[] {
  const lines = linesOfRoutine(analysis, routine);
  const calls = callSitesOf(analysis, routine);
  const own = analysis.profile.routines.file[routine];
  const files = new Set<number>([own, ...lines.file, ...(calls ? calls.file : [])]);
  const out: AnnotatedFile[] = [];
  for (const file of files) {
    const annotated = annotate(analysis, file, routine, lines, calls);
    if (annotated.line.length > 0) out.push(annotated);
  }
  return out;
}

/** A whole file: the code of every routine in it. */
export function annotateFile(analysis: Analysis, file: number): AnnotatedFile {
  return annotate(analysis, file, -1, linesOfFile(analysis, file), callSitesInFile(analysis, file));
}

function annotate(
  analysis: Analysis,
  file: number,
  routine: number,
  lines: MergedLines,
  calls: CallSites | undefined,
): AnnotatedFile {
  const lineRows: number[] = [];
  for (let i = 0; i < lines.line.length; i++) if (lines.file[i] === file) lineRows.push(i);
  const callRows: number[] = [];
  for (let i = 0; i < (calls?.line.length ?? 0); i++) if (calls!.file[i] === file) callRows.push(i);
  const numbers = [...new Set([...lineRows.map((i) => lines.line[i]), ...callRows.map((i) => calls!.line[i])])].sort(
    (a, b) => a - b,
  );
  const rowOf = new Map(numbers.map((n, row) => [n, row]));
  const columns = analysis.profile.columns;
  const self = zeroCosts(columns, numbers.length);
  for (const i of lineRows) {
    const row = rowOf.get(lines.line[i])!;
    for (let c = 0; c < columns; c++) self[c][row] += lines.costs[c][i];
  }
  const inclusive = self.map((s) => s.slice());
  const callsAt: number[][] = numbers.map(() => []);
  if (analysis.profile.stacks) {
    for (const i of callRows) callsAt[rowOf.get(calls!.line[i])!].push(i);
    for (const [line, sums] of stackLines(analysis.profile, analysis.partsOff, file, routine)) {
      const row = rowOf.get(line);
      if (row !== undefined) for (let c = 0; c < columns; c++) inclusive[c][row] = sums[c];
    }
    return { file, line: Uint32Array.from(numbers), self, inclusive, calls, callsAt };
  }
  const { of } = analysis.totals.cycles;
  for (const i of callRows) {
    const row = rowOf.get(calls!.line[i])!;
    callsAt[row].push(i);
    const caller = calls!.caller[i];
    const callee = calls!.callee[i];
    if (caller === callee || (of[caller] !== 0 && of[caller] === of[callee])) continue;
    for (let c = 0; c < columns; c++) inclusive[c][row] += calls!.costs[c][i];
  }
  return { file, line: Uint32Array.from(numbers), self, inclusive, calls, callsAt };
}
