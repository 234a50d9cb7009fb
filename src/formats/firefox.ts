// Processed profiles of the Firefox Profiler, as samply writes them and as profiler.firefox.com saves them: threads with tables in columns.
// https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md
//   {"meta":{"interval":1,"preprocessedProfileVersion":62},"libs":[{"path":"/usr/bin/x"}],
//    "shared":{"stackTable":{"frame":[0,1],"prefix":[null,0]},"frameTable":{"func":[0,1],"line":[3,null],"inlineDepth":[0,0]},
//              "funcTable":{"name":[0,1],"resource":[-1,0],"fileName":[2,null]},"resourceTable":{"lib":[0]},"stringArray":["main",…]},
//    "threads":[{"name":"x","pid":"7","tid":7,"samples":{"stack":[1,null],"timeDeltas":[0,1],"weight":null,"threadCPUDelta":[0,900]}}]}
// Real files: before version 56 each thread has tables of its own; from 66 on, prefixOffset is the distance to the prefix, and frames name their
// library. A stack comes behind its prefix. Names are addresses ("0x1a2b"), counted from where the library begins in memory, until samply or the
// web page has looked them up: these get their names as the addresses of a CPU profile do.
import { getOrMake } from '../base/lists.ts';
import { plural, type Unit } from '../base/units.ts';
import { allOf, type Mapping, type NamedFrame, type RecordedType } from '../model/stacks/samples.ts';
import { AddressStackWriter } from '../model/stacks/writer.ts';
import type { Detection, Loader } from './loader.ts';
import { amountOf, isObject, type Json, type JsonObject, listOf, numberOf, shownOf, textOf } from './shared/json.ts';
import { loadsObject, ObjectReader } from './shared/json-object.ts';
import { headText } from './shared/stream.ts';

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  if (!/^\s{0,99}\{/.test(text) || !/"meta"\s{0,9}:\s{0,9}\{/.test(text)) return 'no';
  return /"(preprocessedProfileVersion|markerSchema|sampleUnits|pausedRanges)"\s{0,9}:/.test(text) ? 'yes' : 'no';
}

/** The meaning of weights, by their type. */
const WEIGHTS: Readonly<Record<string, readonly [name: string, unit: Unit, factor: number, longName: string]>> = {
  samples: ['samples', 'samples', 1, 'samples taken'],
  'tracing-ms': ['time', 'ns', 1e6, 'traced time'],
  bytes: ['bytes', 'bytes', 1, 'allocated bytes'],
};
/** The meaning of the differences of a thread's CPU time, by the unit that the file says. */
const CPU: Readonly<Record<string, readonly [name: string, unit: Unit, factor: number, longName: string]>> = {
  ns: ['cpu', 'ns', 1, 'CPU time of the thread'],
  µs: ['cpu', 'ns', 1000, 'CPU time of the thread'],
  'variable CPU cycles': ['cycles', 'count', 1, 'CPU cycles of the thread'],
};
/** Phases of markers that are half of one. */
const [STARTS, ENDS] = [2, 3];
/** The most categories there can be; a frame that has this one has none. */
const NONE = 255;
const categoryIn = (value: unknown): number | undefined => {
  const category = numberOf(value);
  return category !== undefined && Number.isInteger(category) && category >= 0 && category < NONE ? category : undefined;
};

const [WEIGHT_COLUMN, CPU_COLUMN] = [0, 1];
/** The type of resources that are libraries. */
const LIBRARY = 1;

interface Given {
  readonly thread: JsonObject;
  readonly offset: number;
}

/** Tables of stacks, frames and functions, and what has been made of them. */
interface Tables {
  readonly said: JsonObject;
  readonly frameOf: Map<number, number>;
  readonly pathOf: Map<number, number>;
}

const tablesOf = (said: JsonObject): Tables => ({ said, frameOf: new Map(), pathOf: new Map() });

/** A value of a column of a table. */
const at = (table: unknown, column: string, row: number): unknown => (isObject(table) ? listOf(table[column])[row] : undefined);

/** The stack above one; newer files have the distance to it, which is 0 for none. */
function prefixOf({ stackTable }: JsonObject, stack: number): unknown {
  const distance = numberOf(at(stackTable, 'prefixOffset', stack));
  return distance === undefined ? at(stackTable, 'prefix', stack) : distance === 0 ? null : stack - distance;
}

class Reader extends ObjectReader {
  private readonly writer = this.sink.tables(AddressStackWriter);
  /** The places of addresses without names, by library. */
  private readonly addressesOf = new Map<JsonObject, { readonly mapping: Mapping; readonly places: Map<number, number> }>();
  /** Places with names, by all that is known of them, and their objects. */
  private readonly named = new Map<string, number>();
  private readonly objects = new Map<string, Mapping>();
  private libs: readonly unknown[] | undefined;
  private shared: Tables | undefined;
  /** Threads that came before the tables that they share. */
  private readonly waiting: Given[] = [];
  private meta: JsonObject = {};
  private threads = 0;
  /** The category of each place, and the label of each category: `meta` may come last. */
  private readonly categoryOf: number[] = [];
  private readonly labelOf = new Map<number, number>();
  private weights: string | undefined;
  private hasCpu = false;
  /** Names that are addresses of no library, and all names. */
  private addresses = 0;
  private names = 0;

  member(key: string, json: Json): void {
    if (json.wrong !== undefined) return;
    if (key === 'libs') this.libs = listOf(json.value);
    if (key === 'meta' && isObject(json.value)) this.meta = json.value;
    if (key === 'shared' && isObject(json.value)) this.shared = tablesOf(json.value);
  }

  element(json: Json, offset: number): void {
    if (json.wrong !== undefined || !isObject(json.value))
      throw this.wrong(offset, 'a thread', json.wrong ?? shownOf(json.value));
    const thread = json.value;
    const { samples } = thread;
    if (isObject(samples) && 'schema' in samples)
      throw this.wrong(
        offset,
        'a processed profile',
        'one as Firefox records it; open it in profiler.firefox.com and save it there',
      );
    // Its tables, or the libraries that they name, may still come.
    if (this.libs && ('stackTable' in thread || this.shared)) this.read({ thread, offset });
    else this.waiting.push({ thread, offset });
  }

  private read({ thread, offset }: Given): void {
    this.threads++;
    const samples = isObject(thread['samples']) ? thread['samples'] : {};
    const tables = 'stackTable' in thread ? tablesOf(thread) : this.shared;
    if (!tables) throw this.wrong(offset, 'a stackTable in the thread or in shared', 'none');
    const part = this.sink.parts.length;
    const stacks = listOf(samples['stack']);
    const [weights, cpu] = [listOf(samples['weight']), listOf(samples['threadCPUDelta'])];
    const [times, deltas] = [listOf(samples['time']), listOf(samples['timeDeltas'])];
    const type = textOf(samples['weightType']) ?? 'samples';
    if (!Object.hasOwn(WEIGHTS, type))
      throw this.wrong(offset, `a weightType of ${Object.keys(WEIGHTS).join(', ')}`, shownOf(type));
    // Threads of another kind would be another event; no tool writes both.
    this.weights ??= type;
    if (this.weights !== type) throw this.wrong(offset, `a weightType of ${this.weights}, as in threads before`, shownOf(type));
    let [ms, without] = [0, 0];
    for (let s = 0; s < stacks.length; s++) {
      ms = times.length > 0 ? (amountOf(times[s]) ?? Number.NaN) : ms + (amountOf(deltas[s]) ?? Number.NaN);
      const stack = stacks[s];
      if (stack === null || stack === undefined || stack === -1) {
        without++;
        continue;
      }
      const weight = weights.length > 0 ? amountOf(weights[s]) : 1;
      if (weight === undefined) throw this.wrong(offset, 'a number as a weight', shownOf(weights[s]));
      const path = this.pathTo(tables, stack, offset);
      const row = this.writer.rowOf(part, path);
      const category = this.categoryOf[this.writer.paths.frameOf(path)];
      if (category !== NONE)
        this.writer.label(
          row,
          getOrMake(this.labelOf, category, () => this.writer.samples.labels.take()),
        );
      this.add(row, WEIGHT_COLUMN, weight, ms);
      const used = amountOf(cpu[s]) ?? 0;
      if (used > 0) {
        this.hasCpu = true;
        this.add(row, CPU_COLUMN, used, ms);
      }
    }
    this.writer.paths.write();
    this.addMarkers(thread, tables, Math.max(ms, 0));
    this.addPart(thread, stacks.length, without);
  }

  private add(row: number, column: number, cost: number, ms: number): void {
    const { writer } = this;
    writer.addTo(column, row, cost);
    if (Number.isNaN(ms)) writer.times.isWhole = false;
    else writer.times.add(row, ms * 1e6, column, cost);
  }

  /** Markers of a thread. A start and an end by themselves are paired by name, the latest start first; what has no other half lasts to the end, or from 0. */
  private addMarkers({ markers }: JsonObject, { said }: Tables, endMs: number): void {
    if (!isObject(markers)) return;
    const { writer, sink } = this;
    const texts = listOf(said['stringArray'] ?? said['stringTable']);
    const open = new Map<string, number[]>();
    const add = (name: string, from: number, to: number) => {
      if (to >= from && Math.max(Math.abs(from), Math.abs(to)) * 1e6 <= Number.MAX_SAFE_INTEGER)
        writer.markers.add(sink.strings.textId(name), sink.parts.length, from * 1e6, to * 1e6);
    };
    for (const [row, place] of listOf(markers['name']).entries()) {
      const word = textOf(texts[numberOf(place) ?? -1]) ?? '';
      const data = listOf(markers['data'])[row];
      const text = isObject(data) ? textOf(data['name']) : undefined;
      const name = text && text !== word ? `${word}: ${text}` : word;
      const [from, to] = ['startTime', 'endTime'].map((column) => amountOf(listOf(markers[column])[row]));
      const phase = numberOf(listOf(markers['phase'])[row]);
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
  private pathTo(tables: Tables, stack: unknown, offset: number): number {
    const { pathOf, said } = tables;
    const open: number[] = [];
    let place: unknown = stack;
    let path: number | undefined;
    for (;;) {
      if (place === null || place === undefined || place === -1) break;
      const row = numberOf(place);
      const above = row === undefined ? undefined : at(said['stackTable'], 'frame', row);
      if (row === undefined || above === undefined || (open.length > 0 && row >= open[open.length - 1]))
        throw this.wrong(offset, 'a stack, and its prefix before it', shownOf(place));
      path = pathOf.get(row);
      if (path !== undefined) break;
      open.push(row);
      place = prefixOf(said, row);
    }
    let last = path ?? -1;
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      const frame = at(said['stackTable'], 'frame', row);
      const own = at(said['stackTable'], 'category', row) ?? at(said['frameTable'], 'category', numberOf(frame) ?? -1);
      const above = last < 0 ? NONE : this.categoryOf[this.writer.paths.frameOf(last)];
      last = this.writer.paths.below(last, this.frame(tables, frame, categoryIn(own) ?? above, offset));
      pathOf.set(row, last);
    }
    return last;
  }

  private frame({ said, frameOf }: Tables, value: unknown, category: number, offset: number): number {
    const row = numberOf(value);
    const key = (row ?? 0) * (NONE + 1) + category;
    const known = row === undefined ? undefined : frameOf.get(key);
    if (known !== undefined) return known;
    const func = row === undefined ? undefined : numberOf(at(said['frameTable'], 'func', row));
    const { funcTable } = said;
    const texts = listOf(said['stringArray'] ?? said['stringTable']);
    const text = (place: unknown): string | undefined => textOf(texts[numberOf(place) ?? -1]);
    const name = func === undefined ? undefined : text(at(funcTable, 'name', func));
    if (row === undefined || func === undefined || name === undefined)
      throw this.wrong(offset, 'a frame with a function that has a name', shownOf(value));
    // Newer files keep the names of sources in a table of their own.
    const source = numberOf(at(funcTable, 'source', func));
    const file = source === undefined ? text(at(funcTable, 'fileName', func)) : text(at(said['sources'], 'filename', source));
    const resource = numberOf(at(funcTable, 'resource', func)) ?? -1;
    const lib = this.libs?.[numberOf(at(said['frameTable'], 'lib', row) ?? at(said['resourceTable'], 'lib', resource)) ?? -1];
    // Files that the page made of others' have the name of a library alone.
    const { resourceTable } = said;
    const named = at(resourceTable, 'type', resource) === LIBRARY ? text(at(resourceTable, 'name', resource)) : undefined;
    const line = numberOf(at(said['frameTable'], 'line', row)) ?? 0;
    const object = (isObject(lib) ? (textOf(lib['path']) ?? textOf(lib['name'])) : named) || null;
    const isAddress = /^0x[0-9a-f]{1,16}$/.test(name);
    const address = isAddress ? numberOf(at(said['frameTable'], 'address', row)) : undefined;
    const inlined = (numberOf(at(said['frameTable'], 'inlineDepth', row)) ?? 0) > 0;
    this.names++;
    let place: number;
    if (isObject(lib) && object !== null && address !== undefined && address >= 0 && address < 2 ** 53)
      place = this.addressPlace(Math.floor(address), category, lib, object);
    else {
      if (isAddress) this.addresses++;
      const known = line > 0 && line < 2 ** 31 ? Math.floor(line) : 0;
      place = this.namedPlace({ name, file: file || null, line: known, ...(inlined ? { inlined } : {}) }, category, object);
    }
    frameOf.set(key, place);
    return place;
  }

  private addressPlace(address: number, category: number, lib: JsonObject, object: string): number {
    const { mapping, places } = getOrMake(this.addressesOf, lib, () => {
      const id = textOf(lib['codeId']) ?? '';
      const buildId = /^[0-9a-f]{8,64}$/i.test(id) ? { buildId: id } : {};
      return { mapping: { ...allOf(object, 'begin'), ...buildId }, places: new Map<number, number>() };
    });
    const key = address < 2 ** 45 ? address * (NONE + 1) + category : address;
    return getOrMake(places, key, () => this.newPlace(address, category, mapping));
  }

  private namedPlace(frame: NamedFrame, category: number, object: string | null): number {
    const key = [frame.name, frame.file ?? '', frame.line, object ?? '', frame.inlined ?? '', category].join('\n');
    return getOrMake(this.named, key, () => {
      const mapping = object === null ? undefined : getOrMake(this.objects, object, () => allOf(object, 'begin'));
      const place = this.newPlace(0, category, mapping);
      this.writer.samples.names[place] = [frame];
      return place;
    });
  }

  private newPlace(address: number, category: number, mapping: Mapping | undefined): number {
    const { samples } = this.writer;
    const place = samples.newPlace(this.part, Math.floor(address / 2 ** 32), address >>> 0);
    this.categoryOf[place] = category;
    if (mapping) samples.within.set(place, mapping);
    return place;
  }

  finish(end: number): void {
    for (const given of this.waiting) this.read(given);
    const { sink, path, meta, writer } = this;
    if (this.threads === 0) throw this.wrong(end, 'a thread', 'none');
    const typeOf = ([name, unit, factor, longName]: (typeof CPU)[string], column: number): RecordedType => ({
      ...{ name, unit, longName, column },
      ...(factor === 1 ? {} : { factor }),
      ...(unit === 'samples' ? { each: 1 } : {}),
    });
    const unit = textOf(isObject(meta['sampleUnits']) ? meta['sampleUnits']['threadCPUDelta'] : undefined) ?? 'µs';
    const weights = typeOf(WEIGHTS[this.weights ?? 'samples'], WEIGHT_COLUMN);
    const cpu = Object.hasOwn(CPU, unit) ? CPU[unit] : undefined;
    if (this.hasCpu && !cpu) throw this.wrong(end, `a unit of threadCPUDelta: ${Object.keys(CPU).join(', ')}`, shownOf(unit));
    writer.samples.types = this.hasCpu && cpu ? [weights, typeOf(cpu, CPU_COLUMN)] : [weights];
    if (this.addresses > this.names / 2)
      sink.warn({
        path,
        expected: 'names of functions',
        found: 'addresses: samply load FILE looks them up, and its page saves them',
      });
    this.nameCategories();
    const { interval, product } = meta;
    const ms = amountOf(interval);
    if (ms !== undefined && ms > 0) sink.notes.push(`a sample every ${ms} ms`);
    sink.creator ??= textOf(product) || 'Firefox Profiler';
  }

  /** Labels of samples by the categories of their stacks: one that all have says nothing. */
  private nameCategories(): void {
    if (this.labelOf.size < 2) return;
    const { strings } = this.sink;
    const key = strings.textId('category');
    for (const [category, set] of this.labelOf) {
      const said = listOf(this.meta['categories'])[category];
      const name = isObject(said) ? textOf(said['name']) : undefined;
      if (name) this.writer.samples.labels.fill(set, [{ key, value: strings.textId(name), number: Number.NaN, unit: -1 }]);
    }
  }
}

export const firefox: Loader = {
  name: 'firefox',
  title: 'processed profile of the Firefox Profiler, as samply writes it',
  provides: ['routines', 'calls', 'trees', 'lines', 'instrs', 'labels', 'times'],
  alone: true,
  make: 'samply record --save-only -o profile.json.gz ./program',
  fileNames: /^profile\.json(\.gz)?$/,
  detect,
  load: loadsObject('threads', Reader),
};
