// speedscope's own JSON: profiles that share their frames, sampled (stacks with weights) or evented (frames that open and close).
// https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts. Stacks are outermost first.
import { plural, type Unit } from '../base/units.ts';
import { Grow, type PartId } from '../model/column.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import { NamedStackWriter } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import {
  amountOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  numberOf,
  readJson,
  shownOf,
  textOf,
  valueEnd,
} from './shared/json.ts';
import { loadsObject, ObjectReader } from './shared/json-object.ts';
import { JsonScan } from './shared/json-scan.ts';
import { headText } from './shared/stream.ts';

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  if (!/^\s*\{/.test(text)) return 'no';
  if (text.includes('speedscope.app/file-format-schema.json')) return 'yes';
  // Without its schema: one of the two lists, with what only speedscope has in it.
  return /"profiles"\s{0,9}:\s{0,9}\[\s{0,9}\{\s{0,9}"(type|name|unit|endValue|startValue)"/.test(text) ||
    /"shared"\s{0,9}:\s{0,9}\{\s{0,9}"frames"\s{0,9}:\s{0,9}\[/.test(text)
    ? 'yes'
    : 'no';
}

/** Nanoseconds in a unit of ours; undefined for those that are no times. */
const NS: Readonly<Partial<Record<Unit, number>>> = { ns: 1, us: 1e3 };

/** The unit of weights: our event and unit, and what one of theirs is in it. */
const UNITS: Readonly<Record<string, readonly [name: string, unit: Unit, factor: number]>> = {
  none: ['weight', 'count', 1],
  nanoseconds: ['time', 'ns', 1],
  microseconds: ['time (us)', 'us', 1],
  milliseconds: ['time (ms)', 'ns', 1e6],
  seconds: ['time (s)', 'ns', 1e9],
  bytes: ['bytes', 'bytes', 1],
};

interface Given {
  readonly profile: JsonObject;
  readonly offset: number;
  /** Samples that have become rows already. */
  readonly rows?: Int32Array;
  readonly weights?: Float64Array;
}

/** The part of a profile, and what its numbers mean. */
interface Opened {
  readonly part: PartId;
  readonly unit: string;
  readonly column: number;
}

/** The row of a sample, whose frames are given with the outermost first; -1 if it has none. */
type RowOf = (frames: ArrayLike<unknown>) => number;

/** A sampled profile in its bytes: each sample becomes a row as it is read. */
class SampleScan extends JsonScan {
  /** The rest of the profile. Any key is one: it has no prototype. */
  readonly profile: Record<string, unknown> = Object.create(null);
  readonly weights = new Grow(Float64Array);
  readonly rows = new Grow(Int32Array);
  private readonly sample = new Grow(Float64Array);
  /** Where samples begin that come before what they are; -1 for none. */
  private later = -1;

  /** `begin`: how samples become rows; undefined as long as the profile does not say enough. */
  constructor(private readonly begin: (profile: JsonObject) => RowOf | undefined) {
    super();
  }

  /** Whether the value bytes[from..to) is written plainly. */
  isPlain(bytes: Uint8Array, from: number, to: number): boolean {
    this.start(bytes, to);
    return this.object(from) === to;
  }

  /** Reads such a value; false where it is not plain, or does not say what its samples are. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    return this.isPlain(bytes, from, to) && (this.later < 0 || this.samples(this.later) > 0);
  }

  protected field(from: number, to: number, at: number): number {
    if (this.is('weights', from, to)) {
      this.weights.length = 0;
      return this.numbers(at, this.weights);
    }
    if (this.is('samples', from, to)) {
      const after = this.samples(at);
      this.later = after === 0 ? at : -1;
      return after === 0 ? this.skip(at) : after;
    }
    this.profile[decodeBytes(this.bytes, from, to)] = this.parsed(at);
    return this.after;
  }

  /** 0 if nobody knows yet what they are. */
  private samples(at: number): number {
    const rowOf = this.begin(this.profile);
    if (!rowOf) return 0;
    const { sample, rows } = this;
    rows.length = 0;
    return this.list(at, (from) => {
      sample.length = 0;
      const after = this.numbers(from, sample);
      if (after > 0) rows.push(rowOf(sample.done()));
      return after;
    });
  }
}

export class Reader extends ObjectReader {
  private readonly writer = this.sink.tables(NamedStackWriter);
  private frames: readonly number[] | undefined;
  /** Profiles that came before the frames that they share. */
  private readonly waiting: (() => void)[] = [];
  private profiles = 0;
  private exporter: string | undefined;
  private readonly units: string[] = [];
  /** The profile that is read, as soon as it says enough. */
  private opened: Opened | undefined;
  /** Units of ours in one of the profile that is read. */
  private factor = 1;
  private stack = new Uint32Array(256);
  /** Nanoseconds of the unit of the profile that is read; undefined if that is no time. */
  private ns: number | undefined;

  member(key: string, json: Json): void {
    if (json.wrong !== undefined) return;
    if (key === 'exporter') this.exporter = textOf(json.value);
    if (key !== 'shared' || !isObject(json.value)) return;
    this.frames = listOf(json.value['frames']).map((frame) => {
      const [name, file, line] = isObject(frame) ? [textOf(frame['name']), textOf(frame['file']), numberOf(frame['line'])] : [];
      return this.writer.frameOf({
        name: name ?? '',
        file: file || null,
        line: line && line > 0 && line < 2 ** 31 ? Math.floor(line) : 0,
      });
    });
    for (const read of this.waiting.splice(0)) read();
  }

  override quick(bytes: Uint8Array, at: number, end: number, offset: number): number {
    const to = valueEnd(bytes, at, end);
    if (to < 0) return 0;
    if (this.frames) return this.plain(bytes, at, to, offset) ? to : -1;
    if (!new SampleScan(() => undefined).isPlain(bytes, at, to)) return -1;
    const own = bytes.slice(at, to);
    this.waiting.push(() => {
      if (!this.plain(own, 0, own.length, offset)) this.element(readJson(own), offset);
    });
    return to;
  }

  element(json: Json, offset: number): void {
    if (json.wrong !== undefined || !isObject(json.value))
      throw this.wrong(offset, 'a profile', json.wrong ?? shownOf(json.value));
    const given = { profile: json.value, offset };
    if (this.frames) this.read(given);
    else this.waiting.push(() => this.read(given));
  }

  /** Reads a profile that is written plainly; false if it is not. */
  private plain(bytes: Uint8Array, at: number, to: number, offset: number): boolean {
    const rowOf: RowOf = (frames) => this.row(frames, offset);
    const scan = new SampleScan((profile) => {
      if (profile['type'] !== 'sampled' || !('name' in profile) || !('unit' in profile)) return undefined;
      this.open(profile, offset);
      // Most frames take four bytes or more.
      this.writer.expect((to - at) >> 2);
      return rowOf;
    });
    if (!scan.read(bytes, at, to)) return false;
    this.read({ profile: scan.profile, offset, rows: scan.rows.done(), weights: scan.weights.done() });
    return true;
  }

  private open(profile: JsonObject, offset: number): Opened {
    const unit = textOf(profile['unit']) ?? 'none';
    if (!Object.hasOwn(UNITS, unit))
      throw this.wrong(offset, `a unit of ${Object.keys(UNITS).join(', ')}`, shownOf(profile['unit']));
    if (this.opened && this.opened.unit !== unit) throw this.wrong(offset, `the unit ${this.opened.unit}`, unit);
    if (this.opened) return this.opened;
    if (!this.units.includes(unit)) this.units.push(unit);
    const [event, own, factor] = UNITS[unit];
    const part = this.sink.addPart({ path: this.path, events: [event], command: textOf(profile['name']) ?? null });
    const ns = NS[own];
    this.ns = ns && ns * factor;
    this.factor = factor;
    if (ns === undefined) this.writer.times.isWhole = false;
    this.opened = { part, unit, column: this.units.indexOf(unit) };
    return this.opened;
  }

  private read(given: Given): void {
    const { profile, offset } = given;
    const { part, column } = this.open(profile, offset);
    this.profiles++;
    if (profile['type'] === 'sampled') this.sampled(given, column);
    else if (profile['type'] === 'evented') this.evented(profile, part, column, offset);
    else throw this.wrong(offset, 'a profile that is sampled or evented', shownOf(profile['type']));
    this.opened = undefined;
  }

  /** A number of the profile's unit, in bounds in ours, too: what is exported must be read back. */
  private amount(value: unknown): number | undefined {
    const amount = amountOf(value);
    return amount === undefined || amountOf(amount * this.factor) === undefined ? undefined : amount;
  }

  private sampled({ profile, offset, ...given }: Given, column: number): void {
    const samples = listOf(profile['samples']);
    const count = given.rows?.length ?? samples.length;
    const weights = given.weights ?? listOf(profile['weights']);
    if (count !== weights.length) throw this.wrong(offset, `weights of ${plural(count, 'sample')}`, `${weights.length}`);
    let at = this.amount(profile['startValue']) ?? 0;
    for (let s = 0; s < count; s++) {
      const weight = this.amount(weights[s]);
      if (weight === undefined) throw this.wrong(offset, 'a number as a weight', shownOf(weights[s]));
      const row = given.rows?.[s] ?? this.row(listOf(samples[s]), offset);
      if (row >= 0) this.add(row, column, weight, at);
      at += weight;
    }
  }

  private row(frames: ArrayLike<unknown>, offset: number): number {
    const depth = frames.length;
    if (depth > this.stack.length) this.stack = new Uint32Array(2 * depth);
    // A stack has the innermost frame first.
    for (let k = 0; k < depth; k++) this.stack[depth - 1 - k] = this.frame(frames[k], offset);
    return depth > 0 && this.opened ? this.writer.row(this.opened.part, this.stack, depth) : -1;
  }

  /** Between two events, what is open costs what passes. */
  private evented(profile: JsonObject, part: number, column: number, offset: number): void {
    const { paths } = this.writer;
    /** The paths of what is open. */
    const open: number[] = [];
    let before = this.amount(profile['startValue']) ?? 0;
    for (const event of listOf(profile['events'])) {
      const at = isObject(event) ? this.amount(event['at']) : undefined;
      if (!isObject(event) || at === undefined) throw this.wrong(offset, 'an event with a number as at', shownOf(event));
      if (this.amount(at - before) === undefined) throw this.wrong(offset, 'a time', shownOf(at - before));
      if (at < before) throw this.wrong(offset, 'events in order', `one at ${at} after one at ${before}`);
      const latest = open.at(-1) ?? -1;
      if (at > before && latest >= 0) this.add(this.writer.rowOf(part, latest), column, at - before, before);
      before = at;
      const frame = this.frame(event['frame'], offset);
      if (event['type'] === 'O') open.push(paths.below(latest, frame));
      else if (event['type'] !== 'C') throw this.wrong(offset, 'an event of type O or C', shownOf(event['type']));
      else if (paths.frameOf(latest) !== frame)
        throw this.wrong(offset, 'the frame that opened last to close first', shownOf(event));
      else open.pop();
    }
    const rest = (this.amount(profile['endValue']) ?? before) - before;
    const latest = open.at(-1);
    if (rest > 0 && latest !== undefined) this.add(this.writer.rowOf(part, latest), column, rest, before);
    paths.write();
  }

  /** `at`: when it began, in the profile's unit. */
  private add(row: number, column: number, cost: number, at: number): void {
    const { writer } = this;
    writer.addTo(column, row, cost);
    if (this.ns !== undefined) writer.times.add(row, at * this.ns, column, cost);
  }

  private frame(value: unknown, offset: number): number {
    const at = numberOf(value);
    const frame = at === undefined ? undefined : this.frames?.[at];
    if (frame === undefined) throw this.wrong(offset, 'the number of a shared frame', shownOf(value));
    return frame;
  }

  finish(end: number): void {
    if (!this.frames) throw this.wrong(end, 'shared frames', 'none');
    if (this.profiles === 0) throw this.wrong(end, 'a profile', 'none');
    const one = this.units.length === 1;
    this.writer.types = this.units.map((said, column): RecordedType => {
      const [name, unit, factor] = UNITS[said];
      return {
        name: one ? name.replace(/ .*/, '') : name,
        unit,
        longName: `weights in ${said === 'none' ? 'no unit' : said}`,
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
  alone: true,
  make: 'py-spy record --format speedscope -o out.speedscope.json -- python program.py',
  fileNames: /\.speedscope\.json(\.gz)?$/,
  detect,
  load: loadsObject('profiles', Reader),
};
