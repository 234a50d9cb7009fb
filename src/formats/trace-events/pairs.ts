// Pairs begin and end events to slices, and assembles flow events, which link slices. Events may come in any order, flows even
// before the slices that contain them, so this is done once all are read.
import { addToList, getOrMake } from '../../base/lists.ts';
import { GrowableColumn, mergeRuns, type StringId } from '../../model/column.ts';
import type { StepColumns } from '../../model/steps/columns.ts';

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
export function pairBeginsWithEnds(edges: BeginEndEvents, onPair: (begin: number, end: number) => void) {
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
  for (const edge of mergeRuns(times) ?? times.keys()) {
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

/** A start (s), step (t) or end (f) event of a flow. */
export interface FlowPoint {
  readonly us: number;
  readonly track: number;
  readonly phase: 's' | 't' | 'f';
}

/**
 * Splits the events of one id into flows, each from its start to its end. An id may be reused once its flow has ended. `open`: the last one has
 * no end; `stray`: the number of events without a start.
 */
export function splitFlows(points: readonly FlowPoint[]) {
  const whole: FlowPoint[][] = [];
  let openFlow: FlowPoint[] | undefined;
  let stray = 0;
  for (const point of sortByTime(points)) {
    if (point.phase === 's') openFlow = [point];
    else if (!openFlow) stray++;
    else {
      openFlow.push(point);
      if (point.phase === 't') continue;
      whole.push(openFlow);
      openFlow = undefined;
    }
  }
  return { whole, open: openFlow !== undefined, stray };
}

/** Sorted by time; points of the same time remain in file order. */
const sortByTime = (list: readonly FlowPoint[]): FlowPoint[] => [...list].sort((a, b) => a.us - b.us);

/** For each point, the row of the innermost slice on its track at its time, from row `from` on; absent if there is none. */
export function findEnclosingSlices(points: readonly FlowPoint[], steps: StepColumns, from: number): Map<FlowPoint, number> {
  const found = new Map<FlowPoint, number>();
  const tracks = new Map<number, { points: FlowPoint[]; rows: number[] }>();
  for (const point of points) getOrMake(tracks, point.track, () => ({ points: [], rows: [] })).points.push(point);
  const [start, duration] = [steps.startUs.data, steps.durationUs.data];
  if (tracks.size > 0) for (let row = from; row < steps.rows; row++) tracks.get(steps.track.data[row])?.rows.push(row);
  for (const track of tracks.values()) {
    const rows = track.rows.sort((a, b) => start[a] - start[b] || duration[b] - duration[a] || a - b);
    const open: number[] = [];
    let next = 0;
    for (const point of sortByTime(track.points)) {
      while (next < rows.length && start[rows[next]] <= point.us) open.push(rows[next++]);
      while (open.length > 0 && steps.endUs(open[open.length - 1]) < point.us) open.pop();
      const top = open.at(-1);
      if (top !== undefined) found.set(point, top);
    }
  }
  return found;
}
