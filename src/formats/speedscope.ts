// speedscope's own JSON: profiles that share their frames, sampled (stacks with weights) or evented (frames that open and close).
// https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts. Stacks are outermost first.
import { plural, type Unit } from '../base/units.ts';
import { Grow } from '../model/column.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import type { Detection, Loader } from './loader.ts';
import { amountOf, isObject, type Json, type JsonObject, listOf, numberOf, shownOf, textOf } from './shared/json.ts';
import { loadsObject, ObjectReader } from './shared/json-object.ts';
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

class Reader extends ObjectReader {
  private frames: readonly number[] | undefined;
  /** Profiles that came before the frames that they share. */
  private readonly waiting: { readonly profile: JsonObject; readonly offset: number }[] = [];
  private profiles = 0;
  private exporter: string | undefined;
  private readonly units: string[] = [];
  private readonly stack = new Grow(Uint32Array);
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
    for (const { profile, offset } of this.waiting.splice(0)) this.read(profile, offset);
  }

  element(json: Json, offset: number): void {
    if (json.wrong !== undefined || !isObject(json.value))
      throw this.wrong(offset, 'a profile', json.wrong ?? shownOf(json.value));
    if (this.frames) this.read(json.value, offset);
    else this.waiting.push({ profile: json.value, offset });
  }

  private read(profile: JsonObject, offset: number): void {
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
    if (ns === undefined) this.writer.times.isWhole = false;
    if (profile['type'] === 'sampled') this.sampled(profile, part, column, offset);
    else if (profile['type'] === 'evented') this.evented(profile, part, column, offset);
    else throw this.wrong(offset, 'a profile that is sampled or evented', shownOf(profile['type']));
  }

  private sampled(profile: JsonObject, part: number, column: number, offset: number): void {
    const [samples, weights] = [listOf(profile['samples']), listOf(profile['weights'])];
    if (samples.length !== weights.length)
      throw this.wrong(offset, `weights of ${plural(samples.length, 'sample')}`, `${weights.length}`);
    let at = amountOf(profile['startValue']) ?? 0;
    samples.forEach((sample, s) => {
      const weight = amountOf(weights[s]);
      if (weight === undefined) throw this.wrong(offset, 'a number as a weight', shownOf(weights[s]));
      const stack = listOf(sample).map((frame) => this.frame(frame, offset));
      if (stack.length > 0) this.add(part, column, stack, weight, at);
      at += weight;
    });
  }

  /** Between two events, what is open costs what passes. */
  private evented(profile: JsonObject, part: number, column: number, offset: number): void {
    const open: number[] = [];
    let before = amountOf(profile['startValue']) ?? 0;
    for (const event of listOf(profile['events'])) {
      const at = isObject(event) ? amountOf(event['at']) : undefined;
      if (!isObject(event) || at === undefined) throw this.wrong(offset, 'an event with a number as at', shownOf(event));
      if (at < before) throw this.wrong(offset, 'events in order', `one at ${at} after one at ${before}`);
      if (at > before && open.length > 0) this.add(part, column, open, at - before, before);
      before = at;
      const frame = this.frame(event['frame'], offset);
      if (event['type'] === 'O') open.push(frame);
      else if (event['type'] !== 'C') throw this.wrong(offset, 'an event of type O or C', shownOf(event['type']));
      else if (open.at(-1) !== frame) throw this.wrong(offset, 'the frame that opened last to close first', shownOf(event));
      else open.pop();
    }
    const rest = (amountOf(profile['endValue']) ?? before) - before;
    if (rest > 0 && open.length > 0) this.add(part, column, open, rest, before);
  }

  /** `frames`: the outermost first. `at`: when it began, in the profile's unit. */
  private add(part: number, column: number, frames: readonly number[], cost: number, at: number): void {
    const { stack, writer } = this;
    stack.length = 0;
    for (let k = frames.length - 1; k >= 0; k--) stack.push(frames[k]);
    const row = writer.row(part, stack.data, stack.length);
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
  provides: ['routines', 'calls', 'trees', 'lines'],
  alone: true,
  make: 'py-spy record --format speedscope -o out.speedscope.json -- python program.py',
  fileNames: /\.speedscope\.json(\.gz)?$/,
  detect,
  load: loadsObject('profiles', Reader),
};
