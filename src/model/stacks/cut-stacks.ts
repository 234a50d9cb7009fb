// Finds stacks that the sampler cut at its limit of frames. Many have exactly that many and none has more, and those begin with a
// routine that other stacks have inside, as in perf (127 frames), heap profiles of gperftools (32), Go (64) and jemalloc (128).
import { formatPercent } from '../../base/units.ts';
import type { Sink } from '../sink.ts';
import type { StackTable } from './samples.ts';
import type { Frames, Stacks } from './tables.ts';

/** Samplers have limits from 32 frames on: powers of two, less some frames of their own. */
const [MIN_LIMIT, MAX_OWN_FRAMES] = [32, 4];
/** The share of all costs from which cut stacks matter, and how many times more costs have most frames than have one or two less. */
const [MIN_CUT_SHARE, MIN_RATIO] = [0.02, 3];

/** Warns of stacks that were cut: costs with callees are too small, because callers are missing. */
export function warnOfCutStacks(
  sink: Sink,
  table: StackTable,
  { routine }: Frames,
  { start, frame }: Pick<Stacks, 'start' | 'frame'>,
): void {
  const cost = table.count.data;
  const depthOf = (row: number) => table.start.data[row + 1] - table.start.data[row];
  let most = 0;
  for (let row = 0; row < table.rows; row++) most = Math.max(most, depthOf(row));
  if (most < MIN_LIMIT - MAX_OWN_FRAMES || 2 ** Math.ceil(Math.log2(most)) - most > MAX_OWN_FRAMES) return;
  const isInside = new Uint8Array(sink.routines.count);
  for (let row = 0; row < table.rows; row++)
    for (let k = start[row]; k < start[row + 1] - 1; k++) isInside[routine[frame[k]]] = 1;
  let [all, deepest, nearly, cut] = [0, 0, 0, 0];
  for (let row = 0; row < table.rows; row++) {
    const depth = depthOf(row);
    all += cost[row];
    if (depth === most - 1 || depth === most - 2) nearly += cost[row];
    if (depth !== most) continue;
    deepest += cost[row];
    if (isInside[routine[frame[start[row + 1] - 1]]] === 1) cut += cost[row];
  }
  if (!(cut >= MIN_CUT_SHARE * all) || deepest < MIN_RATIO * nearly) return;
  sink.warn({
    path: sink.paths[0] ?? '',
    expected: 'stacks from their first caller on',
    found: `stacks with ${formatPercent(cut, all)} of all costs that have exactly ${most} frames and begin inside the program; none has more: the sampler cut them, and costs with callees are too small`,
    sign: 'STACKS CUT',
  });
}
