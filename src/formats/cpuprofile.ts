// .cpuprofile: the sampling profiler of V8, as Node (--cpu-prof) and the developer tools of browsers write it.
// https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile. A tree of calls, the node of each sample, and the
// microseconds between samples. Lines and columns count from 0. Real files: samples may be out of order, by negative times; positionTicks
// say how many samples of a node lay on which line.
import { getOrMake } from '../base/lists.ts';
import { firstWhere } from '../base/search.ts';
import { plural } from '../base/units.ts';
import { Grow, type PartId } from '../model/column.ts';
import { NamedStackWriter } from '../model/stacks/writer.ts';
import { Interner } from '../model/strings.ts';
import { pickRows } from '../model/table.ts';
import type { Detection, Loader } from './loader.ts';
import { amountOf, isObject, type Json, type JsonObject, listOf, numberOf, parseJson, shownOf } from './shared/json.ts';
import { loadsObject, ObjectReader } from './shared/json-object.ts';
import { FieldScan } from './shared/json-scan.ts';
import { headText } from './shared/stream.ts';
import { isRoot, v8Names } from './shared/v8-frame.ts';

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  // Chrome's traces have such trees in their events.
  if (text.includes('"traceEvents"')) return 'no';
  return /^\s*\{/.test(text) && /"nodes"\s{0,9}:\s{0,9}\[\s{0,9}\{/.test(text) && text.includes('"callFrame"') ? 'yes' : 'no';
}

/** The nodes of the tree, in order of the file. */
class Nodes {
  readonly id = new Grow(Float64Array);
  /** The id of its caller; NaN where the node itself does not say it. */
  readonly parent = new Grow(Float64Array);
  /** Without a line; -1 for a root. */
  readonly frame = new Grow(Int32Array);
  readonly hits = new Grow(Float64Array);
  /** Where its lines begin. */
  readonly firstLine = new Grow(Uint32Array);
  /** Lines of the nodes' own samples with their counts, from 1. */
  readonly line = new Grow(Float64Array);
  readonly count = new Grow(Float64Array);
}

/** Samples in order of time: the node of each, and when it was taken; how many a node has, and their time. In microseconds. */
interface SamplesTaken {
  readonly node: ArrayLike<number>;
  readonly at: ArrayLike<number>;
  readonly last: number;
  readonly count: Float64Array;
  readonly time: Float64Array;
}

/** The rows of a node are row[first[n]] to row[first[n + 1] - 1]; `upTo`: its samples in these and the rows before. */
interface RowsOfNodes {
  readonly first: Uint32Array;
  readonly row: Uint32Array;
  readonly upTo: Float64Array;
}

/** Fields of nodes and of their ticks, as they are numbered in FieldScan. */
const NODE = ['id', 'callFrame', 'children', 'parent', 'hitCount', 'positionTicks'];
const [ID, CALL_FRAME, CHILDREN, PARENT, HITS, TICKS] = NODE.keys();
const TICK = ['line', 'ticks'];
const [LINE, COUNT] = TICK.keys();

export class Reader extends ObjectReader {
  private readonly writer = this.sink.tables(NamedStackWriter);
  private readonly nodes = new Nodes();
  private readonly numberOf = new Map<number, number>();
  /** By the id of a node: the node that has it among its children. */
  private readonly callerOf = new Map<number, number>();
  private readonly scan = new FieldScan(NODE);
  private readonly tick = new FieldScan(TICK);
  /** The node that is read: ids of its children, and lines with their counts in turn. */
  private readonly children = new Grow(Float64Array);
  private readonly ticks = new Grow(Float64Array);
  /** Call frames by their bytes, and the frame of each: a function has many nodes. */
  private readonly calls = new Interner();
  private readonly frames = new Grow(Int32Array);
  private samples: ArrayLike<unknown> | undefined;
  private deltas: ArrayLike<unknown> = [];
  private startTime: number | undefined;
  private endTime: number | undefined;

  override quick(bytes: Uint8Array, start: number, end: number, offset: number): number {
    const { scan, tick, children, ticks, calls, frames } = this;
    const { at } = scan;
    const to = scan.scan(bytes, start, end);
    if (to < 0 || at[ID] < 0 || at[CALL_FRAME] < 0) return -1;
    children.length = ticks.length = 0;
    if (at[CHILDREN] >= 0 && scan.numbers(at[CHILDREN], children) < 0) return -1;
    const addTick = (from: number): number => {
      const after = tick.scan(bytes, from, to);
      ticks.push(tick.number(tick.at[LINE]));
      ticks.push(tick.number(tick.at[COUNT]));
      return after;
    };
    if (at[TICKS] >= 0 && scan.list(at[TICKS], addTick) < 0) return -1;
    const call = calls.bytesId(bytes, at[CALL_FRAME], scan.to[CALL_FRAME]);
    if (call === frames.length) {
      const frame = parseJson(bytes.subarray(at[CALL_FRAME], scan.to[CALL_FRAME]));
      if (!isObject(frame)) return -1;
      frames.push(this.frameOf(frame));
    }
    const id = scan.number(at[ID]);
    if (Number.isNaN(id)) return -1;
    this.add(id, frames.data[call], scan.number(at[PARENT]), scan.number(at[HITS]) || 0, offset);
    return to;
  }

  element(json: Json, offset: number): void {
    const node = json.wrong === undefined && isObject(json.value) ? json.value : undefined;
    const id = numberOf(node?.['id']);
    const frame = node?.['callFrame'];
    if (!node || id === undefined || !isObject(frame))
      throw this.wrong(offset, 'a node with an id and a callFrame', json.wrong ?? shownOf(json.value));
    const { children, ticks } = this;
    children.length = ticks.length = 0;
    for (const child of listOf(node['children'])) children.push(numberOf(child) ?? Number.NaN);
    for (const tick of listOf(node['positionTicks'])) {
      if (!isObject(tick)) continue;
      ticks.push(numberOf(tick['line']) ?? Number.NaN);
      ticks.push(amountOf(tick['ticks']) ?? Number.NaN);
    }
    this.add(id, this.frameOf(frame), numberOf(node['parent']) ?? Number.NaN, amountOf(node['hitCount']) ?? 0, offset);
  }

  private frameOf(frame: JsonObject): number {
    const names = v8Names(frame);
    return isRoot(names) ? -1 : this.writer.frameOf(names);
  }

  /** Adds a node with the children and ticks that were read. */
  private add(id: number, frame: number, parent: number, hits: number, offset: number): void {
    const { nodes, children, ticks } = this;
    if (this.numberOf.has(id)) throw this.wrong(offset, 'an id of its own for each node', `${id} again`);
    const number = nodes.id.length;
    this.numberOf.set(id, number);
    for (let k = 0; k < children.length; k++) this.callerOf.set(children.data[k], number);
    nodes.id.push(id);
    nodes.parent.push(parent);
    nodes.frame.push(frame);
    nodes.hits.push(hits);
    nodes.firstLine.push(nodes.line.length);
    for (let k = 0; k < ticks.length; k += 2) {
      const [line, count] = [ticks.data[k], ticks.data[k + 1]];
      if (!(line > 0 && line < 2 ** 31 && count > 0)) continue;
      nodes.line.push(line);
      nodes.count.push(count);
    }
  }

  override quickMember(key: string, bytes: Uint8Array, from: number, to: number): boolean {
    const list = key === 'samples' || key === 'timeDeltas' ? this.scan.numbersIn(bytes, from, to) : undefined;
    if (list && key === 'samples') this.samples = list;
    else if (list) this.deltas = list;
    return list !== undefined;
  }

  member(key: string, json: Json): void {
    if (json.wrong !== undefined) return;
    if (key === 'samples') this.samples = listOf(json.value);
    else if (key === 'timeDeltas') this.deltas = listOf(json.value);
    else if (key === 'startTime') this.startTime = amountOf(json.value);
    else if (key === 'endTime') this.endTime = amountOf(json.value);
  }

  finish(end: number): void {
    const { sink, path, samples, nodes } = this;
    const count = nodes.id.length;
    if (count === 0) throw this.wrong(end, 'nodes', 'none');
    nodes.firstLine.push(nodes.line.length);
    const costs = samples ? this.costsOf(samples, end) : undefined;
    const part = sink.addPart({
      path,
      events: costs ? ['time', 'samples'] : ['samples'],
      notes: [
        `${plural(samples?.length ?? 0, 'sample')}, ${plural(count, 'node')}`,
        ...(costs ? [] : ['the file has no sample times: samples are only counted']),
      ],
    });
    const rows = this.write(part, costs?.count ?? nodes.hits.data, costs?.time ?? new Float64Array(count), end);
    if (costs) this.addTimes(costs, rows);
    const column = { time: 1, samples: 0 };
    this.writer.types = [
      ...(costs
        ? [
            {
              name: 'time',
              unit: 'us',
              longName: 'time until the next sample',
              each: costs.each,
              uneven: true,
              column: column.time,
            } as const,
          ]
        : []),
      { name: 'samples', unit: 'samples', longName: 'samples taken', each: 1, column: column.samples },
    ];
    sink.creator ??= 'V8';
  }

  /** By node: its samples, and the time from each of them to the next. */
  private costsOf(samples: ArrayLike<unknown>, end: number) {
    const { deltas, nodes } = this;
    const n = samples.length;
    if (deltas.length !== n) throw this.wrong(end, `timeDeltas of ${plural(n, 'sample')}`, `${deltas.length}`);
    let taken = { node: numbersFor(samples), at: numbersFor(deltas) };
    let now = this.startTime ?? 0;
    let isOrdered = true;
    for (let i = 0; i < n; i++) {
      const node = this.numberOf.get(numberOf(samples[i]) ?? Number.NaN);
      const delta = amountOf(deltas[i]);
      if (node === undefined || delta === undefined)
        throw this.wrong(end, `sample ${i} of a node, with a time`, `${shownOf(samples[i])} after ${shownOf(deltas[i])}`);
      now += delta;
      isOrdered &&= delta >= 0;
      taken.node[i] = node;
      taken.at[i] = now;
    }
    if (!isOrdered) {
      const { at } = taken;
      const order = Uint32Array.from(at.keys()).sort((a, b) => at[a] - at[b] || a - b);
      taken = pickRows(taken, order);
    }
    const { node, at } = taken;
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
    return { ...{ node, at, last, count, time }, each: n > 0 ? all / n : 0 };
  }

  /** Writes the stacks of nodes with costs of their own, by lines where they are known: the time of a node is shared out by its ticks. */
  private write(part: PartId, counts: Float64Array, times: Float64Array, end: number): RowsOfNodes {
    const { nodes, writer } = this;
    const [frame, firstLine, countAt] = [nodes.frame.data, nodes.firstLine.data, nodes.count.data];
    const pathOf = this.callerPaths(end);
    const rows = new Grow(Uint32Array);
    const upTo = new Grow(Float64Array);
    const first = new Uint32Array(nodes.id.length + 1);
    for (let n = 0; n < nodes.id.length; n++) {
      const [count, time] = [counts[n], times[n]];
      first[n + 1] = rows.length;
      if (frame[n] < 0 || (count === 0 && time === 0)) continue;
      const callers = pathOf(n);
      const [from, end] = [firstLine[n], firstLine[n + 1]];
      let ticks = 0;
      for (let k = from; k < end; k++) ticks += countAt[k];
      // Ticks of a file cut in two profiles, or none: then no line is known.
      const known = ticks === count && ticks > 0;
      let sum = 0;
      for (let k = from; k < (known ? end : from + 1); k++) {
        const of = known ? countAt[k] : count;
        const path = writer.paths.below(callers, known ? writer.atLine(frame[n], nodes.line.data[k]) : frame[n]);
        const row = writer.rowOf(part, path);
        writer.addTo(0, row, of);
        writer.addTo(1, row, count === 0 ? time : (time * of) / count);
        rows.push(row);
        upTo.push((sum += of));
      }
      first[n + 1] = rows.length;
    }
    writer.paths.write();
    return { first, row: rows.done(), upTo: upTo.done() };
  }

  /**
   * Says when samples were taken. Nobody knows which sample of a node was at which of its lines: they are dealt out evenly over time, and cost as much
   * as the node's samples do on average.
   */
  private addTimes({ node, at, last, count, time }: SamplesTaken, { first, row, upTo }: RowsOfNodes): void {
    const { times } = this.writer;
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
      const step = getOrMake(steps, n, () => strideOf(count[n]));
      const place = (seen[n]++ * step) % count[n];
      const k = from + firstWhere(to - from, (j) => upTo[from + j] > place);
      times.add(row[k], at[i] * 1000, 1, time[n] / count[n]);
    }
  }

  /** By node: the path of its callers, -1 without any. Throws FormatError for a node that is below itself. */
  private callerPaths(end: number): (node: number) => number {
    const { nodes } = this;
    const { paths } = this.writer;
    const [id, frame] = [nodes.id.data, nodes.frame.data];
    const caller = (n: number) => this.callerOf.get(id[n]) ?? this.numberOf.get(nodes.parent.data[n]) ?? -1;
    /** By node: the path of its frame below those of its callers. */
    const known = new Int32Array(nodes.id.length).fill(UNKNOWN);
    return (node) => {
      const open: number[] = [];
      let at = caller(node);
      for (; at >= 0 && known[at] === UNKNOWN; at = caller(at))
        if (open.push(at) > known.length) throw this.wrong(end, 'a tree of nodes', `node ${id[node]} below itself`);
      let path = at < 0 ? -1 : known[at];
      for (let n = open.pop(); n !== undefined; n = open.pop()) {
        if (frame[n] >= 0) path = paths.below(path, frame[n]);
        known[n] = path;
      }
      return path;
    };
  }
}

const UNKNOWN = -2;

/** A step that visits each of so many places once, neighbours far apart. */
function strideOf(count: number): number {
  const shared = (a: number, b: number): number => (b === 0 ? a : shared(b, a % b));
  let step = Math.max(1, Math.round(count * GOLDEN));
  while (shared(step, count) !== 1) step++;
  return step;
}

const GOLDEN = 0.618;

/** Room for the numbers of a list: the list itself, if it has nothing else in it. */
const numbersFor = (list: ArrayLike<unknown>) => (list instanceof Float64Array ? list : new Float64Array(list.length));

export const cpuprofile: Loader = {
  name: 'cpuprofile',
  title: '.cpuprofile of V8 (Node, Chrome)',
  provides: ['routines', 'calls', 'trees', 'lines', 'times'],
  alone: true,
  make: 'node --cpu-prof program.js',
  fileNames: /\.cpuprofile(\.gz)?$/,
  detect,
  load: loadsObject('nodes', Reader),
};
