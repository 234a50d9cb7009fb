// Loads pprof's profile.proto: stacks of locations with values of several types, and labels.
// Go, agents for Rust, Java, Node and Python, Pyroscope, Parca and `pprof -proto` write this format.
// Specification: https://github.com/google/pprof/blob/main/proto/profile.proto. In real files, strings come last.
// Addresses may all be 0 (Java, Node). A location without functions is named from its mapping's file, if that file is available.
import { getOrMake, withFirst } from '../../base/lists.ts';
import { compilePattern, PatternError } from '../../base/pattern.ts';
import { formatCost, plural, type Unit, unitFactor } from '../../base/units.ts';
import { PERIOD_SETTING } from '../../model/head.ts';
import type { Label } from '../../model/stacks/labels.ts';
import { type Mapping, programOfMappings, type RecordedType, SHARED_NAME, type StackTable } from '../../model/stacks/samples.ts';
import { AddressStackWriter } from '../../model/stacks/writer.ts';
import type { Detection, Loader } from '../loader.ts';
import { FileReader, makePieceLoader } from '../shared/stream.ts';
import { FIELD_TYPES, type PprofFunction, type PprofLabel, PROFILE_FIELD, ProfileTables, SampleReader } from './profile.ts';
import { dropFrames } from './prune.ts';
import { BYTES, WireError, WireReader } from './wire.ts';

/** Minimum number of complete, valid fields for detection. */
const MIN_DETECTED_FIELDS = 3;

function detect(head: Uint8Array): Detection {
  const wire = new WireReader(head, 0, head.length);
  let seen = 0;
  let typed = false;
  try {
    while (wire.next()) {
      if (!FIELD_TYPES[wire.field]?.includes(wire.type)) return 'no';
      if (wire.field === PROFILE_FIELD.sampleType && !(typed = isValueType(wire.message()))) return 'no';
      seen++;
    }
  } catch {
    return 'no';
  }
  // The last field may be cut off at the end of the head.
  const open = wire.at < head.length ? FIELD_TYPES[head[wire.at] >>> 3]?.includes(head[wire.at] & 7) : true;
  return typed && open && seen >= MIN_DETECTED_FIELDS ? 'yes' : 'no';
}

/** True for a message with only two small string numbers: type and unit. */
function isValueType(wire: WireReader): boolean {
  while (wire.next()) if (wire.field > 2 || wire.type !== 0 || wire.high !== 0 || wire.low > 1 << 20) return false;
  return wire.at === wire.end;
}

class PprofReader extends FileReader {
  private readonly writer = this.sink.writerFor(AddressStackWriter);
  private readonly samples = this.writer.samples;
  private readonly tables = new ProfileTables();
  private readonly sample = new SampleReader(this.tables.locationIds);
  /** By string number of the file: the string id of the sink. */
  private readonly strings: number[] = [];
  /** The first address and the first stack row of this file. */
  private readonly firstPlace = this.samples.addresses.size;
  private readonly firstRow = this.samples.stacks.rows;
  private offset = 0;
  private count = 0;
  private readonly labelSets = new Map<string, number>();
  private readonly labels: (readonly [set: number, labels: readonly PprofLabel[]])[] = [];

  /** Reads the complete fields in the bytes; returns the number of bytes consumed. */
  take(bytes: Uint8Array): number {
    const wire = new WireReader(bytes, 0, bytes.length);
    try {
      while (wire.next()) this.readField(wire, bytes);
      this.checkOpenField(wire);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      throw this.errorAt(this.offset + error.at, error.expected, error.message);
    }
    this.offset += wire.at;
    return wire.at;
  }

  /** Checks the length of an incomplete field, so that a field beyond the limit fails immediately. */
  private checkOpenField(wire: WireReader): void {
    if (wire.at >= wire.end || wire.type !== BYTES || wire.to <= wire.end || wire.from < wire.at) return;
    this.checkFieldLength(wire.field, wire.to - wire.from, wire.at);
  }

  private checkFieldLength(field: number, length: number, at: number): void {
    this.checkLimit(field === PROFILE_FIELD.string ? 'name' : 'line', length, { offset: this.offset + at });
  }

  private readField(wire: WireReader, bytes: Uint8Array): void {
    const types = FIELD_TYPES[wire.field];
    // Skip unknown fields of later versions.
    if (!types || wire.field === 0) return;
    if (!types.includes(wire.type)) throw new WireError(wire.at, `field ${wire.field} of type ${types[0]}`, `type ${wire.type}`);
    if (wire.type === BYTES) this.checkFieldLength(wire.field, wire.to - wire.from, wire.from);
    if (wire.field === PROFILE_FIELD.sample) this.addSample(wire);
    else if (wire.field === PROFILE_FIELD.string) this.strings.push(this.sink.strings.bytesId(bytes, wire.from, wire.to));
    else this.tables.take(wire);
    this.checkTypeCount(this.tables.sampleTypes.length, wire.from);
  }

  private checkTypeCount(types: number, at: number): void {
    if (types > this.sink.limits.events) throw this.limitError('events', { offset: this.offset + at });
  }

  private addSample(wire: WireReader): void {
    const { sample, samples, firstPlace } = this;
    const at = wire.from;
    sample.read(wire.message());
    const { locations, values, labels } = sample;
    const types = this.tables.sampleTypes.length;
    if (types > 0 && values.length !== types)
      throw new WireError(at, `a sample with ${plural(types, 'value')}, as many as there are sample types`, `${values.length}`);
    this.checkTypeCount(values.length, at);
    this.count++;
    if (locations.length === 0) locations.push(this.tables.unknownLocation());
    const n = locations.length;
    for (let i = 0; i < n; i++) locations.data[i] += firstPlace;
    const set = labels.length === 0 ? 0 : this.labelSetOf(labels);
    const { stacks } = samples;
    stacks.ensureColumns(values.length);
    const row = stacks.row(this.part, locations.data, n, set);
    for (let c = 0; c < values.length; c++) stacks.addTo(c, row, values[c]);
  }

  private labelSetOf(labels: readonly PprofLabel[]): number {
    const key = labels.map((l) => `${l.key} ${l.text} ${l.number} ${l.unit}`).join();
    return getOrMake(this.labelSets, key, () => {
      const set = this.writer.labels.addSet();
      this.labels.push([set, labels.slice()]);
      return set;
    });
  }

  /** Resolves the tables at the end of the file, and finishes the profile. */
  finish(rest: Uint8Array): void {
    const end = this.offset + rest.length;
    if (end === 0) throw this.errorAt(0, 'a profile', 'an empty file');
    if (rest.length > 0) throw this.errorAt(end, 'the rest of a field', 'the end of the file inside it');
    if (this.strings.length === 0 || this.sink.strings.text(this.strings[0]) !== '')
      throw this.errorAt(end, 'a table of strings that begins with an empty one', this.strings.length === 0 ? 'none' : 'another');
    if (this.tables.sampleTypes.length === 0) throw this.errorAt(end, 'a sample type', 'none');
    this.setTypes(end);
    const mappings = this.readMappings();
    this.addLocations(mappings, end);
    for (const [set, labels] of this.labels) this.writer.labels.sets[set] = labels.map(this.resolveLabel);
    const dropped = this.applyDropFrames();
    this.sink.creator ??= 'pprof';
    const { timeNanos, durationNanos } = this.tables;
    if (Number(timeNanos) > 0) this.sink.taken ??= { atNs: BigInt(timeNanos), forNs: BigInt(durationNanos) };
    const part = { path: this.path, notes: this.notesOf(dropped), events: this.writer.types.map((t) => t.name) };
    // The first mapping is the program, even if it has no name.
    const all = [...mappings.values()];
    this.writer.addMappedPart(part, all, 0, programOfMappings(all.slice(0, 1)));
  }

  private textOfString(string: number): string {
    if (string >= this.strings.length)
      throw this.errorAt(this.offset, `string ${string}`, `a table of ${plural(this.strings.length, 'string')}`);
    return this.sink.strings.text(this.strings[string]);
  }

  private readonly resolveLabel = (l: PprofLabel): Label => {
    const id = (string: number) => {
      this.textOfString(string);
      return this.strings[string];
    };
    return { key: id(l.key), value: l.text === 0 ? -1 : id(l.text), number: l.number, unit: l.unit === 0 ? -1 : id(l.unit) };
  };

  private setTypes(end: number): void {
    const { tables, samples, writer } = this;
    const { periodType, period } = tables;
    const recordedTypes = tables.sampleTypes.map(({ type, unit }) => ({
      type: this.textOfString(type),
      unit: this.textOfString(unit),
      each: periodType?.type === type && periodType.unit === unit && Number(period) > 0 ? Number(period) : undefined,
    }));
    const wanted =
      tables.defaultSampleType === 0
        ? -1
        : recordedTypes.findIndex((t) => t.type === this.textOfString(tables.defaultSampleType));
    const all = convertSampleTypes(recordedTypes);
    // Without a default type, the last one comes first.
    const types = withFirst(all, (type) => type === (all[wanted] ?? all.at(-1)));
    if (this.part === 0) writer.types = types;
    if (samples.stacks.sums.length > types.length)
      throw this.errorAt(end, `samples with ${plural(types.length, 'value')}`, `${samples.stacks.sums.length}`);
    const [before, now] = [writer.types, types].map((list) => list.map((t) => t.longName).join(', '));
    if (before !== now) throw this.errorAt(end, `the sample types of the first file: ${before}`, now);
    if (!periodType || this.textOfString(periodType.unit) !== 'bytes' || Number(period) <= 1) return;
    const objects = countSampledObjects(samples.stacks, this.firstRow, recordedTypes, Number(period));
    writer.types = writer.types.map((t) => ({ ...t, ofSamples: (t.ofSamples ?? 0) + objects[t.column] }));
  }

  private readMappings(): ReadonlyMap<number | bigint, Mapping> {
    const out = new Map<number | bigint, Mapping>();
    for (const [id, { start, limit, offset, file, buildId }] of this.tables.mappings) {
      const path = this.textOfString(file);
      const build = this.textOfString(buildId).toLowerCase();
      out.set(id, {
        start,
        end: limit,
        offset,
        executable: true,
        path: path === '' ? null : path,
        ...(/^[0-9a-f]{8,128}$/.test(build) ? { buildId: build } : {}),
      });
    }
    return out;
  }

  private addLocations(mappings: ReadonlyMap<number | bigint, Mapping>, end: number): void {
    const { tables, samples, part } = this;
    for (let l = 0; l < tables.locationIds.count; l++) {
      const location = tables.locations[l];
      if (!location) throw this.errorAt(end, 'every location that samples refer to', `no location ${l + 1} of these`);
      const place = samples.newAddressId(part, location.high, location.low, mappings.get(location.mapping));
      if (l === tables.noLocation) samples.names[place] = [{ name: '(no stack)', file: null, line: 0 }];
      const names = location.lines.flatMap(({ function: f, line }) => {
        const pprofFunction = tables.functions[f];
        if (!pprofFunction)
          throw this.errorAt(end, 'every function that locations refer to', 'a location whose function is missing');
        const frame = this.frameOf(pprofFunction, f, line);
        return frame ? [frame] : [];
      });
      if (names.length > 0) samples.names[place] = names;
    }
  }

  private frameOf(pprofFunction: PprofFunction, number: number, line: number) {
    const name = this.textOfString(pprofFunction.name) || this.textOfString(pprofFunction.systemName);
    if (name === '') return undefined;
    const file = this.textOfString(pprofFunction.file);
    return {
      name,
      file: file === '' ? null : file,
      line: line === 0 && pprofFunction.startLine > 0 && file !== '' ? pprofFunction.startLine : line,
      ...(SHARED_NAME.test(name) ? { home: number } : {}),
    };
  }

  private applyDropFrames(): number {
    const { tables, samples, firstPlace, firstRow } = this;
    const dropped = this.textOfString(tables.dropFrames);
    if (dropped === '') return 0;
    const kept = this.textOfString(tables.keepFrames);
    try {
      const drops = compilePattern(`^(?:${dropped})$`, '');
      const keeps = kept === '' ? undefined : compilePattern(`^(?:${kept})$`, '');
      return dropFrames(samples, firstPlace, firstRow, (name) => drops.test(name) && !keeps?.test(name));
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      this.warn({}, 'drop_frames and keep_frames as regular expressions', `${error.message}: no frame is left out`);
      return 0;
    }
  }

  private notesOf(dropped: number): string[] {
    const { tables } = this;
    const { period, periodType, timeNanos, durationNanos } = tables;
    const type = periodType ? `${this.textOfString(periodType.type)}/${this.textOfString(periodType.unit)}` : '';
    const url = this.textOfString(tables.docUrl);
    if (Number(period) > 0 && periodType) this.sink.settings.set(PERIOD_SETTING, `${period} ${type}`);
    const facts = [
      plural(this.count, 'sample'),
      plural(tables.locationIds.count, 'location'),
      ...(Number(period) > 0 && type !== '/' && type !== '' ? [`a sample every ${period} ${type}`] : []),
      ...(Number(durationNanos) > 0 ? [`over ${formatCost(durationNanos, 'ns')}`] : []),
      ...dateNote(timeNanos),
    ];
    return [
      facts.join('; '),
      ...(dropped > 0
        ? [`${plural(dropped, 'frame')} left out, as the profile asks: ${this.textOfString(tables.dropFrames)}`]
        : []),
      ...tables.comments.map((c) => this.textOfString(c)),
      ...(url === '' ? [] : [url]),
    ];
  }
}

/** `taken 2026-11-22 10:00:00 UTC`; empty if the time is missing or invalid. */
function dateNote(nanos: number | bigint): string[] {
  const date = new Date(Number(nanos) / 1e6);
  return Number(nanos) > 0 && !Number.isNaN(date.getTime())
    ? [`taken ${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`]
    : [];
}

/** Maximum size of a field's tag and length, which precede its bytes. */
const MAX_TAG_BYTES = 20;

export const pprof: Loader = {
  name: 'pprof',
  title: 'profile of pprof (profile.proto): Go, Rust, Java, Node, Python; CPU, heap, contention',
  provides: ['routines', 'calls', 'trees', 'lines', 'instrs'],
  readsOtherFiles: true,
  make: "curl -o cpu.pb.gz 'http://HOST/debug/pprof/profile?seconds=30', or go tool pprof -proto FILE",
  fileNames: /(\.pb|\.pprof|\.pprof\.proto)(\.gz)?$/,
  detect,
  load: makePieceLoader(PprofReader, 'line', ({ line }) => line + MAX_TAG_BYTES),
};

/** Go profiles that list everything that existed at one moment, without sampling. */
const SNAPSHOT_PROFILES: ReadonlySet<string> = new Set(['goroutine', 'threadcreate']);

/** Converts sample types. `each`: what one sample counts, if the profile records it. Duplicate names get a unit or a number. */
function convertSampleTypes(
  types: readonly { readonly type: string; readonly unit: string; readonly each: number | undefined }[],
): RecordedType[] {
  const timesSeen = new Map<string, number>();
  return types.map(({ type, unit, each }, column) => {
    const [ours, factor] = convertUnit(unit);
    const twice = types.filter((t) => t.type === type).length > 1;
    const plain = twice || type === '' ? `${type}/${unit}` : type;
    const before = timesSeen.get(plain) ?? 0;
    timesSeen.set(plain, before + 1);
    const samples = type === 'samples' && ours === 'count';
    // A snapshot is complete, so its period is ignored.
    const one = samples ? 1 : SNAPSHOT_PROFILES.has(type) ? undefined : each;
    return {
      name: before === 0 ? plain : `${plain} ${before + 1}`,
      unit: samples ? 'samples' : ours,
      longName: `${type}/${unit}`,
      column,
      ...(factor === 1 ? {} : { factor }),
      ...(one === undefined ? {} : { each: one }),
    };
  });
}

/** proftui's unit for a pprof unit, and the conversion factor. */
function convertUnit(pprofUnit: string): readonly [Unit, number] {
  const known = unitFactor(pprofUnit);
  if (!known) return ['count', 1];
  return known.of === 'ns' && known.factor === 1e3 ? ['us', 1] : [known.of, known.factor];
}

/**
 * By column: the number of sampled objects behind it; 0 for types that are no objects or bytes of a heap. The writer scaled each site by
 * 1 / (1 - exp(-size / rate)) (pprof's legacy_profile.go, runtime/pprof/protomem.go), which is undone here. `rate`: bytes between samples.
 */
function countSampledObjects(
  { sums, rows }: StackTable,
  firstRow: number,
  types: readonly { readonly type: string }[],
  rate: number,
): number[] {
  return types.map(({ type }) => {
    const of = (what: string) => types.findIndex((t) => t.type === type.replace(/(objects|space)$/, what));
    const [objects, space] = [of('objects'), of('space')];
    if (objects === space || objects < 0 || space < 0) return 0;
    let sampled = 0;
    for (let row = firstRow; row < rows; row++) {
      const [count, bytes] = [sums[objects].sum.data[row], sums[space].sum.data[row]];
      if (count > 0 && bytes > 0) sampled += count * (1 - Math.exp(-bytes / count / rate));
    }
    return Math.round(sampled);
  });
}
