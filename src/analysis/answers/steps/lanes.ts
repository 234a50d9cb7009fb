// Lanes: each step gets a row of the chart, so that no two steps in a row overlap. Threads recorded by a tool stay together as
// groups of lanes. Nested steps go below their parents; other overlapping steps get separate lanes.

import { groupByKey, memo } from '../../../base/lists.ts';
import { baseName } from '../../../base/paths.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { type Steps, WHOLE_KIND } from '../../../model/steps/tables.ts';
import type { Analysis } from '../analysis.ts';
import { endUs, slackUs, stepsThatRan } from './steps.ts';

export interface Lanes {
  /** Lane by step; -1 for what has no place in time. */
  readonly of: Int32Array;
  readonly count: number;
  /** Steps of each lane in order of start. */
  readonly steps: readonly Uint32Array[];
  /** The title of each lane: the thread's name on its first lane, '' on the others. */
  readonly titles: readonly string[];
}

export const lanesOf = memo((analysis: Analysis<'steps'>): Lanes => {
  const { profile } = analysis;
  const steps = profile.steps;
  const of = new Int32Array(steps.name.length).fill(-1);
  const byTrack = groupByKey(stepsThatRan(analysis), (i) => steps.track[i]);
  const parallel = new Set(steps.parallel);
  /** By part: the number of its tracks. */
  const threads = new Map<number, number>();
  for (const list of byTrack.values())
    for (const part of new Set(list.map((i) => steps.part[i]))) threads.set(part, (threads.get(part) ?? 0) + 1);
  const lanes: number[][] = [];
  const titles: string[] = [];
  for (const track of [...byTrack.keys()].sort((a, b) => compareTracks(steps, a, b))) {
    const base = lanes.length;
    const list = byTrack.get(track)!;
    // Whole builds on top, the parallel steps of the track below them.
    const groups = parallel.has(track)
      ? [list.filter((i) => steps.kind[i] === WHOLE_KIND), list.filter((i) => steps.kind[i] !== WHOLE_KIND)]
      : [list];
    for (const group of groups)
      packIntoLanes(steps, group, of, lanes, !parallel.has(track) || steps.kind[group[0] ?? 0] === WHOLE_KIND);
    for (let k = base; k < lanes.length; k++)
      titles[k] = k === base ? laneTitle(profile, track, steps.part[list[0]], threads) : '';
  }
  return { of, count: lanes.length, steps: lanes.map((l) => Uint32Array.from(l)), titles };
}, 4);

/**
 * Puts each step in the first new lane that is free at its start; nested ones in the first free one below their parent's. Steps of a
 * thread that overlap only since their times are rounded share a lane.
 */
function packIntoLanes(steps: Steps, list: readonly number[], of: Int32Array, lanes: number[][], nested: boolean): void {
  const base = lanes.length;
  const ends: number[] = [];
  const slack = nested ? slackUs(steps) : 0;
  for (const i of list) {
    const rounded = Math.min(slack, steps.durationUs[i] / 2);
    const p = steps.parent[i];
    const first = nested && p >= 0 && of[p] >= base && steps.track[p] === steps.track[i] ? of[p] - base + 1 : 0;
    let lane = first;
    while (lane < ends.length && ends[lane] > steps.startUs[i] + rounded) lane++;
    // Lanes skipped on the way to a deeper one stay free for others.
    while (ends.length <= lane) {
      ends.push(Number.NEGATIVE_INFINITY);
      lanes.push([]);
    }
    ends[lane] = Math.max(ends[lane], endUs(steps, i));
    of[i] = base + lane;
    lanes[base + lane].push(i);
  }
}

function compareTracks(steps: Steps, a: number, b: number): number {
  const [x, y] = [steps.tracks[a], steps.tracks[b]];
  const text = (s: string, t: string) => Number(s) - Number(t) || (s < t ? -1 : s > t ? 1 : 0);
  return x.processSort - y.processSort || text(x.pid, y.pid) || x.sort - y.sort || text(x.tid, y.tid);
}

/** The title of a lane. For several files with one thread each, as clang writes them, the file name identifies it best. */
function laneTitle(profile: ProfileOf<'steps'>, track: number, part: number, threads: ReadonlyMap<number, number>): string {
  const { pid, tid, name, processName } = profile.steps.tracks[track];
  const process = processName ?? (pid === '' ? '' : `pid ${pid}`);
  const own = [process, name ?? tid].filter((x) => x).join(' / ');
  const files = new Set([...threads.keys()].map((key) => profile.parts[key].path));
  const alone = files.size > 1 && [...threads.values()].every((n) => n === 1);
  return alone && own !== '' ? baseName(profile.parts[part].path) : own;
}
