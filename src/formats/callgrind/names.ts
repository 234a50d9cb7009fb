// Callgrind's name compression: `(7) name` defines id 7, and `(7)` alone refers to it.
// Functions, files and objects have separate ids, which stay valid to the end of the file, across parts.
//
// A callee is named before its code's location is known; its file may be wrong in dumps made in the middle of a call.
// So calls refer to a mention: the function, file and object given by the call. Mentions are resolved at the end of the file.
// A function with an id is located by the fn= above its cost lines; a name without an id is located where the call says.
import { GrowableColumn, type RoutineId, SparseColumn, type StringId, scaleCapacities } from '../../model/column.ts';
import { RoutineTable } from '../../model/routine-table.ts';
import type { Sink } from '../../model/sink.ts';
import { FileIds } from '../shared/file-ids.ts';

/** The functions named in a file, by id or only by name. */
export class FunctionTable {
  readonly ids = new FileIds();
  readonly name = new GrowableColumn(Uint32Array);
  /** 1 if the function has an id. */
  private readonly hasId = new GrowableColumn(Uint8Array);
  /** For functions with an id: the routine made by the first fn= line with cost lines; -1 if there is none yet. */
  private readonly routineOf = new GrowableColumn(Int32Array);
  private readonly lastMention = new GrowableColumn(Int32Array);
  /** By name: the function that is only named. */
  readonly withoutId = new Map<StringId, number>();
  /** Mentions: distinct triples of function, file and object. */
  private readonly mentions = new RoutineTable();
  /** By mention: 1 if a call names it without a file, so that its file is that of the caller. */
  readonly hasImplicitFile = new SparseColumn(Int32Array, -1);

  add(name: StringId, hasId: boolean): number {
    this.name.push(name);
    this.hasId.push(hasId ? 1 : 0);
    this.routineOf.push(-1);
    this.lastMention.push(-1);
    return this.name.length - 1;
  }

  /** Reserves memory for `times` times the current number of functions. */
  expect(times: number): void {
    for (const table of [this, this.ids, this.mentions]) scaleCapacities(table, times);
  }

  /**
   * The routine of a function whose cost lines follow. An id is one function wherever its costs are: Valgrind's heap profiles
   * give it a new fl= for inlined code. A name without an id is a different function in each file or object.
   */
  routineAt(sink: Sink, fn: number, file: number, object: number): RoutineId {
    const own = this.routineOf.data;
    if (own[fn] >= 0) return own[fn];
    const routine = sink.routines.findOrAdd(this.name.data[fn], file, object);
    if (this.hasId.data[fn] === 1) own[fn] = routine;
    return routine;
  }

  mentionOf(fn: number, file: number, object: number): number {
    const { mentions, lastMention } = this;
    const last = lastMention.data[fn];
    if (last >= 0 && mentions.file.data[last] === file && mentions.object.data[last] === object) return last;
    const at = mentions.findOrAdd(fn, file, object);
    lastMention.data[fn] = at;
    return at;
  }

  /**
   * The routine of each mention. A function with an id but no cost lines is located at its first mention. A name without an id that has no cost lines
   * where the call has it, and that the call gives without a file, is the one routine of that name that has some: so wrote xdebug before 2.3.
   */
  routinesOfMentions(sink: Sink): Uint32Array {
    const { name: fn, file, object, count } = this.mentions;
    const bodies = sink.routines.count;
    return Uint32Array.from({ length: count }, (_, m) => {
      const found = this.bodyElsewhere(sink, m, bodies);
      return found >= 0 ? found : this.routineAt(sink, fn.data[m], file.data[m], object.data[m]);
    });
  }

  /** The routine with cost lines that a mention means, if it is not the one that the mention names; -1 otherwise. */
  private bodyElsewhere(sink: Sink, mention: number, bodies: number): RoutineId {
    const { name: fn, file, object } = this.mentions;
    const [own, at, inObject] = [fn.data[mention], file.data[mention], object.data[mention]];
    const name = this.name.data[own];
    const hasBody = (routine: RoutineId) => routine >= 0 && routine < bodies;
    if (this.routineOf.data[own] >= 0 || hasBody(sink.routines.findId(name, at, inObject))) return -1;
    // pprof numbers its nodes of one name in calls, and not above their cost lines. Nodes without a name are not one function.
    const [, base] = /^(.+?) ?\[\d{1,9}\/\d{1,9}\]$/.exec(sink.strings.text(name)) ?? []; // bounded: one match of a name
    const unnumbered = base === undefined ? -1 : sink.routines.findId(sink.strings.textId(base), at, inObject);
    if (hasBody(unnumbered)) return unnumbered;
    if (this.hasId.data[own] === 1 || this.hasImplicitFile.get(mention) !== 1) return -1;
    const candidates = sink.routines.routinesNamed(name).filter(hasBody);
    const nearest = candidates.length > 1 ? candidates.filter((r) => sink.routines.object.data[r] === inObject) : candidates;
    return nearest.length === 1 ? nearest[0] : -1;
  }
}
