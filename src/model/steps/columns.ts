// Steps while a file is read, one column per property: a trace has millions of steps.
import { GrowableColumn, indexBy, mergeRuns, Numbering, pickRows, SparseColumn } from '../column.ts';
import { type Gauge, REPEATED_TEXTS, type Steps, type TextName, type Track, UNIQUE_TEXTS } from './tables.ts';

/** Makes a value for each name of a text. */
export const mapTextNames = <T>(of: (name: TextName) => T): Record<TextName, T> =>
  Object.fromEntries([...REPEATED_TEXTS, ...UNIQUE_TEXTS].map((name) => [name, of(name)])) as Record<TextName, T>;

export function columnsPerStep(steps: Steps) {
  const { name, kind, track, part, parent, startUs, durationUs, cpuUs, result, routine } = steps;
  return { name, kind, track, part, parent, startUs, durationUs, cpuUs, result, routine, ...mapTextNames((text) => steps[text]) };
}

export class StepColumns {
  readonly name = new GrowableColumn(Uint32Array);
  /** The kind of each step, as an index into STEP_KINDS. */
  readonly kind = new GrowableColumn(Uint8Array);
  readonly track = new GrowableColumn(Uint32Array);
  readonly part = new GrowableColumn(Uint32Array);
  /** The start in microseconds; NaN if unknown. */
  readonly startUs = new GrowableColumn(Float64Array);
  readonly durationUs = new GrowableColumn(Float64Array);
  readonly cpuUs = new SparseColumn(Float64Array, Number.NaN);
  readonly result = new SparseColumn(Float64Array, Number.NaN);
  /** The texts as string ids; -1 if the file does not record one. */
  readonly text = mapTextNames(() => new SparseColumn(Int32Array, -1));
  /** Outputs in the order of steps: the step, the path as a string id, and the size in bytes (NaN if unknown). */
  readonly outputStep = new GrowableColumn(Uint32Array);
  readonly outputPath = new GrowableColumn(Uint32Array);
  readonly outputBytes = new GrowableColumn(Float64Array);

  get rows(): number {
    return this.name.length;
  }

  endUs(row: number): number {
    return this.startUs.data[row] + this.durationUs.data[row];
  }

  hasNoStart(row: number): boolean {
    return Number.isNaN(this.startUs.data[row]);
  }
}

/** Host metrics and counters while a file is read. */
export class GaugeColumns {
  /** By row: its gauge, as an index into `notes`. */
  private readonly of = new GrowableColumn(Uint32Array);
  private readonly us = new GrowableColumn(Float64Array);
  private readonly value = new GrowableColumn(Float64Array);
  /** By gauge: its name, its process (undefined if it belongs to the machine), and the unit of its values. */
  private readonly notes: Readonly<{ name: string; pid: string | undefined; unit: string }>[] = [];
  private readonly known = new Numbering<string>();

  get rows(): number {
    return this.us.length;
  }

  /** Writes a value of a host metric or counter. `pid`: its process; undefined if it belongs to the machine. */
  add(name: string, pid: string | undefined, unit: string, us: number, value: number): void {
    const key = pid === undefined ? name : `${pid}\n${name}`;
    this.of.push(this.known.numberOf(key, () => this.notes.push({ name, pid, unit })));
    this.us.push(us);
    this.value.push(value);
  }

  /** Shifts the times of rows [from, to) by `byUs`. */
  shift(from: number, to: number, byUs: number): void {
    for (let i = from; i < to; i++) this.us.data[i] += byUs;
  }

  /** The gauges, in order of time each. If several processes have gauges of one name, the name includes the process. */
  series(tracks: readonly Track[]): Gauge[] {
    const { notes } = this;
    const processes = new Map<string, number>();
    for (const { name, pid } of notes) if (pid !== undefined) processes.set(name, (processes.get(name) ?? 0) + 1);
    const titles = new Map(tracks.map((t) => [t.pid, t.processName]));
    const { order, from } = indexBy(this.of.done(), notes.length);
    return notes.map(({ name, pid, unit }, g) => {
      const rows = order.subarray(from[g], from[g + 1]);
      const series = pickRows({ us: this.us.data, value: this.value.data }, rows);
      const sorted = mergeRuns(series.us);
      const whose = pid !== undefined && (processes.get(name) ?? 0) > 1 ? `${titles.get(pid) || `pid ${pid}`} ` : '';
      return { name: `${whose}${name}`, unit, ...(sorted ? pickRows(series, sorted) : series) };
    });
  }
}
