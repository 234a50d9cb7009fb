// Writes pprof's profile.proto: all events as sample types, lines, inlined functions, objects as mappings, labels.
// Samples of the base have negative values, as with `pprof -diff_base`.

import { PbfWriter } from 'pbf';
import { inlinedFrames } from '../analysis/answers/stacks/inlined.ts';
import { tagAt } from '../analysis/answers/stacks/tags.ts';
import { fileName, nameInData, objectName, recordedNameOf, routineLine } from '../analysis/names/names.ts';
import { memo } from '../base/lists.ts';
import { Numbering } from '../model/column.ts';
import type { SampleLabels } from '../model/stacks/labels.ts';
import { stringAt } from '../model/strings.ts';
import type { ReportContext } from '../reports/report.ts';
import { type ExportedRun, exportedRuns, integerValuesOf, shownStacks, stackRefusal, UNIT_WORDS } from './as-stacks.ts';
import type { Exporter, WritePiece } from './exporter.ts';

/** Output is written in pieces of about this many bytes. */
const PIECE_BYTES = 1 << 16;

/** Ids by key. Ids count from 1, because 0 means none in the format. */
const makeIdTable = () => new Numbering<string | number>([[0, 0]]);

/** By routine, the file of the routine's first frame that has a file; -1 for none. */
const firstFrameFiles = memo(({ frames, routines }: ExportedRun['profile']): Int32Array => {
  const out = new Int32Array(routines.name.length).fill(-1);
  for (const [f, r] of frames.routine.entries()) if (out[r] < 0) out[r] = frames.file[f];
  return out;
}, 2);

/** The only file of a pprof function: the routine's file, or else the file of the routine's first frame. */
const functionFileOf = (profile: ExportedRun['profile'], r: number) =>
  profile.routines.file[r] < 0 ? firstFrameFiles(profile)[r] : profile.routines.file[r];

/** The line of a frame; 0 if the frame's file is not the function's, which the format cannot express. */
function frameLineOf(profile: ExportedRun['profile'], frame: number): number {
  const { file, line, routine } = profile.frames;
  return file[frame] < 0 || file[frame] === functionFileOf(profile, routine[frame]) ? line[frame] : 0;
}

/** The event's name without a unit that the pprof reader appended (`name/unit`). Never empty. */
const sampleTypeName = ({ name, unit }: ExportedRun['events'][number]): string =>
  name.endsWith(`/${UNIT_WORDS[unit]}`) ? name.slice(0, -UNIT_WORDS[unit].length - 1) || name : name;

const VARINT = 0;

function writeVarint(to: PbfWriter, value: number | bigint): void {
  if (Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER) return to.writeVarint(Number(value));
  to.realloc(10);
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) to.buf[to.pos++] = Number(rest & 127n) | 128;
  to.buf[to.pos++] = Number(rest);
}

/** Writes fields 1, 2, 3 … with these values, or from `first` on. A number of 0 is left out, as the format requires. */
function writeNumbers(to: PbfWriter, values: readonly (number | bigint)[], first = 1): void {
  for (const [i, value] of values.entries()) {
    if (Number(value) === 0) continue;
    to.writeTag(first + i, VARINT);
    writeVarint(to, value);
  }
}

function writePacked(to: PbfWriter, field: number, values: readonly (number | bigint)[]): void {
  const writeAll = () => {
    for (const value of values) writeVarint(to, value);
  };
  to.writeMessage(field, writeAll, undefined);
}

/** The bytes written so far, up to the next write. finish() would end the writer. */
function takeBytes(from: PbfWriter): Uint8Array {
  const bytes = from.buf.subarray(0, from.pos);
  from.pos = 0;
  return bytes;
}

class PprofWriter {
  private readonly out = new PbfWriter();
  private readonly inner = new PbfWriter();
  private readonly line = new PbfWriter();
  private readonly texts = makeIdTable();
  private readonly functions = makeIdTable();
  private readonly locations = makeIdTable();
  private readonly mappings = makeIdTable();

  constructor() {
    this.out.writeStringField(6, '');
  }

  /** Returns the written bytes, and begins anew. */
  takeBytes(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(takeBytes(this.out));
  }

  /** The number of bytes that takeBytes() would return. */
  get length(): number {
    return this.out.pos;
  }

  private writeInner(field: number): void {
    this.out.writeBytesField(field, takeBytes(this.inner));
  }

  writeNumber(field: number, value: number | bigint): void {
    writeNumbers(this.out, [value], field);
  }

  /** The index of a text in the string table; 0 for ''. Each distinct text is written once. */
  textId(text: string): number {
    return text === '' ? 0 : this.texts.numberOf(text, () => this.out.writeStringField(6, text));
  }

  writeType(field: number, event: ExportedRun['events'][number]): void {
    writeNumbers(this.inner, [this.textId(sampleTypeName(event)), this.textId(UNIT_WORDS[event.unit])]);
    this.writeInner(field);
  }

  /** The id of the location with these frames at one address: functions inlined into each other, innermost first. */
  locationId({ profile }: ExportedRun, frames: Uint32Array): number {
    const { places } = profile;
    const { routine } = profile.frames;
    const outer = frames[frames.length - 1];
    const addressIndex = places?.ofFrame[outer] ?? -1;
    const lines = Array.from(frames, (f) => [this.functionId(profile, routine[f]), frameLineOf(profile, f)] as const);
    const address =
      places && addressIndex >= 0 ? (BigInt(places.ownHigh[addressIndex]) << 32n) | BigInt(places.ownLow[addressIndex]) : 0n;
    const object = objectName(profile, profile.routines.object[routine[outer]]) ?? '';
    return this.locations.numberOf(`${object}\n${address}\n${lines.join(' ')}`, (number) => {
      const mapping = object === '' ? 0 : this.mappingId(object);
      writeNumbers(this.inner, [number, mapping, address]);
      for (const of of lines) {
        writeNumbers(this.line, of);
        this.inner.writeBytesField(4, takeBytes(this.line));
      }
      this.writeInner(4);
    });
  }

  mappingId(object: string): number {
    return this.mappings.numberOf(object, (number) => {
      // Fields 7 to 10 say that functions, files, lines and inlined frames are known, so no reader has to symbolize again.
      writeNumbers(this.inner, [number, 0, 0, 0, this.textId(object), 0, 1, 1, 1, 1]);
      this.writeInner(3);
    });
  }

  private functionId(profile: ExportedRun['profile'], r: number): number {
    const name = nameInData(profile, r);
    const recorded = recordedNameOf(profile, r) ?? '';
    const file = fileName(profile, functionFileOf(profile, r)) ?? '';
    const start = routineLine(profile, r) ?? 0;
    return this.functions.numberOf(`${name}\n${recorded}\n${file}\n${start}`, (number) => {
      // A system name that equals the name would count as mangled: pprof would drop the template arguments.
      const systemName = recorded === name ? '' : recorded;
      writeNumbers(this.inner, [number, this.textId(name), this.textId(systemName), this.textId(file), start]);
      this.writeInner(5);
    });
  }

  addSample(locations: readonly number[], values: readonly (number | bigint)[], labels: readonly Uint8Array[]): void {
    writePacked(this.inner, 1, locations);
    writePacked(this.inner, 2, values);
    for (const label of labels) this.inner.writeBytesField(3, label);
    this.writeInner(2);
  }

  /** The encoded labels of a label set. Each sample with these labels contains them. */
  labelsOf({ profile: { strings } }: ExportedRun, labels: SampleLabels, set: number): readonly Uint8Array[] {
    return Array.from({ length: labels.start[set + 1] - labels.start[set] }, (_, k) => {
      const row = labels.start[set] + k;
      const isNumber = labels.value[row] < 0;
      const text = isNumber ? 0 : this.textId(tagAt({ strings, labels }, row).value);
      const unit = labels.unit[row] < 0 ? 0 : this.textId(stringAt(strings, labels.unit[row]));
      writeNumbers(this.line, [this.textId(stringAt(strings, labels.key[row])), text, isNumber ? labels.number[row] : 0, unit]);
      return Uint8Array.from(takeBytes(this.line));
    });
  }
}

/** Writes all samples, yielding after each. Adjacent frames at one address become one location if the inner ones are inlined. */
function* writeSamples(run: ExportedRun, writer: PprofWriter): Generator<undefined> {
  const { profile, events } = run;
  const { start, frame } = profile.stacks;
  const inlined = inlinedFrames(profile, undefined);
  const integerAt = integerValuesOf(run);
  const sets: (readonly Uint8Array[])[] = [[]];
  /** By frame, the id of the location that has only this frame; 0 if not known yet. */
  const locationOfFrame = new Uint32Array(profile.frames.routine.length);
  const { labels } = profile;
  for (const s of shownStacks(run)) {
    const locations: number[] = [];
    for (let from = start[s]; from < start[s + 1]; ) {
      let to = from + 1;
      const addressIndex = profile.places?.ofFrame[frame[from]];
      while (to < start[s + 1] && inlined?.[frame[to - 1]] === 1 && profile.places?.ofFrame[frame[to]] === addressIndex) to++;
      const cachedLocation = to === from + 1 ? locationOfFrame[frame[from]] : 0;
      const location = cachedLocation || writer.locationId(run, frame.subarray(from, to));
      if (to === from + 1) locationOfFrame[frame[from]] = location;
      locations.push(location);
      from = to;
    }
    const set = labels?.set[s] ?? 0;
    if (labels) sets[set] ??= writer.labelsOf(run, labels, set);
    const [shown, ...others] = events.map((_, e) => integerAt(e, s));
    writer.addSample(locations, [...others, shown], sets[set]);
    yield;
  }
}

async function writePprof(context: ReportContext, version: string, put: WritePiece): Promise<void> {
  const runs = exportedRuns(context);
  const [first] = runs;
  const writer = new PprofWriter();
  const [shown, ...others] = first.events;
  // The last sample type is the default, as in what Go writes: so pprof -diff_base takes the export and its original.
  for (const event of [...others, shown]) writer.writeType(1, event);
  // pprof expects the program as the first mapping.
  const { command } = first.profile;
  if (command !== null) writer.mappingId(command.split(' ')[0]);
  const flush = async () => {
    if (writer.length > 0) await put(writer.takeBytes());
  };
  for (const run of runs)
    for (const _ of writeSamples(orderEventsLike(first, run), writer)) if (writer.length > PIECE_BYTES) await flush();
  if (shown.each !== undefined && Number.isInteger(shown.each) && shown.each > 0) {
    writer.writeType(11, shown);
    writer.writeNumber(12, shown.each);
  }
  const comments = [
    `written by proftui ${version}`,
    ...(command === null ? [] : [command]),
    ...(first.estimated ? [first.estimated] : []),
    ...(runs.length > 1 ? ['a difference: the costs of the base are negative'] : []),
  ];
  for (const comment of comments) writer.writeNumber(13, writer.textId(comment));
  // With two runs, the date and duration are those of this run.
  const { taken } = context.analysis.profile;
  writer.writeNumber(9, taken?.atNs ?? 0n);
  writer.writeNumber(10, taken?.forNs ?? 0n);
  await flush();
}

/** Puts the events of a run in the order of the first run, because each sample needs a value for each type. */
function orderEventsLike({ events: [, ...wanted] }: ExportedRun, run: ExportedRun): ExportedRun {
  const [shown, ...others] = run.events;
  const named = wanted.map(({ name, unit }) => others.find((e) => e.name === name) ?? { name, unit, terms: [] });
  return { ...run, events: [shown, ...named] };
}

export const pprof: Exporter = {
  name: 'pprof',
  title: "pprof's profile.proto, for go tool pprof, Pyroscope, Grafana and Parca; differences have negative values",
  endings: ['.pb.gz', '.pprof'],
  gzip: true,
  refusal: (context) => stackRefusal(context, true),
  write: writePprof,
};
