// A Callgrind profile with inlined functions: each instruction is charged to the innermost function at its address.
// Each recorded routine becomes a node, and so does each chain of functions inlined into it, with edges down the chain.
// Recorded calls start at the innermost function at their address.
// So a small function that is inlined everywhere makes no cycle, and a tree that was exact stays exact.

import { getOrMake } from '../../../base/lists.ts';
import { forEachInSlices, type Sliced, type SlicedResult } from '../../../base/slices.ts';
import { SpanRows } from '../../../model/callgraph/rows.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import type { CodeFrames, Inlines } from '../../../model/code-frames.ts';
import { appendRows, appendValues, type Costs, finishColumns, Groups, GrowableColumn, Numbering } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { Interner, stringAt } from '../../../model/strings.ts';
import { foldNodes } from './fold.ts';

/** Yields between slices of work. The profile itself if it has no addresses. */
export function* inlineProfile(profile: ProfileOf<'callgraph'>, inlines: Inlines): Sliced<ProfileOf<'callgraph'>> {
  if (!profile.lines.address || inlines.size === 0 || profile.routines.name.length >= KEY_BASE) return profile;
  const draft = new InlineDraft(profile, yield* findFunctions(profile, inlines));
  yield* draft.splitSpans();
  yield* draft.attachCalls();
  draft.addInlinedCalls();
  return yield* foldNodes(draft.finish());
}

/** A frame in the code of a recorded routine: the first frame of its function in the same outer frame. */
interface InlineSite {
  readonly routine: number;
  readonly frame: number;
  readonly of: ObjectFunctions;
}

class InlineDraft {
  private readonly strings: Interner;
  private readonly files = new Numbering<number>();
  /** The nodes beyond the recorded routines: their function, and the recorded routine's name. */
  private readonly added: Record<'name' | 'file' | 'object' | 'line' | 'recorded' | 'number' | 'within', number>[] = [];
  private readonly nodeOfChild = new Numbering<number>();
  /** By frame of an object: its node in the recorded routine that it was last asked for. */
  private readonly known = new Map<ObjectFunctions, { readonly node: Int32Array; readonly routine: Int32Array }>();
  /** By object and function: its display name, file and line, and its number. */
  private readonly shown = new Map<number, Omit<(typeof this.added)[number], 'within'> & { readonly number: number }>();
  private readonly spans = new SpanRows();
  /** By span of the profile: the first new span made from it. */
  private readonly firstOf: Uint32Array;
  /** Spans without lines, which calls refer to. */
  private readonly empty = new Numbering<string>();
  private lastCall = { span: -1, node: -1, own: -1 };
  private readonly callSpan: Uint32Array;
  /** By part: the place in `sites` of a routine and frame. */
  private readonly siteIndexes = new Map<number, Numbering<number>>();
  private readonly sites: InlineSite[] = [];
  private readonly costs: readonly GrowableColumn<Float64Array>[];
  private readonly calls: { span: number; callee: number; line: number; costs: number[] }[] = [];

  constructor(
    private readonly profile: ProfileOf<'callgraph'>,
    private readonly functions: RecordedFunctions,
  ) {
    this.strings = Interner.fromStrings(profile.strings);
    for (const name of profile.files.name) this.files.numberOf(name);
    this.firstOf = new Uint32Array(profile.spans.routine.length);
    this.callSpan = new Uint32Array(profile.calls?.span.length ?? 0);
    this.costs = Array.from({ length: profile.columns }, () => new GrowableColumn(Float64Array));
  }

  /** Splits spans where the function changes. Rows stay as they are. */
  *splitSpans(): Sliced<void> {
    const { spans, lines } = this.profile;
    const take = (s: number) => {
      this.firstOf[s] = this.spans.routine.length;
      const routine = spans.routine[s];
      const of = this.functionsIn(routine);
      const [from, end] = [spans.start[s], spans.start[s + 1]];
      let last = -1;
      for (let i = from; i < end; i++) {
        const leaf = of?.frames.leafOf.get(spans.high[s] * 2 ** 32 + (lines.address?.[i] ?? 0)) ?? -1;
        const node = of ? this.nodeOf(routine, of, leaf) : routine;
        if (node !== last) this.spans.push(node, spans.file[s], spans.part[s], spans.high[s], i);
        last = node;
        if (of && node !== routine) this.addCosts(spans.part[s], { routine, frame: leaf, of }, lines.costs, i);
      }
      if (from === end) this.spans.push(routine, spans.file[s], spans.part[s], spans.high[s], from);
    };
    yield* forEachInSlices(spans.routine.length, take);
  }

  /** Recorded calls leave from the innermost function at their address. */
  *attachCalls(): Sliced<void> {
    const { calls, spans } = this.profile;
    if (!calls) return;
    yield* forEachInSlices(calls.span.length, (i) => {
      const s = calls.span[i];
      const routine = spans.routine[s];
      const { node, leaf, of } = this.nodeAt(s, calls.address?.[i] ?? 0);
      this.callSpan[i] = this.spanFor(s, node);
      if (of && node !== routine) this.addCosts(spans.part[s], { routine, frame: leaf, of }, calls.costs, i);
    });
  }

  /** Adds edges down the chains, from the innermost outwards, with the cost of each function there. */
  addInlinedCalls(): void {
    const merged = new Numbering<string>();
    for (const [part, siteNumbers] of this.siteIndexes) {
      const inwards = [...siteNumbers.values()].sort((a, b) => this.sites[b].frame - this.sites[a].frame);
      for (const k of inwards) {
        const { routine, frame, of } = this.sites[k];
        const { parent: outer, line: lines } = of.frames;
        const parent = outer[frame];
        const costs = this.costs.map((column) => column.data[k]);
        if (outer[parent] >= 0) {
          const above = this.siteIndex(part, { routine, frame: parent, of });
          for (let c = 0; c < costs.length; c++) this.costs[c].data[above] += costs[c];
        }
        const [caller, callee] = [this.nodeOf(routine, of, parent), this.nodeOf(routine, of, frame)];
        if (caller === callee) continue;
        const span = this.emptySpan(caller, this.fileOf(of, parent), part, 0);
        const line = lines[parent];
        const row = merged.numberOf(`${span} ${callee} ${line}`);
        const call = (this.calls[row] ??= { span, callee, line, costs: costs.map(() => 0) });
        for (let c = 0; c < costs.length; c++) call.costs[c] += costs[c];
      }
    }
  }

  /** The profile whose routines are the nodes. */
  finish(): ProfileOf<'callgraph'> {
    const { profile } = this;
    const { routines, calls, jumps, lines } = profile;
    // Jumps may need spans that have no lines or calls.
    const nodeOfJump = (s: number, j: number) => this.nodeAt(s, jumps?.address?.[j] ?? 0).node;
    const jumpSpans = Uint32Array.from(jumps?.span ?? [], (s, j) => this.spanFor(s, nodeOfJump(s, j)));
    this.spans.start.push(lines.line.length);
    const line = routines.line ?? (this.added.some((row) => row.line > 0) ? new Uint32Array(routines.name.length) : undefined);
    const within = new Int32Array(routines.name.length).fill(-1);
    const file = routines.file.map((_, r) => this.fileOfRoutine(r));
    return {
      ...profile,
      strings: this.strings.finish(),
      files: { name: Uint32Array.from(this.files.keys()) },
      routines: appendRows({ ...routines, file, ...(line ? { line } : {}), within }, this.added),
      spans: finishColumns<SpanRows>(this.spans),
      calls: this.finishCalls(calls),
      ...(jumps ? { jumps: { ...jumps, span: jumpSpans } } : {}),
    };
  }

  private finishCalls(calls: Calls | undefined): Calls {
    const own = this.calls;
    const none = new Uint32Array(0);
    const noCalls = { span: none, callee: none, line: none, count: none, costs: this.costs.map(() => none) };
    const { costs, ...before }: Calls = calls ?? noCalls;
    const rows = own.map(({ span, callee, line }) => ({ span, callee, line, address: 0, count: 0 }));
    const allCosts = costs.map((column, c) => {
      const values = own.map((row) => row.costs[c]);
      // A column becomes one of doubles if a value needs it.
      const isWide = column instanceof Uint32Array && values.some((value) => value >>> 0 !== value);
      return appendValues(isWide ? Float64Array.from(column) : column, values);
    });
    return { ...appendRows({ ...before, span: this.callSpan }, rows), costs: allCosts };
  }

  private functionsIn(routine: number): ObjectFunctions | undefined {
    return this.functions.byObject.get(this.profile.routines.object[routine]);
  }

  private nodeAt(span: number, low: number) {
    const { spans } = this.profile;
    const routine = spans.routine[span];
    const of = this.functionsIn(routine);
    const leaf = of?.frames.leafOf.get(spans.high[span] * 2 ** 32 + low) ?? -1;
    return { node: of ? this.nodeOf(routine, of, leaf) : routine, leaf, of };
  }

  /** The node of a frame in a recorded routine: the routine itself for its own code. */
  private nodeOf(routine: number, of: ObjectFunctions, frame: number): number {
    const { parent, name, texts } = of.frames;
    if (frame < 0 || parent[frame] < 0) return routine;
    const none = () => ({ node: new Int32Array(parent.length), routine: new Int32Array(parent.length).fill(-1) });
    const known = getOrMake(this.known, of, none);
    let f = of.firstOfCall[frame];
    if (known.routine[f] === routine) return known.node[f];
    const inwards: number[] = [];
    for (; parent[f] >= 0 && known.routine[f] !== routine; f = of.firstOfCall[parent[f]]) inwards.push(f);
    let node = parent[f] < 0 ? routine : known.node[f];
    for (const inner of inwards.reverse()) {
      // A function without a name counts as part of the function around it.
      if (texts[name[inner]] !== '') node = this.childOf(node, routine, of, inner);
      known.node[inner] = node;
      known.routine[inner] = routine;
    }
    return node;
  }

  private childOf(parent: number, routine: number, of: ObjectFunctions, frame: number): number {
    const { routines } = this.profile;
    const { number, ...shown } = this.identityOf(routines.object[routine], of, frame);
    const child = this.nodeOfChild.numberOf(parent * KEY_BASE + number);
    if (child === this.added.length) this.added.push({ ...shown, number: 0, within: routines.name[routine] });
    return routines.name.length + child;
  }

  private identityOf(object: number, of: ObjectFunctions, frame: number) {
    const { routines } = this.profile;
    const key = object * KEY_BASE + of.function[frame];
    return getOrMake(this.shown, key, () => {
      const home = this.functions.routineOf(object, of.function[frame]);
      const file = this.functions.fileOf(object, of.function[frame]) ?? this.fileOf(of, frame);
      const name = this.strings.textId(of.nameOf(of.function[frame]));
      const own = { object, number: this.shown.size };
      if (home < 0) return { ...own, name, file, line: 0, recorded: -1 };
      const [line, recorded] = [routines.line?.[home] ?? 0, routines.recorded?.[home] ?? -1];
      return { ...own, name: routines.name[home], file: this.fileOfRoutine(home), line, recorded };
    });
  }

  /** The file that the tool names, as one of the profile's. */
  private fileOf({ frames }: ObjectFunctions, frame: number): number {
    const file = frames.file[frame];
    return file < 0 ? -1 : this.files.numberOf(this.strings.textId(frames.texts[file]));
  }

  private fileOfRoutine(routine: number): number {
    return this.functions.ownFile.get(routine) ?? this.profile.routines.file[routine];
  }

  private addCosts(part: number, site: InlineSite, costs: Costs, row: number): void {
    const k = this.siteIndex(part, site);
    for (let c = 0; c < costs.length; c++) this.costs[c].data[k] += costs[c][row];
  }

  /** The index of a frame's costs. Also creates those of all frames that it is inlined into. */
  private siteIndex(part: number, { routine, frame, of }: InlineSite): number {
    const siteNumbers = getOrMake(this.siteIndexes, part, () => new Numbering());
    const { parent } = of.frames;
    const key = (f: number) => routine * KEY_BASE + f;
    const own = of.firstOfCall[frame];
    for (let f = own; parent[f] >= 0 && !siteNumbers.has(key(f)); f = of.firstOfCall[parent[f]]) {
      siteNumbers.set(key(f), this.sites.push({ routine, frame: f, of }) - 1);
      for (const column of this.costs) column.push(0);
    }
    return siteNumbers.numberOf(key(own));
  }

  /** A span of the node with the file, part and address half of the profile's span. */
  private spanFor(span: number, node: number): number {
    const { spans } = this.profile;
    const first = this.firstOf[span];
    if (this.spans.routine.data[first] === node) return first;
    const last = this.lastCall;
    if (last.span !== span || last.node !== node)
      this.lastCall = { span, node, own: this.emptySpan(node, spans.file[span], spans.part[span], spans.high[span]) };
    return this.lastCall.own;
  }

  private emptySpan(node: number, file: number, part: number, high: number): number {
    const push = () => this.spans.push(node, file, part, high, this.profile.lines.line.length);
    const k = this.empty.numberOf(`${node} ${file} ${part} ${high}`, push);
    return this.spans.start.length - this.empty.size + k;
  }
}

// Finds the function of each frame in debug information: its recorded routine, if any, and the file of its recorded lines.
// Callgrind names a routine's first file, which may be that of inlined code.
// addr2line names the file of the compilation unit, even for functions that several units share.

/** More than the number of names, files, functions, frames or routines. So a pair of numbers fits into one integer. */
export const KEY_BASE = 2 ** 26;

/** The frames of an object, and the function of each: frames of one name and file are one. */
export class ObjectFunctions {
  /** By frame: its function. */
  readonly function: Uint32Array;
  /** By frame: the first frame of the same function inlined into the same frame. */
  readonly firstOfCall: Int32Array;
  /** By frame: its outermost frame. */
  readonly root: Int32Array;
  /** By function: its first frame. */
  readonly firstFrame: readonly number[];

  constructor(readonly frames: CodeFrames) {
    const { parent, name, file } = frames;
    const functions = Groups.groupBy(parent.length, (f) => name[f] * KEY_BASE + file[f] + 1);
    this.function = functions.groupOf;
    this.firstFrame = functions.first;
    const calls = Groups.groupBy(parent.length, (f) => (parent[f] + 1) * KEY_BASE + this.function[f]);
    this.firstOfCall = Int32Array.from(calls.groupOf, (call) => calls.first[call]);
    this.root = new Int32Array(parent.length);
    for (let f = 0; f < parent.length; f++) this.root[f] = parent[f] < 0 ? f : this.root[parent[f]];
  }

  nameOf(of: number): string {
    return this.frames.texts[this.frames.name[this.firstFrame[of]]];
  }
}

type RecordedFunctions = SlicedResult<typeof findFunctions>;

/** Names of parts and levels of a function: `f [cold]`, `f'2`. */
const PART_SUFFIX = / \[cold\]|'\d{1,5}$/; // bounded: one match of a fixed length

/**
 * Files tell functions of one name apart. Of several routines of a function, that with the shortest name is the one. Yields between slices of
 * work. `routineOf`: the recorded routine of a function of an object; -1 if there is none. `fileOf`: the file of a function, one of the profile's;
 * undefined where none of its lines were recorded. `ownFile`: by recorded routine, the file of its function, if known.
 */
function* findFunctions(profile: ProfileOf<'callgraph'>, inlines: Inlines) {
  const { spans, lines, routines, strings } = profile;
  const byObject = new Map(Array.from(inlines, ([object, frames]) => [object, new ObjectFunctions(frames)]));
  /** By object and function: how many places of its code were recorded in each file. */
  const filesOf = new Map<number, Map<number, number>>();
  const rootsOf = new Map<number, number>();
  const seen = new Map(Array.from(inlines, ([object, frames]) => [object, new Uint8Array(frames.parent.length)]));
  const visitSpan = (s: number) => {
    const r = spans.routine[s];
    const object = routines.object[r];
    const functions = byObject.get(object);
    const seenFrames = seen.get(object);
    if (!functions || !seenFrames) return;
    const { leafOf } = functions.frames;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      const leaf = leafOf.get(spans.high[s] * 2 ** 32 + (lines.address?.[i] ?? 0));
      if (leaf === undefined) continue;
      if (seenFrames[leaf] === 0 && spans.file[s] >= 0 && lines.line[i] > 0) {
        seenFrames[leaf] = 1;
        const key = object * KEY_BASE + functions.function[leaf];
        const files = getOrMake(filesOf, key, () => new Map());
        files.set(spans.file[s], (files.get(spans.file[s]) ?? 0) + 1);
      }
      if (!rootsOf.has(r)) rootsOf.set(r, functions.function[functions.root[leaf]]);
    }
  };
  yield* forEachInSlices(spans.routine.length, visitSpan);
  const fileOf = (object: number, of: number) => {
    const files = filesOf.get(object * KEY_BASE + of);
    return files && [...files].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  };
  const length = (r: number) => strings.start[routines.name[r] + 1] - strings.start[routines.name[r]];
  const nameOf = (object: number, of: number) => `${object}\n${byObject.get(object)?.nameOf(of)}`;
  const routineByFunction = new Map<string, number>();
  /** By name: the only routine; -1 for several. */
  const onlyRoutine = new Map<string, number>();
  const ownFile = new Map<number, number>();
  for (const [r, of] of rootsOf) {
    const object = routines.object[r];
    const file = fileOf(object, of);
    if (file !== undefined) ownFile.set(r, file);
    if (PART_SUFFIX.test(stringAt(strings, routines.name[r]))) continue;
    const name = nameOf(object, of);
    const key = `${name}\n${file ?? ''}`;
    const before = routineByFunction.get(key);
    if (before === undefined || length(r) < length(before)) routineByFunction.set(key, r);
    const other = onlyRoutine.get(name);
    onlyRoutine.set(name, other === undefined || other === before ? (routineByFunction.get(key) ?? r) : -1);
  }
  return {
    byObject,
    routineOf(object: number, of: number) {
      const name = nameOf(object, of);
      return routineByFunction.get(`${name}\n${fileOf(object, of) ?? ''}`) ?? onlyRoutine.get(name) ?? -1;
    },
    fileOf,
    ownFile,
  };
}
