// The routines of two runs in one table.
import { Grow } from '../../model/column.ts';
import type { Routines } from '../../model/head.ts';

export type RoutineColumns = { readonly [C in 'name' | 'file' | 'object' | 'line']: Uint32Array | Int32Array };

/** Routines of both runs: this one's, then what only the base has. */
export class RoutineRows {
  readonly name = new Grow(Uint32Array);
  readonly file = new Grow(Int32Array);
  readonly object = new Grow(Int32Array);
  readonly line = new Grow(Uint32Array);
  /** Code without symbols, by its object. */
  private readonly lumps = new Map<number, number>();

  get count(): number {
    return this.name.length;
  }

  /** Whether a routine has namesakes that its line tells it from. */
  get lined(): boolean {
    return this.line.done().some((line) => line > 0);
  }

  /** Adds the routines of a run; their new numbers, if those of some change. */
  addAll(
    { name, file, object, line }: Routines,
    lumped: ReadonlySet<number>,
    lumpName: (object: number) => number,
  ): Uint32Array | undefined {
    const columns = { name, file, object, line: line ?? new Uint32Array(name.length) };
    if (lumped.size > 0) return name.map((_, r) => (lumped.has(r) ? this.lump(object[r], lumpName) : this.add(columns, r)));
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
  lump(object: number, name: (object: number) => number): number {
    const known = this.lumps.get(object);
    if (known !== undefined) return known;
    const made = this.push(name(object), -1, object, 0);
    this.lumps.set(object, made);
    return made;
  }

  is(n: number, { name, file, object, line }: RoutineColumns, r: number): boolean {
    return (
      this.name.data[n] === name[r] &&
      this.file.data[n] === file[r] &&
      this.object.data[n] === object[r] &&
      this.line.data[n] === line[r]
    );
  }

  private push(name: number, file: number, object: number, line: number): number {
    this.name.push(name);
    this.file.push(file);
    this.object.push(object);
    this.line.push(line);
    return this.name.length - 1;
  }
}
