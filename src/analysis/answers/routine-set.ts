// The cost of a set of routines.
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Analysis } from './analysis.ts';

/** The cost of a set of routines with all they call, each sample or call counted once; undefined if it cannot be computed. */
export const costOfRoutineSet = memo((analysis: Analysis, wanted: Uint8Array, event: Event) => {
  const groupOf = Int32Array.from(wanted, (one) => one - 1);
  const columns = event.terms.map(([, column]) => column);
  const found = analysis.costing.groups({ groupOf, groups: 1, columns });
  return found && { value: eventValue(event, found.costs, 0), estimated: found.estimated[0] === 1 };
}, 4);
