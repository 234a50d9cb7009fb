// Begin and end events as slices. The format allows events in any order, so they are paired when all are known.
import { addTo } from '../../base/lists.ts';
import { GrowableColumn, type StringId } from '../../model/column.ts';
import { mergeRuns } from '../../model/steps/columns.ts';

/** The begin and end events of a track, one row per event. A trace may have millions. */
export class BeginEndEvents {
  readonly us = new GrowableColumn(Float64Array, 16);
  /** The event's name; -1 for an end without one. */
  readonly name = new GrowableColumn(Int32Array, 16);
  /** For a begin: the row of its step, or 0 without one. For an end: -1. */
  readonly step = new GrowableColumn(Int32Array, 16);
  /** Arguments that ends have beyond their begins, as JSON. */
  readonly args = new Map<number, string>();

  begin(us: number, name: StringId, step = 0): void {
    this.us.push(us);
    this.name.push(name);
    this.step.push(step);
  }

  end(us: number, name: StringId, args?: string): void {
    if (args !== undefined) this.args.set(this.us.length, args);
    this.us.push(us);
    this.name.push(name);
    this.step.push(-1);
  }

  /** Rows sorted by time; events of the same time remain in file order. */
  order(): Uint32Array {
    return mergeRuns(this.us.done(), new Float64Array(this.us.length)) ?? Uint32Array.from(this.us.done().keys());
  }
}

export interface PairingCounts {
  /** Number of begins without an end, and of ends without a begin. */
  readonly open: number;
  readonly stray: number;
}

/**
 * Passes each begin with its end to `closed`, and each that has none to `left`, the innermost first. An end closes the innermost open
 * slice of its name; where it has no name, or none of that name is open, the innermost of all. No slice is looked at twice, however the
 * names lie.
 */
export function pairUp(
  edges: BeginEndEvents,
  onPair: (begin: number, end: number) => void,
  onUnclosed: (begin: number) => void,
): PairingCounts {
  const all: number[] = [];
  const byName = new Map<StringId, number[]>();
  /** Begins closed through one of the lists `all` and `byName`, but still in the other. */
  const alreadyClosed = new Set<number>();
  const innermost = (list: number[] | undefined): number | undefined => {
    for (let top = list?.pop(); top !== undefined; top = list?.pop()) {
      if (!alreadyClosed.delete(top)) {
        alreadyClosed.add(top);
        return top;
      }
    }
    return undefined;
  };
  let stray = 0;
  for (const edge of edges.order()) {
    const name = edges.name.data[edge];
    if (edges.step.data[edge] >= 0) {
      all.push(edge);
      addTo(byName, name, edge);
      continue;
    }
    const begin = (name < 0 ? undefined : innermost(byName.get(name))) ?? innermost(all);
    if (begin === undefined) stray++;
    else onPair(begin, edge);
  }
  const open = all.filter((edge) => !alreadyClosed.has(edge)).reverse();
  for (const edge of open) onUnclosed(edge);
  return { open: open.length, stray };
}
