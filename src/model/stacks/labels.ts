// Labels of sampled stacks: facts that the profiler or the program attached to samples, such as `worker=1` or a size.
// Many samples share a set of labels, so each set is stored once.
import type { StringId } from '../column.ts';

/** A label. `value`: a string, or -1 for a number, whose `unit` is -1 if unknown. */
export interface Label {
  readonly key: StringId;
  readonly value: StringId;
  readonly number: number;
  readonly unit: StringId;
}

/** The labels of stacks as tables. Set s has rows start[s] .. start[s + 1] - 1. Set 0 has no labels. */
export interface SampleLabels {
  /** By stack: its set of labels. */
  readonly set: Uint32Array;
  readonly start: Uint32Array;
  readonly key: Uint32Array;
  readonly value: Int32Array;
  readonly number: Float64Array;
  readonly unit: Int32Array;
}

/** Sets of labels while a file is read. A set may be reserved before the strings of its labels are known. */
export class LabelSets {
  readonly sets: (readonly Label[])[] = [[]];

  /** Adds a set, or reserves one for labels that are set later. */
  addSet(labels: readonly Label[] = []): number {
    return this.sets.push(labels) - 1;
  }

  /** Builds the tables. `set`: the set of each stack. undefined if no stack has labels. */
  buildTables(set: Uint32Array): SampleLabels | undefined {
    const { sets } = this;
    const start = new Uint32Array(sets.length + 1);
    for (let s = 0; s < sets.length; s++) start[s + 1] = start[s] + sets[s].length;
    const all = sets.flat();
    if (all.length === 0) return undefined;
    const [value, unit] = [Int32Array.from(all, (l) => l.value), Int32Array.from(all, (l) => l.unit)];
    const [key, number] = [Uint32Array.from(all, (l) => l.key), Float64Array.from(all, (l) => l.number)];
    return { set, start, key, value, number, unit };
  }
}
