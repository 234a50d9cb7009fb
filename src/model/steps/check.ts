// Invariants of steps in time.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { stringCount } from '../strings.ts';
import { stepRows } from './columns.ts';
import { checkCompiles } from './compiles.ts';
import { checkHistory } from './history.ts';
import { checkRebuilds } from './rebuilds.ts';
import type { Timeline } from './tables.ts';

export function checkSteps(profile: Head & Timeline, to: Invariants): void {
  const { steps } = profile;
  const n = steps.name.length;
  const { startUs, durationUs } = steps;
  to.table(
    'steps',
    { ...stepRows(steps), clipRow: steps.clip?.row },
    {
      ...{ name: stringCount(profile.strings), part: profile.parts.length, parent: n },
      ...{ track: steps.tracks.length, routine: profile.routines.name.length },
    },
  );
  to.every(n, (i) => (durationUs[i] >= 0 || Number.isNaN(durationUs[i]) ? undefined : `step ${i} takes ${durationUs[i]} µs`));
  to.holds(
    steps.outputStart.length === n + 1 && steps.outputStart[n] === steps.outputPath.length,
    'the steps do not cover their outputs',
  );
  to.sameLength('outputs', steps.outputPath.length, { bytes: steps.outputBytes });
  let last = Number.NEGATIVE_INFINITY;
  to.every(n, (i) => {
    if (startUs[i] < last) return `step ${i} starts at ${startUs[i]} µs, before the one above it`;
    if (!Number.isNaN(startUs[i])) last = startUs[i];
    return undefined;
  });
  pairs('links', steps.linkFrom, steps.linkTo, n, to);
  if (steps.needs) pairs('needs', steps.needs.step, steps.needs.of, n, to);
  if (steps.targetNeeds) pairs('targetNeeds', steps.targetNeeds.step, steps.targetNeeds.of, n, to);
  if (steps.critical) to.within('critical', steps.critical, 0, n);
  if (steps.compiles) checkCompiles(steps.compiles, profile.strings, n, to);
  if (steps.rebuilds) checkRebuilds(steps.rebuilds, profile.strings, n, to);
  if (steps.live) {
    to.within('live.step', steps.live.running.step, 0, n);
    to.sameLength('live', steps.live.running.step.length, { beforeUs: steps.live.running.beforeUs });
  }
  if (steps.history) checkHistory(steps.history, profile.strings, to);
  if (steps.clip) to.within('clip.row', steps.clip.row, 0, steps.clip.of.name.length);
}

function pairs(name: string, from: Uint32Array, of: Uint32Array, steps: number, to: Invariants): void {
  to.sameLength(name, from.length, { of });
  to.within(`${name}.from`, from, 0, steps);
  to.within(`${name}.of`, of, 0, steps);
}
