// Host metrics and counters while a file is read, one column per property.
import { GrowableColumn, indexBy } from '../column.ts';
import { Numbering } from '../groups.ts';
import { pickRows } from '../table.ts';
import { mergeRuns } from './columns.ts';
import type { Gauge, Track } from './tables.ts';

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
    const of = this.known.numberOf(key);
    if (of === this.notes.length) this.notes.push({ name, pid, unit });
    this.of.push(of);
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
      const sorted = mergeRuns(series.us, new Float64Array(rows.length));
      const whose = pid !== undefined && (processes.get(name) ?? 0) > 1 ? `${titles.get(pid) || `pid ${pid}`} ` : '';
      return { name: `${whose}${name}`, unit, ...(sorted ? pickRows(series, sorted) : series) };
    });
  }
}
