// Memory that a program allocated and that is still in use, or that it hardly read.
import { type Event, eventValue } from '../../model/head.ts';
import { findEvent } from '../hottest.ts';
import { type Evidence, makeEventRule, type RuleResult } from '../rule.ts';
import { APPROX_MARK, asCost, asShareOf, say } from '../say.ts';

/** Minimum share of the allocated bytes that is still in use. */
const MIN_LEFT = 0.05;
/** Maximum share of the allocated bytes that is read. */
const MAX_READ = 0.5;

/** The bytes of one event beside those allocated: `Of 26.1 KiB allocated, 10.1 KiB (38.64%)`. */
function ofAllocated(e: Evidence, allocated: Event, event: Event, isFound: (share: number) => boolean) {
  const total = (of: Event) => eventValue(of, e.analysis.totals.total, 0);
  const share = total(event) / total(allocated);
  if (!isFound(share)) return undefined;
  const amount = say`${event.longName?.includes('≈') ? APPROX_MARK : ''}${asCost({ event }, event.name, total(event))} (${asShareOf('share', total(event), total(allocated))})`;
  const target = { view: 'routines', report: 'routines', event: event.name };
  return { share, target, amount, of: asCost({ event: allocated }, 'allocated', total(allocated)) };
}

export const memoryUseRule = makeEventRule({
  id: 'memory-use',
  question: 'How much of the allocated memory is still in use, and how much of it is ever read?',
  evidence: 'the totals of bytes allocated, in use and read (alloc_space, inuse_space, reads; totB, curB of Valgrind)',
  threshold: 'at least 5 % still in use; at most half read, where reads are counted',
  requires: ['routines', 'self'],
  find(e) {
    const allocated = findEvent(e, 'alloc_space') ?? findEvent(e, 'totB');
    const left = findEvent(e, allocated?.name === 'totB' ? 'curB' : 'inuse_space');
    const reads = findEvent(e, 'reads');
    const out: RuleResult[] = [];
    const kept = allocated && left && ofAllocated(e, allocated, left, (share) => share >= MIN_LEFT);
    if (kept) {
      const { amount, of, ...found } = kept;
      const when = left.longName?.endsWith('at the end') ? 'at the end' : 'when this was recorded';
      out.push({
        ...say`Of ${of} allocated, ${amount} was in use ${{ called: when }}`,
        ...{ why: `the total of ${left.name}, beside that of ${allocated.name}`, subject: 'memory in use', ...found },
      });
    }
    const read = allocated && reads && ofAllocated(e, allocated, reads, (share) => share <= MAX_READ);
    if (read) {
      const { amount, of, ...found } = read;
      out.push({
        ...say`Of ${of} allocated, at most ${amount} was ever read`,
        ...{ why: 'bytes that are read twice are counted twice', subject: 'memory read', ...found },
      });
    }
    return out;
  },
});
