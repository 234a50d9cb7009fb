// Finds routines by name, file and object. Routines that agree in all three are distinguished by their first line.
import { groupByKey } from '../base/lists.ts';
import { type FileId, GrowableColumn, type ObjectId, type RoutineId, SparseColumn, type StringId } from './column.ts';
import type { Routines } from './head.ts';

/** The maximum number of routines of one name that are searched linearly. Few names have more. */
const MAX_LINEAR_SEARCH = 16;

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

export class RoutineTable extends RoutineRows {
  /** Routines of one name form a linked list through `next`, latest first. */
  private readonly latest = new SparseColumn(Int32Array, -1);
  private readonly next = new GrowableColumn(Int32Array);
  /** Routines that a linear search does not reach: thousands share a name if functions have no ids. */
  private readonly others = new Map<string, RoutineId>();
  /** The last routine that the latest search examined, if it examined MAX_LINEAR_SEARCH routines. */
  private lastOfFew: RoutineId = -1;

  /** All routines of a name, latest first. */
  routinesNamed(name: StringId): RoutineId[] {
    const found: RoutineId[] = [];
    for (let at: RoutineId = this.latest.get(name); at >= 0; at = this.next.data[at]) found.push(at);
    return found;
  }

  /** The id of a routine; -1 if there is none. */
  findId(name: StringId, file: FileId, object: ObjectId, line = 0): RoutineId {
    const { file: files, object: objects, line: lines, next } = this;
    let last: RoutineId = -1;
    let at: RoutineId = this.latest.get(name);
    let k = 0;
    for (; at >= 0 && k < MAX_LINEAR_SEARCH; k++) {
      if (files.data[at] === file && objects.data[at] === object && lines.data[at] === line) return at;
      last = at;
      at = next.data[at];
    }
    this.lastOfFew = k === MAX_LINEAR_SEARCH ? last : -1;
    return at < 0 ? -1 : (this.others.get(`${name} ${file} ${object} ${line}`) ?? -1);
  }

  /** Finds or adds a routine. `line`: its first line if others share its name, file and object; else 0. */
  findOrAdd(name: StringId, file: FileId, object: ObjectId, line = 0): RoutineId {
    const known = this.findId(name, file, object, line);
    if (known >= 0) return known;
    const old = this.lastOfFew;
    if (old >= 0) this.others.set(`${name} ${this.file.data[old]} ${this.object.data[old]} ${this.line.data[old]}`, old);
    const id = this.push(name, file, object, line);
    this.next.push(this.latest.get(name));
    this.latest.set(name, id);
    return id;
  }
}
