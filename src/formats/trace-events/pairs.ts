// Pairs begin and end events to slices. Events may come in any order, so they are paired once all are read.
import { addToList } from '../../base/lists.ts';
import { GrowableColumn, type StringId } from '../../model/column.ts';
import { mergeRuns } from '../../model/steps/columns.ts';

/** The begin and end events of a track, one row per event. A trace may have millions. */
export class BeginEndEvents {
  readonly us = new GrowableColumn(Float64Array, 16);
  /** The name of the event; -1 for an end without a name. */
  readonly name = new GrowableColumn(Int32Array, 16);
  /** For a begin: the row of its step, or 0 without a step. For an end: -1. */
  readonly step = new GrowableColumn(Int32Array, 16);
  /** By row of an end: its additional arguments as JSON. */
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
}

/**
 * Pairs events. An end closes the innermost open begin of its name, else the innermost of all. Takes linear time.
 * Returns the begins without an end, last one first, and the number of ends without a begin.
 */
export function pairBeginsWithEnds(
  edges: BeginEndEvents,
  onPair: (begin: number, end: number) => void,
): { readonly open: readonly number[]; readonly stray: number } {
  const all: number[] = [];
  const byName = new Map<StringId, number[]>();
  /** Begins that were closed through one of the lists `all` and `byName`, but are still in the other list. */
  const alreadyClosed = new Set<number>();
  const innermost = (list: number[] | undefined): number | undefined => {
    for (let top = list?.pop(); top !== undefined; top = list?.pop())
      if (!alreadyClosed.delete(top)) {
        alreadyClosed.add(top);
        return top;
      }
    return undefined;
  };
  let stray = 0;
  // By time; events of the same time remain in file order.
  const times = edges.us.done();
  for (const edge of mergeRuns(times, new Float64Array(times.length)) ?? times.keys()) {
    const name = edges.name.data[edge];
    if (edges.step.data[edge] >= 0) {
      all.push(edge);
      addToList(byName, name, edge);
      continue;
    }
    const begin = (name < 0 ? undefined : innermost(byName.get(name))) ?? innermost(all);
    if (begin === undefined) stray++;
    else onPair(begin, edge);
  }
  return { open: all.filter((edge) => !alreadyClosed.has(edge)).reverse(), stray };
}
