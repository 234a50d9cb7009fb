// Reads the events of a trace one by one, and combines begins and ends, flows and samples at the end.
import { addToList, getOrMake } from '../../base/lists.ts';
import { baseName } from '../../base/paths.ts';
import { plural } from '../../base/units.ts';
import type { StepKind } from '../../model/steps/tables.ts';
import { isValidTime, StepWriter } from '../../model/steps/writer.ts';
import { startsWithAscii } from '../../model/strings.ts';
import { parseSnippet, stageOf, writeGauges } from '../cmake/snippet.ts';
import { isObject, type JsonObject, jsonExcerpt, objectOf, parseJson, textOf, textOfAny } from '../shared/json.ts';
import { FileReader } from '../shared/stream.ts';
import { convertBazel, type TraceInstant } from './bazel.ts';
import type { CompileSums } from './compile.ts';
import { compileTotalsOf } from './compile-totals.ts';
import { CpuProfileChunks } from './cpu-profiles.ts';
import { addDetails } from './distinguishing.ts';
import { BeginEndEvents, type FlowPoint, findEnclosingSlices, pairBeginsWithEnds, splitFlows } from './pairs.ts';
import { addSamples } from './samples.ts';
import { TraceEventScan } from './scan.ts';
import { numberOrNumericText, TrackTitles } from './titles.ts';

/** Parses a time in microseconds, limited so that sums stay finite. */
function parseMicroseconds(value: unknown): number | undefined {
  const us = numberOrNumericText(value);
  return us !== undefined && isValidTime(us) ? us : undefined;
}

export class TraceReader extends FileReader {
  private readonly rows = this.sink.writerFor(StepWriter);
  /** Begin and end events, by track. */
  private readonly edges = new Map<number, BeginEndEvents>();
  /** The begins and ends of asynchronous events with one category, id and name. */
  private readonly asyncs = new Map<string, Readonly<{ role: string; id: string; name: string; edges: BeginEndEvents }>>();
  private readonly scan = new TraceEventScan();
  private readonly titles = new TrackTitles(this.rows);
  /** Tracks by numeric process id and thread id. */
  private readonly trackOfNumbers = new Map<number, Map<number, number>>();
  private readonly flows = new Map<string, FlowPoint[]>();
  /** Events without a length. Only Bazel's, which begin its phases, are shown. */
  private readonly instants: TraceInstant[] = [];
  /** Events of phases that no timeline shows: their number, and their phases. */
  private skipped = 0;
  private readonly skippedPhases = new Set<string>();
  /** The number of slices without a duration. */
  private unlimited = 0;
  private readonly dropped = new Map<string, number>();
  /** The table sizes before this file, where its rows begin. */
  private readonly first = this.rows.rowsSoFar();
  private last = Number.NEGATIVE_INFINITY;
  private events = 0;
  /** Number of CMake steps found in `args`. */
  private cmakeSteps = 0;
  private beginningOfTime: number | null = null;
  /** Members of the file other than its events: samples and stack frames. */
  readonly stacks: { samples: readonly unknown[]; frames: unknown } = { samples: [], frames: undefined };
  private readonly cpuProfiles = new CpuProfileChunks((value) => this.checkedWord(value));
  private offset = 0;
  private readonly nothing = this.sink.strings.textId('');

  /** The text of a name or id of any JSON type, checked against the limit. */
  private checkedWord(value: unknown): string {
    const word = textOfAny(value);
    this.checkLimit('name', word.length, { offset: this.offset });
    return word;
  }

  /** Sets when the file's clock began, in microseconds since 1970. */
  setBeginningOfTime(value: unknown): void {
    this.beginningOfTime = parseMicroseconds(value) ?? null;
    if (this.beginningOfTime === null) this.warn({}, 'a time as beginningOfTime', `${jsonExcerpt(value)}; left out`);
  }

  /** Reads a plain event and returns its end; -1 if the event must be parsed. */
  readPlainEvent(bytes: Uint8Array, at: number, end: number, offset: number): number {
    const { scan } = this;
    const to = scan.scan(bytes, at, end);
    if (to < 0) return -1;
    const { phase, ts, name, cat, detail, args } = scan;
    const [isSlice, begins] = [phase === X, phase === B];
    if (!(isSlice || begins || phase === E) || !isValidTime(ts)) return -1;
    if (Number.isNaN(scan.dur) ? isSlice : !(isValidTime(scan.dur) && scan.dur >= 0)) return -1;
    if (end - at > this.sink.limits.name && Math.max(name.to - name.from, cat.to - cat.from) > this.sink.limits.name) return -1;
    if (cat.to - cat.from > WHOLE_SUFFIX.length && startsWithAscii(bytes, cat.to - WHOLE_SUFFIX.length, WHOLE_SUFFIX)) return -1;
    // The arguments of an end are added to those of its begin.
    if (phase === E && (detail.from >= 0 || args.from >= 0)) return -1;
    this.offset = offset;
    this.events++;
    const { strings } = this.sink;
    const track = this.numberedTrack(scan.pid, scan.tid);
    const durationUs = scan.dur > 0 ? scan.dur : 0;
    if (ts + durationUs > this.last) this.last = ts + durationUs;
    const nameId = name.from < 0 ? (phase === E ? -1 : this.nothing) : strings.bytesId(bytes, name.from, name.to);
    if (phase === E) {
      this.edgesOf(track).end(ts, name.to > name.from ? nameId : -1);
      return to;
    }
    const { rows, part } = this;
    const isSum = scan.hasCount && name.from >= 0 && startsWithAscii(bytes, name.from, TOTAL_PREFIX);
    const row = rows.addTimes(nameId, track, part, ts, isSlice ? durationUs : 0, isSum ? 'sum' : 'step');
    const { text, cpuUs } = rows.columns;
    if (cat.to > cat.from && cat.from >= 0) text.role.set(row, strings.bytesId(bytes, cat.from, cat.to));
    if (detail.from >= 0) {
      const id = strings.bytesId(bytes, detail.from, detail.to);
      text.target.set(row, id);
      text.detail.set(row, id);
    }
    // Keep the arguments as JSON text: they are parsed only when shown.
    if (args.from >= 0) text.more.set(row, strings.bytesId(bytes, args.from, args.to));
    if (isValidTime(scan.tdur)) cpuUs.set(row, scan.tdur);
    if (begins) this.edgesOf(track).begin(ts, nameId, row);
    return to;
  }

  private numberedTrack(pid: number, tid: number): number {
    const threads = getOrMake(this.trackOfNumbers, pid, () => new Map());
    return getOrMake(threads, tid, () => this.rows.trackId(Number.isNaN(pid) ? '' : `${pid}`, Number.isNaN(tid) ? '' : `${tid}`));
  }

  private edgesOf(track: number): BeginEndEvents {
    return getOrMake(this.edges, track, () => new BeginEndEvents());
  }

  /** Reads a parsed event. `offset`: its position in the file. */
  readEvent(value: unknown, offset: number): void {
    this.offset = offset;
    this.events++;
    if (!isObject(value)) return this.countDropped('values that are not objects');
    const phase = this.checkedWord(value['ph']);
    const us = parseMicroseconds(value['ts']);
    if (phase === 'M') return this.titles.take(value, (word) => this.checkedWord(word));
    if (phase === '') return this.countDropped('events without a phase');
    if (us === undefined) return this.countDropped(`events of phase ${phase.slice(0, 4)} without a time`);
    const track = this.rows.trackId(this.checkedWord(value['pid']), this.checkedWord(value['tid']));
    const duration = parseMicroseconds(value['dur']);
    if (duration === undefined && (value['dur'] ?? null) !== null) return this.countDropped('events whose duration is no time');
    this.last = Math.max(this.last, us + (duration && duration > 0 ? duration : 0));
    if (phase === 'P') this.cpuProfiles.read(value, us);
    else if (phase === 'X') {
      if (duration !== undefined && duration < 0) this.countDropped('events with a negative duration, shown as 0');
      if (duration === undefined) this.unlimited++;
      this.addSlice(value, us, Math.max(0, duration ?? 0), track);
    } else if (phase === 'B' || phase === 'E') this.addBeginOrEnd(value, phase === 'B', us, track);
    else if (/^[bSeF]$/.test(phase)) this.addAsyncEvent(value, phase === 'b' || phase === 'S', us);
    else if (/^[iIR]$/.test(phase)) this.instants.push({ name: this.checkedWord(value['name']), us });
    else if (phase === 'C') this.addCounter(value, us);
    else if (phase === 's' || phase === 't' || phase === 'f')
      addToList(this.flows, ['cat', 'id', 'name'].map((key) => this.checkedWord(value[key])).join('\n'), { us, track, phase });
    else if (!/^[nTp]$/.test(phase)) {
      this.skipped++;
      this.skippedPhases.add(phase.slice(0, 4));
    }
  }

  private countDropped(why: string, times = 1): void {
    this.dropped.set(why, (this.dropped.get(why) ?? 0) + times);
  }

  private addSlice(event: JsonObject, us: number, durationUs: number, track: number): void {
    const { args } = event;
    if (isObject(args) && 'role' in args && 'timeStart' in args) {
      // CMake's thread ids do not identify jobs, so its steps are arranged by time.
      const step = parseSnippet(args, this.part, this.rows.untitledTrack('cmake', 'steps'));
      if (typeof step !== 'string') {
        this.cmakeSteps++;
        this.rows.stageOf = stageOf;
        this.rows.add(step);
        return writeGauges(this.rows, args, step);
      }
    }
    this.writeSlice(event, us, durationUs, track);
  }

  private writeSlice(event: JsonObject, us: number, durationUs: number, track: number): number {
    const { args } = event;
    const { rows } = this;
    const [name, categories] = [this.checkedWord(event['name']), this.checkedWord(event['cat'])];
    const isWhole = categories.endsWith(WHOLE_SUFFIX);
    const role = isWhole ? categories.slice(0, -WHOLE_SUFFIX.length) : categories;
    const isSum = name.startsWith(TOTAL_PREFIX) && isObject(args) && 'count' in args;
    const kind: StepKind = isSum ? 'sum' : isWhole ? 'whole' : 'step';
    const row = rows.addTimes(this.sink.strings.textId(name), track, this.part, us, durationUs, kind);
    if (role !== '') rows.setText('role', row, role);
    this.writeArguments(row, args);
    rows.columns.cpuUs.set(row, parseMicroseconds(event['tdur']) ?? Number.NaN);
    return row;
  }

  /** Writes the arguments of a slice: its detail and, if there are other arguments, all of them as JSON. */
  private writeArguments(row: number, args: unknown): void {
    if (!isObject(args)) return;
    const detail = textOf(args['detail']);
    if (detail !== undefined) for (const name of ['target', 'detail'] as const) this.rows.setText(name, row, detail);
    if (Object.keys(args).length > (detail === undefined ? 0 : 1)) this.rows.setText('more', row, JSON.stringify(args));
  }

  /** Adds a begin or end. A begin gets a row immediately, so slices stay in the order of their begins. */
  private addBeginOrEnd(event: JsonObject, begins: boolean, us: number, track: number): void {
    const { args } = event;
    const name = this.checkedWord(event['name']);
    const id = this.sink.strings.textId(name);
    if (begins) this.edgesOf(track).begin(us, id, this.writeSlice(event, us, 0, track));
    else this.edgesOf(track).end(us, name === '' ? -1 : id, isObject(args) ? JSON.stringify(args) : undefined);
  }

  private addAsyncEvent(event: JsonObject, begins: boolean, us: number): void {
    const id2 = event['id2'];
    const local = isObject(id2) ? this.checkedWord(id2['local'] ?? id2['global']) : '';
    const pid = isObject(id2) && 'local' in id2 ? this.checkedWord(event['pid']) : '';
    const [role, name] = [this.checkedWord(event['cat']), this.checkedWord(event['name'])];
    const id = [this.checkedWord(event['id']), local, pid].filter((word) => word !== '').join(' ');
    const { edges } = getOrMake(this.asyncs, `${role}\n${id}\n${name}`, () => ({ role, id, name, edges: new BeginEndEvents() }));
    if (begins) edges.begin(us, 0);
    else edges.end(us, 0);
  }

  private addCounter(event: JsonObject, us: number): void {
    const { args } = event;
    if (!isObject(args)) return;
    const [name, pid] = [this.checkedWord(event['name']), this.checkedWord(event['pid'])];
    const id = event['id'] === undefined ? '' : `[${this.checkedWord(event['id'])}]`;
    for (const [series, given] of Object.entries(args)) {
      // Bazel writes numbers as strings.
      const value = numberOrNumericText(given);
      if (value !== undefined) this.rows.gauges.add(`${name}${id}.${series}`, pid, '', us, value);
    }
  }

  /** Turns begins and ends into slices. A slice without an end lasts to the end of the trace. */
  private closeSlices(): void {
    const { rows, sink } = this;
    const { durationUs } = rows.columns;
    const unclosed: string[] = [];
    let count = 0;
    for (const edges of this.edges.values()) {
      const [us, step] = [edges.us.data, edges.step.data];
      const { open, stray } = pairBeginsWithEnds(edges, (begin, end) => {
        durationUs.data[step[begin]] = us[end] - us[begin];
        const more = edges.args.get(end);
        if (more !== undefined) this.writeArguments(step[begin], { ...this.argsOf(step[begin]), ...objectOf(parseJson(more)) });
      });
      for (const begin of open) {
        if (unclosed.length < MAX_LISTED_NAMES) unclosed.push(sink.strings.text(edges.name.data[begin]));
        durationUs.data[step[begin]] = Math.max(0, this.last - us[begin]);
      }
      count += open.length;
      if (stray > 0) this.countDropped('end events without a begin', stray);
    }
    const found = `no end for ${joinFirstNames(unclosed, count)}; shown up to the end of the trace`;
    if (count > 0) this.sink.warn({ path: this.path, expected: 'an end for every begin', found, sign: 'NO ENDS' });
  }

  private argsOf(row: number): JsonObject {
    const [more, detail] = [this.rows.text('more', row), this.rows.text('detail', row)];
    return more !== undefined ? objectOf(parseJson(more)) : detail === undefined ? {} : { detail };
  }

  /** In a file without slices, asynchronous spans are its work; else they span the work of slices. */
  private closeAsyncs(): void {
    const isWork = this.rows.rows === this.first.steps;
    const never: string[] = [];
    let count = 0;
    for (const { role, id, name, edges } of this.asyncs.values()) {
      const us = edges.us.data;
      const { open, stray } = pairBeginsWithEnds(edges, (begin, end) => {
        this.rows.add({
          name,
          kind: isWork ? 'step' : 'async',
          // Spans of one id are nested.
          track: this.rows.trackId('async', isWork ? `${role} ${id}` : role),
          part: this.part,
          startUs: us[begin],
          durationUs: us[end] - us[begin],
          role,
        });
      });
      for (const _ of open) if (never.length < MAX_LISTED_NAMES) never.push(name);
      count += open.length;
      if (stray > 0) this.countDropped('asynchronous end events without a begin', stray);
    }
    if (count > 0) this.warn({}, 'an end for every asynchronous begin', `no end for ${joinFirstNames(never, count)}; left out`);
  }

  /** Links the slices of complete flows. Returns the numbers of complete flows and of flows without an end. */
  private closeFlows(): readonly [whole: number, open: number] {
    const { columns, links } = this.rows;
    const flows = Array.from(this.flows.values(), splitFlows);
    const whole = flows.flatMap((f) => f.whole);
    const holders = findEnclosingSlices(whole.flat(), columns, this.first.steps);
    for (const way of whole)
      for (let k = 1; k < way.length; k++) {
        const [from, to] = [holders.get(way[k - 1]), holders.get(way[k])];
        if (from !== undefined && to !== undefined && from !== to) links.push(from, to);
      }
    const stray = flows.reduce((sum, f) => sum + f.stray, 0);
    if (stray > 0) this.countDropped('flow events without a start', stray);
    return [whole.length, flows.filter((f) => f.open).length];
  }

  /** Turns samples into slices, but only in files without slices: together they would count time twice. */
  private addSampleSlices(): void {
    const { samples } = this.stacks;
    if (samples.length === 0) return;
    const found = plural(samples.length, 'sample');
    if (this.rows.rows > this.first.steps)
      return this.warn({}, 'slices or samples', `slices and ${found} of stacks; samples left out`);
    const { read, wrong, others } = addSamples(this.rows, this.part, this.stacks, (value) => this.checkedWord(value));
    if (wrong > 0) this.countDropped('samples without a time or a known stack', wrong);
    if (others > 0) this.countDropped('samples of other events', others);
    this.sink.notes.push(`slices are of ${plural(read, 'sample')} of stacks: their times are estimates`);
  }

  /** Writes the samples of V8's profiles as slices of tracks of their own, beside the slices of their threads. */
  private addCpuProfileSlices(): void {
    const { samples, frames, dropped, ends } = this.cpuProfiles;
    if (samples.length === 0 && dropped === 0) return;
    const { read } = addSamples(this.rows, this.part, { samples, frames, ends }, (value) => this.checkedWord(value));
    if (dropped > 0) this.countDropped('chunks or samples of a CPU profile without its start or nodes', dropped);
    this.sink.notes.push(`tracks named "CPU profile" are of ${plural(read, 'sample')}: their times are estimates`);
  }

  /** Adds the work of the compiler, whose own slices are the steps of this file. */
  private addCompile(sums: CompileSums): void {
    const { rows, first } = this;
    const compiler = this.sink.strings.textId('ExecuteCompiler');
    const step = rows.columns.name.done().indexOf(compiler, first.steps);
    const totals = compileTotalsOf(rows);
    totals.add({ name: baseName(this.path).replace(/\.json(?:\.gz)?$/, ''), trace: '', step }, sums);
    rows.compiles = totals;
  }

  /** Writes what is known at the end. `compile`: the work of the compiler, if the trace is one's. */
  finish(compile?: CompileSums): void {
    const { rows, sink, path } = this;
    if (compile) this.addCompile(compile);
    this.addSampleSlices();
    this.addCpuProfileSlices();
    this.closeSlices();
    this.closeAsyncs();
    const [flows, openFlows] = this.closeFlows();
    const endless = `${plural(this.unlimited, 'slice')} without a duration, shown as 0`;
    if (this.unlimited > 0) sink.warn({ path, expected: 'the duration of every slice', found: endless, sign: 'NO ENDS' });
    for (const [why, n] of this.dropped) this.warn({}, 'valid events', `${why}: ${n}`);
    const phases = [...this.skippedPhases].slice(0, 20).join(' ');
    if (this.skipped > 0)
      this.warn({}, 'phases that a timeline can show', `${this.skipped} events of phases ${phases}; left out`);
    if (openFlows > 0) this.warn({}, 'an end for every flow', `no end for ${openFlows} flows`);
    this.titles.finish();
    const own = rows.rows - this.first.steps;
    const isBazel = convertBazel(rows, this.first.steps, this.part, this.instants);
    if (isBazel) sink.creator ??= 'Bazel';
    sink.creator ??= this.cmakeSteps > 0 ? 'CMake' : this.beginningOfTime !== null ? 'clang -ftime-trace' : null;
    rows.namesAreRoutines ||= this.cmakeSteps < own && !isBazel;
    if (this.cmakeSteps === 0 && !isBazel) addDetails(rows, this.first.steps);
    rows.clocks.push({ path, from: this.first, to: rows.rowsSoFar(), originUs: this.beginningOfTime });
    const note = `${this.events} events${flows > 0 ? `, ${flows} whole flows` : ''}`;
    sink.addPart({ path, notes: [note], events: ['time'] });
  }
}

const [X, B, E] = ['X', 'B', 'E'].map((phase) => phase.charCodeAt(0));
const TOTAL_PREFIX = 'Total ';
/** End of the category of a whole step, as written by proftui's own export. */
const WHOLE_SUFFIX = ',whole';

const MAX_LISTED_NAMES = 5;

/** The first names of a list with `count` names, for a message. */
const joinFirstNames = (names: readonly string[], count: number): string =>
  count > MAX_LISTED_NAMES ? `${count}: ${names.join(', ')} …` : names.join(', ');
