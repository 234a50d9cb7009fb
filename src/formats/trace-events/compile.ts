// The work of one compile of clang, from its -ftime-trace: headers, templates, functions and phases, added up. Nothing of the
// trace itself is kept. Where traces depart from nested slices: clang 14 writes all slices with their durations, clang 19 and later write
// `Source` as pairs of asynchronous begins and ends; times are whole microseconds, so a slice may end one after what contains it.

import { addTo, getOrMake } from '../../base/lists.ts';
import { normalPath } from '../../base/paths.ts';
import { templateSetBytes } from '../../base/template-set.ts';
import { Grow } from '../../model/column.ts';
import { Numbering } from '../../model/groups.ts';
import { merged } from '../../model/steps/columns.ts';
import type { PhaseCosts } from '../../model/steps/compiles.ts';
import { Interner, type Strings } from '../../model/strings.ts';
import { done } from '../../model/table.ts';
import { isObject, numberOf, textOf } from '../shared/json.ts';
import { ListSplitter } from '../shared/json-list.ts';
import { EventScan } from './scan.ts';

/** Sums by name; the names are numbers of `strings`. */
export interface Sums {
  readonly name: Uint32Array;
  readonly us: Float64Array;
  readonly selfUs: Float64Array;
  readonly count: Float64Array;
}

/** Plain data, so that a thread can send it. */
export interface CompileSums {
  readonly strings: Strings;
  /** Microseconds since 1970; NaN if the file does not say. */
  readonly beginningUs: number;
  /** When the compiler started, from there on, and how long it ran. */
  readonly startUs: number;
  readonly totalUs: number;
  readonly frontendUs: number;
  readonly backendUs: number;
  /** Chains of includes: a node below its parent's, with the time of its own `Source` slices. */
  readonly includes: Sums & { readonly parent: Int32Array };
  readonly templates: Sums;
  readonly templateSets: Sums;
  readonly optimized: Sums;
  readonly generated: Sums;
  readonly phases: Sums & Partial<PhaseCosts>;
}

const SOURCES = /\.(c|cc|cp|cpp|cxx|c\+\+|C|m|mm|M|cu|cl|s|S|ii|i)$/;

/** Sums that grow. */
export class SumTable {
  readonly name = new Grow(Uint32Array, 64);
  readonly us = new Grow(Float64Array, 64);
  readonly selfUs = new Grow(Float64Array, 64);
  readonly count = new Grow(Float64Array, 64);
  private readonly rows = new Numbering<number>();

  /** `key`: what tells rows apart; the name, if nothing else. */
  row(name: number, key = name): number {
    const row = this.rows.of(key);
    if (row === this.name.length) {
      this.name.push(name);
      this.begin();
    }
    return row;
  }

  /** Adds a row to the columns beside the name. */
  protected begin(): void {
    for (const column of [this.us, this.selfUs, this.count]) column.push(0);
  }
}

/** A slice that contains the ones that come now, and the rows that its time counts for. */
interface Open {
  readonly endUs: number;
  readonly rows: { readonly sum: SumTable; readonly row: number }[];
}

/** The rows of a table whose slices are open, the innermost last, and how often each of them is. */
class OpenRows {
  readonly rows: number[] = [];
  private readonly times = new Map<number, number>();

  has(row: number): boolean {
    return this.times.has(row);
  }

  push(row: number): void {
    this.rows.push(row);
    this.times.set(row, (this.times.get(row) ?? 0) + 1);
  }

  pop(): void {
    const row = this.rows.pop();
    if (row === undefined) return;
    const times = (this.times.get(row) ?? 1) - 1;
    if (times > 0) this.times.set(row, times);
    else this.times.delete(row);
  }
}

/** The slices around the next one in a thread, the outermost first. */
class Around {
  private readonly slices: Open[] = [];
  private readonly tables = new Map<SumTable, OpenRows>();

  of(sum: SumTable): OpenRows {
    return getOrMake(this.tables, sum, () => new OpenRows());
  }

  /** Leaves the slices that have ended where one begins, or end before it does. */
  leave(us: number, endUs: number): void {
    const { slices } = this;
    for (let top = slices.at(-1); top && (top.endUs <= us || top.endUs + 1 < endUs); top = slices.at(-1)) {
      for (const { sum } of top.rows) this.of(sum).pop();
      slices.pop();
    }
  }

  enter(slice: Open): void {
    for (const { sum, row } of slice.rows) this.of(sum).push(row);
    this.slices.push(slice);
  }
}

class Reader {
  private readonly strings = new Interner();
  private readonly scan = new EventScan();
  private readonly at = {
    us: new Grow(Float64Array),
    took: new Grow(Float64Array),
    tid: new Grow(Float64Array),
    name: new Grow(Int32Array),
    detail: new Grow(Int32Array),
  };
  /** Rows of begins without an end, by name. */
  private readonly begun = new Map<number, number[]>();
  private readonly sets = new Map<number, number>();
  private readonly paths = new Map<number, number>();
  beginningUs = Number.NaN;

  /** Takes an event, and returns where it ends; -1 if it is not written plainly. */
  plain(bytes: Uint8Array, from: number, end: number): number {
    const { scan, strings } = this;
    const to = scan.scan(bytes, from, end);
    if (to < 0 || scan.name.from < 0) return -1;
    if (scan.phase !== 88 || scan.counted || !(scan.dur >= 0)) return scan.phase === 88 && scan.counted ? to : -1;
    const name = strings.bytesId(bytes, scan.name.from, scan.name.to);
    this.push(
      scan.ts,
      scan.dur,
      scan.tid,
      name,
      scan.detail.from < 0 ? -1 : strings.bytesId(bytes, scan.detail.from, scan.detail.to),
    );
    return to;
  }

  event(event: unknown): void {
    if (!isObject(event)) return;
    const { ph, args } = event;
    const [us, took, word] = [numberOf(event['ts']), numberOf(event['dur']), textOf(event['name'])];
    if (us === undefined || word === undefined || (isObject(args) && 'count' in args)) return;
    const name = this.strings.textId(word);
    const said = isObject(args) ? textOf(args['detail']) : undefined;
    const detail = said === undefined ? -1 : this.strings.textId(said);
    const tid = numberOf(event['tid']) ?? 0;
    if (ph === 'X' && took !== undefined && took >= 0) this.push(us, took, tid, name, detail);
    else if (ph === 'b' || ph === 'B') {
      addTo(this.begun, name, this.push(us, Number.NaN, tid, name, detail));
    } else if (ph === 'e' || ph === 'E') {
      const row = this.begun.get(name)?.pop();
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

  /** A path without what leads back up: compilers name one header in several ways. */
  private pathOf(detail: number): number {
    return getOrMake(this.paths, detail, () => this.strings.textId(normalPath(this.strings.text(detail))));
  }

  private setOf(detail: number): number {
    return getOrMake(this.sets, detail, () => this.strings.changedId(detail, templateSetBytes));
  }

  sums(): CompileSums {
    const { at, strings } = this;
    const tables = new Tables();
    const of = { startUs: Number.NaN, totalUs: 0, frontendUs: 0, backendUs: 0 };
    const [compiler, frontend, backend] = ['ExecuteCompiler', 'Frontend', 'Backend'].map((name) => strings.textId(name));
    const kinds = new Map(Object.entries(KINDS).map(([name, kind]) => [strings.textId(name), kind]));
    const order = merged(at.us.done(), at.took.done());
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = 0; k < at.us.length; k++) {
      const i = order ? order[k] : k;
      const [us, took, name] = [at.us.data[i], at.took.data[i], at.name.data[i]];
      // A begin without an end says nothing of how long it took.
      if (Number.isNaN(took)) continue;
      first = Math.min(first, us);
      last = Math.max(last, us + took);
      if (name === compiler) {
        of.startUs = us;
        of.totalUs += took;
      } else if (name === frontend) of.frontendUs += took;
      else if (name === backend) of.backendUs += took;
      this.count(tables, i, kinds.get(name));
    }
    // Older compilers have no slice for all of it.
    if (Number.isNaN(of.startUs) && last > first) Object.assign(of, { startUs: first, totalUs: last - first });
    return { ...of, beginningUs: this.beginningUs, strings: strings.finish(), ...tables.done() };
  }

  /** Counts a slice in its tables; slices come in the order of their starts. */
  private count(tables: Tables, i: number, kind: Kind | undefined): void {
    const { at, strings } = this;
    const [us, took, name, detail] = [at.us.data[i], at.took.data[i], at.name.data[i], at.detail.data[i]];
    const around = tables.around(at.tid.data[i]);
    around.leave(us, us + took);
    const slice: Open = { endUs: us + took, rows: [] };
    tables.count(around, slice, took, tables.phases, tables.phases.row(name));
    if (detail >= 0) {
      if (kind === 'source' && !SOURCES.test(strings.text(detail))) {
        tables.count(around, slice, took, tables.includes, tables.include(around, this.pathOf(detail)));
      } else if (kind === 'template') {
        tables.count(around, slice, took, tables.templates, tables.templates.row(detail));
        const set = tables.templateSets.row(this.setOf(detail));
        // A set is instantiated once, whichever of its templates that needs.
        if (!around.of(tables.templateSets).has(set)) tables.count(around, slice, took, tables.templateSets, set);
      } else if (kind === 'optimized' || kind === 'generated')
        tables.count(around, slice, took, tables[kind], tables[kind].row(detail));
    }
    around.enter(slice);
  }
}

type Kind = 'source' | 'template' | 'optimized' | 'generated';

/** The totals that slices of these names count for, beside their phase. */
const KINDS: Readonly<Record<string, Kind>> = {
  Source: 'source',
  InstantiateClass: 'template',
  InstantiateFunction: 'template',
  OptFunction: 'optimized',
  'CodeGen Function': 'generated',
};

/** All sums of a trace, and what is open in each of its threads. */
class Tables {
  readonly includes = new SumTable();
  private readonly parent = new Grow(Int32Array, 64);
  readonly templates = new SumTable();
  readonly templateSets = new SumTable();
  readonly optimized = new SumTable();
  readonly generated = new SumTable();
  readonly phases = new SumTable();
  private readonly threads = new Map<number, Around>();

  around(tid: number): Around {
    return getOrMake(this.threads, tid, () => new Around());
  }

  /** The node of a header, below the one around it: what it lies in tells it from others. */
  include(around: Around, header: number): number {
    const above = around.of(this.includes).rows.at(-1) ?? -1;
    const had = this.includes.name.length;
    const node = this.includes.row(header, (above + 1) * 2 ** 26 + header);
    if (node === had) this.parent.push(above);
    return node;
  }

  /** A slice in one of the same row adds no time: that one has it already. */
  count(around: Around, slice: Open, took: number, sum: SumTable, row: number): void {
    const open = around.of(sum);
    if (!open.has(row)) sum.us.data[row] += took;
    sum.selfUs.data[row] += took;
    sum.count.data[row]++;
    // The contents of the innermost one around it are not its alone.
    const outer = open.rows.at(-1);
    if (outer !== undefined) sum.selfUs.data[outer] -= took;
    slice.rows.push({ sum, row });
  }

  done() {
    return {
      includes: { ...done(this.includes), parent: this.parent.done() },
      templates: done(this.templates),
      templateSets: done(this.templateSets),
      optimized: done(this.optimized),
      generated: done(this.generated),
      phases: done(this.phases),
    };
  }
}

/** The sums of a trace; undefined for what is none of a compiler. */
export function compileSums(bytes: Uint8Array): CompileSums | undefined {
  const reader = new Reader();
  let wrong = false;
  const splitter = new ListSplitter('traceEvents', {
    element: (json) => {
      if (json.wrong === undefined) reader.event(json.value);
    },
    quick: (piece, at, end) => reader.plain(piece, at, end),
    member: (key, json) => {
      if (key === 'beginningOfTime' && json.wrong === undefined) reader.beginningUs = numberOf(json.value) ?? Number.NaN;
    },
    wrong: () => {
      wrong = true;
    },
  });
  splitter.take(bytes);
  if (wrong || !splitter.found) return undefined;
  const sums = reader.sums();
  return sums.frontendUs > 0 || sums.backendUs > 0 ? sums : undefined;
}

/** For a thread: the sums of a file's bytes. */
export function compileTask(bytes: Uint8Array): {
  readonly result: CompileSums | undefined;
  readonly transfer: readonly ArrayBuffer[];
} {
  return { result: compileSums(bytes), transfer: [] };
}
