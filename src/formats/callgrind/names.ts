// Name compression: `(7) name` defines id 7, `(7)` uses it. Functions, files and objects each have their own ids, which stay
// valid to the end of the file, across parts.
//
// A callee is named before the location of its code is known (its file may be wrong in dumps made in the middle of a call), so
// calls refer to a mention: function, file and object as given by the call. At the end of the file, a function with an id is
// located by the fn= that its cost lines followed; a name without an id is located where the call says.
import { Dense, expectRows, Grow, type RoutineId, type StringId } from '../../model/column.ts';
import { RoutineTable } from '../../model/routine-table.ts';
import type { Sink } from '../../model/sink.ts';

/** Ids below this, and below so many for each id that is known, have a place of their own. */
const FREE = 1 << 16;
const EACH = 8;

/** Maps ids to dense numbers. Ids are small in real files; a map has those that would leave most of a table empty. */
export class Ids {
  private readonly dense = new Dense();
  private readonly wild = new Map<number, number>();
  private known = 0;

  get(id: number): number {
    const value = id < WILD ? this.dense.get(id) : -1;
    return value >= 0 || this.wild.size === 0 ? value : (this.wild.get(id) ?? -1);
  }

  expect(times: number): void {
    this.dense.expect(times);
  }

  set(id: number, value: number): void {
    if (id < Math.min(WILD, FREE + EACH * this.known++)) this.dense.set(id, value);
    else this.wild.set(id, value);
  }
}

const WILD = 1 << 24;

/** The functions named in a file, by id or by name alone. */
export class Functions {
  readonly ids = new Ids();
  readonly name = new Grow(Uint32Array);
  /** 1 if the function has an id. */
  private readonly hasId = new Grow(Uint8Array);
  /** For functions with an id: the routine, made by the first fn= with cost lines; -1 if none yet. */
  private readonly own = new Grow(Int32Array);
  private readonly lastMention = new Grow(Int32Array);
  private readonly plain = new Map<StringId, number>();
  /** By function, file and object. */
  private readonly mentions = new RoutineTable();

  add(name: StringId, hasId: boolean): number {
    this.name.push(name);
    this.hasId.push(hasId ? 1 : 0);
    this.own.push(-1);
    this.lastMention.push(-1);
    return this.name.length - 1;
  }

  /** Reserves room for `times` × the current functions. */
  expect(times: number): void {
    expectRows(this, times);
    this.ids.expect(times);
    this.mentions.expect(times);
  }

  byName(name: StringId): number {
    let fn = this.plain.get(name);
    if (fn === undefined) this.plain.set(name, (fn = this.add(name, false)));
    return fn;
  }

  /**
   * The routine of a function whose cost lines follow. An id is one function wherever its costs are: Valgrind's heap profiles
   * give it a new fl= for inlined code. A name without an id is a different function in each file or object.
   */
  routineAt(sink: Sink, fn: number, file: number, object: number): RoutineId {
    const own = this.own.data;
    if (own[fn] >= 0) return own[fn];
    const routine = sink.routine(this.name.data[fn], file, object);
    if (this.hasId.data[fn] === 1) own[fn] = routine;
    return routine;
  }

  mention(fn: number, file: number, object: number): number {
    const { mentions, lastMention } = this;
    const last = lastMention.data[fn];
    if (last >= 0 && mentions.file.data[last] === file && mentions.object.data[last] === object) return last;
    const at = mentions.id(fn, file, object);
    lastMention.data[fn] = at;
    return at;
  }

  /** The routine of each mention. A function with an id but no cost lines is located at its first mention. */
  resolve(sink: Sink): Uint32Array {
    const { name: fn, file, object, count } = this.mentions;
    return Uint32Array.from({ length: count }, (_, m) => this.routineAt(sink, fn.data[m], file.data[m], object.data[m]));
  }
}
