// Adds up the work of one clang compile from its -ftime-trace, by header, template, function and phase. No slices are kept.
// clang 14 writes all slices with durations; clang 19 and later write `Source` as pairs of asynchronous begins and ends.
// Times are whole microseconds, so a slice may end one microsecond after the slice that contains it.

import { addToList, getOrMake } from '../../base/lists.ts';
import { normalizedPath } from '../../base/paths.ts';
import { templateSetBytes } from '../../base/template-set.ts';
import { finishColumns, GrowableColumn, growableTable, mergeRuns, Numbering } from '../../model/column.ts';
import type { PhaseCosts, RepeatedWork } from '../../model/steps/compiles.ts';
import { Interner, type Strings } from '../../model/strings.ts';
import type { LoaderTask } from '../loader.ts';
import { isObject, type JsonResult, numberOf, textOf } from '../shared/json.ts';
import { ListSplitter, type ValueReader } from '../shared/json-object.ts';
import { TraceEventScan } from './scan.ts';

/** Sums by name. The names are indexes into `strings`. */
export type SumsByName = Pick<RepeatedWork, 'name' | 'us' | 'selfUs' | 'count'>;

/** Sums of a trace as plain data, so that a thread can send them. */
export interface CompileSums {
  readonly strings: Strings;
  /** Start of the trace in microseconds since 1970; NaN if the file does not record it. */
  readonly beginningUs: number;
  /** Start of the compiler, relative to the trace's start, and its duration. */
  readonly startUs: number;
  readonly totalUs: number;
  readonly frontendUs: number;
  readonly backendUs: number;
  /** Include tree: parents before children; each node has the time of its own `Source` slices. */
  readonly includes: SumsByName & { readonly parent: Int32Array };
  readonly templates: SumsByName;
  readonly templateSets: SumsByName;
  readonly optimized: SumsByName;
  readonly generated: SumsByName;
  readonly phases: SumsByName & Partial<PhaseCosts>;
}

const SOURCE_FILE = /\.(c|cc|cp|cpp|cxx|c\+\+|C|m|mm|M|cu|cl|s|S|ii|i)$/;

/** A table of sums by name, with columns that grow. */
export class SumTable {
  readonly name = new GrowableColumn(Uint32Array, 64);
  readonly us = new GrowableColumn(Float64Array, 64);
  readonly selfUs = new GrowableColumn(Float64Array, 64);
  readonly count = new GrowableColumn(Float64Array, 64);
  private readonly rows = new Numbering<number>();

  /** The row of a key, by default the name; added if new. */
  row(name: number, key = name): number {
    const row = this.rows.numberOf(key);
    if (row === this.name.length) {
      this.name.push(name);
      this.addZeros();
    }
    return row;
  }

  /** Adds a row of zeros to the columns other than the name. */
  protected addZeros(): void {
    for (const column of [this.us, this.selfUs, this.count]) column.push(0);
  }
}

/** An open slice, and the open rows of the tables in which it is counted. */
interface OpenSlice {
  readonly endUs: number;
  readonly counted: OpenRows[];
}

/** The rows of a table that have open slices, innermost last, and the number of open slices of each row. */
class OpenRows {
  readonly rows: number[] = [];
  private readonly times: number[] = [];

  has(row: number): boolean {
    return this.times[row] > 0;
  }

  push(row: number): void {
    this.rows.push(row);
    this.times[row] = (this.times[row] ?? 0) + 1;
  }

  pop(): void {
    const row = this.rows.pop();
    if (row !== undefined) this.times[row]--;
  }
}

/** The open slices of a thread, outermost first. */
class OpenSlices {
  private readonly slices: OpenSlice[] = [];
  private readonly tables = new Map<SumTable, OpenRows>();

  openRowsOf(sum: SumTable): OpenRows {
    return getOrMake(this.tables, sum, () => new OpenRows());
  }

  /** Opens a slice, and closes those that end before it starts, or before it ends. */
  open(us: number, endUs: number): OpenSlice {
    const { slices } = this;
    for (let top = slices.at(-1); top && (top.endUs <= us || top.endUs + 1 < endUs); top = slices.at(-1)) {
      for (const open of top.counted) open.pop();
      slices.pop();
    }
    const slice: OpenSlice = { endUs, counted: [] };
    slices.push(slice);
    return slice;
  }
}

/** Reads the events of a compiler's trace. */
export class CompileTraceReader implements ValueReader {
  private readonly strings = new Interner();
  private readonly scan = new TraceEventScan();
  private readonly at = growableTable({
    ...{ us: Float64Array, took: Float64Array, tid: Float64Array },
    ...{ name: Int32Array, detail: Int32Array },
  });
  /** By name: rows of begins without an end. */
  private readonly openBegins = new Map<number, number[]>();
  private readonly sets = new Map<number, number>();
  private readonly paths = new Map<number, number>();
  private beginningUs = Number.NaN;
  /** True for invalid JSON. */
  isRefused = false;

  refuse(): void {
    this.isRefused = true;
  }

  readMember(key: string, value: unknown): void {
    if (key === 'beginningOfTime') this.beginningUs = numberOf(value) ?? Number.NaN;
  }

  /** Reads a plain event and returns its end; -1 if it is not plain. */
  readPlainElement(bytes: Uint8Array, from: number, end: number): number {
    const { scan, strings } = this;
    const to = scan.scan(bytes, from, end);
    if (to < 0 || scan.name.from < 0) return -1;
    if (scan.phase !== 88 || scan.hasCount || !(scan.dur >= 0)) return scan.phase === 88 && scan.hasCount ? to : -1;
    const name = strings.bytesId(bytes, scan.name.from, scan.name.to);
    const detail = scan.detail.from < 0 ? -1 : strings.bytesId(bytes, scan.detail.from, scan.detail.to);
    this.push(scan.ts, scan.dur, scan.tid, name, detail);
    return to;
  }

  readElement({ value: event }: JsonResult): void {
    if (!isObject(event)) return;
    const { ph, args } = event;
    const [us, took, word] = [numberOf(event['ts']), numberOf(event['dur']), textOf(event['name'])];
    if (us === undefined || word === undefined || (isObject(args) && 'count' in args)) return;
    const name = this.strings.textId(word);
    const text = isObject(args) ? textOf(args['detail']) : undefined;
    const detail = text === undefined ? -1 : this.strings.textId(text);
    const tid = numberOf(event['tid']) ?? 0;
    if (ph === 'X' && took !== undefined && took >= 0) this.push(us, took, tid, name, detail);
    else if (ph === 'b' || ph === 'B') {
      addToList(this.openBegins, name, this.push(us, Number.NaN, tid, name, detail));
    } else if (ph === 'e' || ph === 'E') {
      const row = this.openBegins.get(name)?.pop();
      if (row !== undefined) this.at.took.data[row] = Math.max(0, us - this.at.us.data[row]);
    }
  }

  private push(us: number, took: number, tid: number, name: number, detail: number): number {
    const { at } = this;
    at.us.push(us);
    at.took.push(took);
    at.tid.push(tid || 0);
    at.name.push(name);
    at.detail.push(detail);
    return at.us.length - 1;
  }

  /** The sums of the events read; undefined if they are not a compiler's. */
  buildSums(): CompileSums | undefined {
    const { at, strings } = this;
    const tables = new CompileTables();
    const times = { startUs: Number.NaN, totalUs: 0, frontendUs: 0, backendUs: 0 };
    const [compiler, frontend, backend] = ['ExecuteCompiler', 'Frontend', 'Backend'].map((name) => strings.textId(name));
    const kinds = new Map(Object.entries(KIND_BY_SLICE_NAME).map(([name, kind]) => [strings.textId(name), kind]));
    const order = mergeRuns(at.us.done(), at.took.done());
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = 0; k < at.us.length; k++) {
      const i = order ? order[k] : k;
      const [us, took, name] = [at.us.data[i], at.took.data[i], at.name.data[i]];
      // A begin without an end is skipped, because its duration is unknown.
      if (Number.isNaN(took)) continue;
      first = Math.min(first, us);
      last = Math.max(last, us + took);
      if (name === compiler) {
        times.startUs = us;
        times.totalUs += took;
      } else if (name === frontend) times.frontendUs += took;
      else if (name === backend) times.backendUs += took;
      this.countSlice(tables, i, kinds.get(name));
    }
    // Older compilers write no slice that covers the whole compile.
    if (Number.isNaN(times.startUs) && last > first) Object.assign(times, { startUs: first, totalUs: last - first });
    if (times.frontendUs === 0 && times.backendUs === 0) return undefined;
    return { ...times, beginningUs: this.beginningUs, strings: strings.finish(), ...tables.done() };
  }

  /** Counts a slice in its tables; slices come in the order of their starts. */
  private countSlice(tables: CompileTables, i: number, kind: SliceKind | undefined): void {
    const { at, strings } = this;
    const [us, took, name, detail] = [at.us.data[i], at.took.data[i], at.name.data[i], at.detail.data[i]];
    const around = getOrMake(tables.threads, at.tid.data[i], () => new OpenSlices());
    const slice = around.open(us, us + took);
    tables.addSlice(around, slice, took, tables.phases, tables.phases.row(name));
    if (detail >= 0) {
      if (kind === 'source' && !SOURCE_FILE.test(strings.text(detail))) {
        // A header's path without `..`: compilers write the same header in several ways.
        const path = getOrMake(this.paths, detail, () => strings.textId(normalizedPath(strings.text(detail))));
        tables.addSlice(around, slice, took, tables.includes, tables.nodeOfInclude(around, path));
      } else if (kind === 'template') {
        tables.addSlice(around, slice, took, tables.templates, tables.templates.row(detail));
        const set = tables.templateSets.row(getOrMake(this.sets, detail, () => strings.changedId(detail, templateSetBytes)));
        // A set is instantiated once, whichever of its templates causes the instantiation.
        if (!around.openRowsOf(tables.templateSets).has(set)) tables.addSlice(around, slice, took, tables.templateSets, set);
      } else if (kind === 'optimized' || kind === 'generated')
        tables.addSlice(around, slice, took, tables[kind], tables[kind].row(detail));
    }
  }
}

type SliceKind = 'source' | 'template' | 'optimized' | 'generated';

/** By slice name: the kind of table that counts the slices, in addition to the phases. */
const KIND_BY_SLICE_NAME: Readonly<Record<string, SliceKind>> = {
  Source: 'source',
  InstantiateClass: 'template',
  InstantiateFunction: 'template',
  OptFunction: 'optimized',
  'CodeGen Function': 'generated',
};

/** All sums of a trace, and the open slices of each thread. */
class CompileTables {
  readonly includes = new SumTable();
  private readonly parent = new GrowableColumn(Int32Array, 64);
  readonly templates = new SumTable();
  readonly templateSets = new SumTable();
  readonly optimized = new SumTable();
  readonly generated = new SumTable();
  readonly phases = new SumTable();
  readonly threads = new Map<number, OpenSlices>();

  nodeOfInclude(around: OpenSlices, header: number): number {
    const above = around.openRowsOf(this.includes).rows.at(-1) ?? -1;
    const had = this.includes.name.length;
    const node = this.includes.row(header, (above + 1) * 2 ** 26 + header);
    if (node === had) this.parent.push(above);
    return node;
  }

  /** Counts a slice. Inside a slice of the same row it adds no inclusive time, which is already counted. */
  addSlice(around: OpenSlices, slice: OpenSlice, took: number, sum: SumTable, row: number): void {
    const open = around.openRowsOf(sum);
    if (!open.has(row)) sum.us.data[row] += took;
    sum.selfUs.data[row] += took;
    sum.count.data[row]++;
    // Subtract the slice from the self time of the innermost enclosing slice.
    const outer = open.rows.at(-1);
    if (outer !== undefined) sum.selfUs.data[outer] -= took;
    open.push(row);
    slice.counted.push(open);
  }

  done() {
    return {
      includes: { ...finishColumns(this.includes), parent: this.parent.done() },
      templates: finishColumns(this.templates),
      templateSets: finishColumns(this.templateSets),
      optimized: finishColumns(this.optimized),
      generated: finishColumns(this.generated),
      phases: finishColumns(this.phases),
    };
  }
}

/** The sums of a trace; undefined if it is not a compiler's trace. */
export function sumCompileTrace(bytes: Uint8Array): CompileSums | undefined {
  const reader = new CompileTraceReader();
  const splitter = new ListSplitter('traceEvents', reader);
  splitter.take(bytes);
  return reader.isRefused || !splitter.found ? undefined : reader.buildSums();
}

/** Task for another thread: computes the sums of a file's bytes. */
export const sumTraceTask: LoaderTask<Uint8Array, CompileSums | undefined> = (bytes) => ({
  result: sumCompileTrace(bytes),
  transfer: [],
});
