// Clips sampled stacks to a range of time, with the costs of the samples in it.
import { firstIndexWhere } from '../../../base/search.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { costsOfSamples, type SampleTimes } from '../../../model/stacks/times.ts';
import { StackDraft } from './stack-draft.ts';
import { keepOrigins } from './stack-rules.ts';
import type { TimeRange } from './time-range.ts';

/** Keeps the samples in a range, counted from the first sample. Times stay those of the whole profile. */
export function* clipSamples(
  profile: ProfileOf<'stacks'>,
  times: SampleTimes,
  { fromUs, toUs }: TimeRange,
): Generator<undefined, ProfileOf<'stacks'>> {
  const { stacks, columns } = profile;
  const n = times.at.length;
  const from = firstIndexWhere(n, (i) => times.at[i] / 1e3 >= fromUs);
  const to = firstIndexWhere(n, (i) => times.at[i] / 1e3 >= toUs);
  const costs = costsOfSamples(times, from, to, columns, stacks.part.length);
  yield;
  const isSampled = new Uint8Array(stacks.part.length);
  for (let i = from; i < to; i++) isSampled[times.stack[i]] = 1;
  const sliceOf = <A extends Float64Array | Uint32Array | Uint16Array>(column: A): A => column.subarray(from, to) as A;
  const { stack, at, column, cost } = times;
  const kept = { ...times, stack: sliceOf(stack), at: sliceOf(at), column: sliceOf(column), cost: sliceOf(cost) };
  // Sums beyond 2^53 are sums of doubles here, so they are not exact.
  const events = profile.events.map(({ exact: _, ...event }) => event);
  const draft = yield* StackDraft.fromProfile({ ...profile, events, stacks: { ...stacks, costs }, times: kept });
  yield* draft.applyRule(keepOrigins(draft, (s) => isSampled[s] === 1));
  return yield* draft.finish();
}
