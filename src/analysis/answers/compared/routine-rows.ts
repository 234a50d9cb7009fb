// The routines of two runs in one table.
import { getOrMake } from '../../../base/lists.ts';
import { RoutineRows } from '../../../model/routine-table.ts';

/** The routines of a run. `name` pairs them with those of another run; `shown` is the displayed name. */
export type RoutineColumns = { readonly [C in 'name' | 'shown' | 'file' | 'object' | 'line']: Uint32Array | Int32Array };

/** The routines of both runs: this run's, then those that only the base has. */
export class JoinedRoutines extends RoutineRows {
  /** By object: the routine that stands for all of its code without symbols. */
  private readonly unnamedCode = new Map<number, number>();
  /** The displayed names of the routines that have another. */
  private readonly shown = new Map<number, number>();

  /** Adds the routines of a run; `firsts`: those that become one with an earlier one. Returns their new numbers if any of them change. */
  addAll(
    columns: RoutineColumns,
    lumped: ReadonlySet<number>,
    lumpName: (object: number) => number,
    firsts: ReadonlyMap<number, number>,
  ): Uint32Array | undefined {
    const rows = new Uint32Array(columns.name.length);
    for (let r = 0; r < rows.length; r++) {
      const first = firsts.get(r);
      if (first !== undefined) rows[r] = rows[first];
      else rows[r] = lumped.has(r) ? this.unnamedRoutineOf(columns.object[r], lumpName) : this.add(columns, r);
    }
    return lumped.size > 0 || firsts.size > 0 ? rows : undefined;
  }

  add({ name, shown, file, object, line }: RoutineColumns, r: number): number {
    const row = this.push(name[r], file[r], object[r], line[r]);
    if (shown[r] !== name[r]) this.shown.set(row, shown[r]);
    return row;
  }

  shownName(row: number): number {
    return this.shown.get(row) ?? this.name.data[row];
  }

  /** Gives the rows their displayed names, once all are paired. */
  showNames(): void {
    const { data } = this.name;
    for (const [row, shown] of this.shown) {
      this.recorded.set(row, data[row]);
      data[row] = shown;
    }
  }

  /** The routine that stands for an object's code without symbols. */
  unnamedRoutineOf(object: number, name: (object: number) => number): number {
    return getOrMake(this.unnamedCode, object, () => this.push(name(object), -1, object, 0));
  }
}
