// Computes the self cost of the stacks' innermost frames, as spans and rows like those of every profile with lines.

import { fillInSlices, runInSlices, runToEnd, type Sliced } from '../../base/slices.ts';
import type { LineTables, Spans } from '../callgraph/tables.ts';
import { indexBy, invertRows, pickRows, pickRowsInSlices } from '../column.ts';
import { PairTable } from '../hash-table.ts';
import type { CodeAddresses, Frames, Stacks } from './tables.ts';

export const leafRows = (stacks: Stacks, frames: Frames, places: CodeAddresses | undefined): LineTables =>
  runToEnd(leafRowsInSlices(stacks, frames, places));

/** Works like leafRows(), but yields between slices. */
export function* leafRowsInSlices(stacks: Stacks, frames: Frames, places: CodeAddresses | undefined): Sliced<LineTables> {
  const { costs } = stacks;
  const { leaves, leafOf } = yield* findLeaves(stacks);
  const keys = yield* buildSpanKeys(leaves, frames, places);
  const order = yield* sortLeaves(keys);
  const rowOf = invertRows(new Uint32Array(order.length), order);
  yield;
  const sums: Float64Array[] = [];
  for (const column of costs) {
    const out = new Float64Array(order.length);
    yield* runInSlices(column.length, (from, to) => {
      for (let s = from; s < to; s++) if (leafOf[s] >= 0) out[rowOf[leafOf[s]]] += column[s];
    });
    sums.push(out);
  }
  const { frame } = leaves;
  return {
    spans: buildSpans(keys, order),
    lines: {
      line: order.map((i) => frames.line[frame[i]]),
      ...(places ? { address: order.map((i) => places.ownLow[places.ofFrame[frame[i]]]) } : {}),
      costs: sums,
    },
  };
}

/** Finds the leaves: the distinct innermost frames of each part. `leafOf`: the number of each stack's leaf, in order of first appearance; -1 for a stack without frames. */
function* findLeaves({ start, frame, part }: Stacks) {
  const known = new PairTable(Int32Array);
  const numberOf = (s: number) => (start[s] === start[s + 1] ? -1 : known.numberOf(part[s], frame[start[s]]));
  const leafOf = yield* fillInSlices(new Int32Array(part.length), numberOf);
  yield;
  return { leaves: { frame: new Uint32Array(known.second.done()), part: new Uint32Array(known.first.done()) }, leafOf };
}

type SpanKeys = Omit<Spans, 'start'>;

function* buildSpanKeys({ frame, part }: Pick<Stacks, 'frame' | 'part'>, frames: Frames, places: CodeAddresses | undefined) {
  const { routine, file } = yield* pickRowsInSlices({ routine: frames.routine, file: frames.file }, frame);
  const high = new Uint32Array(frame.length);
  if (places) yield* fillInSlices(high, (i) => places.ownHigh[places.ofFrame[frame[i]]]);
  return { routine, file, part, high };
}

/** Sorts leaves by routine, file, part and upper address half. Each stable pass sorts by one key, the least significant first. */
function* sortLeaves({ routine, file, part, high }: SpanKeys): Sliced<Uint32Array> {
  const halves = new Map([...new Set(high)].sort((a, b) => a - b).map((half, rank) => [half, rank]));
  let order = routine.map((_, i) => i);
  for (const keyOf of [
    halves.size < 2 ? undefined : (i: number) => halves.get(high[i]) ?? 0,
    (i: number) => part[i],
    (i: number) => file[i] + 1,
    (i: number) => routine[i],
  ]) {
    if (!keyOf) continue;
    const before = order;
    const keys = before.map(keyOf);
    const groups = keys.reduce((most, key) => Math.max(most, key), 0) + 1;
    yield;
    order = indexBy(keys, groups).order.map((k) => before[k]);
    yield;
  }
  return order;
}

/** Builds spans: adjacent rows with the same routine, file, part and upper address half form one span. */
function buildSpans(keys: SpanKeys, order: Uint32Array): Spans {
  const starts: number[] = [];
  const columns = Object.values(keys);
  const isNew = (row: number) => columns.some((column) => column[order[row]] !== column[order[row - 1]]);
  for (let row = 0; row < order.length; row++) if (row === 0 || isNew(row)) starts.push(row);
  const first = starts.map((row) => order[row]);
  return { ...pickRows(keys, first), start: Uint32Array.from([...starts, order.length]) };
}
