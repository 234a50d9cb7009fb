// Flow events: which slice hands over to which. They may stand in any order, before the slices that hold them, too.
import type { StepNote } from '../../model/steps/writer.ts';
import { byTime } from './pairs.ts';

/** A start (s), a step (t) or the end (f) of a flow. */
export interface FlowPoint {
  readonly us: number;
  readonly track: number;
  readonly phase: 's' | 't' | 'f';
}

export interface Flows {
  /** Whole flows, each from its start to its end. */
  readonly whole: readonly (readonly FlowPoint[])[];
  /** Whether the last one has no end. */
  readonly open: boolean;
  /** How many events have no start. */
  readonly stray: number;
}

/** The flows of one id. An id may be used again once its flow has ended. */
export function flowsOf(points: readonly FlowPoint[]): Flows {
  const whole: FlowPoint[][] = [];
  let way: FlowPoint[] | undefined;
  let stray = 0;
  for (const point of byTime(points)) {
    if (point.phase === 's') way = [point];
    else if (!way) stray++;
    else {
      way.push(point);
      if (point.phase === 't') continue;
      whole.push(way);
      way = undefined;
    }
  }
  return { whole, open: way !== undefined, stray };
}

/** The row of the innermost slice on a point's track at its time, from row `from` on; absent where there is none. */
export function holdersOf(points: readonly FlowPoint[], notes: readonly StepNote[], from: number): Map<FlowPoint, number> {
  const found = new Map<FlowPoint, number>();
  const tracks = new Map<number, { points: FlowPoint[]; rows: number[] }>();
  for (const point of points) {
    const track = tracks.get(point.track);
    if (track) track.points.push(point);
    else tracks.set(point.track, { points: [point], rows: [] });
  }
  for (let row = from; row < notes.length; row++) tracks.get(notes[row].track)?.rows.push(row);
  const end = (row: number) => notes[row].startUs + notes[row].durationUs;
  for (const track of tracks.values()) {
    const rows = track.rows.sort(
      (a, b) => notes[a].startUs - notes[b].startUs || notes[b].durationUs - notes[a].durationUs || a - b,
    );
    const open: number[] = [];
    let next = 0;
    for (const point of byTime(track.points)) {
      while (next < rows.length && notes[rows[next]].startUs <= point.us) open.push(rows[next++]);
      let top = open.at(-1);
      while (top !== undefined && end(top) < point.us) {
        open.pop();
        top = open.at(-1);
      }
      if (top !== undefined) found.set(point, top);
    }
  }
  return found;
}
