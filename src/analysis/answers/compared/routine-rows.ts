// The routines of two runs in one table.
import type { Routines } from '../../../model/head.ts';
import { RoutineRows } from '../../../model/routine-table.ts';

export type RoutineColumns = { readonly [C in 'name' | 'file' | 'object' | 'line']: Uint32Array | Int32Array };

/** The routines of both runs: this run's, then those that only the base has. */
export class JoinedRoutines extends RoutineRows {
  /** By object: the routine that stands for all of its code without symbols. */
  private readonly unnamedCode = new Map<number, number>();

  /** Adds the routines of a run. Returns their new numbers if any of them change. */
  addAll(
    { name, file, object, line }: Routines,
    lumped: ReadonlySet<number>,
    lumpName: (object: number) => number,
  ): Uint32Array | undefined {
    const columns = { name, file, object, line: line ?? new Uint32Array(name.length) };
    if (lumped.size > 0)
      return name.map((_, r) => (lumped.has(r) ? this.unnamedRoutineOf(object[r], lumpName) : this.add(columns, r)));
    for (const id of ['name', 'file', 'object', 'line'] as const) {
      this[id].reserve(name.length);
      this[id].data.set(columns[id]);
      this[id].length = name.length;
    }
    return undefined;
  }

  add({ name, file, object, line }: RoutineColumns, r: number): number {
    return this.push(name[r], file[r], object[r], line[r]);
  }

  /** The routine that stands for an object's code without symbols. */
  unnamedRoutineOf(object: number, name: (object: number) => number): number {
    const made = this.unnamedCode.get(object) ?? this.push(name(object), -1, object, 0);
    this.unnamedCode.set(object, made);
    return made;
  }
}
