// Loads Massif files of Valgrind (--tool=massif): heap snapshots, some with a tree of the callers of the allocation functions.
// Valgrind's xtree files (`.ms`) have the same form. https://valgrind.org/docs/manual/ms-manual.html; ms_print.
//   snapshot=36
//   time=146359
//   mem_heap_B=20625
//   mem_heap_extra_B=415
//   mem_stacks_B=0
//   heap_tree=peak
//   n2: 20625 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
//    n1: 20000 0x1091F0: block (stages.c:9)
//     n0: 20000 0x10930C: load (stages.c:25)
//    n0: 625 in 7 places, all below massif's threshold (1.00%)
// In real files, arguments of a command may contain line breaks, and the children of a node may add up to less than the node.
// A program that never frees memory has no peak. The snapshots of an xtree file are several sums of one moment.
import { formatCount, plural } from '../base/units.ts';
import { GrowableColumn, growColumn } from '../model/column.ts';
import type { RecordedType } from '../model/stacks/samples.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import { headText, makeLineLoader, StackReader } from './shared/stream.ts';
import { parseValgrindFrame } from './shared/valgrind-frame.ts';

const detect = (head: Uint8Array): Detection => (/^desc: .*\r?\ncmd: [\s\S]*?\ntime_unit: /.test(headText(head)) ? 'yes' : 'no'); // bounded: the head of a file

const SPACE = 32;
const CARRIAGE_RETURN = 13;

/** The fields of a snapshot, one line each, in this order. */
const SNAPSHOT_FIELDS = ['snapshot', 'time', 'mem_heap_B', 'mem_heap_extra_B', 'mem_stacks_B', 'heap_tree'] as const;
const TREE_KINDS: ReadonlySet<string> = new Set(['empty', 'detailed', 'peak']);
const NODE_LINE = /^n(\d{1,9}): (\d{1,16}) (.+)$/s;
const REST_NODE = /^in \d{1,20} places?, (?:all )?below massif's threshold \(/;
/** The root of a tree in an xtree file, such as `curB : currently allocated Bytes`. */
const XTREE_ROOT = /^(\w{1,40}) : (.{1,200})$/;

const TIME_UNITS = new Map(Object.entries({ i: 'instructions', B: 'bytes allocated and freed' }));

const HEAP_TYPE: RecordedType = { name: 'inuse_space', unit: 'bytes', longName: 'bytes on the heap', column: 0 };
const PAGES_TYPE: RecordedType = { ...HEAP_TYPE, longName: 'bytes of mapped pages' };

type Snapshot = Readonly<Record<'number' | 'time' | 'heap' | 'extra' | 'stacks', number> & { isPeak: boolean }>;

interface HeapNode {
  readonly frame: number;
  readonly depth: number;
  /** Number of direct children that have not been read yet. */
  children: number;
  /** Bytes of the node minus the bytes of its children read so far. */
  rest: number;
}

class MassifReader extends StackReader {
  private command = '';
  private timeUnit: string | undefined;
  private count = 0;
  /** The snapshot with the most bytes, detailed or not. */
  private largest = { number: 0, heap: -1 };
  private readonly detailed: Snapshot[] = [];
  /** Columns of all snapshots: number, time, heap, extra and stack bytes. */
  private readonly moments = [0, 1, 2, 3, 4].map(() => new GrowableColumn(Float64Array));
  private readonly partOf = new GrowableColumn(Int32Array);
  private peak = -1;
  private readonly values: number[] = [];
  private treeKind: string | undefined;
  private rootText = '';
  private nodes: HeapNode[] = [];
  /** The ancestors of the next node, from the root down. */
  private readonly openNodes: HeapNode[] = [];
  private stack = new Uint32Array(64);
  private readonly sums: RecordedType[] = [];

  readLine(bytes: Uint8Array, from: number, end: number): void {
    this.lineNo++;
    const to = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (this.treeKind !== undefined) return this.readNode(bytes, from, to);
    const text = decodeBytes(bytes, from, to);
    if (this.timeUnit === undefined) this.readHeader(text);
    else if (text !== '' && !text.startsWith('#')) this.readField(text);
  }

  private readHeader(text: string): void {
    const key = ['desc: ', 'cmd: '][this.lineNo - 1] ?? '';
    if (!text.startsWith(key)) throw this.lineError(`"${key}"`, text);
    this.checkLimit('name', this.command.length + text.length, this.position);
    if (this.lineNo > 2 && text.startsWith('time_unit: ')) this.timeUnit = text.slice('time_unit: '.length);
    else if (this.lineNo > 1) this.command += this.lineNo === 2 ? text.slice(key.length) : `\n${text}`;
    else if (text !== 'desc: (none)') this.sink.notes.push(text);
  }

  private readField(text: string): void {
    const { values } = this;
    const key = SNAPSHOT_FIELDS[values.length];
    const value = text.startsWith(`${key}=`) ? text.slice(key.length + 1) : '';
    if (key !== 'heap_tree') {
      if (!isExactAmount(value)) throw this.lineError(`${key}= with a whole number below 2^53`, text);
      values.push(Number(value));
      return;
    }
    if (!TREE_KINDS.has(value)) throw this.lineError('heap_tree= with empty, detailed or peak', text);
    this.count++;
    const [number, , heap] = values;
    if (heap > this.largest.heap) this.largest = { number, heap };
    for (const [k, amount] of values.entries()) this.moments[k].push(amount);
    if (value === 'peak') this.peak = this.partOf.length;
    this.partOf.push(value === 'empty' ? -1 : this.part + this.detailed.length);
    if (value === 'empty') values.length = 0;
    else this.treeKind = value;
  }

  private readNode(bytes: Uint8Array, from: number, to: number): void {
    const { openNodes, nodes } = this;
    let at = from;
    while (at < to && bytes[at] === SPACE) at++;
    const depth = at - from;
    const text = decodeBytes(bytes, at, to);
    const [, children, value = '', name] = NODE_LINE.exec(text) ?? [];
    if (!isExactAmount(value)) throw this.lineError('a node, such as n0: 20000 0x1093C8: main (stages.c:33)', text);
    if (depth !== openNodes.length)
      throw this.error(this.position, `a node behind ${plural(openNodes.length, 'blank')}`, `one behind ${formatCount(depth)}`);
    this.checkLimit('name', name.length, this.position);
    const above = openNodes.at(-1);
    const rest = Number(value);
    if (above) {
      if (rest > above.rest) throw this.lineError(`at most ${above.rest} bytes, the rest of the node above`, text);
      above.rest -= rest;
      above.children--;
    } else {
      const [, , heap] = this.values;
      this.rootText = name;
      const found = `a tree of ${rest} bytes, while mem_heap_B is ${heap}`;
      if (rest !== heap) this.warn(this.position, 'a tree of as many bytes as mem_heap_B', found);
    }
    const node = { frame: above ? this.frameAt(name) : 0, depth, children: Number(children), rest };
    nodes.push(node);
    openNodes.push(node);
    while (openNodes.at(-1)?.children === 0) openNodes.pop();
    if (openNodes.length === 0) this.endTree();
  }

  private frameAt(name: string): number {
    return REST_NODE.test(name) ? this.writer.frame("(below massif's threshold)") : this.writer.frameOf(parseValgrindFrame(name));
  }

  /** Writes the stacks of a complete tree: one per node with bytes that no child accounts for. The root is not a frame. */
  private endTree(): void {
    const { writer, values, detailed } = this;
    const sum = this.sumOf(this.rootText);
    const part = sum ? this.part : this.part + detailed.length;
    for (const { frame, depth, rest } of this.nodes) {
      if (depth > this.stack.length) this.stack = growColumn(this.stack, 2 * depth);
      if (depth > 0) this.stack[depth - 1] = frame;
      if (rest === 0) continue;
      const row =
        depth > 0 ? writer.row(part, this.stack, depth) : writer.row(part, Uint32Array.of(writer.frame('(no stack)')), 1);
      writer.addTo(sum?.column ?? 0, row, rest);
    }
    const [number, time, heap, extra, stacks] = values;
    detailed.push({ number, time, heap, extra, stacks, isPeak: this.treeKind === 'peak' });
    values.length = 0;
    this.nodes = [];
    this.treeKind = undefined;
  }

  /** The type of the sum that an xtree file's tree shows; undefined for a tree of Massif. */
  private sumOf(root: string): RecordedType | undefined {
    const { sums, detailed, lineNo: line } = this;
    const [, name, longName] = XTREE_ROOT.exec(root) ?? [];
    if (sums.length !== (name === undefined ? 0 : detailed.length) || sums.some((s) => s.name === name))
      throw this.error({ line }, 'only trees of Massif, or each sum of an xtree file once', `one of "${root.slice(0, 100)}"`);
    if (name === undefined) return undefined;
    this.checkLimit('events', sums.length + 1, { line });
    const sum: RecordedType = { name, longName, unit: /\bbytes\b/i.test(longName) ? 'bytes' : 'count', column: sums.length };
    sums.push(sum);
    return sum;
  }

  finish(rest: Uint8Array): void {
    const { sink, path, command, detailed, sums, lineNo } = this;
    if (this.timeUnit === undefined)
      throw this.error({ line: lineNo + 1 }, 'a header with desc:, cmd: and time_unit:', 'the end of the file');
    if (this.values.length > 0 || rest.length > 0)
      this.markCut({ line: lineNo + 1 }, 'the rest of a snapshot', 'the file was cut off: only whole snapshots are shown');
    if (this.count === 0)
      throw this.error({ line: Math.max(1, lineNo) }, 'a snapshot', `none${sink.cut ? ', in a file that was cut off' : ''}`);
    if (detailed.length === 0) this.addUndetailed();
    sink.command ??= command;
    sink.creator ??= sums.length > 0 ? 'Valgrind' : 'Massif';
    this.writer.types = sums.length > 0 ? sums : [this.rootText.startsWith('(page ') ? PAGES_TYPE : HEAP_TYPE];
    if (sums.length === 0) this.addSnapshots();
    else sink.addPart({ path, command, events: sums.map((s) => s.name), totals: detailed.map((s) => s.heap) });
  }

  /** Without detailed snapshots, the one with the most bytes is shown as one frame, since no stacks are recorded. */
  private addUndetailed(): void {
    const { moments, largest } = this;
    const row = moments[0].done().indexOf(largest.number);
    this.values.push(...moments.map((column) => column.data[row]));
    this.nodes = [{ frame: this.writer.frame('(stacks not recorded)'), depth: 1, children: 0, rest: largest.heap }];
    this.endTree();
    this.warn(
      { line: Math.max(1, this.lineNo) },
      'a detailed snapshot',
      `${plural(this.count, 'snapshot')}, none of them detailed: sizes only (valgrind --tool=massif --detailed-freq=1 records stacks)`,
    );
  }

  /** Adds each detailed snapshot as a part. The peak comes first; a sum of snapshots would count blocks several times. */
  private addSnapshots(): void {
    const { sink, path, command, detailed, largest, timeUnit = '' } = this;
    // A peak may consist only of stack memory, without heap.
    const rank = ({ isPeak, heap }: Snapshot) => (isPeak && heap > 0 ? Number.POSITIVE_INFINITY : heap);
    const shown = detailed.reduce((best, s) => (rank(s) > rank(best) ? s : best));
    detailed.forEach((s, n) => {
      const at = `${formatCount(s.time)} ${TIME_UNITS.get(timeUnit) ?? timeUnit}`;
      sink.addPart({
        path,
        part: n + 1,
        command,
        events: [HEAP_TYPE.name],
        totals: [s.heap],
        ...(s === shown ? {} : { older: true }),
        notes: [
          `Trigger: snapshot ${s.number}${s.isPeak ? ' (peak)' : ''} at ${at}; extra ${formatCount(s.extra)}, stacks ${formatCount(s.stacks)}`,
        ],
      });
    });
    // The tree of the last snapshot was cut off, so that snapshot is removed.
    if (this.treeKind !== undefined) for (const column of [...this.moments, this.partOf]) column.length--;
    const [number, time, heap, extra, stacks] = this.moments.map((column) => column.done());
    this.writer.snapshots = {
      ...{ timeUnit: TIME_UNITS.get(timeUnit) ?? timeUnit, number, time, heap, extra, stacks },
      ...{ part: this.partOf.done(), peak: this.peak < this.partOf.length ? this.peak : -1 },
    };
    const larger =
      largest.heap > shown.heap ? `; snapshot ${largest.number} has the most bytes, ${formatCount(largest.heap)}` : '';
    sink.notes.push(
      `${plural(this.count, 'snapshot')}, ${this.partOf.done().filter((of) => of >= 0).length} of them detailed: snapshot ${shown.number}, the ${shown.isPeak ? 'peak' : 'largest of these'}, is shown${larger}`,
    );
  }
}

const isExactAmount = (text: string): boolean => /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));

export const massif: Loader = {
  name: 'massif',
  title: "Massif of Valgrind: the heap by stack at its peak and other moments; Valgrind's xtree files (.ms)",
  provides: ['routines', 'calls', 'trees', 'lines', 'snapshots'],
  make: 'valgrind --tool=massif ./program',
  fileNames: /^(massif\.(vgdb\.)?out.*|.*\.massif\.out.*|xtmemory\.ms.*)$/, // bounded: a file name
  detect,
  load: makeLineLoader(MassifReader),
};
