// The routines of a profile and those that transforms add. New names need new strings.
import type { Sliced } from '../../../base/slices.ts';
import { appendRows } from '../../../model/column.ts';
import type { Profile } from '../../../model/profile.ts';
import { Interner, stringAt, stringCount } from '../../../model/strings.ts';

/** A routine to be added; `line` is 0 for one that has no namesakes. */
export interface NewRoutine extends Readonly<Record<'file' | 'object' | 'line', number>> {
  readonly name: string;
}

export const routineWithoutFile = (name: string): NewRoutine => ({ name, file: -1, object: -1, line: 0 });

export class RoutineDraft {
  /** The profile with all routines so far, to look up names. Its rows are unchanged. */
  head: Profile;
  /** Created for the first new name, because it must insert all strings one by one. */
  private interner: Interner | undefined;
  private readonly added = new Map<string, number>();

  constructor(private readonly original: Profile) {
    this.head = original;
  }

  get count(): number {
    return this.head.routines.name.length;
  }

  /** Finds or adds routines; returns their numbers. Yields between slices of work. */
  *add(list: readonly NewRoutine[]): Sliced<number[]> {
    if (list.length === 0) return [];
    this.interner ??= yield* Interner.readStrings(this.original.strings);
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
    const { routines: known } = this.head;
    const line = known.line ?? (more.some(([, r]) => r.line > 0) ? new Uint32Array(count) : undefined);
    const rows = more.map(([name, routine]) => ({ ...routine, name, recorded: -1, number: 0, within: -1 }));
    const routines = appendRows({ ...known, ...(line ? { line } : {}) }, rows);
    this.head = { ...this.head, strings: interner.finish(), routines };
    return numbers;
  }

  /** Adds a routine `a › b › c` for each chain, at the place of its last. By routine: the one that it becomes. */
  *joinChains(chains: readonly (readonly number[])[], unnamed: string): Sliced<Uint32Array> {
    const { strings, routines } = this.head;
    const { file, object, line } = routines;
    const names = chains.map((chain) => chain.map((r) => stringAt(strings, routines.name[r]) || unnamed).join(' › '));
    const lasts = chains.map((chain) => chain[chain.length - 1]);
    const joined = lasts.map((r, i) => ({ name: names[i], file: file[r], object: object[r], line: line?.[r] ?? 0 }));
    const added = yield* this.add(joined);
    const into = Uint32Array.from({ length: this.count }, (_, r) => r);
    for (const [i, chain] of chains.entries()) for (const r of chain) into[r] = added[i];
    return into;
  }

  /** The corresponding routine of the profile; -1 if there is none. */
  private findOriginal(id: number, routine: NewRoutine): number {
    const { name, file, object, line } = this.original.routines;
    if (id >= stringCount(this.original.strings)) return -1;
    const isAtPlace = (r: number) =>
      file[r] === routine.file && object[r] === routine.object && (line?.[r] ?? 0) === routine.line;
    return name.findIndex((text, r) => text === id && isAtPlace(r));
  }
}
