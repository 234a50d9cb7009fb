// Begin and end events as slices. The format allows events in any order, so they are paired when all are known.
import { addTo } from '../../base/lists.ts';
import { Grow, type StringId } from '../../model/column.ts';
import { merged } from '../../model/steps/columns.ts';

/** The begins and ends of a track, a row each: a trace may have millions. */
export class Edges {
  readonly us = new Grow(Float64Array, 16);
  /** -1 where an end has none. */
  readonly name = new Grow(Int32Array, 16);
  /** For a begin: the row of its step, or 0 without one. For an end: -1. */
  readonly step = new Grow(Int32Array, 16);
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

  /** Rows in order of time; what happened at the same time stays in the order of the file. */
  order(): Uint32Array {
    return merged(this.us.done(), new Float64Array(this.us.length)) ?? Uint32Array.from(this.us.done().keys());
  }
}

export interface Pairs {
  /** How many begins have no end, and how many ends no begin. */
  readonly open: number;
  readonly stray: number;
}

/**
 * Passes each begin with its end to `closed`, and each that has none to `left`, the innermost first. An end closes the innermost open
 * slice of its name; where it has no name, or none of that name is open, the innermost of all. No slice is looked at twice, however the
 * names lie.
 */
export function pairUp(edges: Edges, closed: (begin: number, end: number) => void, left: (begin: number) => void): Pairs {
  const all: number[] = [];
  const byName = new Map<StringId, number[]>();
  /** Closed by way of one of the two lists, and still in the other. */
  const gone = new Set<number>();
  const innermost = (list: number[] | undefined): number | undefined => {
    for (let top = list?.pop(); top !== undefined; top = list?.pop()) {
      if (!gone.delete(top)) {
        gone.add(top);
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
    else closed(begin, edge);
  }
  const open = all.filter((edge) => !gone.has(edge)).reverse();
  for (const edge of open) left(edge);
  return { open: open.length, stray };
}
