// Routines split by the files of their lines: a compiler inlines code from other files, and what it costs is cost of these. A routine with
// lines in several files becomes one in each, with the lines there and the calls made from them, behind the routine itself, which has no
// line left: it receives the calls, and what they cost goes on to where it was spent. So self costs are exact, and inclusive costs follow the
// one flow of call graphs. Routines with lines in one file are in that file.

import { Numbering } from '../../../model/groups.ts';
import { codeOf } from '../../../model/kinds.ts';
import type { Estimated, Profile, ProfileOf } from '../../../model/profile.ts';
import { leafRows } from '../../../model/stacks/leaf-rows.ts';
import { inOrder, longer, pickRows, withRows } from '../../../model/table.ts';
import { shownFile } from '../../names/names.ts';

/** The same profile if its routines have no lines in other files than their own; inlined functions are in their files already. */
export function splitByFile(profile: Profile): Profile {
  const { compared } = profile;
  if ([profile, compared?.now, compared?.before].some(hasInlined)) return profile;
  if (!compared) {
    const split = new Split([profile]);
    return split.changes ? split.run(profile) : profile;
  }
  const [now, before] = [compared.now, compared.before].map(withoutNodes);
  const split = new Split([now, before]);
  if (!split.changes) return profile;
  const sides = {
    match: inOrder(compared.match, split.wholes),
    routineSides: inOrder(compared.routineSides, split.wholes),
  };
  // Both are of one kind.
  return {
    ...profile,
    ...split.head(profile),
    compared: { ...compared, ...sides, now: split.run(now), before: split.run(before) },
  } as Profile;
}

const hasInlined = (run: Profile | undefined): boolean =>
  run?.kind === 'callgraph' && run.nodes !== undefined && !run.nodes.nameless;

const withoutNodes = (run: Profile): Profile => {
  if (run.kind !== 'callgraph') return run;
  const { nodes: _, ...rest } = run;
  return rest;
};

/** No line of the routine was seen so far. */
const NOWHERE = -2;

class Split {
  /** By routine, those of the files among them: the routine that each is of. */
  readonly wholes: Uint32Array;
  /** Whether anything differs. */
  readonly changes: boolean;
  /** By routine: the file of its lines. */
  private readonly file: Int32Array;
  /** 1 for routines with lines in several files. */
  private readonly several: Uint8Array;
  /** The routine in a file, by both. */
  private readonly known = new Numbering<number>();
  /** By file: the first that people read as the same. */
  private readonly same: Int32Array;

  /** `runs`: they have the same routines and files. */
  constructor(runs: readonly Profile[]) {
    const [first] = runs;
    const { routines } = first;
    const n = routines.name.length;
    const shown = new Map<string, number>();
    this.same = Int32Array.from(first.files.name, (_, f) => {
      const name = shownFile(first, f);
      if (!shown.has(name)) shown.set(name, f);
      return shown.get(name) ?? f;
    });
    const file = new Int32Array(n).fill(NOWHERE);
    this.several = new Uint8Array(n);
    const eachRow = (visit: (routine: number, file: number) => void) => {
      for (const run of runs) {
        const code = codeOf(run);
        for (let i = 0; code && i < code.file.length; i++)
          visit(code.routine[i], this.fileAt(run, code.routine[i], code.file[i]));
      }
    };
    eachRow((r, f) => {
      if (file[r] === NOWHERE) file[r] = f;
      else if (file[r] !== f) this.several[r] = 1;
    });
    const [whole, there]: number[][] = [[], []];
    eachRow((r, f) => {
      if (this.several[r] === 0 || this.known.of(this.key(r, f)) < whole.length) return;
      whole.push(r);
      there.push(f);
    });
    this.wholes = longer(
      Uint32Array.from({ length: n }, (_, r) => r),
      whole,
    );
    this.file = longer(
      file.map((f, r) => (f === NOWHERE || this.several[r] === 1 ? routines.file[r] : f)),
      there,
    );
    this.changes = whole.length > 0 || routines.file.some((f, r) => f !== this.file[r]);
  }

  private key(routine: number, file: number): number {
    return routine * (this.same.length + 1) + file + 1;
  }

  /** The file of a row; a frame without one is in that of its routine. */
  private fileAt({ routines }: Profile, routine: number, file: number): number {
    const known = file >= 0 ? file : routines.file[routine];
    return known < 0 ? known : this.same[known];
  }

  head({ routines }: Profile): Pick<Profile, 'routines' | 'wholes'> {
    return { routines: { ...pickRows(routines, this.wholes), file: this.file }, wholes: this.wholes };
  }

  run(profile: Profile): Profile {
    const head = this.head(profile);
    if (profile.kind === 'callgraph') return this.graph(profile, head);
    if (profile.kind !== 'stacks') return profile;
    const { stacks, places } = profile;
    const frames = { ...profile.frames, routine: this.routinesOf(profile, profile.frames) };
    return { ...profile, ...head, frames, ...leafRows(stacks, frames, places) };
  }

  /** By row, the routine in the row's file. */
  private routinesOf(profile: Profile, { routine, file }: NonNullable<ReturnType<typeof codeOf>>): Uint32Array {
    const { several, known } = this;
    return routine.map((r, i) =>
      several[r] === 1 ? several.length + known.of(this.key(r, this.fileAt(profile, r, file[i]))) : r,
    );
  }

  private graph(profile: ProfileOf<'callgraph'>, head: Pick<Profile, 'routines' | 'wholes'>): Profile {
    const { spans, lines, calls, parts, transformed } = profile;
    const routine = this.routinesOf(profile, spans);
    if (!calls) return { ...profile, ...head, spans: { ...spans, routine } };
    const whole = this.several.length;
    // A call for each routine in a file and each part of the profile: the sum of what happens there.
    const rows = new Numbering<number>();
    const costs: number[][] = calls.costs.map(() => []);
    const rowOf = (span: number) =>
      routine[span] < whole ? -1 : rows.of(routine[span] * Math.max(1, parts.length) + spans.part[span]);
    const put = (c: number, row: number, cost: number) => {
      costs[c][row] = (costs[c][row] ?? 0) + cost;
    };
    const made: { readonly routine: number; readonly part: number }[] = [];
    for (let s = 0; s < routine.length; s++) {
      const row = rowOf(s);
      if (row < 0) continue;
      if (row === made.length) made.push({ routine: routine[s], part: spans.part[s] });
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
    const { start, ...columns } = spans;
    const { costs: recorded, ...called } = calls;
    return {
      ...profile,
      ...head,
      spans: {
        ...withRows(
          { ...columns, routine },
          made.map((to) => ({ routine: this.wholes[to.routine], file: -1, part: to.part, high: 0 })),
        ),
        start: longer(start, new Uint32Array(made.length).fill(lines.line.length)),
      },
      calls: {
        ...withRows(
          called,
          made.map((to, k) => ({ span: routine.length + k, callee: to.routine, line: 0, address: 0, count: 0 })),
        ),
        costs: recorded.map((column, c) => longer(Float64Array.from(column), costs[c])),
      },
      ...(transformed ? { transformed: { ...transformed, ...this.doubts(transformed.estimated, made) } } : {}),
    };
  }

  /** A routine in a file is as doubtful as the whole. */
  private doubts(estimated: Estimated | undefined, made: readonly { readonly routine: number }[]) {
    if (!estimated) return {};
    const { self, inclusive } = pickRows({ self: estimated.self, inclusive: estimated.inclusive }, this.wholes);
    const calls = longer(
      estimated.calls,
      made.map(({ routine }) => self[routine] | inclusive[routine]),
    );
    return { estimated: { self, inclusive, calls } };
  }
}
