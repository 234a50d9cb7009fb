// Finds routines by name, file and object. Routines that agree in all three are distinguished by their first line.
import { groupByKey } from '../base/lists.ts';
import { type FileId, GrowableColumn, type ObjectId, type RoutineId, type StringId } from './column.ts';
import { PairTable } from './hash-table.ts';
import type { Routines } from './head.ts';

/** A table of routines that is being written. */
export class RoutineRows {
  readonly name = new GrowableColumn(Uint32Array);
  readonly file = new GrowableColumn(Int32Array);
  readonly object = new GrowableColumn(Int32Array);
  /** The first line of each routine; 0 for most. */
  readonly line = new GrowableColumn(Uint32Array);
  /** The recorded names of routines that were renamed. */
  readonly recorded = new Map<RoutineId, StringId>();

  get count(): number {
    return this.name.length;
  }

  push(name: StringId, file: FileId, object: ObjectId, line: number): RoutineId {
    this.name.push(name);
    this.file.push(file);
    this.object.push(object);
    this.line.push(line);
    return this.name.length - 1;
  }

  equals(at: number, name: StringId, file: FileId, object: ObjectId, line: number): boolean {
    return (
      this.name.data[at] === name && this.file.data[at] === file && this.object.data[at] === object && this.line.data[at] === line
    );
  }

  done(): Routines {
    const line = this.line.done();
    const columns = { name: this.name.done(), file: this.file.done(), object: this.object.done() };
    const recorded = new Int32Array(this.count).fill(-1);
    for (const [routine, name] of this.recorded) recorded[routine] = name;
    const lines = line.some((l) => l > 0) ? { line } : {};
    return numberNamesakes({ ...columns, ...lines, ...(this.recorded.size > 0 ? { recorded } : {}) });
  }
}

/** The recorded name of a routine, which may have another displayed name. */
export const recordedNameId = ({ name, recorded }: Routines, r: number): StringId =>
  recorded && recorded[r] >= 0 ? recorded[r] : name[r];

/** Numbers, from 1, the routines that differ in their recorded names only. */
export function numberNamesakes({ number: _, ...routines }: Routines): Routines {
  const { name, file, object, line, recorded } = routines;
  if (!recorded) return routines;
  const renamed = new Set(name.filter((_, r) => recorded[r] >= 0));
  const rows = Array.from(name.keys()).filter((r) => renamed.has(name[r]));
  const groups = groupByKey(rows, (r) => `${name[r]} ${file[r]} ${object[r]} ${line?.[r] ?? 0}`);
  const number = new Uint32Array(name.length);
  for (const group of groups.values()) if (group.length > 1) for (const [k, r] of group.entries()) number[r] = k + 1;
  return number.some((n) => n > 0) ? { ...routines, number } : routines;
}

/** Finds routines by the names that they had when they were added. */
export class RoutineTable extends RoutineRows {
  private readonly owners = new PairTable(Int32Array);
  private readonly places = new PairTable(Int32Array);
  private readonly known = new PairTable(Int32Array);

  /** The id of a routine; -1 if there is none. */
  findId(name: StringId, file: FileId, object: ObjectId, line = 0): RoutineId {
    const place = this.places.findId(this.owners.findId(file, object), line | 0);
    return this.known.findId(name, place);
  }

  /** Finds a routine, or adds it. */
  findOrAdd(name: StringId, file: FileId, object: ObjectId, line = 0): RoutineId {
    const place = this.places.numberOf(this.owners.numberOf(file, object), line | 0);
    const id = this.known.numberOf(name, place);
    return id < this.count ? id : this.push(name, file, object, line);
  }
}
