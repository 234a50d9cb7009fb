// Splits routines by the files of their lines. Inlined code from other files then counts as cost of those files.
// A routine with lines in several files becomes one routine per file, below the original routine, which keeps no lines.
// The original receives the calls, and passes their cost on to where it was spent.
// So self costs are exact, and inclusive costs follow the flow of call graphs. Other routines are in the file of their lines.

import { getOrMake } from '../../../base/lists.ts';
import { codeRowsOf } from '../../../model/kinds.ts';
import { PairTable } from '../../../model/pairs.ts';
import type { Estimated, Profile, ProfileOf } from '../../../model/profile.ts';
import { leafRows } from '../../../model/stacks/leaf-rows.ts';
import { appendRows, appendValues, pickColumn, pickRows } from '../../../model/table.ts';
import { hasInlined } from '../../answers/code-wanted.ts';
import { displayFile } from '../../names/names.ts';

/** The same profile if its routines have no lines in other files than their own; inlined functions are in their files already. */
export function splitByFile(profile: Profile): Profile {
  const { compared } = profile;
  if ([profile, compared?.now, compared?.before].some(hasInlined)) return profile;
  if (!compared) {
    const split = new FileSplit([profile]);
    return split.hasChanges ? split.splitRun(profile) : profile;
  }
  const [now, before] = [compared.now, compared.before].map(withoutNodes);
  const split = new FileSplit([now, before]);
  if (!split.hasChanges) return profile;
  const sides = {
    match: pickColumn(compared.match, split.wholeRoutineOf),
    routineSides: pickColumn(compared.routineSides, split.wholeRoutineOf),
  };
  // Both are of one kind.
  return {
    ...profile,
    ...split.head(profile),
    compared: { ...compared, ...sides, now: split.splitRun(now), before: split.splitRun(before) },
  } as Profile;
}

const withoutNodes = (run: Profile): Profile => {
  if (run.kind !== 'callgraph') return run;
  const { nodes: _, ...rest } = run;
  return rest;
};

/** The file of a routine of which no line was seen yet. */
const NOT_SEEN = -2;

class FileSplit {
  /** By routine, including the added ones: the original routine. */
  readonly wholeRoutineOf: Uint32Array;
  /** Whether splitting changes anything. */
  readonly hasChanges: boolean;
  /** By routine: the file of its lines. */
  private readonly file: Int32Array;
  /** 1 for routines with lines in several files. */
  private readonly inSeveralFiles: Uint8Array;
  /** The routines in a file: pairs of an original routine and a file. */
  private readonly inFile = new PairTable(Int32Array);
  /** By file: the first file with the same readable path. */
  private readonly same: Int32Array;

  /** Creates the split. `runs`: profiles with the same routines and files. */
  constructor(runs: readonly Profile[]) {
    const [first] = runs;
    const { routines } = first;
    const n = routines.name.length;
    const shown = new Map<string, number>();
    this.same = Int32Array.from(first.files.name, (_, f) => getOrMake(shown, displayFile(first, f), () => f));
    const file = new Int32Array(n).fill(NOT_SEEN);
    this.inSeveralFiles = new Uint8Array(n);
    const eachRow = (visit: (routine: number, file: number) => void) => {
      for (const run of runs) {
        const code = codeRowsOf(run);
        for (let i = 0; code && i < code.file.length; i++)
          visit(code.routine[i], this.fileAt(run, code.routine[i], code.file[i]));
      }
    };
    eachRow((r, f) => {
      if (file[r] === NOT_SEEN) file[r] = f;
      else if (file[r] !== f) this.inSeveralFiles[r] = 1;
    });
    eachRow((r, f) => {
      if (this.inSeveralFiles[r] === 1) this.inFile.numberOf(r, f);
    });
    const ownFile = file.map((f, r) => (f === NOT_SEEN || this.inSeveralFiles[r] === 1 ? routines.file[r] : f));
    this.wholeRoutineOf = appendValues(Uint32Array.from(file.keys()), this.inFile.first.done());
    this.file = appendValues(ownFile, this.inFile.second.done());
    this.hasChanges = this.inFile.size > 0 || routines.file.some((f, r) => f !== this.file[r]);
  }

  /** The file of a row; a frame without one is in that of its routine. */
  private fileAt({ routines }: Profile, routine: number, file: number): number {
    const known = file >= 0 ? file : routines.file[routine];
    return known < 0 ? known : this.same[known];
  }

  head({ routines }: Profile): Pick<Profile, 'routines' | 'wholes'> {
    return { routines: { ...pickRows(routines, this.wholeRoutineOf), file: this.file }, wholes: this.wholeRoutineOf };
  }

  splitRun(profile: Profile): Profile {
    const head = this.head(profile);
    if (profile.kind === 'callgraph') return this.splitGraph(profile, head);
    if (profile.kind !== 'stacks') return profile;
    const { stacks, places } = profile;
    const frames = { ...profile.frames, routine: this.routinesOf(profile, profile.frames) };
    return { ...profile, ...head, frames, ...leafRows(stacks, frames, places) };
  }

  /** By row: the routine in the row's file. */
  private routinesOf(profile: Profile, { routine, file }: NonNullable<ReturnType<typeof codeRowsOf>>): Uint32Array {
    const { inSeveralFiles, inFile } = this;
    return routine.map((r, i) =>
      inSeveralFiles[r] === 1 ? inSeveralFiles.length + inFile.numberOf(r, this.fileAt(profile, r, file[i])) : r,
    );
  }

  private splitGraph(profile: ProfileOf<'callgraph'>, head: Pick<Profile, 'routines' | 'wholes'>): Profile {
    const { spans, lines, calls, transformed } = profile;
    const routine = this.routinesOf(profile, spans);
    if (!calls) return { ...profile, ...head, spans: { ...spans, routine } };
    const whole = this.inSeveralFiles.length;
    // One call per part to each routine in a file, with the summed cost of that routine there.
    const rows = new PairTable(Uint32Array);
    const costs: number[][] = calls.costs.map(() => []);
    const rowOf = (span: number) => (routine[span] < whole ? -1 : rows.numberOf(routine[span], spans.part[span]));
    const put = (c: number, row: number, cost: number) => {
      costs[c][row] = (costs[c][row] ?? 0) + cost;
    };
    for (let s = 0; s < routine.length; s++) {
      const row = rowOf(s);
      if (row < 0) continue;
      for (const [c, column] of lines.costs.entries()) {
        let sum = 0;
        for (let i = spans.start[s]; i < spans.start[s + 1]; i++) sum += column[i];
        put(c, row, sum);
      }
    }
    for (let i = 0; i < calls.span.length; i++) {
      const row = rowOf(calls.span[i]);
      if (row >= 0) for (const [c, column] of calls.costs.entries()) put(c, row, column[i]);
    }
    const made = Array.from(rows.first.done(), (of, k) => ({ routine: of, part: rows.second.data[k] }));
    const { start, ...columns } = spans;
    const { costs: recorded, ...called } = calls;
    const ownSpans = made.map((to) => ({ routine: this.wholeRoutineOf[to.routine], file: -1, part: to.part, high: 0 }));
    const ownCalls = made.map((to, k) => ({ span: routine.length + k, callee: to.routine, line: 0, address: 0, count: 0 }));
    return {
      ...profile,
      ...head,
      spans: {
        ...appendRows({ ...columns, routine }, ownSpans),
        start: appendValues(start, new Uint32Array(made.length).fill(lines.line.length)),
      },
      calls: {
        ...appendRows(called, ownCalls),
        costs: recorded.map((column, c) => appendValues(Float64Array.from(column), costs[c])),
      },
      ...(transformed ? { transformed: { ...transformed, ...this.splitEstimates(transformed.estimated, made) } } : {}),
    };
  }

  /** A routine in a file is an estimate if the original routine is one. */
  private splitEstimates(estimated: Estimated | undefined, made: readonly { readonly routine: number }[]) {
    if (!estimated) return {};
    const { self, inclusive } = pickRows({ self: estimated.self, inclusive: estimated.inclusive }, this.wholeRoutineOf);
    const more = made.map(({ routine }) => self[routine] | inclusive[routine]);
    return { estimated: { self, inclusive, calls: appendValues(estimated.calls, more) } };
  }
}
