// Reads the traces of many compiles, on several threads, and adds up their times of headers, templates, functions and phases.
import { getOrMake } from '../../base/lists.ts';
import { finishColumns, GrowableColumn, growableTable, Numbering, pushRow, SparseColumn } from '../../model/column.ts';
import type { Compiles, PhaseCosts } from '../../model/steps/compiles.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { Interner } from '../../model/strings.ts';
import type { Folder, Threads } from '../loader.ts';
import { type CompileSums, type SumsByName, SumTable, sumCompileTrace } from './compile.ts';

/** A table of sums over all units, by name. */
class WorkTable extends SumTable {
  readonly units = new GrowableColumn(Uint32Array);
  readonly worst = new GrowableColumn(Uint32Array);
  /** By row: the time in its worst unit, the time in its last unit, and that last unit. */
  private readonly byUnit = growableTable({ worstUs: Float64Array, lastUs: Float64Array, last: Int32Array });

  protected override addZeros(): void {
    super.addZeros();
    for (const column of [this.units, this.worst, this.byUnit.worstUs, this.byUnit.lastUs]) column.push(0);
    this.byUnit.last.push(-1);
  }

  /** Adds times of a unit; units are added one after the other. `workUs`: the time that determines the worst unit. */
  add(name: number, unit: number, us: number, selfUs: number, count: number, workUs = us): number {
    const row = this.row(name);
    const { last, lastUs, worstUs } = this.byUnit;
    this.us.data[row] += us;
    this.selfUs.data[row] += selfUs;
    this.count.data[row] += count;
    if (last.data[row] !== unit) {
      last.data[row] = unit;
      lastUs.data[row] = 0;
      this.units.data[row]++;
    }
    lastUs.data[row] += workUs;
    if (lastUs.data[row] > worstUs.data[row] || this.units.data[row] === 1) {
      this.worst.data[row] = unit;
      worstUs.data[row] = lastUs.data[row];
    }
    return row;
  }
}

const PHASE_COSTS: readonly (keyof PhaseCosts)[] = ['userUs', 'systemUs', 'bytes'];

/** Adds rows with a value to a column until it has that many. */
function extendColumn(column: GrowableColumn<Float64Array>, rows: number, value: number): void {
  while (column.length < rows) column.push(value);
}

/** The compile totals of the build, shared by all files and folders of a run. */
export const compileTotalsOf = (rows: StepWriter): CompileTotals =>
  rows.compiles instanceof CompileTotals ? rows.compiles : new CompileTotals(rows.sink.strings);

/** Facts about a compiled unit that are not in its trace. */
interface UnitNote {
  readonly name: string;
  /** The path of the unit's trace; '' if it has none. */
  readonly trace: string;
  /** The row of the unit's step, in the order of writing; -1 if it has none. */
  readonly step: number;
}

/** A unit lists the phases with at least this share of its time. */
const MIN_PHASE_SHARE = 0.01;

class CompileTotals {
  private readonly headers = new WorkTable();
  private readonly templates = new WorkTable();
  private readonly templateSets = new WorkTable();
  private readonly functions = new WorkTable();
  /** Additional columns for functions. */
  private readonly generateUs = new SparseColumn(Float64Array, 0);
  private readonly generated = new SparseColumn(Float64Array, 0);
  private readonly phases = new WorkTable();
  /** Additional columns for phases; absent until a unit has such values. */
  private readonly phaseCosts: Partial<Record<keyof PhaseCosts, GrowableColumn<Float64Array>>> = {};
  private readonly units = growableTable({
    ...{ name: Uint32Array, trace: Int32Array, step: Int32Array },
    ...{ totalUs: Float64Array, frontendUs: Float64Array, backendUs: Float64Array },
  });
  private readonly uses = growableTable({ unit: Uint32Array, header: Uint32Array, us: Float64Array, selfUs: Float64Array });
  private readonly phaseUses = growableTable({ unit: Uint32Array, phase: Uint32Array, us: Float64Array });
  private readonly includes = growableTable({ header: Uint32Array, parent: Int32Array, us: Float64Array, count: Float64Array });
  /** Nodes of the include tree, by parent node and header. */
  private readonly nodes = new Numbering<number>();

  constructor(private readonly strings: Interner) {}

  get count(): number {
    return this.units.name.length;
  }

  add({ name, trace, step }: UnitNote, sums: CompileSums): void {
    const { units, strings } = this;
    const unit = this.count;
    const { totalUs, frontendUs, backendUs } = sums;
    const texts = { name: strings.textId(name), trace: trace === '' ? -1 : strings.textId(trace) };
    pushRow(units, { ...texts, step, totalUs, frontendUs, backendUs });
    const known = new Map<number, number>();
    const { bytes, start } = sums.strings;
    const addString = (own: number) => strings.bytesId(bytes, start[own], start[own + 1]);
    const id = (own: number) => getOrMake(known, own, addString);
    const addAll = (from: SumsByName, to: WorkTable) => {
      for (let k = 0; k < from.name.length; k++) to.add(id(from.name[k]), unit, from.us[k], from.selfUs[k], from.count[k]);
    };
    addAll(sums.templates, this.templates);
    addAll(sums.templateSets, this.templateSets);
    addAll(sums.phases, this.phases);
    for (const [k, us] of sums.phases.us.entries())
      if (us >= MIN_PHASE_SHARE * totalUs) pushRow(this.phaseUses, { unit, phase: this.phases.row(id(sums.phases.name[k])), us });
    this.addPhaseCosts(sums.phases, id);
    addAll(sums.optimized, this.functions);
    const { generated } = sums;
    for (let k = 0; k < generated.name.length; k++) {
      const row = this.functions.add(id(generated.name[k]), unit, 0, 0, 0, generated.us[k]);
      this.generateUs.set(row, this.generateUs.get(row) + generated.us[k]);
      this.generated.set(row, this.generated.get(row) + generated.count[k]);
    }
    this.addIncludes(sums.includes, unit, id);
  }

  private addPhaseCosts(phases: CompileSums['phases'], id: (own: number) => number): void {
    for (const cost of PHASE_COSTS) {
      const from = phases[cost];
      if (!from) continue;
      const column = (this.phaseCosts[cost] ??= new GrowableColumn(Float64Array));
      for (let k = 0; k < from.length; k++) {
        const row = this.phases.row(id(phases.name[k]));
        extendColumn(column, row + 1, 0);
        column.data[row] += from[k];
      }
    }
  }

  private addIncludes(from: CompileSums['includes'], unit: number, id: (own: number) => number): void {
    const { includes, uses } = this;
    const node = new Int32Array(from.name.length);
    const first = uses.unit.length;
    const useOf = new Numbering<number>();
    for (let k = 0; k < node.length; k++) {
      const header = this.headers.add(id(from.name[k]), unit, from.us[k], from.selfUs[k], from.count[k]);
      const above = from.parent[k] < 0 ? -1 : node[from.parent[k]];
      const at = this.nodes.numberOf((above + 1) * 2 ** 26 + header);
      if (at === includes.header.length) pushRow(includes, { header, parent: above, us: 0, count: 0 });
      node[k] = at;
      includes.us.data[at] += from.us[k];
      includes.count.data[at] += from.count[k];
      const use = first + useOf.numberOf(header);
      if (use === uses.unit.length) pushRow(uses, { unit, header, us: 0, selfUs: 0 });
      uses.us.data[use] += from.us[k];
      uses.selfUs.data[use] += from.selfUs[k];
    }
  }

  /** Finishes the tables. `rename` makes function names readable; `rowOfStep` maps a step to its row. */
  done(rename: (name: string) => string, rowOfStep: (step: number) => number): Compiles {
    const { strings } = this;
    const units = finishColumns(this.units);
    const functions = finishColumns(this.functions);
    // Phases without these values have NaN.
    for (const column of Object.values(this.phaseCosts)) extendColumn(column, this.phases.name.length, Number.NaN);
    return {
      units: { ...units, step: units.step.map(rowOfStep) },
      headers: finishColumns(this.headers),
      uses: finishColumns(this.uses),
      phaseUses: finishColumns(this.phaseUses),
      includes: finishColumns(this.includes),
      templates: finishColumns(this.templates),
      templateSets: finishColumns(this.templateSets),
      functions: {
        ...functions,
        // Without optimization, functions appear only as generated code.
        count: functions.count.map((count, row) => count || this.generated.get(row)),
        name: functions.name.map((name) => strings.textId(rename(strings.text(name)))),
        generateUs: this.generateUs.done(functions.name.length, new Float64Array(functions.name.length)),
      },
      phases: { ...finishColumns(this.phases), ...finishColumns(this.phaseCosts) },
    };
  }
}

/** The trace of a step. `relative`: its path in the opened folder. */
export interface StepTrace {
  readonly step: number;
  readonly relative: string;
}

/** A trace to read: its path in the folder, and the facts about its unit. */
export interface TraceFile extends UnitNote {
  readonly relative: string;
}

/** Number of tasks per thread: one running and one queued. */
const TASKS_PER_THREAD = 2;

/** Passes the sums of each trace to `take` in order; undefined for files that are not a compiler's. Reads some itself. */
export async function readCompileTraces(
  files: readonly TraceFile[],
  folder: Folder,
  threads: Threads | undefined,
  signal: AbortSignal,
  take: (file: TraceFile, sums: CompileSums | undefined) => void,
): Promise<void> {
  let sent = 0;
  let hasFailed = false;
  let taken = Promise.resolve();
  for (const file of files) {
    if (hasFailed) break;
    signal.throwIfAborted();
    const bytes = folder.read(file.relative);
    let sums: unknown;
    if (bytes && threads && sent < threads.count * TASKS_PER_THREAD) {
      sent++;
      const own = new Uint8Array(bytes);
      const task = threads.run(own, [own.buffer]);
      task.finally(() => sent--).catch(() => {});
      sums = task;
    } else sums = bytes && sumCompileTrace(bytes);
    taken = taken.then(async () => take(file, (await sums) as CompileSums | undefined));
    taken.catch(() => {
      hasFailed = true;
    });
    // Let the event loop deliver the threads' results.
    await (threads ? new Promise((resolve) => setImmediate(resolve)) : taken);
  }
  await taken;
}

/** Adds the traces of steps to the compile totals; warns about files that are not traces. */
export async function addCompileTotals(
  rows: StepWriter,
  traces: readonly StepTrace[],
  folder: Folder,
  threads: Threads | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (traces.length === 0) return;
  const files = traces.map(({ step, relative }) => ({
    step,
    relative,
    name: rows.text('source', step) ?? relative,
    trace: `${folder.path}/${relative}`,
  }));
  const totals = compileTotalsOf(rows);
  await readCompileTraces(files, folder, threads, signal, (file, sums) => {
    if (sums) totals.add(file, sums);
    else rows.sink.warn({ path: file.trace, expected: 'a trace of clang -ftime-trace', found: 'something else; left out' });
  });
  if (totals.count > 0) rows.compiles = totals;
}
