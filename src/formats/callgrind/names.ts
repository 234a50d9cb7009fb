// Name compression: `(7) name` defines id 7, `(7)` uses it. Functions, files and objects each have their own ids, which stay
// valid to the end of the file, across parts.
//
// A callee is named before the location of its code is known (its file may be wrong in dumps made in the middle of a call), so
// calls refer to a mention: function, file and object as given by the call. At the end of the file, a function with an id is
// located by the fn= that its cost lines followed; a name without an id is located where the call says.
import { Dense, expectRows, Grow, type RoutineId, type StringId } from '../../model/column.ts';
import type { Sink } from '../../model/sink.ts';

/** Maps ids to dense numbers. Ids are small in real files; huge ones go to a map. */
export class Ids {
  private readonly dense = new Dense();
  private readonly wild = new Map<number, number>();

  get(id: number): number {
    return id < WILD ? this.dense.get(id) : (this.wild.get(id) ?? -1);
  }

  expect(times: number): void {
    this.dense.expect(times);
  }

  set(id: number, value: number): void {
    if (id < WILD) this.dense.set(id, value);
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
  private readonly mentionFn = new Grow(Uint32Array);
  private readonly mentionFile = new Grow(Int32Array);
  private readonly mentionObject = new Grow(Int32Array);
  private readonly nextMention = new Grow(Int32Array);

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
    let at = this.lastMention.data[fn];
    while (at >= 0) {
      if (this.mentionFile.data[at] === file && this.mentionObject.data[at] === object) return at;
      at = this.nextMention.data[at];
    }
    at = this.mentionFn.length;
    this.mentionFn.push(fn);
    this.mentionFile.push(file);
    this.mentionObject.push(object);
    this.nextMention.push(this.lastMention.data[fn]);
    this.lastMention.data[fn] = at;
    return at;
  }

  /** The routine of each mention. A function with an id but no cost lines is located at its first mention. */
  resolve(sink: Sink): Uint32Array {
    const out = new Uint32Array(this.mentionFn.length);
    for (let m = 0; m < out.length; m++)
      out[m] = this.routineAt(sink, this.mentionFn.data[m], this.mentionFile.data[m], this.mentionObject.data[m]);
    return out;
  }
}
