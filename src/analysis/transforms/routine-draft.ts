// The routines of a profile and those that transforms add: new names need new strings.
import type { Routines } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { Interner, type Strings, stringCount } from '../../model/strings.ts';

/** Strings between pauses. */
const SLICE = 20_000;

/** A routine to be added; `line` is 0 for one that has no namesakes. */
export interface NewRoutine {
  readonly name: string;
  readonly file: number;
  readonly object: number;
  readonly line: number;
}

export class RoutineDraft {
  /** The profile with the routines so far, for what asks for names. Its rows are still those of before all transforms. */
  head: Profile;
  private readonly original: Profile;
  /** Made for the first new name: it takes all strings one by one. */
  private interner: Interner | undefined;
  private readonly added = new Map<string, number>();

  constructor(profile: Profile) {
    this.head = profile;
    this.original = profile;
  }

  get count(): number {
    return this.head.routines.name.length;
  }

  /** Adds routines, or finds those that are there already; their numbers. Yields while it does. */
  *add(list: readonly NewRoutine[]): Generator<undefined, number[]> {
    if (list.length === 0) return [];
    this.interner ??= yield* interned(this.original.strings);
    const { interner, added, count } = this;
    const more: (readonly [id: number, routine: NewRoutine])[] = [];
    const numbers = list.map((routine) => {
      const id = interner.textId(routine.name);
      const key = `${id}/${routine.file}/${routine.object}/${routine.line}`;
      let r = added.get(key) ?? this.originalOf(id, routine);
      if (r < 0) r = count + more.push([id, routine]) - 1;
      added.set(key, r);
      return r;
    });
    const { routines } = this.head;
    const column = (of: (routine: NewRoutine) => number) => more.map(([, routine]) => of(routine));
    const line = routines.line ?? (more.some(([, r]) => r.line > 0) ? new Uint32Array(count) : undefined);
    this.head = {
      ...this.head,
      strings: interner.finish(),
      routines: {
        name: extended(
          routines.name,
          more.map(([id]) => id),
        ),
        file: extended(
          routines.file,
          column((r) => r.file),
        ),
        object: extended(
          routines.object,
          column((r) => r.object),
        ),
        ...(line
          ? {
              line: extended(
                line,
                column((r) => r.line),
              ),
            }
          : {}),
      },
    };
    return numbers;
  }

  /** The routine of the profile that is this one; -1 if there is none. */
  private originalOf(id: number, { file, object, line }: NewRoutine): number {
    const { strings, routines } = this.original;
    if (id >= stringCount(strings)) return -1;
    return routines.name.findIndex(
      (name, r) =>
        name === id && routines.file[r] === file && routines.object[r] === object && (routines.line?.[r] ?? 0) === line,
    );
  }

  /** These routines alone, in this order. */
  compacted(rows: Uint32Array): { readonly strings: Strings; readonly routines: Routines } {
    const { strings, routines } = this.head;
    const { line } = routines;
    return {
      strings,
      routines: {
        name: rows.map((r) => routines.name[r]),
        file: Int32Array.from(rows, (r) => routines.file[r]),
        object: Int32Array.from(rows, (r) => routines.object[r]),
        ...(line ? { line: rows.map((r) => line[r]) } : {}),
      },
    };
  }
}

function* interned({ bytes, start }: Strings): Generator<undefined, Interner> {
  const out = new Interner();
  for (let i = 0; i + 1 < start.length; i++) {
    if (i % SLICE === SLICE - 1) yield;
    out.bytesId(bytes, start[i], start[i + 1]);
  }
  return out;
}

/** A copy of a column with more rows. */
export function extended(column: Uint8Array, more: readonly number[]): Uint8Array;
export function extended(column: Uint32Array, more: readonly number[]): Uint32Array;
export function extended(column: Int32Array, more: readonly number[]): Int32Array;
export function extended(column: Uint8Array | Uint32Array | Int32Array, more: readonly number[]): typeof column {
  const Make = column instanceof Uint8Array ? Uint8Array : column instanceof Uint32Array ? Uint32Array : Int32Array;
  const out = new Make(column.length + more.length);
  out.set(column);
  out.set(more, column.length);
  return out;
}
