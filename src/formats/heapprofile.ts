// Loads .heapprofile: V8's sampling heap profiler, as written by Node (--heap-prof) and by browsers' developer tools.
// Specification: https://chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#type-SamplingHeapProfile.
// The file has a deeply nested tree of calls with the bytes still in use by node, and a list of the sampled objects.
// The file is read in pieces and nesting is unlimited: a node goes into tables when its braces open and close.
//   {"head":{"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"selfSize":0,"id":1,"children":[{…}]},
//    "samples":[{"size":4800,"nodeId":278,"ordinal":599}]}
// In real files, V8 has scaled bytes up to all allocations, for nodes and single objects separately, so sums differ a little.
// Objects allocated while the profile was written refer to nodes that are not in the tree. Older files have no samples.
import { plural } from '../base/units.ts';
import { GrowableColumn, growableTable, pushRow } from '../model/column.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import type { Detection, Loader } from './loader.ts';
import { amountOf, isBlank, isObject, type JsonResult, jsonExcerpt, keyAt, numberOf, readJson, valueEnd } from './shared/json.ts';
import { byteOrderMarkLength, headText, makePieceLoader, StackReader } from './shared/stream.ts';
import { isRootFrame, v8Names } from './shared/v8-frame.ts';

const [COMMA, QUOTE, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [44, 34, 123, 125, 91, 93];

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  return /^\s{0,99}\{/.test(text) && /"head"\s{0,9}:\s{0,9}\{/.test(text) && /"selfSize"\s{0,9}:/.test(text) ? 'yes' : 'no';
}

const ROOT_FRAME = -1;
const UNKNOWN_FRAME = -2;

class HeapprofileReader extends StackReader {
  /** The state at the next byte: before the object, the object, a node, its children, the samples, or the end of the file. */
  private state: 'start' | 'file' | 'node' | 'children' | 'samples' | 'end' = 'start';
  /** Bytes of the file consumed so far. */
  private offset = 0;
  /** The innermost open node; -1 outside of the tree. */
  private node = -1;
  /** By node: its caller (-1 for the root), frame, bytes (NaN until known) and id. */
  private readonly nodes = growableTable({ parent: Int32Array, frame: Int32Array, space: Float64Array, id: Float64Array });
  /** Sampled objects by the id of their node; undefined if the file has no samples. */
  private sampled: Map<number, number> | undefined;
  private readonly stack = new GrowableColumn(Uint32Array);

  /** Consumes complete values and separators; returns the number of bytes consumed. */
  take(bytes: Uint8Array): number {
    const end = bytes.length;
    // The byte-order mark has three bytes, so wait until all three are there.
    if (this.offset === 0 && bytes[0] === 0xef && end < 3) return 0;
    let at = this.offset === 0 ? byteOrderMarkLength(bytes) : 0;
    for (;;) {
      while (at < end && (isBlank(bytes[at]) || bytes[at] === COMMA)) at++;
      if (at >= end || this.state === 'end') break;
      const next = this.readNext(bytes, at, end);
      if (next < 0) break;
      at = next;
    }
    const used = this.state === 'end' ? end : at;
    this.offset += used;
    return used;
  }

  /** Reads a bracket or a value; returns the position after it, or -1 if the bytes end first. */
  private readNext(bytes: Uint8Array, at: number, end: number): number {
    const c = bytes[at];
    const { state } = this;
    if (state === 'samples' && c !== CLOSE_LIST) {
      const to = valueEnd(bytes, at, end);
      if (to === at) throw this.unexpectedError(bytes, at, 'a sample');
      if (to > 0) this.readSample(readJson(bytes, at, to), this.offset + at);
      return to;
    }
    if (state === 'start' || state === 'samples') {
      if (state === 'start' && c !== OPEN) throw this.unexpectedError(bytes, at, 'an object with head');
      this.state = 'file';
    } else if (state === 'children') {
      if (c !== OPEN && c !== CLOSE_LIST) throw this.unexpectedError(bytes, at, 'a node');
      if (c === OPEN) this.openNode();
      else this.state = 'node';
    } else {
      if (c === QUOTE) return this.readMember(bytes, at, end);
      if (c !== CLOSE) throw this.unexpectedError(bytes, at, 'a key');
      if (state === 'file') this.state = 'end';
      else this.closeNode(this.offset + at);
    }
    return at + 1;
  }

  private unexpectedError(bytes: Uint8Array, at: number, expected: string) {
    return this.error({ offset: this.offset + at }, expected, `"${String.fromCharCode(...bytes.subarray(at, at + 20))}"`);
  }

  /** Reads a member, or the bracket that opens the tree or a list; returns the position after it, or -1 if it is incomplete. */
  private readMember(bytes: Uint8Array, at: number, end: number): number {
    const found = keyAt(bytes, at, end);
    if (!found) return -1;
    const { key, value } = found;
    const inNode = this.state === 'node';
    const first = bytes[value];
    if (inNode && key === 'children' && first === OPEN_LIST) this.state = 'children';
    else if (!inNode && key === 'samples' && first === OPEN_LIST) {
      this.state = 'samples';
      this.sampled ??= new Map();
    } else if (!inNode && key === 'head' && first === OPEN && this.nodes.id.length === 0) this.openNode();
    else {
      const to = valueEnd(bytes, value, end);
      if (to >= 0 && inNode) this.readField(key, readJson(bytes, value, to), this.offset + value);
      return to;
    }
    return value + 1;
  }

  private openNode(): void {
    pushRow(this.nodes, { parent: this.node, frame: UNKNOWN_FRAME, space: Number.NaN, id: Number.NaN });
    this.node = this.nodes.id.length - 1;
    this.state = 'node';
  }

  private readField(key: string | undefined, json: JsonResult, offset: number): void {
    const { node, nodes, writer } = this;
    const { value } = json;
    if (key === 'callFrame') {
      if (!isObject(value)) throw this.error({ offset }, 'a callFrame', json.wrong ?? jsonExcerpt(value));
      const names = v8Names(value);
      nodes.frame.data[node] = isRootFrame(names) ? ROOT_FRAME : writer.frameOf(names);
    } else if (key === 'selfSize') {
      const size = amountOf(value);
      if (size === undefined || size < 0) throw this.error({ offset }, 'a selfSize in bytes', json.wrong ?? jsonExcerpt(value));
      nodes.space.data[node] = size;
    } else if (key === 'id') nodes.id.data[node] = numberOf(value) ?? Number.NaN;
  }

  private closeNode(offset: number): void {
    const { node, nodes } = this;
    if (nodes.frame.data[node] === UNKNOWN_FRAME || Number.isNaN(nodes.space.data[node]))
      throw this.error({ offset }, 'a node with a callFrame and a selfSize', 'one without');
    this.node = nodes.parent.data[node];
    this.state = this.node < 0 ? 'file' : 'children';
  }

  private readSample(json: JsonResult, offset: number): void {
    const id = isObject(json.value) ? numberOf(json.value['nodeId']) : undefined;
    if (id === undefined) throw this.error({ offset }, 'a sample with a nodeId', json.wrong ?? jsonExcerpt(json.value));
    this.sampled?.set(id, (this.sampled.get(id) ?? 0) + 1);
  }

  finish(rest: Uint8Array): void {
    const { sink, path, sampled, writer } = this;
    const end = { offset: this.offset + rest.length };
    if (this.state !== 'end') throw this.error(end, 'the end of the object', 'the end of the file');
    const { space, id } = this.nodes;
    const nodes = id.length;
    if (nodes === 0) throw this.error(end, 'an object with head', 'an object without it');
    let [all, samples] = [0, 0];
    for (let node = 0; node < nodes; node++) {
      const count = sampled?.get(id.data[node]) ?? 0;
      sampled?.delete(id.data[node]);
      this.writeStack(node, space.data[node], count);
      all += space.data[node];
      samples += count;
    }
    const lost = [...(sampled?.values() ?? [])].reduce((sum, n) => sum + n, 0);
    sink.addPart({
      path,
      events: sampled ? ['inuse_space', 'samples'] : ['inuse_space'],
      notes: [
        `${sampled ? `${plural(samples, 'sampled object')}, ` : ''}${plural(nodes, 'node')}; bytes are V8's estimates of all objects`,
        ...(lost > 0 ? [`left out: ${plural(lost, 'sampled object')} of nodes that are not in the tree`] : []),
      ],
    });
    if (all === 0)
      this.warn(end, 'memory in use', 'no sampled object in use; node --heap-prof-interval=BYTES samples more often');
    const bytes: RecordedType = { ...BYTES_TYPE, ofSamples: samples + (writer.types[0]?.ofSamples ?? 0) };
    writer.types = sampled ? [bytes, SAMPLES_TYPE] : [bytes];
    sink.creator ??= 'V8';
  }

  private writeStack(node: number, space: number, count: number): void {
    if (space === 0 && count === 0) return;
    const { writer, part, stack } = this;
    const { frame, parent } = this.nodes;
    stack.length = 0;
    for (let n = node; n >= 0; n = parent.data[n]) if (frame.data[n] !== ROOT_FRAME) stack.push(frame.data[n]);
    if (stack.length === 0) stack.push(writer.frame('(root)'));
    const row = writer.row(part, stack.data, stack.length);
    writer.addTo(BYTES_TYPE.column, row, space);
    writer.addTo(SAMPLES_TYPE.column, row, count);
  }
}

const BYTES_TYPE: RecordedType = { name: 'inuse_space', unit: 'bytes', longName: 'bytes in use', column: 0 };
const SAMPLES_TYPE: RecordedType = { name: 'samples', unit: 'samples', longName: 'sampled objects in use', each: 1, column: 1 };

export const heapprofile: Loader = {
  name: 'heapprofile',
  title: '.heapprofile of V8 (Node, Chrome): bytes in use by stack, sampled',
  provides: ['routines', 'calls', 'trees', 'lines'],
  make: 'node --heap-prof program.js',
  fileNames: /\.heapprofile(\.gz)?$/,
  detect,
  load: makePieceLoader(HeapprofileReader, 'value'),
};
