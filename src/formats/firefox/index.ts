// Loads processed profiles of the Firefox Profiler, written by samply and profiler.firefox.com: threads with tables in columns.
// https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md
//   {"meta":{"interval":1,"preprocessedProfileVersion":62},"libs":[{"path":"/usr/bin/x"}],
//    "shared":{"stackTable":{"frame":[0,1],"prefix":[null,0]},"frameTable":{"func":[0,1],"line":[3,null],"inlineDepth":[0,0]},
//              "funcTable":{"name":[0,1],"resource":[-1,0],"fileName":[2,null]},"resourceTable":{"lib":[0]},"stringArray":["main",…]},
//    "threads":[{"name":"x","pid":"7","tid":7,"samples":{"stack":[1,null],"timeDeltas":[0,1],"weight":null,"threadCPUDelta":[0,900]}}]}
// In files before version 56, each thread has its own tables. From version 66 on, prefixOffset is the distance to the prefix.
// From version 66 on, frames name their library. A stack comes after its prefix. Some names are addresses ("0x1a2b") that count
// from the library's start in memory, if nothing has symbolized the file yet. They are named like addresses of a CPU profile.
import { getOrMake } from '../../base/lists.ts';
import { plural, type Unit } from '../../base/units.ts';
import { type Mapping, type NamedFrame, type RecordedType, wholeAddressSpace } from '../../model/stacks/samples.ts';
import { AddressStackWriter } from '../../model/stacks/writer.ts';
import type { Detection, Loader, Source } from '../loader.ts';
import { amountOf, isObject, type JsonObject, jsonExcerpt, lineOf, listOf, numberOf, objectOf, textOf } from '../shared/json.ts';
import { makeObjectLoader, ObjectReader } from '../shared/json-object.ts';
import { headText } from '../shared/stream.ts';
import { nameBySymbols } from './symbols.ts';

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  if (!/^\s{0,99}\{/.test(text) || !/"meta"\s{0,9}:\s{0,9}\{/.test(text)) return 'no';
  return /"(preprocessedProfileVersion|markerSchema|sampleUnits|pausedRanges)"\s{0,9}:/.test(text) ? 'yes' : 'no';
}

/** The meaning of weights, by their type. */
const WEIGHT_TYPES: Readonly<Record<string, readonly [name: string, unit: Unit, factor: number, longName: string]>> = {
  samples: ['samples', 'samples', 1, 'samples taken'],
  'tracing-ms': ['time', 'ns', 1e6, 'traced time'],
  bytes: ['bytes', 'bytes', 1, 'allocated bytes'],
};
/** The meaning of CPU time differences, by their unit in the file. */
const CPU_UNITS: Readonly<Record<string, readonly [name: string, unit: Unit, factor: number, longName: string]>> = {
  ns: ['cpu', 'ns', 1, 'CPU time of the thread'],
  µs: ['cpu', 'ns', 1000, 'CPU time of the thread'],
  'variable CPU cycles': ['cycles', 'count', 1, 'CPU cycles of the thread'],
};
/** Marker phases that need a counterpart: start and end. */
const [STARTS, ENDS] = [2, 3];
/** The category of frames without a category; real categories are smaller. */
const NO_CATEGORY = 255;
const parseCategory = (value: unknown): number | undefined => {
  const category = numberOf(value);
  return category !== undefined && Number.isInteger(category) && category >= 0 && category < NO_CATEGORY ? category : undefined;
};

const [WEIGHT_COLUMN, CPU_COLUMN] = [0, 1];
/** The latest version of the format whose description was read. */
const LATEST_VERSION = 70;
/** The `type` of resources that are libraries. */
const LIBRARY = 1;

/** The JSON tables of stacks, frames and functions, with caches of converted frames and paths. */
const makeStackTables = (json: JsonObject) => ({ json, frameOf: new Map<number, number>(), pathOf: new Map<number, number>() });
type StackTables = ReturnType<typeof makeStackTables>;

const cellAt = (table: unknown, column: string, row: number): unknown => listOf(objectOf(table)[column])[row];

/** The prefix (caller) of a stack. Newer files record its distance; 0 means none. */
function prefixOfStack({ stackTable }: JsonObject, stack: number): unknown {
  const distance = numberOf(cellAt(stackTable, 'prefixOffset', stack));
  return distance === undefined ? cellAt(stackTable, 'prefix', stack) : distance === 0 ? null : stack - distance;
}

class FirefoxReader extends ObjectReader {
  protected readonly element = 'a thread';
  private readonly writer = this.sink.writerFor(AddressStackWriter);
  /** Addresses without names, by library. */
  private readonly addressesOf = new Map<JsonObject, { readonly mapping: Mapping; readonly places: Map<number, number> }>();
  /** Addresses with names, by all their properties, and the mappings of their objects. */
  private readonly named = new Map<string, number>();
  private readonly objects = new Map<string, Mapping>();
  private libs: readonly unknown[] | undefined;
  private shared: StackTables | undefined;
  /** Functions that read the threads that precede the tables shared by all threads. */
  private readonly waitingThreads: (() => void)[] = [];
  private meta: JsonObject = {};
  private threads = 0;
  /** The category of each address, and the label set of each category, set at the end because `meta` may come last. */
  private readonly categoryOf: number[] = [];
  private readonly labelOf = new Map<number, number>();
  private weights: string | undefined;
  private hasCpu = false;
  /** Number of frames named only by an address without a library, and number of all frames. */
  private addresses = 0;
  private names = 0;

  readMember(key: string, value: unknown): void {
    if (key === 'libs') this.libs = listOf(value);
    if (key === 'meta' && isObject(value)) this.meta = value;
    if (key === 'shared' && isObject(value)) this.shared = makeStackTables(value);
  }

  readObject(thread: JsonObject, offset: number): void {
    const { samples } = thread;
    if (isObject(samples) && 'schema' in samples)
      throw this.errorAt(
        offset,
        'a processed profile',
        'one as Firefox records it; open it in profiler.firefox.com and save it there',
      );
    // The tables or libraries of this thread may come later; then the thread is read later, too.
    if (this.libs && ('stackTable' in thread || this.shared)) this.readThread(thread, offset);
    else this.waitingThreads.push(() => this.readThread(thread, offset));
  }

  private readThread(thread: JsonObject, offset: number): void {
    this.threads++;
    const samples = objectOf(thread['samples']);
    const tables = 'stackTable' in thread ? makeStackTables(thread) : this.shared;
    if (!tables) throw this.errorAt(offset, 'a stackTable in the thread or in shared', 'none');
    const part = this.sink.parts.length;
    const stacks = listOf(samples['stack']);
    const [weights, cpu] = [listOf(samples['weight']), listOf(samples['threadCPUDelta'])];
    const [times, deltas] = [listOf(samples['time']), listOf(samples['timeDeltas'])];
    const type = textOf(samples['weightType']) ?? 'samples';
    if (!Object.hasOwn(WEIGHT_TYPES, type))
      throw this.errorAt(offset, `a weightType of ${Object.keys(WEIGHT_TYPES).join(', ')}`, jsonExcerpt(type));
    // Threads with another weight type would need another event, but no tool writes both.
    this.weights ??= type;
    if (this.weights !== type)
      throw this.errorAt(offset, `a weightType of ${this.weights}, as in threads before`, jsonExcerpt(type));
    this.warnOfShortColumns({ stack: stacks, weight: weights, time: times, timeDeltas: deltas });
    const addSet = () => this.writer.labels.addSet();
    let [ms, without] = [0, 0];
    for (let s = 0; s < stacks.length; s++) {
      ms = times.length > 0 ? (amountOf(times[s]) ?? Number.NaN) : ms + (amountOf(deltas[s]) ?? Number.NaN);
      const stack = stacks[s];
      if (stack === null || stack === undefined || stack === -1) {
        without++;
        continue;
      }
      const weight = weights.length > 0 ? amountOf(weights[s]) : 1;
      if (weight === undefined) throw this.errorAt(offset, 'a number as a weight', jsonExcerpt(weights[s]));
      const path = this.pathOfStack(tables, stack, offset);
      const row = this.writer.rowOf(part, path);
      const category = this.categoryOf[this.writer.paths.frameOf(path)];
      if (category !== NO_CATEGORY) this.writer.stacks.labels.data[row] = getOrMake(this.labelOf, category, addSet);
      this.addSample(row, WEIGHT_COLUMN, weight, ms);
      const used = amountOf(cpu[s]) ?? 0;
      if (used > 0) {
        this.hasCpu = true;
        this.addSample(row, CPU_COLUMN, used, ms);
      }
    }
    this.writer.paths.writeFrames();
    this.addMarkers(thread, tables, Math.max(ms, 0));
    this.addPart(thread, stacks.length, without);
  }

  /** A sample without a stack in its column cannot be read, and one without a time is in no timeline. */
  private warnOfShortColumns(columns: Readonly<Record<string, readonly unknown[]>>): void {
    const lengths = Object.entries(columns).filter(([name, { length }]) => name === 'stack' || length > 0);
    if (lengths.every(([, { length }]) => length === columns['stack'].length)) return;
    const found = lengths.map(([name, { length }]) => `${length} of ${name}`).join(', ');
    this.warn({}, 'columns of one length in samples', `samples whose columns differ: ${found}`);
  }

  private addSample(row: number, column: number, cost: number, ms: number): void {
    const { writer } = this;
    writer.addTo(column, row, cost);
    if (Number.isNaN(ms)) writer.times.isComplete = false;
    else writer.times.add(row, ms * 1e6, column, cost);
  }

  /** Adds a thread's markers. An end closes the latest start of its name; unpaired markers last to the end, or from time 0. */
  private addMarkers({ markers }: JsonObject, { json }: StackTables, endMs: number): void {
    if (!isObject(markers)) return;
    const { writer, sink } = this;
    const texts = listOf(json['stringArray'] ?? json['stringTable']);
    const open = new Map<string, number[]>();
    const add = (name: string, from: number, to: number) => {
      if (to >= from && Math.max(Math.abs(from), Math.abs(to)) * 1e6 <= Number.MAX_SAFE_INTEGER)
        writer.times.addMarker(sink.strings.textId(name), sink.parts.length, from * 1e6, to * 1e6);
    };
    for (const [row, place] of listOf(markers['name']).entries()) {
      const word = textOf(texts[numberOf(place) ?? -1]) ?? '';
      const text = textOf(objectOf(cellAt(markers, 'data', row))['name']);
      const name = text && text !== word ? `${word}: ${text}` : word;
      const [from, to] = ['startTime', 'endTime'].map((column) => amountOf(cellAt(markers, column, row)));
      const phase = numberOf(cellAt(markers, 'phase', row));
      if (phase === STARTS && from !== undefined) getOrMake(open, name, () => []).push(from);
      else if (phase === ENDS && to !== undefined) add(name, open.get(name)?.pop() ?? 0, to);
      else if (from !== undefined) add(name, from, to ?? from);
    }
    for (const [name, starts] of open) for (const from of starts) add(name, from, endMs);
  }

  private addPart(thread: JsonObject, samples: number, without: number): void {
    const id = (value: unknown): number | null => {
      const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
      return numberOf(number) ?? null;
    };
    const [name, process] = [textOf(thread['name']), textOf(thread['processName'])];
    this.sink.addPart({
      path: this.path,
      pid: id(thread['pid']),
      thread: id(thread['tid']),
      command: name && process && name !== process ? `${process}: ${name}` : (name ?? process ?? null),
      events: ['samples'],
      notes: [plural(samples, 'sample'), ...(without > 0 ? [`left out: ${plural(without, 'sample')} without a stack`] : [])],
    });
  }

  /** The path of a stack: the frames of its prefixes, outermost first. */
  private pathOfStack(tables: StackTables, stack: unknown, offset: number): number {
    const { pathOf, json } = tables;
    const open: number[] = [];
    let stackRow: unknown = stack;
    let path: number | undefined;
    for (;;) {
      if (stackRow === null || stackRow === undefined || stackRow === -1) break;
      const row = numberOf(stackRow);
      const above = row === undefined ? undefined : cellAt(json['stackTable'], 'frame', row);
      if (row === undefined || above === undefined || (open.length > 0 && row >= open[open.length - 1]))
        throw this.errorAt(offset, 'a stack, and its prefix before it', jsonExcerpt(stackRow));
      path = pathOf.get(row);
      if (path !== undefined) break;
      open.push(row);
      stackRow = prefixOfStack(json, row);
    }
    let last = path ?? -1;
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      const frame = cellAt(json['stackTable'], 'frame', row);
      const own = cellAt(json['stackTable'], 'category', row) ?? cellAt(json['frameTable'], 'category', numberOf(frame) ?? -1);
      const above = last < 0 ? NO_CATEGORY : this.categoryOf[this.writer.paths.frameOf(last)];
      last = this.writer.paths.pathBelow(last, this.addressOfFrame(tables, frame, parseCategory(own) ?? above, offset));
      pathOf.set(row, last);
    }
    return last;
  }

  private addressOfFrame({ json, frameOf }: StackTables, value: unknown, category: number, offset: number): number {
    const row = numberOf(value);
    const key = (row ?? 0) * (NO_CATEGORY + 1) + category;
    const known = row === undefined ? undefined : frameOf.get(key);
    if (known !== undefined) return known;
    const { frameTable, funcTable, resourceTable } = json;
    const func = row === undefined ? undefined : numberOf(cellAt(frameTable, 'func', row));
    const texts = listOf(json['stringArray'] ?? json['stringTable']);
    const text = (place: unknown): string | undefined => textOf(texts[numberOf(place) ?? -1]);
    const name = func === undefined ? undefined : text(cellAt(funcTable, 'name', func));
    if (row === undefined || func === undefined || name === undefined)
      throw this.errorAt(offset, 'a frame with a function that has a name', jsonExcerpt(value));
    // Newer files have a separate table with the names of source files.
    const source = numberOf(cellAt(funcTable, 'source', func));
    const file = text(source === undefined ? cellAt(funcTable, 'fileName', func) : cellAt(json['sources'], 'filename', source));
    const resource = numberOf(cellAt(funcTable, 'resource', func)) ?? -1;
    const lib = this.libs?.[numberOf(cellAt(frameTable, 'lib', row) ?? cellAt(resourceTable, 'lib', resource)) ?? -1];
    // Files converted by profiler.firefox.com record a library only by its name.
    const named = cellAt(resourceTable, 'type', resource) === LIBRARY ? text(cellAt(resourceTable, 'name', resource)) : undefined;
    const object = (isObject(lib) ? (textOf(lib['path']) ?? textOf(lib['name'])) : named) || null;
    const isAddress = /^0x[0-9a-f]{1,16}$/.test(name);
    const address = isAddress ? numberOf(cellAt(frameTable, 'address', row)) : undefined;
    const inlined = (numberOf(cellAt(frameTable, 'inlineDepth', row)) ?? 0) > 0;
    this.names++;
    let addressIndex: number;
    if (isObject(lib) && object !== null && address !== undefined && address >= 0 && address < 2 ** 53)
      addressIndex = this.unnamedAddress(Math.floor(address), category, lib, object);
    else {
      if (isAddress) this.addresses++;
      const line = lineOf(cellAt(json['frameTable'], 'line', row));
      const frame: NamedFrame = { name, file: file || null, line, ...(inlined ? { inlined } : {}) };
      addressIndex = this.namedAddress(frame, category, object);
    }
    frameOf.set(key, addressIndex);
    return addressIndex;
  }

  private unnamedAddress(address: number, category: number, lib: JsonObject, object: string): number {
    const { mapping, places } = getOrMake(this.addressesOf, lib, () => {
      const id = textOf(lib['codeId']) ?? '';
      const buildId = /^[0-9a-f]{8,64}$/i.test(id) ? { buildId: id } : {};
      return { mapping: { ...wholeAddressSpace(object, 'begin'), ...buildId }, places: new Map<number, number>() };
    });
    const key = address < 2 ** 45 ? address * (NO_CATEGORY + 1) + category : address;
    return getOrMake(places, key, () => this.addAddress(address, category, mapping));
  }

  private namedAddress(frame: NamedFrame, category: number, object: string | null): number {
    const key = [frame.name, frame.file ?? '', frame.line, object ?? '', frame.inlined ?? '', category].join('\n');
    return getOrMake(this.named, key, () => {
      const mapping = object === null ? undefined : getOrMake(this.objects, object, () => wholeAddressSpace(object, 'begin'));
      const place = this.addAddress(0, category, mapping);
      this.writer.samples.names[place] = [frame];
      return place;
    });
  }

  private addAddress(address: number, category: number, mapping: Mapping | undefined): number {
    const place = this.writer.samples.newAddressId(this.part, Math.floor(address / 2 ** 32), address >>> 0, mapping);
    this.categoryOf[place] = category;
    return place;
  }

  finish(end: number, source: Source): void {
    for (const read of this.waitingThreads) read();
    this.readSymbols(source);
    const { sink, meta, writer } = this;
    if (this.threads === 0) throw this.errorAt(end, 'a thread', 'none');
    const typeOf = ([name, unit, factor, longName]: (typeof CPU_UNITS)[string], column: number): RecordedType => ({
      ...{ name, unit, longName, column },
      ...(factor === 1 ? {} : { factor }),
      ...(unit === 'samples' ? { each: 1 } : {}),
    });
    const unit = textOf(objectOf(meta['sampleUnits'])['threadCPUDelta']) ?? 'µs';
    const weights = typeOf(WEIGHT_TYPES[this.weights ?? 'samples'], WEIGHT_COLUMN);
    const cpu = Object.hasOwn(CPU_UNITS, unit) ? CPU_UNITS[unit] : undefined;
    if (this.hasCpu && !cpu)
      throw this.errorAt(end, `a unit of threadCPUDelta: ${Object.keys(CPU_UNITS).join(', ')}`, jsonExcerpt(unit));
    writer.types = this.hasCpu && cpu ? [weights, typeOf(cpu, CPU_COLUMN)] : [weights];
    if (this.addresses > this.names / 2)
      this.warn({}, 'names of functions', 'addresses: samply load FILE looks them up, and its page saves them');
    this.nameCategories();
    const { interval, product } = meta;
    const version = numberOf(meta['preprocessedProfileVersion']) ?? 0;
    if (version > LATEST_VERSION)
      this.warn({}, `a version up to ${LATEST_VERSION}`, `version ${version}: read as version ${LATEST_VERSION}`);
    const ms = amountOf(interval);
    if (ms !== undefined && ms > 0) sink.notes.push(`a sample every ${ms} ms`);
    sink.creator ??= textOf(product) || 'Firefox Profiler';
  }

  /** Names addresses from the file that samply writes beside a profile. */
  private readSymbols({ folder }: Source): void {
    const name = this.path.slice(this.path.lastIndexOf('/') + 1);
    const files = [name, name.replace(/\.gz$/, ''), name.replace(/\.\w{1,9}$/, '')].map((stem) => `${stem}.syms.json`);
    const [[file, bytes] = []] = files.map((at) => [at, folder?.read(at)] as const).filter(([, read]) => read);
    if (!bytes) return;
    const named = nameBySymbols(bytes, this.addressesOf, this.writer.samples);
    if (typeof named === 'string') return this.warn({}, `symbols in ${file}`, `${named}; left out`);
    this.sink.notes.push(`${file} names ${plural(named, 'address')}`);
  }

  /** Labels samples with the category of their stack, unless all have the same one. */
  private nameCategories(): void {
    if (this.labelOf.size < 2) return;
    const { strings } = this.sink;
    const key = strings.textId('category');
    for (const [category, set] of this.labelOf) {
      const name = textOf(objectOf(cellAt(this.meta, 'categories', category))['name']);
      if (name) this.writer.labels.sets[set] = [{ key, value: strings.textId(name), number: Number.NaN, unit: -1 }];
    }
  }
}

export const firefox: Loader = {
  name: 'firefox',
  title: 'processed profile of the Firefox Profiler, as samply writes it',
  provides: ['routines', 'calls', 'trees', 'lines', 'instrs', 'labels', 'times'],
  readsOtherFiles: true,
  make: 'samply record --save-only -o profile.json.gz ./program',
  fileNames: /^profile\.json(\.gz)?$/,
  detect,
  load: makeObjectLoader('threads', FirefoxReader),
};
