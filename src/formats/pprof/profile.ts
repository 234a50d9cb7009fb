// The messages of profile.proto as plain tables. Strings, locations and functions may stand behind what refers to them, so everything
// refers by number here, and is resolved at the end of the file.
// https://github.com/google/pprof/blob/main/proto/profile.proto
import { Grow } from '../../model/column.ts';
import { BYTES, fields, VARINT, type Wire, WireError } from './wire.ts';

/** Numbers of the fields of the profile. */
export const FIELD = {
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

/** The type of each field on the wire; a comment may be packed. */
const [V, B] = [[VARINT], [BYTES]];
export const FIELD_TYPES: readonly (readonly number[])[] = [[], B, B, B, B, B, B, V, V, V, V, B, V, [VARINT, BYTES], V, V];

/** Numbers of strings. */
export interface ValueType {
  readonly type: number;
  readonly unit: number;
}

export interface PprofMapping {
  readonly start: bigint;
  readonly limit: bigint;
  readonly offset: bigint;
  readonly file: number;
  readonly buildId: number;
}

export interface PprofFunction {
  readonly name: number;
  readonly systemName: number;
  readonly file: number;
  readonly startLine: number;
}

export interface PprofLine {
  /** A number of `functions`. */
  readonly function: number;
  readonly line: number;
}

export interface PprofLocation {
  /** The mapping's id; 0 is none. */
  readonly mapping: number | bigint;
  readonly high: number;
  readonly low: number;
  /** The innermost first. */
  readonly lines: readonly PprofLine[];
}

export interface PprofLabel {
  readonly key: number;
  /** 0: it is a number. */
  readonly text: number;
  readonly number: number;
  readonly unit: number;
}

/** Numbers ids densely, in order of first appearance. Most files count them from 1. */
export class Ids {
  private readonly small: number[] = [];
  private readonly large = new Map<number | bigint, number>();
  count = 0;

  of(id: number | bigint): number {
    if (typeof id === 'number' && id < SMALL) {
      const known = this.small[id] ?? -1;
      if (known >= 0) return known;
      // An array without holes: it stays fast, and an id that jumps ahead costs no more than what SMALL allows.
      while (this.small.length <= id) this.small.push(-1);
      this.small[id] = this.count;
      return this.count++;
    }
    let known = this.large.get(id);
    if (known === undefined) this.large.set(id, (known = this.count++));
    return known;
  }
}

const SMALL = 1 << 22;
/** No id of a file: those are unsigned. */
const NO_ID = -1n;

const STRINGS = ['dropFrames', 'keepFrames', 'defaultSampleType', 'docUrl'] as const;
const NUMBERS = ['timeNanos', 'durationNanos', 'period'] as const;

/** Tables other than strings and samples. */
export class ProfileTables {
  readonly sampleTypes: ValueType[] = [];
  readonly locationIds = new Ids();
  readonly functionIds = new Ids();
  /** By dense number; absent if something refers to one that the file does not have. */
  readonly locations: (PprofLocation | undefined)[] = [];
  readonly functions: (PprofFunction | undefined)[] = [];
  readonly mappings = new Map<number | bigint, PprofMapping>();
  readonly comments: number[] = [];
  periodType: ValueType | undefined;
  period: number | bigint = 0;
  timeNanos: number | bigint = 0;
  durationNanos: number | bigint = 0;
  dropFrames = 0;
  keepFrames = 0;
  defaultSampleType = 0;
  docUrl = 0;

  /** The location of samples without any; -1 if there are none. */
  noLocation = -1;

  /** The number of a location for samples without one, whose cost would else be lost. */
  nowhere(): number {
    if (this.noLocation < 0) {
      this.noLocation = this.locationIds.of(NO_ID);
      this.locations[this.noLocation] = { mapping: 0, high: 0, low: 0, lines: [] };
    }
    return this.noLocation;
  }

  /** Takes a field of the profile that is no sample and no string. */
  take(wire: Wire): void {
    const { field } = wire;
    if (field === FIELD.location) this.location(wire.message());
    else if (field === FIELD.function) this.function(wire.message());
    else if (field === FIELD.mapping) this.mapping(wire.message());
    else if (field === FIELD.sampleType) this.sampleTypes.push(valueType(wire.message()));
    else if (field === FIELD.periodType) this.periodType = valueType(wire.message());
    else if (field === FIELD.comment) wire.numbers((w) => this.comments.push(index(w)));
    for (const name of STRINGS) if (field === FIELD[name]) this[name] = index(wire);
    for (const name of NUMBERS) if (field === FIELD[name]) this[name] = wire.number();
  }

  private mapping(wire: Wire): void {
    let id: number | bigint = 0;
    const out = { start: 0n, limit: 0n, offset: 0n, file: 0, buildId: 0 };
    fields(wire, (w) => {
      if (w.field === 1) id = unsigned(w);
      else if (w.field === 2) out.start = BigInt(unsigned(w));
      else if (w.field === 3) out.limit = BigInt(unsigned(w));
      else if (w.field === 4) out.offset = BigInt(unsigned(w));
      else if (w.field === 5) out.file = index(w);
      else if (w.field === 6) out.buildId = index(w);
    });
    this.mappings.set(id, out);
  }

  private location(wire: Wire): void {
    let id: number | bigint = 0;
    let mapping: number | bigint = 0;
    let [high, low] = [0, 0];
    const lines: PprofLine[] = [];
    fields(wire, (w) => {
      if (w.field === 1) id = unsigned(w);
      else if (w.field === 2) mapping = unsigned(w);
      else if (w.field === 3) {
        unsigned(w);
        [high, low] = [w.high, w.low];
      } else if (w.field === 4) lines.push(this.line(w.message()));
    });
    this.locations[this.locationIds.of(id)] = { mapping, high, low, lines };
  }

  private line(wire: Wire): PprofLine {
    let of: number | bigint = 0;
    let line = 0;
    fields(wire, (w) => {
      if (w.field === 1) of = unsigned(w);
      else if (w.field === 2) line = lineNumber(w);
    });
    return { function: this.functionIds.of(of), line };
  }

  private function(wire: Wire): void {
    let id: number | bigint = 0;
    const out = { name: 0, systemName: 0, file: 0, startLine: 0 };
    fields(wire, (w) => {
      if (w.field === 1) id = unsigned(w);
      else if (w.field === 2) out.name = index(w);
      else if (w.field === 3) out.systemName = index(w);
      else if (w.field === 4) out.file = index(w);
      else if (w.field === 5) out.startLine = lineNumber(w);
    });
    this.functions[this.functionIds.of(id)] = out;
  }
}

/** A sample: which locations (dense numbers), which values, which labels. Reused from one to the next. */
export class SampleReader {
  readonly locations = new Grow(Uint32Array);
  readonly values: (number | bigint)[] = [];
  readonly labels: PprofLabel[] = [];

  constructor(private readonly ids: Ids) {}

  read(wire: Wire): void {
    const { locations, values, labels, ids } = this;
    locations.length = 0;
    values.length = 0;
    labels.length = 0;
    fields(wire, (w) => {
      if (w.field === 1) w.numbers(({ unsigned: id }) => locations.push(ids.of(id)));
      else if (w.field === 2) w.numbers(({ signed }) => values.push(signed));
      else if (w.field === 3) labels.push(labelOf(w.message()));
    });
  }
}

function labelOf(wire: Wire): PprofLabel {
  const out = { key: 0, text: 0, number: 0, unit: 0 };
  fields(wire, (w) => {
    if (w.field === 1) out.key = index(w);
    else if (w.field === 2) out.text = index(w);
    else if (w.field === 3) out.number = Number(w.number());
    else if (w.field === 4) out.unit = index(w);
  });
  return out;
}

function valueType(wire: Wire): ValueType {
  const out = { type: 0, unit: 0 };
  fields(wire, (w) => {
    if (w.field === 1) out.type = index(w);
    else if (w.field === 2) out.unit = index(w);
  });
  return out;
}

function unsigned(wire: Wire): number | bigint {
  wire.number();
  return wire.unsigned;
}

/** The number of a string. */
function index(wire: Wire): number {
  const said = wire.number();
  if (typeof said === 'bigint' || said < 0 || said > 0xffffffff)
    throw new WireError(wire.at, 'the number of a string', `${said}`);
  return said;
}

/** 0 is unknown, and so is what no file has: some writers say -1. */
function lineNumber(wire: Wire): number {
  const said = wire.number();
  return typeof said === 'bigint' || said < 0 || said > 0x7fffffff ? 0 : said;
}
