// Loads speedscope's JSON: profiles with shared frames, either sampled (stacks with weights) or evented (frames open and close).
// https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts. Stacks are outermost first.
import { isTimeUnit, plural, smallestUnits, type Unit } from '../base/units.ts';
import { GrowableColumn, type PartId } from '../model/column.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import { NamedStackWriter } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import {
  amountOf,
  isObject,
  type JsonObject,
  jsonExcerpt,
  lineOf,
  listOf,
  numberOf,
  objectOf,
  readJson,
  textOf,
  valueEnd,
} from './shared/json.ts';
import { makeObjectLoader, ObjectReader } from './shared/json-object.ts';
import { JsonScan } from './shared/json-scan.ts';
import { headText } from './shared/stream.ts';

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  if (!/^\s*\{/.test(text)) return 'no';
  if (text.includes('speedscope.app/file-format-schema.json')) return 'yes';
  // A file without the schema is recognized by one of the two lists, with members that only speedscope has.
  return /"profiles"\s{0,9}:\s{0,9}\[\s{0,9}\{\s{0,9}"(type|name|unit|endValue|startValue)"/.test(text) ||
    /"shared"\s{0,9}:\s{0,9}\{\s{0,9}"frames"\s{0,9}:\s{0,9}\[/.test(text)
    ? 'yes'
    : 'no';
}

/** By unit of weights: event name, proftui's unit, and the conversion factor. */
const WEIGHT_UNITS: Readonly<Record<string, readonly [name: string, unit: Unit, factor: number]>> = {
  none: ['weight', 'count', 1],
  nanoseconds: ['time', 'ns', 1],
  microseconds: ['time (us)', 'us', 1],
  milliseconds: ['time (ms)', 'ns', 1e6],
  seconds: ['time (s)', 'ns', 1e9],
  bytes: ['bytes', 'bytes', 1],
};

/** Reads a sampled profile from its bytes: each sample becomes a row immediately. */
class SampleScan extends JsonScan {
  /** The other members of the profile. The object has no prototype, so any key is safe. */
  readonly profile: Record<string, unknown> = Object.create(null);
  readonly weights = new GrowableColumn(Float64Array);
  readonly rows = new GrowableColumn(Int32Array);
  private readonly sample = new GrowableColumn(Float64Array);
  /** Offset of the samples if they precede the profile's type and unit; -1 otherwise. */
  private samplesAt = -1;

  /** `openProfile` returns a function from frames, outermost first, to a row (-1: none); undefined without type and unit. */
  constructor(private readonly openProfile: (profile: JsonObject) => ((frames: ArrayLike<unknown>) => number) | undefined) {
    super();
  }

  /** True if the value bytes[from..to) is plain JSON. */
  isPlain(bytes: Uint8Array, from: number, to: number): boolean {
    this.start(bytes, to);
    return this.readObject(from) === to;
  }

  /** Reads a plain profile; false if it is not plain, or if its type or unit is missing. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    return this.isPlain(bytes, from, to) && (this.samplesAt < 0 || this.readSamples(this.samplesAt) > 0);
  }

  protected readField(from: number, to: number, at: number): number {
    if (this.matchesText('weights', from, to)) {
      this.weights.length = 0;
      return this.readNumbers(at, this.weights);
    }
    if (this.matchesText('samples', from, to)) {
      const after = this.readSamples(at);
      this.samplesAt = after === 0 ? at : -1;
      return after === 0 ? this.skipValue(at) : after;
    }
    this.profile[decodeBytes(this.bytes, from, to)] = this.parseShallow(at);
    return this.lastEnd;
  }

  /** Reads the samples at `at`; returns 0 if the profile's type or unit is not known yet. */
  private readSamples(at: number): number {
    const rowOf = this.openProfile(this.profile);
    if (!rowOf) return 0;
    const { sample, rows } = this;
    rows.length = 0;
    return this.readList(at, (from) => {
      sample.length = 0;
      const after = this.readNumbers(from, sample);
      if (after > 0) rows.push(rowOf(sample.done()));
      return after;
    });
  }
}

export class SpeedscopeReader extends ObjectReader {
  protected readonly element = 'a profile';
  private readonly writer = this.sink.writerFor(NamedStackWriter);
  private frames: readonly number[] | undefined;
  /** Functions that read the profiles that precede the shared frames. */
  private readonly waitingProfiles: (() => void)[] = [];
  private profiles = 0;
  /** The number of frames that never close, and of samples without a stack. */
  private unclosed = 0;
  private withoutStack = 0;
  private exporter: string | undefined;
  private readonly units: string[] = [];
  /** The current profile's part, with the unit and column of its weights, once its type and unit are known. */
  private currentPart: { readonly part: PartId; readonly unit: string; readonly column: number } | undefined;
  /** Conversion factor from the current profile's unit to proftui's. */
  private factor = 1;
  private stack = new Uint32Array(256);
  /** Nanoseconds per unit of the current profile; undefined if the unit is not a time. */
  private ns: number | undefined;

  readMember(key: string, value: unknown): void {
    if (key === 'exporter') this.exporter = textOf(value);
    if (key !== 'shared' || !isObject(value)) return;
    this.frames = listOf(value['frames']).map((frame) => {
      const { name, file, line } = objectOf(frame);
      return this.writer.frameOf({ name: textOf(name) ?? '', file: textOf(file) || null, line: lineOf(line) });
    });
    for (const read of this.waitingProfiles.splice(0)) read();
  }

  override readPlainElement(bytes: Uint8Array, at: number, end: number, offset: number): number {
    const to = valueEnd(bytes, at, end);
    if (to < 0) return 0;
    if (this.frames) return this.readPlainProfile(bytes, at, to, offset) ? to : -1;
    if (!new SampleScan(() => undefined).isPlain(bytes, at, to)) return -1;
    const own = bytes.slice(at, to);
    this.waitingProfiles.push(() => {
      if (!this.readPlainProfile(own, 0, own.length, offset)) this.readElement(readJson(own), offset);
    });
    return to;
  }

  readObject(profile: JsonObject, offset: number): void {
    if (this.frames) this.readProfile(profile, offset);
    else this.waitingProfiles.push(() => this.readProfile(profile, offset));
  }

  /** Reads a profile written as plain JSON; returns false for other profiles. */
  private readPlainProfile(bytes: Uint8Array, at: number, to: number, offset: number): boolean {
    const scan = new SampleScan((profile) => {
      if (profile['type'] !== 'sampled' || !('name' in profile) || !('unit' in profile)) return undefined;
      this.openProfile(profile, offset);
      // Most frames take four bytes or more.
      this.writer.stacks.element.reserveMore((to - at) >> 2);
      return (frames) => this.rowOfStack(frames, offset);
    });
    try {
      if (!scan.read(bytes, at, to)) return false;
    } catch {
      // Broken JSON behind a wrong frame or unit is reported first, as JSON.parse does.
      return false;
    }
    this.readProfile(scan.profile, offset, scan);
    return true;
  }

  private openProfile(profile: JsonObject, offset: number) {
    const unit = textOf(profile['unit']) ?? 'none';
    if (!Object.hasOwn(WEIGHT_UNITS, unit))
      throw this.errorAt(offset, `a unit of ${Object.keys(WEIGHT_UNITS).join(', ')}`, jsonExcerpt(profile['unit']));
    if (this.currentPart && this.currentPart.unit !== unit) throw this.errorAt(offset, `the unit ${this.currentPart.unit}`, unit);
    if (this.currentPart) return this.currentPart;
    if (!this.units.includes(unit)) this.units.push(unit);
    const [event, own, factor] = WEIGHT_UNITS[unit];
    const part = this.sink.addPart({ path: this.path, events: [event], command: textOf(profile['name']) ?? null });
    const ns = isTimeUnit(own) ? smallestUnits(own)?.factor : undefined;
    this.ns = ns && ns * factor;
    this.factor = factor;
    if (ns === undefined) this.writer.times.isComplete = false;
    this.currentPart = { part, unit, column: this.units.indexOf(unit) };
    return this.currentPart;
  }

  /** Reads a profile. `scan`: its rows and weights, if its samples have already been written. */
  private readProfile(profile: JsonObject, offset: number, scan?: SampleScan): void {
    const { part, column } = this.openProfile(profile, offset);
    this.profiles++;
    if (profile['type'] === 'sampled') this.readSampled(profile, column, offset, scan);
    else if (profile['type'] === 'evented') this.readEvented(profile, part, column, offset);
    else throw this.errorAt(offset, 'a profile that is sampled or evented', jsonExcerpt(profile['type']));
    this.currentPart = undefined;
  }

  /** A number that is valid in the profile's and in proftui's unit, so that exports can be read back; else undefined. */
  private validAmount(value: unknown): number | undefined {
    const amount = amountOf(value);
    return amount === undefined || amountOf(amount * this.factor) === undefined ? undefined : amount;
  }

  private readSampled(profile: JsonObject, column: number, offset: number, scan?: SampleScan): void {
    // All samples before the first weight, as in SampleScan, so that of two errors both name the same one.
    const rows = scan?.rows.done() ?? listOf(profile['samples']).map((frames) => this.rowOfStack(listOf(frames), offset));
    const count = rows.length;
    const weights = scan?.weights.done() ?? listOf(profile['weights']);
    if (count !== weights.length) throw this.errorAt(offset, `weights of ${plural(count, 'sample')}`, `${weights.length}`);
    let at = this.validAmount(profile['startValue']) ?? 0;
    for (let s = 0; s < count; s++) {
      const weight = this.validAmount(weights[s]);
      if (weight === undefined) throw this.errorAt(offset, 'a number as a weight', jsonExcerpt(weights[s]));
      if (rows[s] >= 0) this.addCost(rows[s], column, weight, at);
      else this.withoutStack++;
      at += weight;
    }
  }

  private rowOfStack(frames: ArrayLike<unknown>, offset: number): number {
    const depth = frames.length;
    if (depth > this.stack.length) this.stack = new Uint32Array(2 * depth);
    // `stack` is innermost frame first.
    for (let k = 0; k < depth; k++) this.stack[depth - 1 - k] = this.frameAt(frames[k], offset);
    return depth > 0 && this.currentPart ? this.writer.row(this.currentPart.part, this.stack, depth) : -1;
  }

  /** Reads an evented profile: the time between two events is the cost of the open stack. */
  private readEvented(profile: JsonObject, part: number, column: number, offset: number): void {
    const { paths } = this.writer;
    const open: number[] = [];
    let before = this.validAmount(profile['startValue']) ?? 0;
    for (const event of listOf(profile['events'])) {
      const at = isObject(event) ? this.validAmount(event['at']) : undefined;
      if (!isObject(event) || at === undefined) throw this.errorAt(offset, 'an event with a number as at', jsonExcerpt(event));
      if (this.validAmount(at - before) === undefined) throw this.errorAt(offset, 'a time', jsonExcerpt(at - before));
      if (at < before) throw this.errorAt(offset, 'events in order', `one at ${at} after one at ${before}`);
      const latest = open.at(-1) ?? -1;
      if (at > before && latest >= 0) this.addCost(this.writer.rowOf(part, latest), column, at - before, before);
      before = at;
      const frame = this.frameAt(event['frame'], offset);
      if (event['type'] === 'O') open.push(paths.pathBelow(latest, frame));
      else if (event['type'] !== 'C') throw this.errorAt(offset, 'an event of type O or C', jsonExcerpt(event['type']));
      else if (paths.frameOf(latest) !== frame)
        throw this.errorAt(offset, 'the frame that opened last to close first', jsonExcerpt(event));
      else open.pop();
    }
    const rest = (this.validAmount(profile['endValue']) ?? before) - before;
    const latest = open.at(-1);
    this.unclosed += open.length;
    if (rest > 0 && latest !== undefined) this.addCost(this.writer.rowOf(part, latest), column, rest, before);
    paths.writeFrames();
  }

  /** Adds a cost. `at`: its start, in the profile's unit. */
  private addCost(row: number, column: number, cost: number, at: number): void {
    const { writer } = this;
    writer.addTo(column, row, cost);
    if (this.ns !== undefined) writer.times.add(row, at * this.ns, column, cost);
  }

  private frameAt(value: unknown, offset: number): number {
    const at = numberOf(value);
    const frame = at === undefined ? undefined : this.frames?.[at];
    if (frame === undefined) throw this.errorAt(offset, 'the number of a shared frame', jsonExcerpt(value));
    return frame;
  }

  finish(end: number): void {
    if (!this.frames) throw this.errorAt(end, 'shared frames', 'none');
    if (this.profiles === 0) throw this.errorAt(end, 'a profile', 'none');
    if (this.unclosed > 0)
      this.warn(
        {},
        'a closing event of every frame',
        `${plural(this.unclosed, 'frame')} without; they last to the end of their profile`,
      );
    if (this.withoutStack > 0)
      this.sink.notes.push(
        `${plural(this.withoutStack, 'sample')} without a stack left out: nothing ran, or nothing was recorded`,
      );
    const one = this.units.length === 1;
    this.writer.types = this.units.map((unitName, column): RecordedType => {
      const [name, unit, factor] = WEIGHT_UNITS[unitName];
      return {
        name: one ? name.replace(/ .*/, '') : name,
        unit,
        longName: `weights in ${unitName === 'none' ? 'no unit' : unitName}`,
        ...(factor === 1 ? {} : { factor }),
        column,
      };
    });
    this.sink.creator ??= this.exporter ?? 'speedscope';
  }
}

export const speedscope: Loader = {
  name: 'speedscope',
  title: "speedscope's own JSON, sampled or evented",
  provides: ['routines', 'calls', 'trees', 'lines', 'times'],
  make: 'py-spy record --format speedscope -o out.speedscope.json -- python program.py',
  fileNames: /\.speedscope\.json(\.gz)?$/,
  detect,
  load: makeObjectLoader('profiles', SpeedscopeReader),
};
