// Reads position specifications (fl fi fe fn ob, cfl cfi cfn cob, jfl jfi jfn), which locate the cost lines after them.

import { getOrMake } from '../../base/lists.ts';
import type { CallGraphWriter } from '../../model/callgraph/writer.ts';
import type { FileId, ObjectId, PartId, RoutineId, SpanId, StringId } from '../../model/column.ts';
import type { Sink } from '../../model/sink.ts';
import { decodeBytes } from '../../model/strings.ts';
import { FileIds } from '../shared/file-ids.ts';
import { SPEC_KIND } from './digest.ts';
import { FunctionTable } from './names.ts';
import { cursor, type FailFunction, failBeyondLimit, readNumber } from './numbers.ts';

/** The specification that each word sets. fe= and fi= are equivalent, as are cfl= and cfi=, jfl= and jfi=. */
const SPEC_KIND_OF_WORD: ReadonlyMap<string, number> = new Map(
  Object.entries({ ...SPEC_KIND, fe: SPEC_KIND.fi, cfl: SPEC_KIND.cfi, jfl: SPEC_KIND.jfi }),
);
const FUNCTION_SPECS: ReadonlySet<number> = new Set([SPEC_KIND.fn, SPEC_KIND.cfn, SPEC_KIND.jfn]);
const OBJECT_SPECS: ReadonlySet<number> = new Set([SPEC_KIND.ob, SPEC_KIND.cob]);
const QUOTED_ID = /(^|')\((\d+)\)/g; // bounded: each run is looked at once

/** The files or the objects of a profile, by id and by name. */
interface NameTable {
  readonly kind: string;
  ids: FileIds;
  readonly indexOf: (name: StringId) => number;
  readonly nameAt: (place: number) => StringId;
}

/** For each problem: the first line that has it, and how many lines have it. */
export type ProblemCounts = Map<string, { readonly line: number; times: number }>;

export function countProblem(found: ProblemCounts, what: string, line: number): void {
  getOrMake(found, what, () => ({ line, times: 0 })).times++;
}

/** Defines the id of a file or object; returns -1 if the id already stands for another name. */
function defineId(ids: FileIds, id: number, named: number): number {
  const known = ids.get(id);
  if (known >= 0) return known === named ? known : -1;
  ids.set(id, named);
  return named;
}

export class SpecReader {
  functions = new FunctionTable();
  /** The span of the next rows; -1 if the next row opens a new span. */
  span: SpanId = -1;
  spanHigh = 0;
  /** The source file of the next rows, from fl=, or from fi= and fe= inside a function. */
  file: FileId = -1;
  /** The callee of the next calls= line: its function, and the file and object that cfi= and cob= give (-2 for none). */
  readonly callee = { fn: -1, file: -2, object: -2 };
  /** The file of the last fl=; -2 before the first one. */
  private flFile: FileId = -2;
  /** The file in which the current function is defined. */
  private ownFile: FileId = -1;
  private object: ObjectId = -1;
  /** The current function; -1 before the first fn=. */
  fn = -1;
  private routine: RoutineId = -1;
  /** The function of the next jump; -1 if none is named. */
  jumpFn = -1;
  private jumpFile = -1;
  private readonly files: NameTable;
  private readonly objects: NameTable;
  private firstCall: number;
  private firstJump: number;
  readonly unknownWords: ProblemCounts = new Map();
  private readonly undefinedIds: ProblemCounts = new Map();
  private readonly redefinedIds: ProblemCounts = new Map();

  /** `lineNo` returns the number of the current line. */
  constructor(
    private readonly sink: Sink,
    private readonly tables: CallGraphWriter,
    private readonly fail: FailFunction,
    private readonly lineNo: () => number,
  ) {
    this.files = {
      kind: 'file',
      ids: new FileIds(),
      indexOf: (name) => sink.files.rowOf(name),
      nameAt: (file) => (file < 0 ? -1 : sink.files.name.data[file]),
    };
    this.objects = { kind: 'object', ids: new FileIds(), indexOf: (name) => sink.objects.rowOf(name), nameAt: () => -1 };
    this.firstCall = tables.calls.rows;
    this.firstJump = tables.jumps.line.length;
  }

  /** Reads the specification `word=name` at p, with the `=` at eq; returns false if the word is unknown. */
  readSpec(buf: Uint8Array, p: number, eq: number, end: number): boolean {
    const what = eq - p > 3 ? undefined : SPEC_KIND_OF_WORD.get(decodeBytes(buf, p, eq));
    if (what === undefined) return false;
    if (FUNCTION_SPECS.has(what)) this.setFunction(what, this.readFunction(buf, eq + 1, end));
    else this.setFileOrObject(what, this.readFileOrObject(this.nameTableOf(what), buf, eq + 1, end));
    return true;
  }

  /**
   * Reads a line of the form `word=(id) name` or `word=(id)` that is already split up: the name is buf[at..end) and contains no ids.
   * If the line is wrong, returns false and reads nothing.
   */
  readSplitSpec(what: number, id: number, buf: Uint8Array, at: number, end: number): boolean {
    const { sink } = this;
    if (end - at > sink.limits.name) return false;
    const name = at < end ? sink.strings.bytesId(buf, at, end) : -1;
    if (FUNCTION_SPECS.has(what)) {
      const fn = name < 0 ? this.functions.ids.get(id) : this.defineFunction(id, name);
      if (fn >= 0) this.setFunction(what, fn);
      return fn >= 0;
    }
    const { ids, indexOf } = this.nameTableOf(what);
    const place = name < 0 ? ids.get(id) : defineId(ids, id, indexOf(name));
    if (place >= 0) this.setFileOrObject(what, place);
    return place >= 0;
  }

  private nameTableOf(what: number): NameTable {
    return OBJECT_SPECS.has(what) ? this.objects : this.files;
  }

  private setFileOrObject(what: number, place: number): void {
    if (what === SPEC_KIND.cob) this.callee.object = place;
    else if (what === SPEC_KIND.cfi) this.callee.file = place;
    else if (what === SPEC_KIND.jfi) this.jumpFile = place;
    else {
      if (what === SPEC_KIND.ob) this.object = place;
      else this.file = place;
      if (what === SPEC_KIND.fl) this.flFile = place;
      this.span = -1;
    }
  }

  private setFunction(what: number, fn: number): void {
    if (what === SPEC_KIND.cfn) this.callee.fn = fn;
    else if (what === SPEC_KIND.jfn) this.jumpFn = fn;
    else {
      // The function's code follows, in the file of fl=. Converters of Python profiles (lsprofcalltree) write fi= instead of fl=.
      this.fn = fn;
      this.routine = -1;
      if (this.flFile !== -2) this.file = this.flFile;
      this.ownFile = this.file;
      this.span = -1;
    }
  }

  /** Defines the function id with a name; -1 if the id already has another name. */
  private defineFunction(id: number, name: StringId): number {
    const { functions } = this;
    const known = functions.ids.get(id);
    if (known >= 0) return functions.name.data[known] === name ? known : -1;
    const fn = functions.add(name, true);
    functions.ids.set(id, fn);
    return fn;
  }

  /** Opens a span at the first row of a new location. The span also determines the file and object of the function. */
  openSpan(p: number, part: PartId, high: number): void {
    if (this.fn < 0) this.fail(p, 'fn= before the first cost line', 'a cost line outside any function');
    if (this.routine < 0) this.routine = this.functions.routineAt(this.sink, this.fn, this.ownFile, this.object);
    this.span = this.tables.spans.push(this.routine, this.file, part, high, this.tables.lines.rows);
    this.spanHigh = high;
  }

  /** Returns the callee of a calls= line. The location given by cfi= and cob= is valid only for this call. */
  takeCallee(): number {
    const { callee } = this;
    const file = callee.file === -2 ? this.file : callee.file;
    const object = callee.object === -2 ? this.object : callee.object;
    const mention = this.functions.mentionOf(callee.fn, file, object);
    if (callee.file === -2) this.functions.hasImplicitFile.set(mention, 1);
    callee.file = callee.object = -2;
    return mention;
  }

  takeJumpTarget(): number {
    const fn = this.jumpFn;
    this.jumpFn = -1;
    return fn < 0 ? -1 : this.functions.mentionOf(fn, this.jumpFile >= 0 ? this.jumpFile : this.file, this.object);
  }

  takeJumpFile(): FileId {
    const file = this.jumpFile;
    this.jumpFile = -1;
    return file;
  }

  /** True if the next jump goes to another function or file. */
  get hasJumpTarget(): boolean {
    return this.jumpFn >= 0 || this.jumpFile >= 0;
  }

  /** True if all the ids are defined; an id of -1 means none. */
  areIdsDefined(fn: number, file: number, object: number): boolean {
    return (
      (fn < 0 || this.functions.ids.get(fn) >= 0) &&
      (file < 0 || this.files.ids.get(file) >= 0) &&
      (object < 0 || this.objects.ids.get(object) >= 0)
    );
  }

  /** Sets the next callee as cfn=, cfi= and cob= lines with these ids would; an id of -1 means no such line. */
  setCalleeIds(fn: number, file: number, object: number): void {
    if (fn >= 0) this.callee.fn = this.functions.ids.get(fn);
    if (file >= 0) this.callee.file = this.files.ids.get(file);
    if (object >= 0) this.callee.object = this.objects.ids.get(object);
  }

  setJumpIds(file: number, fn: number): void {
    if (file >= 0) this.jumpFile = this.files.ids.get(file);
    if (fn >= 0) this.jumpFn = this.functions.ids.get(fn);
  }

  /** The callee of a call with these ids (-1 keeps the value read before); returns -1 if an id is undefined. */
  resolveCallee(fn: number, file: number, object: number): number {
    if (fn >= 0) this.callee.fn = this.functions.ids.get(fn);
    if (file >= 0 && (this.callee.file = this.files.ids.get(file)) < 0) return -1;
    if (object >= 0 && (this.callee.object = this.objects.ids.get(object)) < 0) return -1;
    return this.callee.fn < 0 ? -1 : this.takeCallee();
  }

  /** Forgets all ids: the rest of the file is another run, whose ids are its own. */
  beginRun(): void {
    this.resolveMentions();
    this.firstCall = this.tables.calls.rows;
    this.firstJump = this.tables.jumps.line.length;
    this.functions = new FunctionTable();
    this.files.ids = new FileIds();
    this.objects.ids = new FileIds();
    [this.file, this.flFile, this.ownFile, this.object, this.fn, this.routine, this.callee.fn] = [-1, -2, -1, -1, -1, -1, -1];
  }

  private resolveMentions(): void {
    const routines = this.functions.routinesOfMentions(this.sink);
    const { calls, jumps } = this.tables;
    for (let i = this.firstCall; i < calls.rows; i++) calls.callee.data[i] = routines[calls.callee.data[i]];
    for (let i = this.firstJump; i < jumps.line.length; i++) {
      const mention = jumps.targetRoutine.get(i);
      if (mention >= 0) jumps.targetRoutine.set(i, routines[mention]);
    }
  }

  /** Replaces mentions by routines in the rows of this file, once the file has been read, and warns of its problems. */
  finish(path: string): void {
    this.resolveMentions();
    const timesText = (times: number) => (times > 1 ? `, ${times} times` : '');
    for (const [id, { line, times }] of this.undefinedIds) {
      const found = `${id} without a definition${timesText(times)}; shown as unknown`;
      this.sink.warn({ path, line, expected: `a definition of ${id} before its first use`, found });
    }
    for (const [found, { line, times }] of this.redefinedIds)
      this.sink.warn({ path, line, expected: 'one name for each id', found: found + timesText(times) });
    for (const [word, { line, times }] of this.unknownWords) {
      const more = timesText(times);
      this.sink.warn({ path, line, expected: 'a known word such as fl= or fn=', found: `unknown ${word}=${more}; skipped` });
    }
  }

  /** Reads the id of `(id) name`, `(id)` or `name` (-1 for none); leaves cursor.at at the name. */
  private readId(buf: Uint8Array, p: number, end: number): number {
    while (p < end && (buf[p] === 32 || buf[p] === 9)) p++;
    if (end - p > this.sink.limits.name) failBeyondLimit(this.fail, p, this.sink.limits, 'name', end - p);
    if (buf[p] !== 40 || !(buf[p + 1] >= 48 && buf[p + 1] <= 57)) {
      cursor.at = p;
      return -1;
    }
    const id = readNumber(buf, p + 1, false);
    if (typeof id !== 'number' || buf[cursor.at] !== 41)
      this.fail(p, 'an id like (12)', decodeBytes(buf, p, Math.min(end, p + 40)));
    p = cursor.at + 1;
    while (p < end && (buf[p] === 32 || buf[p] === 9)) p++;
    cursor.at = p;
    return id;
  }

  private readFileOrObject({ kind, ids, indexOf, nameAt }: NameTable, buf: Uint8Array, p: number, end: number): number {
    const id = this.readId(buf, p, end);
    const at = cursor.at;
    const known = id < 0 ? -1 : ids.get(id);
    if (id >= 0 && at >= end) {
      // An undefined file or object id means unknown, as in callgrind_annotate. Only function ids must be defined.
      if (known < 0) countProblem(this.undefinedIds, `${kind} id ${id}`, this.lineNo());
      return known;
    }
    const place = indexOf(this.sink.strings.bytesId(buf, at, end));
    if (id >= 0 && defineId(ids, id, place) < 0) {
      this.noteRedefinition(kind, id, nameAt(known));
      ids.set(id, place);
    }
    return place;
  }

  private readFunction(buf: Uint8Array, p: number, end: number): number {
    const id = this.readId(buf, p, end);
    const at = cursor.at;
    const { functions, sink } = this;
    if (id < 0) return getOrMake(functions.withoutId, sink.strings.bytesId(buf, at, end), (name) => functions.add(name, false));
    if (at >= end) {
      const known = functions.ids.get(id);
      if (known < 0) this.fail(p, `a definition of function id ${id} before its first use`, 'none');
      return known;
    }
    // --compress-mangled writes a second recursion level as `(3) (1)'2'(2)`: a name composed of other names' ids.
    const name = buf[at] === 40 || buf[at] === 39 ? this.expandIds(buf, p, at, end) : sink.strings.bytesId(buf, at, end);
    const fn = this.defineFunction(id, name);
    if (fn >= 0) return fn;
    // From here on, the id means the new name, as in KCachegrind.
    this.noteRedefinition('function', id, functions.name.data[functions.ids.get(id)]);
    const redefined = functions.add(name, true);
    functions.ids.set(id, redefined);
    return redefined;
  }

  /** Expands the ids in a name. Each line may double a name's length, so the limit is checked during expansion. */
  private expandIds(buf: Uint8Array, p: number, at: number, end: number): StringId {
    const { functions, sink } = this;
    const text = decodeBytes(buf, at, end);
    if (!/^\(\d+\)(?:'|$)/.test(text)) return sink.strings.bytesId(buf, at, end);
    let length = 0;
    const named = text.replace(QUOTED_ID, (whole, quote: string, digits: string) => {
      const fn = functions.ids.get(Number(digits));
      if (fn < 0) return whole;
      const name = sink.strings.text(functions.name.data[fn]);
      length += name.length;
      if (length > sink.limits.name) failBeyondLimit(this.fail, p, sink.limits, 'name', length);
      return quote + name;
    });
    return sink.strings.textId(named);
  }

  private noteRedefinition(kind: string, id: number, old: StringId): void {
    const name = old >= 0 ? ` (before: ${this.sink.strings.text(old).slice(0, 200)})` : '';
    countProblem(this.redefinedIds, `${kind} id ${id} defined again${name}; the new name counts from there on`, this.lineNo());
  }
}
