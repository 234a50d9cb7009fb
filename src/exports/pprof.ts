// pprof's profile.proto: all events as sample types, lines, inlined functions, objects as mappings, labels. The samples of a base have
// negative values, as `pprof -diff_base` makes them.

import { inlinedFrames } from '../analysis/answers/stacks/inlined.ts';
import { labelled, tagAt } from '../analysis/answers/stacks/tags.ts';
import { fileName, objectName, routineLine, routineName } from '../analysis/names/names.ts';
import { memo } from '../base/memo.ts';
import type { Unit } from '../base/units.ts';
import { Numbering } from '../model/groups.ts';
import type { SampleLabels } from '../model/stacks/labels.ts';
import { stringAt } from '../model/strings.ts';
import type { ReportContext } from '../reports/report.ts';
import { type Run, runsOf, shownStacks, stacksRefused, WholeValues } from './as-stacks.ts';
import type { Exporter, Put } from './exporter.ts';
import { Message } from './message.ts';

const UNITS: Readonly<Record<Unit, string>> = {
  ns: 'nanoseconds',
  us: 'microseconds',
  bytes: 'bytes',
  count: 'count',
  samples: 'count',
};

/** Bytes of a piece. */
const PIECE = 1 << 16;

/** Numbers by what they are of, from 1: 0 is none in the format. */
class Numbers {
  private readonly known = new Numbering<string | number>([[0, 0]]);

  /** `make` is called with the number of what was not known. */
  of(key: string, make: (number: number) => void): number {
    const { size } = this.known;
    const number = this.known.of(key);
    if (number === size) make(number);
    return number;
  }
}

/** The first file that a frame of each routine names; -1 for none. */
const filesOfFrames = memo(({ frames, routines }: Run['profile']): Int32Array => {
  const out = new Int32Array(routines.name.length).fill(-1);
  frames.routine.forEach((r, f) => {
    if (out[r] < 0) out[r] = frames.file[f];
  });
  return out;
}, 2);

/** A function has one file. */
const fileOf = (profile: Run['profile'], r: number) =>
  profile.routines.file[r] < 0 ? filesOfFrames(profile)[r] : profile.routines.file[r];

/** A line of another file than the function's cannot be said: 0. */
function lineOf(profile: Run['profile'], frame: number): number {
  const { file, line, routine } = profile.frames;
  return file[frame] < 0 || file[frame] === fileOf(profile, routine[frame]) ? line[frame] : 0;
}

/** A type that was read as `name/unit` because its name occurs twice has its own unit again. An empty name could not be the default. */
const typeName = ({ name, unit }: Run['events'][number]): string =>
  name.endsWith(`/${UNITS[unit]}`) ? name.slice(0, -UNITS[unit].length - 1) || name : name;

class Writer {
  readonly out = new Message();
  private readonly encoder = new TextEncoder();
  private readonly inner = new Message();
  private readonly line = new Message();
  private readonly texts = new Numbers();
  private readonly functions = new Numbers();
  private readonly locations = new Numbers();
  private readonly mappings = new Numbers();

  constructor() {
    this.out.data(6, this.encoder.encode(''));
  }

  /** The number of a text, which is written once; 0 of the empty one. */
  text(text: string): number {
    return text === '' ? 0 : this.texts.of(text, () => this.out.data(6, this.encoder.encode(text)));
  }

  types(events: Run['events']): void {
    for (const event of events) {
      this.inner.fields(this.text(typeName(event)), this.text(UNITS[event.unit]));
      this.out.message(1, this.inner);
    }
  }

  /** Frames that are one place in the code: functions inlined into each other, the innermost first. */
  location({ profile }: Run, frames: Uint32Array): number {
    const { places } = profile;
    const outer = frames[frames.length - 1];
    const place = places?.ofFrame[outer] ?? -1;
    const lines = Array.from(frames, (f) => [this.functionOf(profile, profile.frames.routine[f]), lineOf(profile, f)] as const);
    const address = places && place >= 0 ? (BigInt(places.ownHigh[place]) << 32n) | BigInt(places.ownLow[place]) : 0n;
    const object = objectName(profile, profile.routines.object[profile.frames.routine[outer]]) ?? '';
    const key = `${object}\n${address}\n${lines.join(' ')}`;
    return this.locations.of(key, (number) => {
      const mapping = object === '' ? 0 : this.mapping(object);
      this.inner.fields(number, mapping, address);
      for (const of of lines) {
        this.line.fields(...of);
        this.inner.message(4, this.line);
      }
      this.out.message(4, this.inner);
    });
  }

  mapping(object: string): number {
    return this.mappings.of(object, (number) => {
      this.inner.number(1, number);
      // Nobody needs to look for names again.
      this.inner.number(5, this.text(object));
      for (const has of [7, 8, 9, 10]) this.inner.number(has, 1);
      this.out.message(3, this.inner);
    });
  }

  private functionOf(profile: Run['profile'], r: number): number {
    const name = routineName(profile, r);
    const file = fileName(profile, fileOf(profile, r)) ?? '';
    const start = routineLine(profile, r) ?? 0;
    return this.functions.of(`${name}\n${file}\n${start}`, (number) => {
      // No system name: pprof would take it for a mangled one, and drop the template arguments of the name.
      this.inner.fields(number, this.text(name), 0, this.text(file), start);
      this.out.message(5, this.inner);
    });
  }

  sample(locations: readonly number[], values: readonly (number | bigint)[], labels: Uint8Array | undefined): void {
    this.inner.numbers(1, locations);
    this.inner.numbers(2, values);
    const sample = this.inner.take();
    const bytes = new Uint8Array(sample.length + (labels?.length ?? 0));
    bytes.set(sample);
    if (labels) bytes.set(labels, sample.length);
    this.out.data(2, bytes);
  }

  /** The labels of a set, as they stand in each of its samples. */
  labels({ profile }: Run, labels: SampleLabels, set: number): Uint8Array {
    const of = labelled(profile);
    const out = new Message();
    for (let row = labels.start[set]; of && row < labels.start[set + 1]; row++) {
      const isNumber = labels.value[row] < 0;
      this.line.number(1, this.text(stringAt(profile.strings, labels.key[row])));
      if (isNumber) this.line.number(3, labels.number[row]);
      else this.line.number(2, this.text(tagAt(of, row).value));
      if (labels.unit[row] >= 0) this.line.number(4, this.text(stringAt(profile.strings, labels.unit[row])));
      out.message(3, this.line);
    }
    return out.take();
  }
}

/** The locations of each stack: neighbours of one place, of which all but the outermost are inlined, are one. */
function* samplesOf(run: Run, writer: Writer): Generator<undefined> {
  const { profile, events } = run;
  const { start, frame } = profile.stacks;
  const inlined = inlinedFrames(profile, undefined);
  const values = new WholeValues(run);
  const sets: (Uint8Array | undefined)[] = [];
  /** By frame, its location where it is one by itself; 0 before the first. */
  const alone = new Uint32Array(profile.frames.routine.length);
  const { labels } = profile;
  for (const s of shownStacks(run)) {
    const locations: number[] = [];
    for (let from = start[s]; from < start[s + 1]; ) {
      let to = from + 1;
      const place = profile.places?.ofFrame[frame[from]];
      while (to < start[s + 1] && inlined?.[frame[to - 1]] === 1 && profile.places?.ofFrame[frame[to]] === place) to++;
      const known = to === from + 1 ? alone[frame[from]] : 0;
      const location = known || writer.location(run, frame.subarray(from, to));
      if (to === from + 1) alone[frame[from]] = location;
      locations.push(location);
      from = to;
    }
    const set = labels?.set[s] ?? 0;
    if (labels && set > 0) sets[set] ??= writer.labels(run, labels, set);
    writer.sample(
      locations,
      events.map((_, e) => values.of(e, s)),
      sets[set],
    );
    yield;
  }
}

async function write(context: ReportContext, version: string, put: Put): Promise<void> {
  const runs = runsOf(context);
  const [first] = runs;
  const writer = new Writer();
  const { out } = writer;
  writer.types(first.events);
  // The program is the first mapping.
  const { command } = first.profile;
  if (command !== null) writer.mapping(command.split(' ')[0]);
  const flush = async () => {
    if (out.length > 0) await put(out.take());
  };
  for (const run of runs) for (const _ of samplesOf(inOrderOf(first, run), writer)) if (out.length > PIECE) await flush();
  const [shown] = first.events;
  if (shown.each !== undefined && Number.isInteger(shown.each) && shown.each > 0) {
    const type = new Message();
    type.fields(writer.text(typeName(shown)), writer.text(UNITS[shown.unit]));
    out.message(11, type);
    out.number(12, shown.each);
  }
  const said = [
    `written by proftui ${version}`,
    ...(first.profile.command === null ? [] : [first.profile.command]),
    ...(first.estimated ? [first.estimated] : []),
    ...(runs.length > 1 ? ['a difference: the costs of the base are negative'] : []),
  ];
  for (const comment of said) out.number(13, writer.text(comment));
  // Readers take the first of several types with one name.
  out.number(14, writer.text(typeName(shown)));
  // A difference has the date of its first run.
  const { taken } = context.analysis.profile;
  out.number(9, taken?.atNs ?? 0n);
  out.number(10, taken?.forNs ?? 0n);
  await flush();
}

/** A run with the events of the first one, in its order: a sample has a value of each. */
function inOrderOf({ events: [, ...wanted] }: Run, run: Run): Run {
  const [shown, ...others] = run.events;
  const named = wanted.map(({ name, unit }) => others.find((e) => e.name === name) ?? { name, unit, terms: [] });
  return { ...run, events: [shown, ...named] };
}

export const pprof: Exporter = {
  name: 'pprof',
  title: "pprof's profile.proto, for go tool pprof, Pyroscope, Grafana and Parca; differences have negative values",
  endings: ['.pb.gz', '.pprof'],
  binary: true,
  gzip: true,
  refusal: (context) => stacksRefused(context, true),
  write,
};
