// Routines by name, file and object, and by where they start if that is all that tells them apart. Thousands may share a name: a
// function without an id in each of its files.
import { expectRows, type FileId, Grow, type ObjectId, type RoutineId, type StringId } from './column.ts';
import { HashTable } from './hash-table.ts';

export class RoutineTable extends HashTable {
  readonly name = new Grow(Uint32Array);
  readonly file = new Grow(Int32Array);
  readonly object = new Grow(Int32Array);
  /** 0 for most. */
  readonly line = new Grow(Uint32Array);
  /** Whether a routine has a line. */
  lined = false;
  /** The routine being looked up. */
  private wantedName = 0;
  private wantedFile = 0;
  private wantedObject = 0;
  private wantedLine = 0;

  get count(): number {
    return this.name.length;
  }

  /** -1 if there is none. */
  of(name: StringId, file: FileId, object: ObjectId, line = 0): RoutineId {
    this.wantedName = name;
    this.wantedFile = file;
    this.wantedObject = object;
    this.wantedLine = line;
    return this.find(hashOf(name, file, object));
  }

  /** Finds or adds it. */
  id(name: StringId, file: FileId, object: ObjectId, line = 0): RoutineId {
    const known = this.of(name, file, object, line);
    if (known >= 0) return known;
    this.name.push(name);
    this.file.push(file);
    this.object.push(object);
    this.line.push(line);
    this.lined ||= line > 0;
    return this.insert(hashOf(name, file, object));
  }

  /** Reserves room for `times` × the current rows. */
  expect(times: number): void {
    expectRows(this, times);
    this.reserve(this.name.data.length);
  }

  protected isWanted(row: number): boolean {
    return (
      this.name.data[row] === this.wantedName &&
      this.file.data[row] === this.wantedFile &&
      this.object.data[row] === this.wantedObject &&
      this.line.data[row] === this.wantedLine
    );
  }
}

function hashOf(name: number, file: number, object: number): number {
  let hash = Math.imul(name ^ Math.imul(file + 1, 0x9e3779b1) ^ Math.imul(object + 1, 0xc2b2ae35), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
