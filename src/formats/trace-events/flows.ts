// Assembles flow events, which link slices. They may come in any order, even before the slices that contain them.
import { getOrMake } from '../../base/lists.ts';
import type { StepColumns } from '../../model/steps/columns.ts';

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
