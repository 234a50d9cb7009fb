// Slices of a trace as calling contexts: what lies in what. All slices of one path are one context, so a trace that does the same a million
// times has few; who asks for calls and trees gets what recorded contexts give.
import { indexBy } from '../../model/column.ts';
import type { Contexts } from '../../model/inputs/tables.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Steps } from '../../model/steps/tables.ts';
import type { Active } from '../once.ts';
import { ASYNC, endUs, ran } from './steps.ts';

/** True for slices whose time counts: those that ran, one after the other, in the parts that are on. */
export function takesTime(steps: Steps, active: Active, i: number): boolean {
  return ran(steps, i) && steps.kind[i] !== ASYNC && steps.routine[i] >= 0 && (!active || active(steps.part[i]));
}

/** Microseconds of each step that counts without the steps inside it; what two of these share is taken away once. */
export function selfTimes(steps: Steps, active: Active): Float64Array {
  const { parent, startUs, durationUs } = steps;
  const n = parent.length;
  const self = new Float64Array(n);
  /** Up to where the steps inside a step cover it. */
  const covered = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < n; i++) {
    if (!takesTime(steps, active, i)) continue;
    self[i] += durationUs[i];
    const p = parent[i];
    if (p < 0) continue;
    const end = Math.min(endUs(steps, i), endUs(steps, p));
    const from = Math.max(startUs[i], covered[p]);
    if (end > from) self[p] -= end - from;
    covered[p] = Math.max(end, from);
  }
  return self;
}

/** Paths of routine numbers from the outermost slice, each once; parents come before what is in them. */
interface Paths {
  readonly parent: number[];
  readonly routine: number[];
  readonly part: number[];
  /** The path of each step; -1 where none counts. */
  readonly of: Int32Array;
}

/** `byPart`: equal paths of two parts are two. */
function pathsOf(steps: Steps, active: Active, byPart: boolean): Paths {
  const n = steps.parent.length;
  const of = new Int32Array(n).fill(-1);
  const [parent, routine, part]: number[][] = [[], [], []];
  const known = new Map<number, number>();
  const width = steps.routine.reduce((most, r) => Math.max(most, r + 1), 1);
  const parts = steps.part.reduce((most, p) => Math.max(most, p + 1), 1);
  const inside: number[] = [];
  for (let first = 0; first < n; first++) {
    // The steps around it come first: of a deep one, that many.
    for (let i = first; i >= 0 && of[i] < 0 && takesTime(steps, active, i); i = steps.parent[i]) inside.push(i);
    for (let i = inside.pop(); i !== undefined; i = inside.pop()) {
      const p = steps.parent[i];
      const above = p < 0 ? -1 : of[p];
      const own = byPart ? steps.part[i] : 0;
      // Roots of each part are numbered before all paths.
      const key = (above < 0 ? own : parts + above) * width + steps.routine[i];
      let path = known.get(key);
      if (path === undefined) {
        path = parent.push(above) - 1;
        routine.push(steps.routine[i]);
        part.push(own);
        known.set(key, path);
      }
      of[i] = path;
    }
  }
  return { parent, routine, part, of };
}

/** Depth first, as contexts are; `place` is the context of each path. */
function depthFirst({ parent, routine, part }: Paths): { readonly contexts: Contexts; readonly place: Uint32Array } {
  const n = parent.length;
  const place = new Uint32Array(n);
  const end = new Uint32Array(n);
  const order = new Uint32Array(n);
  const { order: children, from } = indexBy(parent, n);
  const open: number[] = [];
  for (let k = n - 1; k >= 0; k--) if (parent[k] < 0) open.push(k);
  let next = 0;
  for (let k = open.pop(); k !== undefined; k = open.pop()) {
    // -1 - k: behind all that is inside path k.
    if (k < 0) {
      end[place[-1 - k]] = next;
      continue;
    }
    order[next] = k;
    place[k] = next++;
    open.push(-1 - k);
    for (let c = from[k + 1] - 1; c >= from[k]; c--) open.push(children[c]);
  }
  const contexts = {
    id: Float64Array.from(order.keys()),
    parent: Int32Array.from(order, (k) => (parent[k] < 0 ? -1 : place[parent[k]])),
    end,
    routine: Uint32Array.from(order, (k) => routine[k]),
    part: Uint32Array.from(order, (k) => part[k]),
  };
  return { contexts, place };
}

/** The trace with a context for each path of slices, and one point that says what it costs. `byPart`: each part has contexts of its own. */
export function sliceContexts(profile: ProfileOf<'steps'>, active: Active, byPart: boolean): ProfileOf<'inputs'> {
  const { steps, compared: _, ...head } = profile;
  const self = selfTimes(steps, active);
  const paths = pathsOf(steps, active, byPart);
  const { contexts, place } = depthFirst(paths);
  const n = contexts.id.length;
  const [calls, sum, selfSum] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < self.length; i++) {
    if (paths.of[i] < 0) continue;
    const c = place[paths.of[i]];
    calls[c]++;
    sum[c] += steps.durationUs[i];
    selfSum[c] += self[i];
  }
  return {
    ...head,
    kind: 'inputs',
    contexts,
    inputs: {
      metric: '',
      routine: contexts.routine,
      context: Int32Array.from(contexts.id),
      part: contexts.part,
      size: new Float64Array(n),
      counted: new Uint8Array(n).fill(1),
      beyond: new Map(),
      ...{ calls, sum, selfSum },
    },
  };
}
