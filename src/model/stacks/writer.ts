// Builds tables from sampled stacks: named addresses become frames, and stacks of addresses become stacks of frames.
// The innermost frames become rows of self cost by line and address, which all other views read (leaf-rows.ts).
import { limitProblem } from '../../base/limits.ts';
import { getOrMake } from '../../base/lists.ts';
import { FormatError } from '../../base/problem.ts';
import { formatCount, plural } from '../../base/units.ts';
import { type FileId, finishColumns, growableTable, type PartId, pushRow, type RoutineId } from '../column.ts';
import { PairTable } from '../hash-table.ts';
import type { Head, Part } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import { CallPaths } from './call-paths.ts';
import { warnOfCutStacks } from './cut-stacks.ts';
import { LabelSets } from './labels.ts';
import { leafRows } from './leaf-rows.ts';
import { findProfilerFrames, type ProfilerFrames } from './profiler-frames.ts';
import { buildCosts } from './sample-costs.ts';
import { type Mapping, type NamedFrame, programOfMappings, type RecordedType, Samples, StackTable } from './samples.ts';
import type { CodeAddresses, Frames, Snapshots, StackSamples, Stacks } from './tables.ts';
import { TimesWriter } from './times.ts';

/** The name for an address without a symbol. All such addresses of an object are one routine, unless the user splits them. */
export function nameOfAddress(address: string, object: string | null): string {
  // [vdso] has brackets already.
  return object === null ? address : `${address} [${object.slice(object.lastIndexOf('/') + 1).replace(/^\[(.*)\]$/, '$1')}]`;
}

/** The name for an address without a symbol: where its function starts, if known. */
function nameWithoutSymbol(sink: Sink, samples: Samples, place: number, object: number): string {
  if (object < 0) return `0x${samples.address(place).toString(16)}`;
  const path = sink.strings.text(sink.objects.name.data[object]);
  const start = samples.starts.get(place);
  return start === undefined ? nameOfAddress('0x...', path) : `${path.slice(path.lastIndexOf('/') + 1)}+0x${start.toString(16)}`;
}

type WrittenStacks = Pick<Head, 'events' | 'columns'> & StackSamples;

/** Writes stacks whose frames are numbered by the writer. */
abstract class StackWriter {
  readonly paths: CallPaths;
  /** The times of samples and markers, if the format records them. */
  readonly times = new TimesWriter();
  readonly labels = new LabelSets();
  private readonly labelSets = new Map<string, number>();
  /** Sampling period of each part in nanoseconds; 0 if not stated. */
  readonly periods: number[] = [];
  /** The meaning of each cost column, with the one shown by default first. Empty if only samples are counted. */
  types: readonly RecordedType[] = [];
  /** Whether column 0 counts samples, in addition to costs. */
  counted = false;

  constructor(
    protected readonly sink: Sink,
    readonly stacks: StackTable,
  ) {
    this.paths = new CallPaths(stacks);
  }

  get rows(): number {
    return this.stacks.rows;
  }

  /** The row of a stack of frames, innermost first, and a set of labels, for addTo(). Throws FormatError beyond the limit on frames. */
  row(part: PartId, frames: Uint32Array, n: number, labels = 0): number {
    return this.checkFrameLimit(this.stacks.row(part, frames, n, labels));
  }

  /** The row of a path of `paths`. All such rows must be added before any other rows. Throws like row(). */
  rowOf(part: PartId, path: number): number {
    return this.checkFrameLimit(this.paths.rowOf(part, path));
  }

  /** Checks the limit: formats that name a stack by its parent can have far more frames than bytes. */
  private checkFrameLimit(row: number): number {
    const { limits, paths } = this.sink;
    if (this.stacks.elementCount <= limits.frames) return row;
    throw new FormatError({ path: paths.at(-1) ?? '', ...limitProblem(limits, 'frames') });
  }

  /** The set of labels with these values. The labels are asked for when their key is first used. */
  labelSetOf(key: string, labelsOf: () => readonly (readonly [name: string, value: string | number])[]): number {
    const { strings } = this.sink;
    const fieldsOf = (value: string | number) =>
      typeof value === 'string' ? { value: strings.textId(value), number: Number.NaN } : { value: -1, number: value };
    const labels = () => labelsOf().map(([name, value]) => ({ key: strings.textId(name), ...fieldsOf(value), unit: -1 }));
    return getOrMake(this.labelSets, key, () => this.labels.addSet(labels()));
  }

  addTo(column: number, row: number, cost: number | bigint): void {
    this.stacks.ensureColumns(column + 1);
    this.stacks.addTo(column, row, cost);
  }

  /** Builds the tables of a profile with these frames, from stacks of them. */
  protected finishStacks(frames: Frames, own: Pick<Stacks, 'start' | 'frame'>, places?: CodeAddresses): WrittenStacks {
    const { events, costs, columnAt } = buildCosts(this.stacks, this.periods, this.types);
    const stacks: Stacks = { ...own, part: this.stacks.part.done(), costs };
    warnOfCutStacks(this.sink, this.stacks, frames, own);
    // Files of several runs have different clocks, so they get no times.
    const timed = this.sink.paths.length > 1 ? {} : this.times.finish(this.counted, columnAt);
    const labels = this.labels.buildTables(this.stacks.labels.done());
    return {
      ...{ kind: 'stacks', events, columns: costs.length, frames, stacks, ...leafRows(stacks, frames, places) },
      ...(places ? { places } : {}),
      ...(labels ? { labels } : {}),
      ...timed,
    };
  }
}

/** Writes stacks of code addresses. Each address becomes frames once its names are known. */
export class AddressStackWriter extends StackWriter implements TableWriter {
  readonly samples: Samples;

  constructor(sink: Sink) {
    const samples = new Samples();
    super(sink, samples.stacks);
    this.samples = samples;
  }

  /** Adds a part with its memory map, and its sampling period in nanoseconds (0 if not stated). */
  addMappedPart(
    part: Pick<Part, 'path' | 'notes' | 'events'>,
    mappings: Mapping[],
    period = 0,
    program = programOfMappings(mappings),
  ): void {
    this.samples.mappings.push(mappings);
    this.periods.push(period);
    this.sink.command ??= program;
    this.sink.addPart({ ...part, command: program, positions: ['address'] });
  }

  finish(): WrittenStacks {
    const { sink, samples } = this;
    const { frames: all, first, ...rest } = buildFrames(sink, samples);
    const known = rest.ofFrame.length === 0 || rest.places.low.some((low, p) => low !== 0 || rest.places.high[p] !== 0);
    const places: CodeAddresses | undefined = known ? { ...rest.places, ofFrame: rest.ofFrame } : undefined;
    const profilerFrames = findProfilerFrames(samples);
    if (profilerFrames) reportProfilerFrames(sink, samples, profilerFrames);
    const stacks = expandStacks(samples, first, profilerFrames?.keep ?? samples.keep);
    // Without addresses, only this column tells which functions share an address.
    const { ofFrame } = rest;
    const marksInlined = samples.names.some((list) => list?.some((f) => f.inlined));
    const isInlined = (p: number, f: number) => ofFrame[f + 1] === p || samples.names[p]?.[f - first[p]]?.inlined;
    const frames =
      places && !marksInlined ? all : { ...all, inlined: Uint8Array.from(ofFrame, (p, f) => (isInlined(p, f) ? 1 : 0)) };
    return this.finishStacks(frames, stacks, places);
  }
}

/** The names of a frame. A file or object of null, and line 0, are unknown. */
export interface FrameNames {
  readonly name: string;
  readonly file?: string | null;
  readonly line?: number;
  readonly object?: string | null;
  readonly inlined?: boolean;
  /** The start of the function, if its name is ambiguous within the file. */
  readonly start?: number;
}

/** Writes stacks of names: a frame is a routine, with a line if the file records it. */
export class NamedStackWriter extends StackWriter implements TableWriter {
  private readonly frames = growableTable({ routine: Uint32Array, file: Int32Array, line: Uint32Array, inlined: Uint8Array });
  private readonly places = new PairTable(Int32Array);
  private readonly known = new PairTable(Int32Array);
  /** The moments of the run, if the format records more of them than its parts. */
  snapshots: Snapshots | undefined;

  constructor(sink: Sink) {
    super(sink, new StackTable());
  }

  /** The number of a frame. A file of null and line 0 are unknown. */
  frame(name: string, file: string | null = null, line = 0): number {
    return this.frameOf({ name, file, line });
  }

  frameOf({ name, file = null, line = 0, object = null, inlined = false, start = 0 }: FrameNames): number {
    const { sink } = this;
    const at = file === null ? -1 : sink.files.rowOf(sink.strings.textId(file));
    const of = object === null ? -1 : sink.objects.rowOf(sink.strings.textId(object));
    const routine = sink.routines.findOrAdd(sink.strings.textId(name), at, of, start);
    return this.numberOf(routine, at, line, inlined ? 1 : 0);
  }

  frameAtLine(frame: number, line: number): number {
    const { routine, file, inlined } = this.frames;
    return this.numberOf(routine.data[frame], file.data[frame], line, inlined.data[frame]);
  }

  private numberOf(routine: RoutineId, file: FileId, line: number, inlined: number): number {
    const id = this.known.numberOf(this.places.numberOf(routine, 2 * file + inlined), line | 0);
    if (id === this.frames.routine.length) pushRow(this.frames, { routine, file, line, inlined });
    return id;
  }

  /** Adds `count` samples of a stack of frames, innermost first. */
  add(part: PartId, frames: readonly number[], count: number | bigint): void {
    this.addTo(0, this.row(part, Uint32Array.from(frames), frames.length), count);
  }

  finish(): WrittenStacks {
    const { inlined, ...places } = finishColumns(this.frames);
    const routine = displayedRoutines(this.sink, places.routine);
    const frames: Frames = { ...places, routine, ...(inlined.includes(1) ? { inlined } : {}) };
    const { start, element } = this.stacks;
    const own = this.sink.paths.length > 1 ? undefined : this.snapshots;
    const tables = this.finishStacks(frames, { start: start.done(), frame: element.done() });
    return { ...tables, ...(own ? { snapshots: own } : {}) };
  }
}

function reportProfilerFrames(sink: Sink, samples: Samples, { known, guesses }: ProfilerFrames): void {
  if (known.frames > 0) {
    const text = samples.hidden?.leading
      ? `${plural(known.frames, 'frame')} of the allocator left out: allocations belong to its callers`
      : `${plural(known.frames, 'frame')} of the profiler's own signal handler left out, in ${plural(known.samples, 'sample')}`;
    sink.notes.push(text);
  }
  for (const { address, stacks, ofStacks, samples: count } of guesses) {
    const path = samples.mappingOf(address)?.path ?? null;
    const name = nameOfAddress(`0x${samples.address(address).toString(16)}`, path);
    const shared = `${formatCount(stacks)} of ${plural(ofStacks, 'stack')} (${plural(count, 'sample')})`;
    sink.warn({
      path: sink.paths[0] ?? '',
      expected: 'a caller as the second frame',
      found: `${name} is the second frame of ${shared}: taken for the signal handler and left out`,
    });
  }
}

function buildAddresses(sink: Sink, samples: Samples): Omit<CodeAddresses, 'ofFrame'> {
  const high = samples.addresses.high.done();
  const low = samples.addresses.low.done();
  const ownHigh = high.slice();
  const ownLow = low.slice();
  for (const [place, address] of samples.ownAddress) {
    ownHigh[place] = Number(address >> 32n);
    ownLow[place] = Number(address & 0xffffffffn);
  }
  const object = Int32Array.from(high, (_, place) => {
    const path = samples.mappingOf(place)?.path;
    return path === undefined || path === null ? -1 : sink.objects.rowOf(sink.strings.textId(path));
  });
  return { high, low, object, ownHigh, ownLow, named: Uint8Array.from(high, (_, p) => (samples.names[p] ? 1 : 0)) };
}

/** By frame: its routine, once routines have their displayed names. */
function displayedRoutines(sink: Sink, routines: Uint32Array): Uint32Array {
  const into = sink.showRoutines(true);
  return into ? routines.map((r) => into[r]) : routines;
}

/** The frames of all addresses, in order of address; address p has frames [first[p], first[p + 1]). */
function buildFrames(sink: Sink, samples: Samples) {
  const places = buildAddresses(sink, samples);
  const n = places.high.length;
  const first = new Uint32Array(n + 1);
  for (let p = 0; p < n; p++) first[p + 1] = first[p] + (samples.names[p]?.length ?? 1);
  const total = first[n];
  const ofFrame = new Uint32Array(total);
  const frames = { routine: new Uint32Array(total), file: new Int32Array(total).fill(-1), line: new Uint32Array(total) };
  // Addresses without a line still belong to the function, and get its file.
  const fileOf = new Map<string, string>();
  const key = (p: number, f: NamedFrame) => `${places.object[p]} ${f.name}`;
  const fileAt = (p: number, f: NamedFrame) => f.file ?? fileOf.get(key(p, f));
  const namesakes = new Namesakes();
  for (let p = 0; p < n; p++)
    for (const f of samples.names[p] ?? []) if (f.file !== null && !fileOf.has(key(p, f))) fileOf.set(key(p, f), f.file);
  for (let p = 0; p < n; p++) for (const f of samples.names[p] ?? []) namesakes.add(`${key(p, f)}\n${fileAt(p, f)}`, f);
  const { strings } = sink;
  for (let p = 0; p < n; p++) {
    const at = first[p];
    const list = samples.names[p];
    if (!list) {
      ofFrame[at] = p;
      const object = places.object[p];
      frames.routine[at] = sink.routines.findOrAdd(strings.textId(nameWithoutSymbol(sink, samples, p, object)), -1, object);
      continue;
    }
    list.forEach((f, k) => {
      const own = fileAt(p, f);
      const file = own === undefined ? -1 : sink.files.rowOf(strings.textId(own));
      ofFrame[at + k] = p;
      const line = f.home === undefined ? 0 : namesakes.lineOf(`${key(p, f)}\n${own}`, f);
      frames.routine[at + k] = sink.routines.findOrAdd(strings.textId(f.name), file, places.object[p], line);
      frames.file[at + k] = f.lineFile === undefined ? file : sink.files.rowOf(strings.textId(f.lineFile));
      frames.line[at + k] = f.line;
    });
  }
  return { places, ofFrame, frames: { ...frames, routine: displayedRoutines(sink, frames.routine) }, first };
}

/** Replaces addresses by frames in all stacks, and leaves out dropped frames. */
function expandStacks(samples: Samples, first: Uint32Array, keep: Uint8Array | undefined): Pick<Stacks, 'start' | 'frame'> {
  const from = samples.stacks.start.done();
  const place = samples.stacks.element.done();
  const places = first.length - 1;
  // If each address has one frame and none is dropped, frame numbers equal address numbers.
  if (first[places] === places && !keep) return { start: from, frame: place };
  const start = new Uint32Array(from.length);
  let total = 0;
  for (let s = 0; s + 1 < from.length; s++) {
    for (let k = from[s]; k < from[s + 1]; k++) if (keep?.[k] !== 0) total += first[place[k] + 1] - first[place[k]];
    start[s + 1] = total;
  }
  const frame = new Uint32Array(total);
  let at = 0;
  for (let k = 0; k < place.length; k++)
    if (keep?.[k] !== 0) for (let f = first[place[k]]; f < first[place[k] + 1]; f++) frame[at++] = f;
  return { start, frame };
}

// Functions with the same name and file, mostly lambdas. They are distinguished by where their code starts.
// Copies of one function, compiled or inlined in several places, overlap in lines and count as one function.

interface FunctionRange {
  readonly starts: number[];
  first: number;
  last: number;
}

/** Distinguishes frames whose functions share a name. `key`: the object, name and file that they share. */
class Namesakes {
  private readonly homes = new Map<string, Map<number, FunctionRange>>();
  /** By key and start of a function: the first line seen of it. */
  private lines: Map<string, Map<number, number>> | undefined;

  add(key: string, { home, line }: NamedFrame): void {
    if (home === undefined || line === 0) return;
    const homes = getOrMake(this.homes, key, () => new Map());
    const known = getOrMake(homes, home, () => ({ starts: [home], first: line, last: line }));
    known.first = Math.min(known.first, line);
    known.last = Math.max(known.last, line);
  }

  /** The first line of the function of a frame; 0 if no other function has its name, or nothing is known. */
  lineOf(key: string, { home }: NamedFrame): number {
    this.lines ??= new Map([...this.homes].map(([k, homes]) => [k, firstLines([...homes.values()])]));
    return home === undefined ? 0 : (this.lines.get(key)?.get(home) ?? 0);
  }
}

/** By start of a function: its first line; empty if all are one function. */
function firstLines(homes: FunctionRange[]): Map<number, number> {
  homes.sort((a, b) => a.first - b.first);
  const merged: FunctionRange[] = [];
  for (const home of homes) {
    const before = merged.at(-1);
    if (before && home.first <= before.last) {
      before.starts.push(...home.starts);
      before.last = Math.max(before.last, home.last);
    } else merged.push(home);
  }
  return new Map(merged.length < 2 ? [] : merged.flatMap(({ starts, first }) => starts.map((s) => [s, first] as const)));
}
