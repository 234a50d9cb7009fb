// Finds the step that contains each step.

import { getOrMake } from '../../base/lists.ts';
import { clockSlackUs, STEP_KINDS, type Steps, WHOLE_KIND } from './tables.ts';

const STEP_KIND = STEP_KINDS.indexOf('step');

type SpanColumns = Pick<Steps, 'kind' | 'part' | 'track' | 'startUs' | 'durationUs'>;

/**
 * For steps in order of start: the innermost step of the same part and track that contains each; -1 if none does. A step may end
 * a little after the one that contains it, since both ends are rounded. On tracks whose steps run in parallel, only whole ones contain
 * others.
 */
export function findParents({ kind, part, track, startUs, durationUs }: SpanColumns, parallel: ReadonlySet<number>): Int32Array {
  const n = kind.length;
  const parent = new Int32Array(n).fill(-1);
  const open = new Map<number, number[]>();
  const slack = clockSlackUs(startUs, durationUs);
  const tracks = track.reduce((most, t) => Math.max(most, t), 0) + 1;
  const endOf = (row: number) => startUs[row] + durationUs[row];
  let [lastKey, stack]: [number, number[]] = [-1, []];
  for (let row = 0; row < n; row++) {
    const start = startUs[row];
    if (Number.isNaN(start) || (kind[row] !== STEP_KIND && kind[row] !== WHOLE_KIND)) continue;
    const key = part[row] * tracks + track[row];
    if (key !== lastKey) {
      lastKey = key;
      stack = getOrMake(open, key, () => []);
    }
    const isParallel = parallel.has(track[row]);
    const end = endOf(row);
    // A step of length zero at the very end of another is not inside it, unless both have the same start.
    for (let top = stack.at(-1); top !== undefined && endOf(top) <= start; top = stack.at(-1)) {
      if (durationUs[row] === 0 && endOf(top) === start && startUs[top] === start) break;
      stack.pop();
    }
    for (let k = stack.length - 1; k >= 0; k--) {
      const last = endOf(stack[k]);
      if (last < end - slack || (last < end && (last - start <= slack || isParallel))) continue;
      parent[row] = stack[k];
      break;
    }
    if (kind[row] !== WHOLE_KIND && isParallel) continue;
    // Steps that end before this one are removed: a later step inside them is inside this one, too.
    for (let top = stack.at(-1); top !== undefined && endOf(top) < end - slack; top = stack.at(-1)) stack.pop();
    stack.push(row);
  }
  return parent;
}
