// Invariants of steps in time.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { stringCount } from '../strings.ts';
import type { Timeline } from './tables.ts';

export function checkSteps(profile: Head & Timeline, to: Invariants): void {
  const { steps } = profile;
  const n = steps.name.length;
  const { part, parent, startUs, durationUs, kind, result, track } = steps;
  to.sameLength('steps', n, { part, parent, startUs, durationUs, kind, result, track });
  to.within('steps.name', steps.name, 0, stringCount(profile.strings));
  to.within('steps.part', part, 0, profile.parts.length);
  to.within('steps.parent', parent, -1, n);
  to.within('steps.routine', steps.routine, -1, profile.routines.name.length);
  to.every(n, (i) => (durationUs[i] >= 0 || Number.isNaN(durationUs[i]) ? undefined : `step ${i} takes ${durationUs[i]} µs`));
  to.holds(
    steps.outputStart.length === n + 1 && steps.outputStart[n] === steps.outputPath.length,
    'the steps do not cover their outputs',
  );
}
