// pprof's profile.proto: stacks of locations with values of several types, and labels. Written by Go, by agents for Rust, Java, Node and
// Python, by Pyroscope and Parca, and by `pprof -proto` from anything that pprof reads.
// Specification: https://github.com/google/pprof/blob/main/proto/profile.proto. Real files: strings come last; addresses may all be 0
// (Java, Node) or lie anywhere (Go's own are real); a location without functions is named from its mapping's file, if that is here.
import { compilePattern, PatternError } from '../../base/pattern.ts';
import { FormatError } from '../../base/problem.ts';
import { formatCost, plural } from '../../base/units.ts';
import type { Sink } from '../../model/sink.ts';
import type { Label } from '../../model/stacks/labels.ts';
import { type Mapping, type NamedFrame, programIn } from '../../model/stacks/samples.ts';
import { AddressStackWriter } from '../../model/stacks/writer.ts';
import type { Detection, Loader, Source } from '../loader.ts';
import { FileReader } from '../shared/file-reader.ts';
import { readPieces } from '../shared/stream.ts';
import { FIELD, FIELD_TYPES, type PprofFunction, type PprofLabel, ProfileTables, SampleReader } from './profile.ts';
import { dropFrames } from './prune.ts';
import { inOrder, sampleTypes } from './types.ts';
import { BYTES, Wire, WireError } from './wire.ts';

/** Names that stand for several functions of a file: closures and lambdas. */
const SHARED_NAME = /^operator\(\)|[{<(]lambda|\{\{?closure|\$_\d/;

/** Fields that must be whole and right at the start of a file. */
const FIELDS_TO_SEE = 3;

function detect(head: Uint8Array): Detection {
  const wire = new Wire(head, 0, head.length);
  let seen = 0;
  let typed = false;
  try {
    while (wire.next()) {
      if (!FIELD_TYPES[wire.field]?.includes(wire.type)) return 'no';
      if (wire.field === FIELD.sampleType && !(typed = isValueType(wire.message()))) return 'no';
      seen++;
    }
  } catch {
    return 'no';
  }
  // The field that the head ends in.
  const open = wire.at < head.length ? FIELD_TYPES[head[wire.at] >>> 3]?.includes(head[wire.at] & 7) : true;
  return typed && open && seen >= FIELDS_TO_SEE ? 'yes' : 'no';
}

/** Two small numbers of strings. */
function isValueType(wire: Wire): boolean {
  while (wire.next()) if (wire.field > 2 || wire.type !== 0 || wire.high !== 0 || wire.low > 1 << 20) return false;
  return wire.at === wire.end;
}

class Reader extends FileReader {
  private readonly samples = this.sink.tables(AddressStackWriter).samples;
  private readonly tables = new ProfileTables();
  private readonly sample = new SampleReader(this.tables.locationIds);
  /** Ids in the sink, by number of the string. */
  private readonly strings: number[] = [];
  /** Where this file begins: places, and rows of stacks. */
  private readonly firstPlace = this.samples.places.count;
  private readonly firstRow = this.samples.stacks.rows;
  private offset = 0;
  private count = 0;
  /** Sets of labels, by what they say. */
  private readonly sets = new Map<string, number>();
  private readonly labels: (readonly [set: number, labels: readonly PprofLabel[]])[] = [];

  /** Takes the whole fields in the bytes; returns how many bytes that was. */
  take(bytes: Uint8Array): number {
    const wire = new Wire(bytes, 0, bytes.length);
    try {
      while (wire.next()) this.field(wire, bytes);
      this.checkLength(wire);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      throw this.wrong(this.offset + error.at, error.expected, error.message);
    }
    this.offset += wire.at;
    return wire.at;
  }

  private wrong(offset: number, expected: string, found: string): FormatError {
    return this.error({ offset }, expected, found);
  }

  /** A field that has only begun: a string or another field that is longer than the limit need not be waited for. */
  private checkLength(wire: Wire): void {
    const length = wire.to - wire.from;
    if (wire.at >= wire.end || wire.type !== BYTES || wire.to <= wire.end || wire.from < wire.at) return;
    this.limitField(wire.field, length, wire.at);
  }

  private limitField(field: number, length: number, at: number): void {
    const name = field === FIELD.string ? 'name' : 'line';
    if (length > this.sink.limits[name]) throw this.beyond(name, { offset: this.offset + at }, length);
  }

  private field(wire: Wire, bytes: Uint8Array): void {
    const types = FIELD_TYPES[wire.field];
    // Fields of a later version are left out.
    if (!types || wire.field === 0) return;
    if (!types.includes(wire.type)) throw new WireError(wire.at, `field ${wire.field} of type ${types[0]}`, `type ${wire.type}`);
    if (wire.type === BYTES) this.limitField(wire.field, wire.to - wire.from, wire.from);
    if (wire.field === FIELD.sample) this.addSample(wire);
    else if (wire.field === FIELD.string) this.strings.push(this.sink.strings.bytesId(bytes, wire.from, wire.to));
    else this.tables.take(wire);
    this.limitTypes(this.tables.sampleTypes.length, wire.from);
  }

  private limitTypes(types: number, at: number): void {
    if (types > this.sink.limits.events) throw this.beyond('events', { offset: this.offset + at });
  }

  private addSample(wire: Wire): void {
    const { sample, samples, firstPlace } = this;
    const at = wire.from;
    sample.read(wire.message());
    const { locations, values, labels } = sample;
    const types = this.tables.sampleTypes.length;
    if (types > 0 && values.length !== types)
      throw new WireError(at, `a sample with ${plural(types, 'value')}, as many as there are sample types`, `${values.length}`);
    this.limitTypes(values.length, at);
    this.count++;
    if (locations.length === 0) locations.push(this.tables.nowhere());
    const n = locations.length;
    for (let i = 0; i < n; i++) locations.data[i] += firstPlace;
    const set = labels.length === 0 ? 0 : this.setOf(labels);
    const { stacks } = samples;
    stacks.widen(values.length);
    const row = stacks.row(this.part, locations.data, n, set);
    for (let c = 0; c < values.length; c++) stacks.addTo(c, row, values[c]);
  }

  private setOf(labels: readonly PprofLabel[]): number {
    const key = labels.map((l) => `${l.key} ${l.text} ${l.number} ${l.unit}`).join();
    let set = this.sets.get(key);
    if (set === undefined) {
      set = this.samples.labels.take();
      this.sets.set(key, set);
      this.labels.push([set, labels.slice()]);
    }
    return set;
  }

  /** At the end of the file. */
  finish(rest: Uint8Array): void {
    const end = this.offset + rest.length;
    if (rest.length > 0) throw this.wrong(end, 'the rest of a field', 'the end of the file inside it');
    if (this.strings.length === 0 || this.sink.strings.text(this.strings[0]) !== '')
      throw this.wrong(end, 'a table of strings that begins with an empty one', this.strings.length === 0 ? 'none' : 'another');
    if (this.tables.sampleTypes.length === 0) throw this.wrong(end, 'a sample type', 'none');
    this.setTypes(end);
    const mappings = this.mappings();
    this.addPlaces(mappings, end);
    for (const [set, labels] of this.labels)
      this.samples.labels.fill(
        set,
        labels.map((l) => this.label(l)),
      );
    const dropped = this.drop();
    const command = programIn(mappings.values());
    this.sink.command ??= command;
    this.sink.creator ??= 'pprof';
    const { timeNanos, durationNanos } = this.tables;
    if (Number(timeNanos) > 0) this.sink.taken ??= { atNs: BigInt(timeNanos), forNs: BigInt(durationNanos) };
    this.sink.addPart({
      path: this.path,
      command,
      notes: this.notes(dropped),
      events: this.samples.types.map((t) => t.name),
      positions: ['address'],
    });
  }

  private text(string: number): string {
    if (string >= this.strings.length)
      throw this.wrong(this.offset, `string ${string}`, `a table of ${plural(this.strings.length, 'string')}`);
    return this.sink.strings.text(this.strings[string]);
  }

  private label(l: PprofLabel): Label {
    const id = (string: number) => {
      this.text(string);
      return this.strings[string];
    };
    return { key: id(l.key), value: l.text === 0 ? -1 : id(l.text), number: l.number, unit: l.unit === 0 ? -1 : id(l.unit) };
  }

  private setTypes(end: number): void {
    const { tables, samples } = this;
    const { periodType, period } = tables;
    const said = tables.sampleTypes.map(({ type, unit }) => ({
      type: this.text(type),
      unit: this.text(unit),
      each: periodType?.type === type && periodType.unit === unit && Number(period) > 0 ? Number(period) : undefined,
    }));
    const wanted = tables.defaultSampleType === 0 ? -1 : said.findIndex((t) => t.type === this.text(tables.defaultSampleType));
    const types = inOrder(sampleTypes(said), wanted);
    if (this.part === 0) samples.types = types;
    if (samples.stacks.sums.length > types.length)
      throw this.wrong(end, `samples with ${plural(types.length, 'value')}`, `${samples.stacks.sums.length}`);
    const [before, now] = [samples.types, types].map((list) => list.map((t) => t.longName).join(', '));
    if (before !== now) throw this.wrong(end, `the sample types of the first file: ${before}`, now);
  }

  private mappings(): ReadonlyMap<number | bigint, Mapping> {
    const out = new Map<number | bigint, Mapping>();
    for (const [id, { start, limit, offset, file, buildId }] of this.tables.mappings) {
      const path = this.text(file);
      const build = this.text(buildId).toLowerCase();
      out.set(id, {
        start,
        end: limit,
        offset,
        executable: true,
        path: path === '' ? null : path,
        ...(/^[0-9a-f]{8,128}$/.test(build) ? { buildId: build } : {}),
      });
    }
    this.samples.mappings.push([...out.values()]);
    this.samples.periods.push(0);
    return out;
  }

  private addPlaces(mappings: ReadonlyMap<number | bigint, Mapping>, end: number): void {
    const { tables, samples, part } = this;
    for (let l = 0; l < tables.locationIds.count; l++) {
      const location = tables.locations[l];
      if (!location) throw this.wrong(end, 'every location that samples refer to', `no location ${l + 1} of these`);
      const place = samples.newPlace(part, location.high, location.low);
      if (l === tables.noLocation) samples.names[place] = [{ name: '(no stack)', file: null, line: 0 }];
      const mapping = mappings.get(location.mapping);
      if (mapping) samples.within.set(place, mapping);
      const names = location.lines.flatMap(({ function: f, line }) => {
        const of = tables.functions[f];
        if (!of) throw this.wrong(end, 'every function that locations refer to', 'a location whose function is missing');
        const frame = this.frame(of, f, line);
        return frame ? [frame] : [];
      });
      if (names.length > 0) samples.names[place] = names;
    }
  }

  private frame(of: PprofFunction, number: number, line: number): NamedFrame | undefined {
    const name = this.text(of.name) || this.text(of.systemName);
    if (name === '') return undefined;
    const file = this.text(of.file);
    return {
      name,
      file: file === '' ? null : file,
      line: line === 0 && of.startLine > 0 && file !== '' ? of.startLine : line,
      ...(SHARED_NAME.test(name) ? { home: number } : {}),
    };
  }

  private drop(): number {
    const { tables, samples, firstPlace, firstRow } = this;
    const dropped = this.text(tables.dropFrames);
    if (dropped === '') return 0;
    const kept = this.text(tables.keepFrames);
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

  private notes(dropped: number): string[] {
    const { tables } = this;
    const { period, periodType, timeNanos, durationNanos } = tables;
    const type = periodType ? `${this.text(periodType.type)}/${this.text(periodType.unit)}` : '';
    const url = this.text(tables.docUrl);
    const said = [
      plural(this.count, 'sample'),
      plural(tables.locationIds.count, 'location'),
      ...(Number(period) > 0 && type !== '/' && type !== '' ? [`a sample every ${period} ${type}`] : []),
      ...(Number(durationNanos) > 0 ? [`over ${formatCost(durationNanos, 'ns')}`] : []),
      ...dateOf(timeNanos),
    ];
    return [
      said.join('; '),
      ...(dropped > 0 ? [`${plural(dropped, 'frame')} left out, as the profile asks: ${this.text(tables.dropFrames)}`] : []),
      ...tables.comments.map((c) => this.text(c)),
      ...(url === '' ? [] : [url]),
    ];
  }
}

/** `taken 2026-11-22 10:00:00 UTC`; nothing if it is not said, or no date. */
function dateOf(nanos: number | bigint): string[] {
  const date = new Date(Number(nanos) / 1e6);
  return Number(nanos) > 0 && !Number.isNaN(date.getTime())
    ? [`taken ${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`]
    : [];
}

async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const reader = new Reader(sink, source.path);
  const most = sink.limits.line + LONGEST_TAG;
  const { rest, read } = await readPieces(source, sink.limits, signal, (bytes) => reader.take(bytes), 'line', most);
  if (read === 0) throw new FormatError({ path: source.path, offset: 0, expected: 'a profile', found: 'an empty file' });
  reader.finish(rest);
}

/** A tag and a length before the bytes of a field. */
const LONGEST_TAG = 20;

export const pprof: Loader = {
  name: 'pprof',
  title: 'profile of pprof (profile.proto): Go, Rust, Java, Node, Python; CPU, heap, contention',
  provides: ['routines', 'calls', 'trees', 'lines', 'instrs'],
  make: "curl -o cpu.pb.gz 'http://HOST/debug/pprof/profile?seconds=30', or go tool pprof -proto FILE",
  fileNames: /(\.pb|\.pprof|\.pprof\.proto)(\.gz)?$/,
  detect,
  load,
};
