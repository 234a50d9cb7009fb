// The routines of a profile and those that transforms add. New names need new strings.
import type { Profile } from '../../../model/profile.ts';
import { Interner, type Strings, stringAt, stringCount } from '../../../model/strings.ts';
import { appendRows } from '../../../model/table.ts';

/** The number of strings between pauses. */
const STRINGS_PER_SLICE = 20_000;

/** A routine to be added; `line` is 0 for one that has no namesakes. */
export interface NewRoutine {
  readonly name: string;
  readonly file: number;
  readonly object: number;
  readonly line: number;
}

/** A new routine without file and object. */
export const routineWithoutFile = (name: string): NewRoutine => ({ name, file: -1, object: -1, line: 0 });

export class RoutineDraft {
  /** The profile with all routines so far, to look up names. Its rows are unchanged. */
  head: Profile;
  private readonly original: Profile;
  /** Created for the first new name, because it must insert all strings one by one. */
  private interner: Interner | undefined;
  private readonly added = new Map<string, number>();

  constructor(profile: Profile) {
    this.head = profile;
    this.original = profile;
  }

  get count(): number {
    return this.head.routines.name.length;
  }

  /** Finds or adds routines; returns their numbers. Yields between slices of work. */
  *add(list: readonly NewRoutine[]): Generator<undefined, number[]> {
    if (list.length === 0) return [];
    this.interner ??= yield* internAll(this.original.strings);
    const { interner, added, count } = this;
    const more: (readonly [id: number, routine: NewRoutine])[] = [];
    const numbers = list.map((routine) => {
      const id = interner.textId(routine.name);
      const key = `${id}/${routine.file}/${routine.object}/${routine.line}`;
      let r = added.get(key) ?? this.findOriginal(id, routine);
      if (r < 0) r = count + more.push([id, routine]) - 1;
      added.set(key, r);
      return r;
    });
    const { routines } = this.head;
    const line = routines.line ?? (more.some(([, r]) => r.line > 0) ? new Uint32Array(count) : undefined);
    const rows = more.map(([name, { file, object, line }]) => ({
      name,
      file,
      object,
      line,
      recorded: -1,
      number: 0,
      within: -1,
    }));
    this.head = {
      ...this.head,
      strings: interner.finish(),
      routines: appendRows({ ...routines, ...(line ? { line } : {}) }, rows),
    };
    return numbers;
  }

  /** Adds a routine `a › b › c` for each chain, at the place of its last. By routine: the one that it becomes. */
  *joinChains(chains: readonly (readonly number[])[], unnamed: string): Generator<undefined, Uint32Array> {
    const { strings, routines } = this.head;
    const { file, object, line } = routines;
    const names = chains.map((chain) => chain.map((r) => stringAt(strings, routines.name[r]) || unnamed).join(' › '));
    const lasts = chains.map((chain) => chain[chain.length - 1]);
    const added = yield* this.add(
      lasts.map((r, i) => ({ name: names[i], file: file[r], object: object[r], line: line?.[r] ?? 0 })),
    );
    const into = Uint32Array.from({ length: this.count }, (_, r) => r);
    for (const [i, chain] of chains.entries()) for (const r of chain) into[r] = added[i];
    return into;
  }

  /** The corresponding routine of the profile; -1 if there is none. */
  private findOriginal(id: number, { file, object, line }: NewRoutine): number {
    const { strings, routines } = this.original;
    if (id >= stringCount(strings)) return -1;
    return routines.name.findIndex(
      (name, r) =>
        name === id && routines.file[r] === file && routines.object[r] === object && (routines.line?.[r] ?? 0) === line,
    );
  }
}

function* internAll({ bytes, start }: Strings): Generator<undefined, Interner> {
  const out = new Interner();
  for (let i = 0; i + 1 < start.length; i++) {
    if (i % STRINGS_PER_SLICE === STRINGS_PER_SLICE - 1) yield;
    out.bytesId(bytes, start[i], start[i + 1]);
  }
  return out;
}
