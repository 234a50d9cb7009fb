// .cpuprofile: the sampling profiler of V8, as Node (--cpu-prof) and the developer tools of browsers write it.
// https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile. A tree of calls, the node of each sample, and the
// microseconds between samples. Lines and columns count from 0. Real files: samples may be out of order, by negative times; positionTicks
// say how many samples of a node lay on which line.
import { plural } from '../base/units.ts';
import { enlarged } from '../model/column.ts';
import type { Detection, Loader } from './loader.ts';
import { amountOf, isObject, type Json, listOf, numberOf, shownOf } from './shared/json.ts';
import { loadsObject, ObjectReader } from './shared/json-object.ts';
import { headText } from './shared/stream.ts';
import { isRoot, type V8Names, v8Names } from './shared/v8-frame.ts';

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  // Chrome's traces have such trees in their events.
  if (text.includes('"traceEvents"')) return 'no';
  return /^\s*\{/.test(text) && /"nodes"\s{0,9}:\s{0,9}\[\s{0,9}\{/.test(text) && text.includes('"callFrame"') ? 'yes' : 'no';
}

/** A node of the tree, in order of the file. */
interface Node {
  readonly id: number;
  readonly parent: number;
  /** The name of the frame, without a line. */
  readonly frame: number;
  readonly hits: number;
  /** Lines of this node's own samples with their counts, from 1. */
  readonly ticks: readonly (readonly [line: number, count: number])[];
  readonly names: V8Names;
}

class Reader extends ObjectReader {
  private readonly nodes: Node[] = [];
  private readonly numberOf = new Map<number, number>();
  private readonly parentOf = new Map<number, number>();
  /** By node: its caller; -1 for a root. Known once all nodes are. */
  private parents: Int32Array | undefined;
  private stack = new Uint32Array(256);
  private samples: readonly unknown[] | undefined;
  private deltas: readonly unknown[] = [];
  private startTime: number | undefined;
  private endTime: number | undefined;

  element(json: Json, offset: number): void {
    const node = json.wrong === undefined && isObject(json.value) ? json.value : undefined;
    const id = numberOf(node?.['id']);
    const frame = node?.['callFrame'];
    if (!node || id === undefined || !isObject(frame))
      throw this.wrong(offset, 'a node with an id and a callFrame', json.wrong ?? shownOf(json.value));
    if (this.numberOf.has(id)) throw this.wrong(offset, 'an id of its own for each node', `${id} again`);
    for (const child of listOf(node['children'])) {
      const of = numberOf(child);
      if (of !== undefined) this.parentOf.set(of, id);
    }
    const names = v8Names(frame);
    this.numberOf.set(id, this.nodes.length);
    this.nodes.push({
      id,
      parent: numberOf(node['parent']) ?? -1,
      frame: isRoot(names) ? -1 : this.writer.frameOf(names),
      hits: amountOf(node['hitCount']) ?? 0,
      ticks: listOf(node['positionTicks']).flatMap(ticksOf),
      names,
    });
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
    if (nodes.length === 0) throw this.wrong(end, 'nodes', 'none');
    const costs = samples ? this.costsOf(samples, end) : undefined;
    const part = sink.addPart({
      path,
      events: costs ? ['time', 'samples'] : ['samples'],
      notes: [
        `${plural(samples?.length ?? 0, 'sample')}, ${plural(nodes.length, 'node')}`,
        ...(costs ? [] : ['the file has no sample times: samples are only counted']),
      ],
    });
    for (const [n, node] of nodes.entries()) this.write(part, node, costs?.count[n] ?? node.hits, costs?.time[n] ?? 0, end);
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
  private costsOf(samples: readonly unknown[], end: number) {
    const count = new Float64Array(this.nodes.length);
    const time = new Float64Array(this.nodes.length);
    if (this.deltas.length !== samples.length)
      throw this.wrong(end, `timeDeltas of ${plural(samples.length, 'sample')}`, `${this.deltas.length}`);
    let now = this.startTime ?? 0;
    const taken = samples.map((sample, i) => {
      const node = this.numberOf.get(numberOf(sample) ?? Number.NaN);
      const delta = amountOf(this.deltas[i]);
      if (node === undefined || delta === undefined)
        throw this.wrong(end, `sample ${i} of a node, with a time`, `${shownOf(sample)} after ${shownOf(this.deltas[i])}`);
      now += delta;
      return { node, at: now };
    });
    taken.sort((a, b) => a.at - b.at);
    const last = Math.max(this.endTime ?? 0, taken.at(-1)?.at ?? 0);
    let all = 0;
    taken.forEach(({ node, at }, i) => {
      const length = (taken[i + 1]?.at ?? last) - at;
      count[node]++;
      time[node] += length;
      all += length;
    });
    return { count, time, each: taken.length > 0 ? all / taken.length : 0 };
  }

  /** Writes the stack of a node with its own cost, by lines where they are known: its time is shared out by its ticks. */
  private write(part: number, node: Node, count: number, time: number, end: number): void {
    if (node.frame < 0 || (count === 0 && time === 0)) return;
    const ticks = node.ticks.reduce((n, [, c]) => n + c, 0);
    // Ticks of a file cut in two profiles, or none: then no line is known.
    const lines: readonly (readonly [number, number])[] = ticks === count && ticks > 0 ? node.ticks : [[0, count]];
    const stack = this.stackOf(node, end);
    for (const [line, of] of lines) {
      stack[0] = this.writer.frameOf({ ...node.names, line });
      const row = this.writer.row(part, stack, stack.length);
      this.writer.addTo(0, row, of);
      this.writer.addTo(1, row, count === 0 ? time : (time * of) / count);
    }
  }

  /** Room for the frame of a node, and the frames of its callers, the innermost first. */
  private stackOf(node: Node, end: number): Uint32Array {
    const { nodes } = this;
    this.parents ??= Int32Array.from(nodes, ({ id, parent }) => this.numberOf.get(this.parentOf.get(id) ?? parent) ?? -1);
    let depth = 1;
    let steps = 0;
    for (let n = this.parents[this.numberOf.get(node.id) ?? -1]; n >= 0; n = this.parents[n]) {
      if (++steps > nodes.length) throw this.wrong(end, 'a tree of nodes', `node ${node.id} below itself`);
      if (nodes[n].frame < 0) continue;
      if (depth === this.stack.length) this.stack = enlarged(this.stack, 2 * depth);
      this.stack[depth++] = nodes[n].frame;
    }
    return this.stack.subarray(0, depth);
  }
}

function ticksOf(tick: unknown): (readonly [number, number])[] {
  const [line, count] = isObject(tick) ? [numberOf(tick['line']), amountOf(tick['ticks'])] : [];
  return line !== undefined && count !== undefined && line > 0 && line < 2 ** 31 && count > 0 ? [[line, count]] : [];
}

export const cpuprofile: Loader = {
  name: 'cpuprofile',
  title: '.cpuprofile of V8 (Node, Chrome)',
  provides: ['routines', 'calls', 'trees', 'lines'],
  alone: true,
  make: 'node --cpu-prof program.js',
  fileNames: /\.cpuprofile(\.gz)?$/,
  detect,
  load: loadsObject('nodes', Reader),
};
