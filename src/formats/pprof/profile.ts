// Reads the messages of profile.proto into plain tables. Messages refer to strings, locations and functions by number.
// Strings, locations and functions may follow the messages that refer to them, so numbers are resolved at the end of the file.
// Specification: https://github.com/google/pprof/blob/main/proto/profile.proto
import { GrowableColumn } from '../../model/column.ts';
import { FileIds } from '../shared/file-ids.ts';
import { BYTES, forEachField, VARINT, WireError, type WireReader } from './wire.ts';

export const PROFILE_FIELD = {
  sampleType: 1,
  sample: 2,
  mapping: 3,
  location: 4,
  function: 5,
  string: 6,
  dropFrames: 7,
  keepFrames: 8,
  timeNanos: 9,
  durationNanos: 10,
  periodType: 11,
  period: 12,
  comment: 13,
  defaultSampleType: 14,
  docUrl: 15,
} as const;

/** The allowed wire types of each field. Comments may be packed. */
const [V, B] = [[VARINT], [BYTES]];
export const FIELD_TYPES: readonly (readonly number[])[] = [[], B, B, B, B, B, B, V, V, V, V, B, V, [VARINT, BYTES], V, V];

/** Messages without fields. Texts are string numbers. */
const NO_VALUE_TYPE = { type: 0, unit: 0 };
const NO_MAPPING = { start: 0n, limit: 0n, offset: 0n, file: 0, buildId: 0 };
const NO_FUNCTION = { name: 0, systemName: 0, file: 0, startLine: 0 };
const NO_LABEL = { key: 0, text: 0, number: 0, unit: 0 };
type ValueType = Readonly<typeof NO_VALUE_TYPE>;
export type PprofFunction = Readonly<typeof NO_FUNCTION>;
/** `text`: the string number of the label's text; 0 if the label is numeric. */
export type PprofLabel = Readonly<typeof NO_LABEL>;

/** A line, and the index of its function in `functions`. */
type PprofLine = Readonly<Record<'function' | 'line', number>>;

export interface PprofLocation {
  /** Id of the location's mapping; 0 if it has none. */
  readonly mapping: number | bigint;
  readonly high: number;
  readonly low: number;
  /** Lines of the location, innermost function first. */
  readonly lines: readonly PprofLine[];
}

/** An id that no file uses: ids in files have 64 bits. */
const NO_ID = 1n << 64n;

const STRING_FIELDS = ['dropFrames', 'keepFrames', 'defaultSampleType', 'docUrl'] as const;
const NUMBER_FIELDS = ['timeNanos', 'durationNanos', 'period'] as const;

/** All tables of a profile except strings and samples. */
export class ProfileTables {
  readonly sampleTypes: ValueType[] = [];
  readonly locationIds = new FileIds();
  readonly functionIds = new FileIds();
  /** By dense number; undefined if the file refers to the location but does not define it. */
  readonly locations: (PprofLocation | undefined)[] = [];
  readonly functions: (PprofFunction | undefined)[] = [];
  readonly mappings = new Map<number | bigint, Readonly<typeof NO_MAPPING>>();
  readonly comments: number[] = [];
  periodType: ValueType | undefined;
  period: number | bigint = 0;
  timeNanos: number | bigint = 0;
  durationNanos: number | bigint = 0;
  dropFrames = 0;
  keepFrames = 0;
  defaultSampleType = 0;
  docUrl = 0;

  /** The location of samples that have no location; -1 until there is such a sample. */
  noLocation = -1;

  /** The location of samples without a stack, so that their cost is not lost. */
  unknownLocation(): number {
    if (this.noLocation < 0) {
      this.noLocation = this.locationIds.numberOf(NO_ID);
      this.locations[this.noLocation] = { mapping: 0, high: 0, low: 0, lines: [] };
    }
    return this.noLocation;
  }

  /** Reads a field of the profile other than a sample or a string. */
  take(wire: WireReader): void {
    const { field } = wire;
    if (field === PROFILE_FIELD.location) this.readLocation(wire.message());
    else if (field === PROFILE_FIELD.function) this.readFunction(wire.message());
    else if (field === PROFILE_FIELD.mapping) this.readMapping(wire.message());
    else if (field === PROFILE_FIELD.sampleType) this.sampleTypes.push(readValueType(wire.message()));
    else if (field === PROFILE_FIELD.periodType) this.periodType = readValueType(wire.message());
    else if (field === PROFILE_FIELD.comment) wire.forEachNumber((w) => this.comments.push(readStringNumber(w)));
    for (const name of STRING_FIELDS) if (field === PROFILE_FIELD[name]) this[name] = readStringNumber(wire);
    for (const name of NUMBER_FIELDS) if (field === PROFILE_FIELD[name]) this[name] = wire.readNumber();
  }

  private readMapping(wire: WireReader): void {
    let id: number | bigint = 0;
    const out = { ...NO_MAPPING };
    forEachField(wire, (w) => {
      if (w.field === 1) id = readUnsigned(w);
      else if (w.field === 2) out.start = BigInt(readUnsigned(w));
      else if (w.field === 3) out.limit = BigInt(readUnsigned(w));
      else if (w.field === 4) out.offset = BigInt(readUnsigned(w));
      else if (w.field === 5) out.file = readStringNumber(w);
      else if (w.field === 6) out.buildId = readStringNumber(w);
    });
    this.mappings.set(id, out);
  }

  private readLocation(wire: WireReader): void {
    let id: number | bigint = 0;
    let mapping: number | bigint = 0;
    let [high, low] = [0, 0];
    const lines: PprofLine[] = [];
    forEachField(wire, (w) => {
      if (w.field === 1) id = readUnsigned(w);
      else if (w.field === 2) mapping = readUnsigned(w);
      else if (w.field === 3) {
        readUnsigned(w);
        [high, low] = [w.high, w.low];
      } else if (w.field === 4) lines.push(this.readLine(w.message()));
    });
    this.locations[this.locationIds.numberOf(id)] = { mapping, high, low, lines };
  }

  private readLine(wire: WireReader): PprofLine {
    let pprofFunction: number | bigint = 0;
    let line = 0;
    forEachField(wire, (w) => {
      if (w.field === 1) pprofFunction = readUnsigned(w);
      else if (w.field === 2) line = readLineNumber(w);
    });
    return { function: this.functionIds.numberOf(pprofFunction), line };
  }

  private readFunction(wire: WireReader): void {
    let id: number | bigint = 0;
    const out = { ...NO_FUNCTION };
    forEachField(wire, (w) => {
      if (w.field === 1) id = readUnsigned(w);
      else if (w.field === 2) out.name = readStringNumber(w);
      else if (w.field === 3) out.systemName = readStringNumber(w);
      else if (w.field === 4) out.file = readStringNumber(w);
      else if (w.field === 5) out.startLine = readLineNumber(w);
    });
    this.functions[this.functionIds.numberOf(id)] = out;
  }
}

/** Reads a sample: location numbers, values and labels. One instance is reused for all samples. */
export class SampleReader {
  readonly locations = new GrowableColumn(Uint32Array);
  readonly values: (number | bigint)[] = [];
  readonly labels: PprofLabel[] = [];

  constructor(private readonly ids: FileIds) {}

  read(wire: WireReader): void {
    const { locations, values, labels, ids } = this;
    locations.length = 0;
    values.length = 0;
    labels.length = 0;
    forEachField(wire, (w) => {
      if (w.field === 1) w.forEachNumber(({ unsigned: id }) => locations.push(ids.numberOf(id)));
      else if (w.field === 2) w.forEachNumber(({ signed }) => values.push(signed));
      else if (w.field === 3) labels.push(readLabel(w.message()));
    });
  }
}

function readLabel(wire: WireReader): PprofLabel {
  const out = { ...NO_LABEL };
  forEachField(wire, (w) => {
    if (w.field === 1) out.key = readStringNumber(w);
    else if (w.field === 2) out.text = readStringNumber(w);
    else if (w.field === 3) out.number = Number(w.readNumber());
    else if (w.field === 4) out.unit = readStringNumber(w);
  });
  return out;
}

function readValueType(wire: WireReader): ValueType {
  const out = { ...NO_VALUE_TYPE };
  forEachField(wire, (w) => {
    if (w.field === 1) out.type = readStringNumber(w);
    else if (w.field === 2) out.unit = readStringNumber(w);
  });
  return out;
}

function readUnsigned(wire: WireReader): number | bigint {
  wire.readNumber();
  return wire.unsigned;
}

function readStringNumber(wire: WireReader): number {
  const value = wire.readNumber();
  if (typeof value === 'bigint' || value < 0 || value > 0xffffffff)
    throw new WireError(wire.at, 'the number of a string', `${value}`);
  return value;
}

/** Reads a line number; 0 if unknown. Some writers use -1 for unknown lines. */
function readLineNumber(wire: WireReader): number {
  const value = wire.readNumber();
  return typeof value === 'bigint' || value < 0 || value > 0x7fffffff ? 0 : value;
}
