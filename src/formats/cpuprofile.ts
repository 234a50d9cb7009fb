// Loads .cpuprofile: V8's sampling profiler, as written by Node (--cpu-prof) and by browsers' developer tools.
// The file has a tree of calls, the node of each sample, and the microseconds between samples. Lines and columns count from 0.
// Specification: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile.
// In real files, negative times put samples out of order; positionTicks count a node's samples by line.
import { firstIndexWhere, getOrMake } from '../base/lists.ts';
import { plural } from '../base/units.ts';
import { GrowableColumn, growableTable, mergeRuns, type PartId, pickRows } from '../model/column.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import { NamedStackWriter } from '../model/stacks/writer.ts';
import { Interner } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import { amountOf, isObject, type JsonObject, jsonExcerpt, listOf, numberOf, parseJson } from './shared/json.ts';
import { makeObjectLoader, ObjectReader } from './shared/json-object.ts';
import { FieldScan } from './shared/json-scan.ts';
import { headText } from './shared/stream.ts';
import { isRootFrame, v8Names } from './shared/v8-frame.ts';

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  // Chrome's traces contain such trees in their events, but are another format.
  if (text.includes('"traceEvents"') || !/^\s*\{/.test(text)) return 'no';
  const isOldForm = /"head"\s{0,9}:\s{0,9}\{/.test(text) && text.includes('"functionName"') && text.includes('"hitCount"');
  const isNewForm = /"nodes"\s{0,9}:\s{0,9}\[\s{0,9}\{/.test(text) && text.includes('"callFrame"');
  return isOldForm || isNewForm ? 'yes' : 'no';
}

/** Field names of nodes and of ticks. The index of a name is its field number in FieldScan. */
const NODE_FIELDS = ['id', 'callFrame', 'children', 'parent', 'hitCount', 'positionTicks'];
const [ID, CALL_FRAME, CHILDREN, PARENT, HITS, TICKS] = NODE_FIELDS.keys();
const TICK_FIELDS = ['line', 'ticks'];
const [LINE, COUNT] = TICK_FIELDS.keys();

export class CpuprofileReader extends ObjectReader {
  protected readonly element = 'a node with an id and a callFrame';
  private readonly writer = this.sink.writerFor(NamedStackWriter);
  /** The nodes of the call tree, in file order: id, caller's id (NaN if not in the file), frame (without a line; -1 for the root), and hits. */
  private readonly nodes = growableTable({ id: Float64Array, parent: Float64Array, frame: Int32Array, hits: Float64Array });
  /** By node: its first row in `lines`, which have the line (from 1) and sample count of each tick entry. */
  private readonly firstLine = new GrowableColumn(Uint32Array);
  private readonly lines = growableTable({ line: Float64Array, count: Float64Array });
  /** By node id: the node's index. Ids are small in real files, so lists take a fraction of the time of maps. */
  private readonly numberOf: (number | undefined)[] = [];
  /** By node id: the index of the node that lists it as a child. */
  private readonly callerOf: (number | undefined)[] = [];
  private readonly scan = new FieldScan(NODE_FIELDS);
  private readonly tick = new FieldScan(TICK_FIELDS);
  /** The current node: the ids of its children, and its lines and counts, alternating. */
  private readonly children = new GrowableColumn(Float64Array);
  private readonly ticks = new GrowableColumn(Float64Array);
  /** Distinct call frames by their bytes, and the frame of each. Many nodes have equal call frames. */
  private readonly calls = new Interner();
  private readonly frames = new GrowableColumn(Int32Array);
  private samples: ArrayLike<unknown> | undefined;
  private deltas: ArrayLike<unknown> = [];
  private startTime: number | undefined;
  private endTime: number | undefined;
  /** In the old form: the microseconds of each sample. */
  private timestamps: readonly unknown[] | undefined;
  override needsNoList = false;

  override readPlainElement(bytes: Uint8Array, start: number, end: number, offset: number): number {
    const { scan, tick, children, ticks, calls, frames } = this;
    const { at } = scan;
    const to = scan.scan(bytes, start, end);
    if (to < 0 || at[ID] < 0 || at[CALL_FRAME] < 0) return -1;
    children.length = ticks.length = 0;
    if (at[CHILDREN] >= 0 && scan.readNumbers(at[CHILDREN], children) < 0) return -1;
    const addTick = (from: number): number => {
      const after = tick.scan(bytes, from, to);
      ticks.push(tick.readNumber(tick.at[LINE]));
      ticks.push(tick.readNumber(tick.at[COUNT]));
      return after;
    };
    if (at[TICKS] >= 0 && scan.readList(at[TICKS], addTick) < 0) return -1;
    const call = calls.bytesId(bytes, at[CALL_FRAME], scan.to[CALL_FRAME]);
    if (call === frames.length) {
      const frame = parseJson(bytes.subarray(at[CALL_FRAME], scan.to[CALL_FRAME]));
      if (!isObject(frame)) return -1;
      frames.push(this.frameOf(frame));
    }
    const id = scan.readNumber(at[ID]);
    if (Number.isNaN(id)) return -1;
    this.addNode(id, frames.data[call], scan.readNumber(at[PARENT]), scan.readNumber(at[HITS]) || 0, offset);
    return to;
  }

  readObject(node: JsonObject, offset: number): void {
    const id = numberOf(node['id']);
    const frame = node['callFrame'];
    if (id === undefined || !isObject(frame)) throw this.errorAt(offset, this.element, jsonExcerpt(node));
    const { children, ticks } = this;
    children.length = ticks.length = 0;
    for (const child of listOf(node['children'])) children.push(numberOf(child) ?? Number.NaN);
    for (const tick of listOf(node['positionTicks'])) {
      if (!isObject(tick)) continue;
      ticks.push(numberOf(tick['line']) ?? Number.NaN);
      ticks.push(amountOf(tick['ticks']) ?? Number.NaN);
    }
    this.addNode(id, this.frameOf(frame), numberOf(node['parent']) ?? Number.NaN, amountOf(node['hitCount']) ?? 0, offset);
  }

  private frameOf(frame: JsonObject): number {
    const names = v8Names(frame);
    return isRootFrame(names) ? -1 : this.writer.frameOf(names);
  }

  /** Adds a node with its children and ticks, which were read before. */
  private addNode(id: number, frame: number, parent: number, hits: number, offset: number): void {
    const { nodes, lines, children, ticks } = this;
    if (this.numberOf[id] !== undefined) throw this.errorAt(offset, 'an id of its own for each node', `${id} again`);
    const number = nodes.id.length;
    this.numberOf[id] = number;
    for (let k = 0; k < children.length; k++) this.callerOf[children.data[k]] = number;
    nodes.id.push(id);
    nodes.parent.push(parent);
    nodes.frame.push(frame);
    nodes.hits.push(hits);
    this.firstLine.push(lines.line.length);
    for (let k = 0; k < ticks.length; k += 2) {
      const [line, count] = [ticks.data[k], ticks.data[k + 1]];
      if (!(line > 0 && line < 2 ** 31 && count > 0)) continue;
      lines.line.push(line);
      lines.count.push(count);
    }
  }

  override readPlainMember(key: string, bytes: Uint8Array, from: number, to: number): boolean {
    const list = key === 'samples' || key === 'timeDeltas' ? this.scan.numbersOfList(bytes, from, to) : undefined;
    if (list && key === 'samples') this.samples = list;
    else if (list) this.deltas = list;
    return list !== undefined;
  }

  /** The tree of profiles before 2016 is in `head`, with nodes that have the members of their call frames themselves. */
  private readTree(head: JsonObject): void {
    this.needsNoList = true;
    const open = [head];
    for (let node = open.pop(); node; node = open.pop()) {
      const below = listOf(node['children']).filter(isObject);
      const children = below.map(({ id }) => id);
      // Lines of the old form count from 1.
      const callFrame = { ...node, lineNumber: (numberOf(node['lineNumber']) ?? 0) - 1 };
      this.readObject({ ...node, children, callFrame }, 0);
      open.push(...below);
    }
  }

  readMember(key: string, value: unknown): void {
    if (key === 'head' && isObject(value)) return this.readTree(value);
    if (key === 'timestamps') this.timestamps = listOf(value);
    if (key === 'samples') this.samples = listOf(value);
    else if (key === 'timeDeltas') this.deltas = listOf(value);
    else if (key === 'startTime') this.startTime = amountOf(value);
    else if (key === 'endTime') this.endTime = amountOf(value);
  }

  finish(end: number): void {
    const { sink, path, samples, nodes } = this;
    const count = nodes.id.length;
    if (count === 0) throw this.errorAt(end, 'nodes', 'none');
    this.firstLine.push(this.lines.line.length);
    if (this.timestamps) this.useTimestamps(this.timestamps);
    const costs = samples ? this.computeCosts(samples, end) : undefined;
    const part = sink.addPart({
      path,
      events: costs ? ['time', 'samples'] : ['samples'],
      notes: [
        `${plural(samples?.length ?? 0, 'sample')}, ${plural(count, 'node')}`,
        ...(costs ? [] : ['the file has no sample times: samples are only counted']),
      ],
    });
    const rows = this.writeStacks(part, costs?.count ?? nodes.hits.data, costs?.time ?? new Float64Array(count), end);
    if (costs) this.addSampleTimes(costs, rows);
    this.writer.types = costs ? [{ ...TIME_TYPE, each: costs.each }, SAMPLES_TYPE] : [SAMPLES_TYPE];
    sink.creator ??= 'V8';
  }

  /** Takes the times of the old form, which begins and ends at times in seconds on another clock. */
  private useTimestamps(timestamps: readonly unknown[]): void {
    const times = timestamps.map((us) => amountOf(us) ?? Number.NaN);
    const lengthUs = ((this.endTime ?? 0) - (this.startTime ?? 0)) * 1e6;
    this.deltas = times.map((us, i) => (i === 0 ? 0 : us - times[i - 1]));
    this.startTime = times[0] ?? 0;
    this.endTime = this.startTime + lengthUs;
  }

  /** Samples in time order, with node and time; count and time (µs) by node. A sample costs the time until the next one. */
  private computeCosts(samples: ArrayLike<unknown>, end: number) {
    const { deltas, nodes } = this;
    const n = samples.length;
    if (deltas.length !== n) throw this.errorAt(end, `timeDeltas of ${plural(n, 'sample')}`, `${deltas.length}`);
    const taken = { node: arrayForNumbers(samples), at: arrayForNumbers(deltas) };
    let now = this.startTime ?? 0;
    for (let i = 0; i < n; i++) {
      const node = this.numberOf[numberOf(samples[i]) ?? Number.NaN];
      const delta = amountOf(deltas[i]);
      if (node === undefined || delta === undefined) {
        const found = `${jsonExcerpt(samples[i])} after ${jsonExcerpt(deltas[i])}`;
        throw this.errorAt(end, `sample ${i} of a node, with a time`, found);
      }
      now += delta;
      taken.node[i] = node;
      taken.at[i] = now;
    }
    const order = mergeRuns(taken.at);
    const { node, at } = order ? pickRows(taken, order) : taken;
    const last = Math.max(this.endTime ?? 0, at.at(-1) ?? 0);
    const count = new Float64Array(nodes.id.length);
    const time = new Float64Array(nodes.id.length);
    let all = 0;
    for (let i = 0; i < n; i++) {
      const length = (i + 1 < n ? at[i + 1] : last) - at[i];
      count[node[i]]++;
      time[node[i]] += length;
      all += length;
    }
    return { node, at, last, count, time, each: n > 0 ? all / n : 0 };
  }

  /**
   * Writes the stacks of nodes that have samples, split by line if ticks are known. Time is split by ticks. Returns for node n the rows
   * row[first[n]] … row[first[n + 1] - 1]; `upTo` is its cumulative sample count up to each row.
   */
  private writeStacks(part: PartId, counts: Float64Array, times: Float64Array, end: number) {
    const { nodes, lines, writer } = this;
    const [frame, firstLine, countAt] = [nodes.frame.data, this.firstLine.data, lines.count.data];
    const pathOf = this.makeCallerPathLookup(end);
    const rows = new GrowableColumn(Uint32Array);
    const upTo = new GrowableColumn(Float64Array);
    const first = new Uint32Array(nodes.id.length + 1);
    for (let n = 0; n < nodes.id.length; n++) {
      const [count, time] = [counts[n], times[n]];
      first[n + 1] = rows.length;
      if (frame[n] < 0 || (count === 0 && time === 0)) continue;
      const callers = pathOf(n);
      const [from, end] = [firstLine[n], firstLine[n + 1]];
      let ticks = 0;
      for (let k = from; k < end; k++) ticks += countAt[k];
      // If the sum of the ticks differs from the sample count, or there are no ticks, lines are unknown.
      const hasLines = ticks === count && ticks > 0;
      let sum = 0;
      for (let k = from; k < (hasLines ? end : from + 1); k++) {
        const ticksHere = hasLines ? countAt[k] : count;
        const path = writer.paths.pathBelow(callers, hasLines ? writer.frameAtLine(frame[n], lines.line.data[k]) : frame[n]);
        const row = writer.rowOf(part, path);
        writer.addTo(0, row, ticksHere);
        writer.addTo(1, row, count === 0 ? time : (time * ticksHere) / count);
        rows.push(row);
        upTo.push((sum += ticksHere));
      }
      first[n + 1] = rows.length;
    }
    writer.paths.writeFrames();
    return { first, row: rows.done(), upTo: upTo.done() };
  }

  /** Adds the times of samples. A sample's line is unknown: a node's samples are spread over its lines, at their average cost. */
  private addSampleTimes(
    costs: ReturnType<CpuprofileReader['computeCosts']>,
    { first, row, upTo }: ReturnType<CpuprofileReader['writeStacks']>,
  ): void {
    const { times } = this.writer;
    const { node, at, last, count, time } = costs;
    const seen = new Float64Array(count.length);
    const steps = new Map<number, number>();
    this.writer.counted = true;
    for (let i = 0; i < node.length; i++) {
      const n = node[i];
      const [from, to] = [first[n], first[n + 1]];
      if (from === to) continue;
      const own = (i + 1 < node.length ? at[i + 1] : last) - at[i];
      if (to === from + 1) {
        times.add(row[from], at[i] * 1000, 1, own);
        continue;
      }
      const step = getOrMake(steps, n, () => coprimeStride(count[n]));
      const rank = (seen[n]++ * step) % count[n];
      const k = from + firstIndexWhere(to - from, (j) => upTo[from + j] > rank);
      times.add(row[k], at[i] * 1000, 1, time[n] / count[n]);
    }
  }

  /** Returns a function from a node to its callers' path (-1 for none). Throws FormatError for a cycle of nodes. */
  private makeCallerPathLookup(end: number): (node: number) => number {
    const { nodes } = this;
    const { paths } = this.writer;
    const [id, frame] = [nodes.id.data, nodes.frame.data];
    const caller = (n: number) => this.callerOf[id[n]] ?? this.numberOf[nodes.parent.data[n]] ?? -1;
    /** By node: the path from the root to the node's frame; UNKNOWN_PATH until computed. */
    const known = new Int32Array(nodes.id.length).fill(UNKNOWN_PATH);
    return (node) => {
      const open: number[] = [];
      let at = caller(node);
      for (; at >= 0 && known[at] === UNKNOWN_PATH; at = caller(at))
        if (open.push(at) > known.length) throw this.errorAt(end, 'a tree of nodes', `node ${id[node]} below itself`);
      let path = at < 0 ? -1 : known[at];
      for (let n = open.pop(); n !== undefined; n = open.pop()) {
        if (frame[n] >= 0) path = paths.pathBelow(path, frame[n]);
        known[n] = path;
      }
      return path;
    };
  }
}

const SAMPLES_TYPE: RecordedType = { name: 'samples', unit: 'samples', longName: 'samples taken', each: 1, column: 0 };
const TIME_TYPE: RecordedType = { name: 'time', unit: 'us', longName: 'time until the next sample', uneven: true, column: 1 };

const UNKNOWN_PATH = -2;

/** A stride coprime to `count`: its multiples modulo `count` visit each index once, and successive ones are far apart. */
function coprimeStride(count: number): number {
  const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
  let step = Math.max(1, Math.round(count * GOLDEN_RATIO));
  while (commonDivisor(step, count) !== 1) step++;
  return step;
}

const GOLDEN_RATIO = 0.618;

/** An array as long as the list: the list itself if it is a Float64Array, else a new one. */
const arrayForNumbers = (list: ArrayLike<unknown>) => (list instanceof Float64Array ? list : new Float64Array(list.length));

export const cpuprofile: Loader = {
  name: 'cpuprofile',
  title: '.cpuprofile of V8 (Node, Chrome)',
  provides: ['routines', 'calls', 'trees', 'lines', 'times'],
  make: 'node --cpu-prof program.js',
  fileNames: /\.cpuprofile(\.gz)?$/,
  detect,
  load: makeObjectLoader('nodes', CpuprofileReader),
};
