// speedscope's own JSON: profiles that share their frames, sampled (stacks with weights) or evented (frames that open and close).
// https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts. Stacks are outermost first.
import { plural, type Unit } from '../base/units.ts';
import { Grow } from '../model/column.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import { NamedStackWriter } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import { amountOf, isObject, type Json, type JsonObject, listOf, numberOf, shownOf, textOf, valueEnd } from './shared/json.ts';
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

/** The samples of a profile. */
interface Samples {
  readonly length: number;
  readonly weights: ArrayLike<unknown>;
  /** The frames of the next one, the outermost first. */
  next(): ArrayLike<unknown>;
}

interface Given {
  readonly profile: JsonObject;
  readonly offset: number;
  /** Where they are not among what the profile says. */
  readonly samples?: Samples;
}

/** A sampled profile in its bytes, where the samples stay until they are written. */
class SampleScan extends JsonScan implements Samples {
  /** The rest of the profile. Any key is one: it has no prototype. */
  readonly profile: Record<string, unknown> = Object.create(null);
  length = 0;
  private readonly weighted = new Grow(Float64Array);
  private readonly sample = new Grow(Float64Array);
  private at = 0;

  get weights(): Float64Array {
    return this.weighted.done();
  }

  /** Whether the value bytes[from..to) is written plainly. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    this.start(bytes, to);
    return this.object(from) === to;
  }

  /** Takes a copy of bytes[from..to): they are about to change. */
  keep(from: number, to: number): void {
    this.start(this.bytes.slice(from, to), to - from);
    this.at -= from;
  }

  next(): Float64Array {
    const at = this.blanks(this.at);
    this.sample.length = 0;
    this.at = this.numbers(this.bytes[at] === 44 ? this.blanks(at + 1) : at, this.sample);
    return this.sample.done();
  }

  protected field(from: number, to: number, at: number): number {
    if (this.is('weights', from, to)) {
      this.weighted.length = 0;
      return this.numbers(at, this.weighted);
    }
    if (this.is('samples', from, to)) {
      this.at = at + 1;
      this.length = 0;
      return this.list(at, (sample) => this.count(sample));
    }
    this.profile[decodeBytes(this.bytes, from, to)] = this.parsed(at);
    return this.after;
  }

  private count(at: number): number {
    this.length++;
    this.sample.length = 0;
    return this.numbers(at, this.sample);
  }
}

function samplesOf(profile: JsonObject): Samples {
  const samples = listOf(profile['samples']);
  let next = 0;
  return { length: samples.length, weights: listOf(profile['weights']), next: () => listOf(samples[next++]) };
}

export class Reader extends ObjectReader {
  private readonly writer = this.sink.tables(NamedStackWriter);
  private frames: readonly number[] | undefined;
  /** Profiles that came before the frames that they share. */
  private readonly waiting: Given[] = [];
  private profiles = 0;
  private exporter: string | undefined;
  private readonly units: string[] = [];
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
    for (const given of this.waiting.splice(0)) this.read(given);
  }

  override quick(bytes: Uint8Array, at: number, end: number, offset: number): number {
    const to = valueEnd(bytes, at, end);
    if (to < 0) return 0;
    const samples = new SampleScan();
    if (!samples.read(bytes, at, to)) return -1;
    if (!this.frames) samples.keep(at, to);
    // Most frames take four bytes or more.
    this.writer.expect((to - at) >> 2);
    this.take({ profile: samples.profile, offset, samples });
    return to;
  }

  element(json: Json, offset: number): void {
    if (json.wrong !== undefined || !isObject(json.value))
      throw this.wrong(offset, 'a profile', json.wrong ?? shownOf(json.value));
    this.take({ profile: json.value, offset });
  }

  private take(given: Given): void {
    if (this.frames) this.read(given);
    else this.waiting.push(given);
  }

  private read(given: Given): void {
    const { profile, offset } = given;
    const unit = textOf(profile['unit']) ?? 'none';
    if (!Object.hasOwn(UNITS, unit))
      throw this.wrong(offset, `a unit of ${Object.keys(UNITS).join(', ')}`, shownOf(profile['unit']));
    if (!this.units.includes(unit)) this.units.push(unit);
    const column = this.units.indexOf(unit);
    const part = this.sink.addPart({ path: this.path, events: [UNITS[unit][0]], command: textOf(profile['name']) ?? null });
    this.profiles++;
    const [, own, factor] = UNITS[unit];
    const ns = NS[own];
    this.ns = ns && ns * factor;
    this.factor = factor;
    if (ns === undefined) this.writer.times.isWhole = false;
    if (profile['type'] === 'sampled') this.sampled(given, part, column);
    else if (profile['type'] === 'evented') this.evented(profile, part, column, offset);
    else throw this.wrong(offset, 'a profile that is sampled or evented', shownOf(profile['type']));
  }

  /** A number of the profile's unit, in bounds in ours, too: what is exported must be read back. */
  private amount(value: unknown): number | undefined {
    const amount = amountOf(value);
    return amount === undefined || amountOf(amount * this.factor) === undefined ? undefined : amount;
  }

  private sampled({ profile, offset, samples = samplesOf(profile) }: Given, part: number, column: number): void {
    const { weights } = samples;
    if (samples.length !== weights.length)
      throw this.wrong(offset, `weights of ${plural(samples.length, 'sample')}`, `${weights.length}`);
    let at = this.amount(profile['startValue']) ?? 0;
    for (let s = 0; s < samples.length; s++) {
      const weight = this.amount(weights[s]);
      if (weight === undefined) throw this.wrong(offset, 'a number as a weight', shownOf(weights[s]));
      const frames = samples.next();
      const depth = frames.length;
      if (depth > this.stack.length) this.stack = new Uint32Array(2 * depth);
      // A stack has the innermost frame first.
      for (let k = 0; k < depth; k++) this.stack[depth - 1 - k] = this.frame(frames[k], offset);
      if (depth > 0) this.add(this.writer.row(part, this.stack, depth), column, weight, at);
      at += weight;
    }
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
