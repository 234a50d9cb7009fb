// The keys that routines are grouped by, and profiles split so that each routine is in one group only.

import { getOrMake, memo } from '../../../base/lists.ts';
import { withSlashes } from '../../../base/paths.ts';
import type { Estimated } from '../../../model/callgraph/tables.ts';
import { appendRows, appendValues, Groups, pickColumn, pickRows } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import { codeRowsOf, type Profile, type ProfileOf } from '../../../model/profile.ts';
import { leafRows } from '../../../model/stacks/leaf-rows.ts';
import { analyse } from '../../answers/analyse.ts';
import type { Analysis } from '../../answers/analysis.ts';
import { hasInlined } from '../../answers/code-wanted.ts';
import { inlinedFrames } from '../../answers/stacks/inlined.ts';
import { labelKeys, labelsOf, valuesInSet } from '../../answers/stacks/tags.ts';
import { displayFile, nameWithoutNumber, routineName, routineObject, UNKNOWN_NAME } from '../../names/names.ts';
import { originWithObject } from '../../names/origin.ts';
import { enclosingScopes, functionOf, namespaceOf, nameText, parseName, UNLIMITED } from '../../names/parts.ts';

/** The group of a routine, by key. */
const KEYS: Readonly<Record<string, (profile: Profile, routine: number) => string>> = {
  file: (profile, r) => displayFile(profile, profile.routines.file[r]),
  directory: (profile, r) => folderOf(displayFile(profile, profile.routines.file[r])),
  object: (profile, r) => routineObject(profile, r) || UNKNOWN_NAME,
  code: originWithObject,
  namespace: (profile, r) => namespaceOf(routineName(profile, r)),
  class: (profile, r) => enclosingScopes(routineName(profile, r)),
  function: (profile, r) =>
    nameText(parseName(functionOf(nameWithoutNumber(profile, r))), { depth: UNLIMITED, params: false, without: 0 }),
};

export const ROUTINE_KEYS = Object.keys(KEYS);

/** The labels of samples that routines can be grouped by; none in a comparison of two runs. */
export function labelGroupKeys(profile: Profile): readonly string[] {
  return profile.compared ? [] : labelKeys(profile).filter((key) => !ROUTINE_KEYS.includes(key));
}

/** Whether a grouping has a label of samples, of this run in a comparison. */
export const groupsByLabel = (profile: Profile, grouping: string): boolean =>
  keysOfGrouping(grouping).some((key) => labelGroupKeys(profile.compared?.now ?? profile).includes(key));

/** The keys of a grouping such as `comm,object`. The key `routine` stands for the routines within the last group. */
export const keysOfGrouping = (grouping: string): string[] => grouping.split(/[,:]/).map((key) => key.trim());

function folderOf(path: string): string {
  const slash = withSlashes(path).lastIndexOf('/');
  return slash < 0 ? UNKNOWN_NAME : path.slice(0, slash + 1);
}

/** Whether a key splits routines into their code in each file. */
export const splitsByFile = (keys: readonly string[]): boolean => keys.includes('file') || keys.includes('directory');

export type SplitRoutines = ReturnType<typeof splitRoutines>;

/**
 * The analysis whose routines a grouping lists, each in one group only: by file, a routine is split into its code in each file;
 * by label, by the values. `isShown`: false for routines whose parts stand for them.
 */
export const splitRoutines = memo((shown: Analysis, grouping: string) => {
  const keys = keysOfGrouping(grouping).filter((key) => key !== 'routine');
  const labels = keys.filter((key) => !Object.hasOwn(KEYS, key));
  const byFile = splitsByFile(keys) ? splitByFile(shown.profile) : shown.profile;
  const byLabel = labels.length > 0 && byFile.kind === 'stacks' ? splitByLabels(byFile, labels) : undefined;
  const profile = byLabel?.profile ?? byFile;
  const hasParts = new Uint8Array(profile.routines.name.length);
  for (const { wholes = [] } of [byFile, profile])
    for (const [r, whole] of wholes.entries()) if (whole !== r) hasParts[whole] = 1;
  return {
    analysis: profile === shown.profile ? shown : analyse(profile, shown.events, shown.partsOff),
    keys,
    shown,
    groupOf: (key: number, r: number) =>
      Object.hasOwn(KEYS, keys[key]) ? KEYS[keys[key]](profile, r) : (byLabel?.valueOf(labels.indexOf(keys[key]), r) ?? ''),
    isShown: (r: number) => hasParts[r] === 0 && !(byLabel && r < byFile.routines.name.length),
  };
}, 4);

// Splits routines by the labels of samples, such as the command or the CPU: each combination of values has routines of its own, with exact
// self and inclusive costs.

/** The text for samples that lack a label. */
const NO_VALUE = '(without it)';

/** The split profile, and the value of a label for each of its routines. `keys`: of labels. */
function splitByLabels(profile: ProfileOf<'stacks'>, keys: readonly string[]) {
  const { stacks, frames, places, routines } = profile;
  const of = labelsOf(profile);
  const n = routines.name.length;
  const sets = of ? of.labels.start.length - 1 : 1;
  const valuesOf = (set: number) => keys.map((key) => (of && valuesInSet(of, set, key).join(',')) || NO_VALUE);
  const groups = Groups.groupBy(sets, (set) => JSON.stringify(valuesOf(set)));
  const values = groups.first.map(valuesOf);
  const framesOf = new PairTable(Uint32Array);
  const routinesOf = new PairTable(Uint32Array);
  const frame = new Uint32Array(stacks.frame.length);
  for (let s = 0; s < stacks.part.length; s++) {
    const group = groups.groupOf[of ? of.labels.set[s] : 0];
    for (let k = stacks.start[s]; k < stacks.start[s + 1]; k++) frame[k] = framesOf.numberOf(group, stacks.frame[k]);
  }
  const [groupOfFrame, oldFrame] = [framesOf.first.done(), framesOf.second.done()];
  const routine = oldFrame.map((f, i) => n + routinesOf.numberOf(groupOfFrame[i], frames.routine[f]));
  const inlined = inlinedFrames(profile, profile.granularity);
  const next = {
    ...pickRows({ file: frames.file, line: frames.line }, oldFrame),
    routine,
    // Neighbours no longer tell which frames are of one address.
    inlined: inlined ? pickColumn(inlined, oldFrame) : new Uint8Array(oldFrame.length),
  };
  const placesNext = places && { ...places, ofFrame: pickColumn(places.ofFrame, oldFrame) };
  const split = { ...stacks, frame };
  const [groupOfRoutine, whole] = [routinesOf.first.done(), routinesOf.second.done()];
  const wholes = appendValues(Uint32Array.from(routines.name.keys()), whole);
  return {
    profile: {
      ...profile,
      ...{ routines: pickRows(routines, wholes), wholes, frames: next, stacks: split },
      ...(placesNext ? { places: placesNext } : {}),
      ...leafRows(split, next, placesNext),
    },
    /** The value of a key of `keys` for a routine of the split profile. */
    valueOf: (key: number, r: number): string => (r < n ? NO_VALUE : values[groupOfRoutine[r - n]][key]),
  };
}

// Splits routines by the files of their lines. Inlined code from other files then counts as cost of those files.
// A routine with lines in several files becomes one routine per file, below the original routine, which keeps no lines.
// The original receives the calls, and passes their cost on to where it was spent.
// So self costs are exact, and inclusive costs follow the flow of call graphs. Other routines are in the file of their lines.

/** The same profile if its routines have no lines in other files than their own; inlined functions are in their files already. */
function splitByFile(profile: Profile): Profile {
  const { compared } = profile;
  if ([profile, compared?.now, compared?.before].some(hasInlined)) return profile;
  const runs = compared ? [compared.now, compared.before].map(withoutNodes) : [profile];
  const split = new FileSplit(runs);
  if (!split.hasChanges) return profile;
  const [now, before] = runs.map((run) => split.splitRun(run));
  if (!compared) return now;
  const sides = {
    match: pickColumn(compared.match, split.wholeRoutineOf),
    routineSides: pickColumn(compared.routineSides, split.wholeRoutineOf),
  };
  // Both are of one kind.
  return {
    ...profile,
    ...split.head(profile),
    compared: { ...compared, ...sides, now, before },
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

  private routinesOf(profile: Profile, { routine, file }: NonNullable<ReturnType<typeof codeRowsOf>>): Uint32Array {
    const { inSeveralFiles, inFile } = this;
    return routine.map((r, i) =>
      inSeveralFiles[r] === 1 ? inSeveralFiles.length + inFile.numberOf(r, this.fileAt(profile, r, file[i])) : r,
    );
  }

  private splitGraph(profile: ProfileOf<'callgraph'>, head: Pick<Profile, 'routines' | 'wholes'>): Profile {
    const { spans, lines, calls, estimated } = profile;
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
      ...(estimated ? { estimated: this.splitEstimates(estimated, made) } : {}),
    };
  }

  /** A routine in a file is an estimate if the original routine is one. */
  private splitEstimates(estimated: Estimated, made: readonly { readonly routine: number }[]) {
    const { self, inclusive } = pickRows({ self: estimated.self, inclusive: estimated.inclusive }, this.wholeRoutineOf);
    const more = made.map(({ routine }) => self[routine] | inclusive[routine]);
    return { self, inclusive, calls: appendValues(estimated.calls, more) };
  }
}
