// Source lines with their costs, as callgrind_annotate lists them: self cost, and the calls made from the line.
import { zeroCosts } from '../../model/head.ts';
import type { Analysis } from './analysis.ts';
import type { CallSites, EstimateFlags, LineCalls, MergedLines, RunMask } from './costing.ts';
import { sitesInFile } from './line-calls.ts';

/** The lines of one file that have any cost, by line. Line 0 holds costs without a line. */
export interface AnnotatedFile {
  readonly file: number;
  readonly line: Uint32Array;
  readonly self: readonly Float64Array[];
  readonly inclusive: readonly Float64Array[];
  readonly calls: LineCalls | undefined;
  /** By row of this table: the rows of `calls` at that line. */
  readonly callsAt: readonly (readonly number[])[];
  readonly sides?: RunMask;
  /** Flags for lines whose costs are partly estimates. Absent if all costs are exact. */
  readonly estimated?: { readonly self: EstimateFlags; readonly inclusive: EstimateFlags };
}

/** The files that contain code of a routine: its own file first, then others by file number. `filesByCost` sorts them by cost. */
export function annotateRoutine(analysis: Analysis, routine: number): AnnotatedFile[] {
  const lines = analysis.costing.lines({ routine });
  const calls = analysis.costing.callSites({ from: routine });
  const own = analysis.profile.routines.file[routine];
  const files = new Set<number>([own, ...lines.file, ...(calls ? calls.file : [])]);
  const annotated = Array.from(files, (file) => annotate(analysis, file, routine, lines, calls));
  return annotated.filter(({ line }) => line.length > 0);
}

/** A whole file, with the code of every routine in it. */
export const annotateFile = (analysis: Analysis, file: number): AnnotatedFile =>
  annotate(analysis, file, -1, analysis.costing.lines({ file }), analysis.costing.callSites({ inFile: file }));

function annotate(analysis: Analysis, file: number, routine: number, lines: MergedLines, sites: CallSites | undefined) {
  const lineRows: number[] = [];
  for (let i = 0; i < lines.line.length; i++) if (lines.file[i] === file) lineRows.push(i);
  const inFile = sites && sitesInFile(sites, file);
  const calls = inFile && analysis.costing.lineCalls(file, routine, inFile);
  const numbers = [...new Set([...lineRows.map((i) => lines.line[i]), ...(calls?.line ?? [])])].sort((a, b) => a - b);
  const rowOf = new Map(numbers.map((n, row) => [n, row]));
  const rowIn = ({ line }: { readonly line: Uint32Array }, i: number) => rowOf.get(line[i]) ?? 0;
  const self = zeroCosts(analysis.profile.columns, numbers.length);
  for (const i of lineRows) {
    const row = rowIn(lines, i);
    for (let c = 0; c < self.length; c++) self[c][row] += lines.costs[c][i];
  }
  const callsAt: number[][] = numbers.map(() => []);
  for (let i = 0; calls && i < calls.line.length; i++) callsAt[rowIn(calls, i)].push(i);
  const combineFlags = (ofLines: Uint8Array | undefined, ofCalls: Uint8Array | undefined) => {
    const out = new Uint8Array(numbers.length);
    if (ofLines) for (const i of lineRows) out[rowIn(lines, i)] |= ofLines[i];
    if (calls && ofCalls) for (let i = 0; i < ofCalls.length; i++) out[rowIn(calls, i)] |= ofCalls[i];
    return out;
  };
  const inclusive = analysis.costing.inclusiveLines(file, routine, { rowOf, costs: self }, inFile);
  const sides = lines.sides && combineFlags(lines.sides, calls?.sides);
  // A line's inclusive cost is an estimate if one of its calls is.
  const estimated = (lines.estimated ?? calls?.estimated) && {
    self: combineFlags(lines.estimated, undefined),
    inclusive: combineFlags(lines.estimated, calls?.estimated),
  };
  const costs = { self, inclusive, ...(estimated ? { estimated } : {}) };
  return { file, line: Uint32Array.from(numbers), ...costs, calls, callsAt, ...(sides ? { sides } : {}) };
}
