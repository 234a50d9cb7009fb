// Loads the text of `perf script`: samples with stacks, innermost frame first, each followed by a blank line.
// A sample counts its period, as in perf report; sample counts are a separate event. Each thread is a part.
import { getOrMake, joinFirstFew } from '../../base/lists.ts';
import type { FormatError } from '../../base/problem.ts';
import { formatCount, plural } from '../../base/units.ts';
import type { Sink } from '../../model/sink.ts';
import type { RecordedType } from '../../model/stacks/samples.ts';
import { AddressStackWriter } from '../../model/stacks/writer.ts';
import { decodeBytes, Interner } from '../../model/strings.ts';
import type { Detection, Loader, Source } from '../loader.ts';
import { FileReader, headText, makeLineLoader } from '../shared/stream.ts';
import { memoryLabels, OFF_CPU, SwitchedThreads, TracepointWeights } from './fields.ts';
import { isFirstLine, type ScriptFrame, ScriptFrames } from './frames.ts';
import { type FrameLine, parseFrameLine, parseSampleLine, type SampleLine, UNKNOWN_FUNCTION } from './lines.ts';
import { FrameAddresses, StackText } from './places.ts';

/** How perf says that samples were lost. */
const LOST_SAMPLES = /PERF_RECORD_LOST(?:_SAMPLES)?\b.*\blost:? (\d{1,15})|\bLOST (\d{1,15}) events!/; // bounded: the limit of a line

/** Number of lines at the start of the file that format detection examines. */
const DETECTION_LINES = 60;

function detect(head: Uint8Array): Detection {
  const lines = headText(head).split('\n');
  if (lines.length > 1) lines.pop();
  const written = lines.slice(0, DETECTION_LINES).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  // Lines that other programs wrote may come first; a sample behind them has all of its fields.
  const begins = written.findIndex((line, i) => {
    const sample = parseSampleLine(line);
    return sample !== undefined && (i === 0 || (sample.ns !== undefined && sample.event !== ''));
  });
  const [first = '', second = ''] = written.slice(Math.max(0, begins));
  const sample = parseSampleLine(first);
  // A recording may have lost all of its samples.
  if (!sample && /^# (?:captured on|perf version) {0,9}:/m.test(lines.join('\n'))) return 'yes';
  if (!sample) return written.some((line) => RECORD_LINE.test(line)) ? 'maybe' : 'no';
  if (sample.event === '' && sample.frame === undefined && !isFrameLine(second)) return 'no';
  return sample.frame || second === '' || isFrameLine(second) || parseSampleLine(second) ? 'yes' : 'no';
}

/** True for a frame line: indented, with an address at the start or an object at the end. */
function isFrameLine(line: string): boolean {
  return (
    /^\s*[0-9a-f]{4,16}(\s|$)/.test(line) ||
    (/^\s+\S/.test(line) && (line.trimEnd().endsWith(')') || /^\s+[0-9a-f]{1,16}\s/.test(line)))
  );
}

/** Without a sample in as many lines, the file is none of perf script. */
const MAX_LINES_BEFORE_SAMPLES = 1000;
const COMMENT_MARK = 35;
/** The lines of the header (perf script --header) that say what was recorded, where and how. */
const HEADER_LINE =
  /^# (captured on|hostname|os release|perf version|arch|nrcpus online|cpudesc|total memory|cmdline|event) {0,9}: (?:name = )?(.{0,999}\S)/;
/** Records of perf beside samples (--show-mmap-events, --show-task-events), and the mapped code. */
const RECORD_LINE =
  /\bPERF_RECORD_[A-Z0-9_]{3,30}\b(?:[^[]{0,99}\[(0x[0-9a-f]{1,16})\((0x[0-9a-f]{1,16})\)[^\]]{0,99}\]: r-xp (\S.{0,999}))?/;
const MAX_NAMED_OBJECTS = 6;
const MAX_NAMED_MAPPINGS = 100;

/** Totals of an event: its periods' sum, least and most; its samples, and those with a period. Others count as 1. */
const NO_SAMPLES = { periods: 0, least: Number.POSITIVE_INFINITY, most: 0, samples: 0, withPeriod: 0 };
type EventTotals = typeof NO_SAMPLES & { readonly column: number };

class PerfScriptReader extends FileReader {
  private readonly writer = this.sink.writerFor(AddressStackWriter);
  private readonly frameTable: ScriptFrames;
  private readonly addressTable: FrameAddresses;
  /** Distinct frame lines in a form that readUsualFrame() does not support. */
  private readonly unusualLines = new Interner();
  private readonly unusualFrames: ({ readonly frame: ScriptFrame; readonly address: bigint } | undefined)[] = [];
  private readonly parts = new Map<string, number>();
  private readonly events = new Map<string, EventTotals>();
  private sample: SampleLine | undefined;
  private readonly stack = new StackText();
  private readonly noStack: ScriptFrame;
  private samples = 0;
  /** Whether some samples have stacks, and some have none. */
  private readonly has = { stacks: false, none: false };
  /** The number of samples that perf says were lost, and where it says only that, its words. */
  private lost = 0;
  private lostText: string | undefined;
  private readonly mappings = new Set<string>();
  private readonly threads = new SwitchedThreads();
  private readonly weights: TracepointWeights;

  constructor(sink: Sink, path: string, { hasCode, weight }: Source) {
    super(sink, path);
    this.weights = new TracepointWeights(weight);
    this.frameTable = new ScriptFrames((object) => hasCode?.(object) ?? false);
    this.addressTable = new FrameAddresses(this.writer.samples, this.frameTable);
    this.noStack = this.frameTable.frameOf({ name: '(no stack)', object: null, inlined: false });
    // Later files of a run reuse the events of earlier files.
    for (const { name } of this.writer.types.filter((t) => t.column > 0))
      this.events.set(name, { column: this.events.size + 1, ...NO_SAMPLES });
  }

  readLine(bytes: Uint8Array, from: number, to: number): void {
    this.lineNo++;
    let at = from;
    while (at < to && (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === 13)) at++;
    if (at === to) return this.writeSample();
    if (bytes[from] === COMMENT_MARK) {
      if (this.samples > 0 || this.lineNo >= MAX_LINES_BEFORE_SAMPLES) return;
      const [, field, value] = HEADER_LINE.exec(decodeBytes(bytes, from, to)) ?? [];
      if (field) this.sink.notes.push(`${field}: ${value}`);
      return;
    }
    // An indented line belongs to the open sample. Commands may be aligned to the right, so a first line may be indented, too.
    // If samples have their function on the same line, they have no stacks and no lines between them.
    const isFlat = this.sample?.frame !== undefined && !isBareAddress(this.sample.frame);
    if (this.sample && !isFlat && at > from && this.readFrame(bytes, from, to)) return;
    const text = decodeBytes(bytes, from, to).replace(/\r$/, '');
    const sample = parseSampleLine(text);
    if (!sample && isFlat && at > from && this.readFrame(bytes, from, to)) return;
    if (!sample) {
      // Some tools remove leading blanks.
      if (this.sample && /^[0-9a-f]{4,16} \S/.test(text) && this.readFrame(bytes, from, to)) return;
      return this.readUnknownLine(text);
    }
    this.writeSample();
    this.sample = sample;
  }

  private readUnknownLine(text: string): void {
    const [, records, lost = records] = LOST_SAMPLES.exec(text) ?? [];
    const lostText = /^Processed \d{1,15} (?:samples|events) and lost ([\d.]{1,15}(?:%| chunks))/.exec(text)?.[1];
    if (lost !== undefined) this.lost += Number(lost);
    else if (lostText !== undefined) this.lostText = `${lostText} of the records were lost`;
    else {
      const record = RECORD_LINE.exec(text);
      if (!record) this.countOtherLine(text);
      else if (record[1] !== undefined) this.mappings.add(`${record[3]} at ${record[1]}, ${record[2]} bytes`);
    }
    if (this.samples === 0 && !this.sample && this.others > MAX_LINES_BEFORE_SAMPLES) throw this.noSampleError();
  }

  private emptyError(): FormatError {
    if (this.lost > 0) return this.error({ line: 0 }, 'a sample', `none: all ${formatCount(this.lost)} were lost`);
    return this.others > 0 ? this.noSampleError() : this.error({ line: Math.max(1, this.lineNo) }, 'a sample', 'none');
  }

  private warnOfLostSamples(): void {
    const { lost, samples } = this;
    const found =
      lost > 0
        ? `${((100 * lost) / (lost + samples)).toFixed(1)}% of the samples were lost (${formatCount(lost)})`
        : this.lostText;
    if (found !== undefined) this.sink.warn({ path: this.path, line: 0, expected: 'all samples', found, sign: 'SAMPLES LOST' });
  }

  private noSampleError(): FormatError {
    return this.otherLineError(
      'the first line of a sample: command, process or thread, time, event',
      'with -F, let perf script print comm, tid, time and event, too',
    );
  }

  /** Reads a line as a frame of the sample; returns false if it is not a frame. */
  private readFrame(bytes: Uint8Array, from: number, to: number): boolean {
    const usual = this.frameTable.readUsualFrame(bytes, from, to);
    if (usual) {
      this.stack.push(usual, this.frameTable.high, this.frameTable.low);
      return true;
    }
    const { unusualLines, unusualFrames } = this;
    const known = unusualLines.bytesId(bytes, from, to);
    let read = unusualFrames[known];
    if (!read) {
      const text = decodeBytes(bytes, from, to);
      if (!isFrameLine(text) || isFirstLine(text)) return this.readSourceLine(known, text);
      const line = parseFrameLine(text);
      if (!line) return true;
      read = { frame: this.frameTable.frameOf(line), address: line.address };
      unusualFrames[known] = read;
    }
    this.pushFrame(read.frame, read.address);
    return true;
  }

  private pushFrame(frame: ScriptFrame, address: bigint): void {
    this.stack.push(frame, Number(address >> 32n), Number(address & 0xffffffffn));
  }

  /** Reads a line as the source line of the previous frame (-F +srcline); returns false if it is not one. */
  private readSourceLine(known: number, text: string): boolean {
    const { frames } = this.stack;
    const before = frames.at(-1);
    // For code without line information, perf prints the object and the address, or `:0`.
    if (before && /^\s+(?:\S.*(?:\[[0-9a-f]{1,16}\]|:\?)|:0)\s*$/.test(text)) return true; // bounded: the limit of a line
    const m = /^\s+(\S.*):(\d{1,9})\s*$/.exec(text); // bounded: the limit of a line
    if (!before || !m || parseSampleLine(text)) return false;
    const frameAtLine = () => this.frameTable.frameOf({ ...before.line, file: m[1], at: Number(m[2]) });
    frames[frames.length - 1] = getOrMake(before.atLines, known, frameAtLine);
    return true;
  }

  /** Whether the open sample's stack is missing: others have one, and its first line has no end, or each of the others has one. */
  private isStackMissing(isUnended: boolean): boolean {
    const { sample, stack, has } = this;
    return sample !== undefined && !sample.frame && stack.frames.length === 0 && has.stacks && (isUnended || !has.none);
  }

  /** Whether a line that is no sample may be the beginning of a first line: it has a known command, or part of it. */
  private beginsFirstLine(bytes: Uint8Array): boolean {
    const text = decodeBytes(bytes, 0, bytes.length).trimStart();
    return (
      this.has.stacks &&
      this.sink.parts.some(({ command }) => command !== null && (command.startsWith(text) || text.startsWith(command)))
    );
  }

  private writeSample(): void {
    const { sample, stack, writer } = this;
    if (!sample) return;
    this.sample = undefined;
    // Before a stack, an address on the first line is that of the data (-F addr).
    const isAddressOfData = stack.frames.length > 0;
    this.has[isAddressOfData ? 'stacks' : 'none'] = true;
    if (!isAddressOfData)
      this.pushFrame(sample.frame ? this.frameTable.frameOf(sample.frame) : this.noStack, sample.frame?.address ?? 0n);
    const part = this.partOf(sample);
    const n = this.addressTable.addressesOf(stack, part, sample);
    const labels = memoryLabels(sample.fields, isAddressOfData);
    const { cpu } = sample;
    const all = () => (cpu === undefined ? labels : [...labels, ['cpu', cpu] as const]);
    const hasLabels = labels.length > 0 || cpu !== undefined;
    const set = hasLabels ? writer.labelSetOf(`${labels.join()} ${cpu}`, all) : 0;
    const row = writer.row(part, this.addressTable.stackAddresses, n, set);
    stack.frames.length = 0;
    const [event, cost] = this.weights.weightOf(sample);
    const ended = event === sample.event ? this.threads.endedWaits(sample, row) : undefined;
    for (const wait of ended ?? []) this.addSample(wait.row, wait.ns, OFF_CPU, wait.length);
    if (!ended) this.addSample(row, sample.ns, event, cost);
  }

  /** Counts a sample of an event. `recorded`: its period. */
  private addSample(row: number, ns: number | undefined, name: string, recorded: number | bigint | undefined): void {
    const { writer } = this;
    const period = Number(recorded ?? 1);
    const event = this.eventOf(name);
    event.periods += period;
    event.least = Math.min(event.least, period);
    event.most = Math.max(event.most, period);
    event.samples++;
    if (recorded !== undefined) event.withPeriod++;
    this.samples++;
    writer.addTo(0, row, 1);
    if (name !== '') writer.addTo(event.column, row, recorded ?? 1);
    if (ns === undefined) writer.times.isComplete = false;
    else if (name === '') writer.times.add(row, ns, 0, 0);
    else writer.times.add(row, ns, event.column, period);
  }

  private eventOf(name: string): EventTotals {
    return getOrMake(this.events, name, () => {
      if (this.events.size >= this.sink.limits.events) throw this.limitError('events', this.position);
      return { column: this.events.size + 1, ...NO_SAMPLES };
    });
  }

  private partOf({ command, pid, tid }: SampleLine): number {
    return getOrMake(this.parts, `${pid ?? ''}/${tid} ${command}`, () =>
      this.sink.addPart({ path: this.path, events: [], command, thread: tid, ...(pid === undefined ? {} : { pid }) }),
    );
  }

  /** Finishes the profile. `rest`: an unterminated last line. */
  finish(rest: Uint8Array): void {
    const { sink, path } = this;
    const isEmpty = this.sample !== undefined && this.sample.frame === undefined && this.stack.frames.length === 0;
    const others = this.others;
    // Blanks are the beginning of a frame; a blank line has an end.
    const isBlank = this.sample?.frame === undefined && rest.every((byte) => byte === 32 || byte === 9);
    if (rest.length > 0 && !isBlank) this.readLine(rest, 0, rest.length);
    const isBegun = this.others > others && this.beginsFirstLine(rest);
    if (isBegun || this.isStackMissing(rest.length > 0) || (isBlank && rest.length > 0 && isEmpty)) {
      const hint = 'the file was cut off before the stack of its last sample, which is left out';
      this.markCut({ line: this.lineNo }, 'a stack', hint);
      if (isBegun) this.others = others;
      else this.sample = undefined;
    } else if (rest.length > 0 && this.stack.frames.length > 0)
      this.markCut({ line: this.lineNo }, 'the end of a line', 'the file was cut off in a stack, which may be incomplete');
    this.writeSample();
    for (const wait of this.threads.lastWaits()) this.addSample(wait.row, wait.ns, OFF_CPU, wait.length);
    if (this.samples === 0) throw this.emptyError();
    this.warnOfLostSamples();
    this.warnOfOtherLines('a sample or a frame');
    for (const mapping of [...this.mappings].slice(0, MAX_NAMED_MAPPINGS)) sink.notes.push(`mapped: ${mapping}`);
    if (this.mappings.size > MAX_NAMED_MAPPINGS) sink.notes.push(`mapped: ${this.mappings.size - MAX_NAMED_MAPPINGS} more`);
    const { weights, threads } = this;
    if (weights.chosen !== undefined && weights.found === 0)
      throw this.error(
        { line: 0 },
        `a tracepoint with the number ${weights.chosen} (--weight)`,
        weights.listed === '' ? 'none with numbers' : weights.listed,
      );
    if (weights.chosen === undefined && weights.listed !== '')
      sink.notes.push(`fields that can be weights (--weight FIELD): ${weights.listed}`);
    if (threads.unknown > 0)
      this.warn(
        { line: 0 },
        'a switch to each thread that waited',
        `${formatCount(threads.unknown)} of ${plural(threads.known + threads.unknown, 'wait')} did not end in the recording, so their time is unknown (perf record -a)`,
      );
    if (threads.known === 0 && threads.unknown > 0) this.events.delete(OFF_CPU);
    for (const [name, { samples, withPeriod }] of this.events)
      if (withPeriod > 0 && withPeriod < samples)
        this.warn(
          { line: 0 },
          `the period of each sample of ${name}`,
          `${plural(samples - withPeriod, 'sample')} without a period, counted as 1`,
        );
    this.writer.types = recordedTypesOf(this.events, [weights.chosen, threads.known > 0 ? OFF_CPU : undefined]);
    this.writer.counted = true;
    // The names are those of threads. If they differ, no one of them is the program. Before its program, perf's child has perf's name.
    const names = new Set(sink.parts.flatMap((p) => (p.path === path && p.command !== 'perf-exec' ? [p.command] : [])));
    sink.command ??= (names.size === 1 && [...names][0]) || null;
    sink.creator ??= 'perf';
    const { unavailableObjects } = this.frameTable;
    if (unavailableObjects.length > 0)
      sink.notes.push(
        `not on this machine, so their debug information is not read: ${joinFirstFew(unavailableObjects, MAX_NAMED_OBJECTS)} (--binary OBJECT=PATH, --symbol-path DIR)`,
      );
    sink.notes.push(`perf script: ${plural(this.samples, 'sample')} of ${plural(this.parts.size, 'thread')}`);
  }
}

/** Names of events whose periods are nanoseconds. */
const CLOCK_EVENT = /^(cpu-clock|task-clock|offcpu-time)(:|$)/;

const isBareAddress = ({ name, object }: FrameLine) => name === UNKNOWN_FUNCTION && object === null;

/** The recorded types: weight, named events in order, sample counts. `measured`: the events that fields of samples measure. */
function recordedTypesOf(events: ReadonlyMap<string, EventTotals>, measured: readonly (string | undefined)[]): RecordedType[] {
  const samples: RecordedType = { name: 'samples', unit: 'samples', longName: 'samples taken', each: 1, column: 0 };
  const [weight] = measured;
  const named = [...events].filter(([name]) => name !== '').sort(([a], [b]) => Number(b === weight) - Number(a === weight));
  const unitOf = (name: string) => (CLOCK_EVENT.test(name) ? 'ns' : name === weight && /byte/.test(name) ? 'bytes' : 'count');
  const own = named.map(
    ([name, counted]): RecordedType => ({
      name: name === 'samples' ? 'event samples' : name,
      unit: counted.withPeriod === 0 ? 'samples' : unitOf(name),
      longName: measured.includes(name)
        ? `${name}: from the fields of its samples`
        : counted.withPeriod === 0
          ? `samples of ${name}`
          : `${name}: periods of its samples`,
      ...(counted.samples > 0 ? { each: counted.periods / counted.samples } : {}),
      ...(counted.least < counted.most ? { uneven: true } : {}),
      column: counted.column,
    }),
  );
  return [...own, samples];
}

export const perfScript: Loader = {
  name: 'perf-script',
  title: 'text of perf script (Linux perf): stacks of threads, several events',
  provides: ['routines', 'calls', 'trees', 'lines', 'instrs', 'labels', 'times'],
  options: { lines: 'perf script -F +srcline, or give the program (--binary PATH)' },
  takesWeight: true,
  purpose: 'samples of a program',
  make: 'perf record -g ./program, then perf script > out.perf',
  fileNames: /(\.perf|^perf.*\.txt|\.perf\.txt)(\.gz)?$/, // bounded: a file name
  detect,
  load: makeLineLoader(PerfScriptReader, 'a sample'),
};
