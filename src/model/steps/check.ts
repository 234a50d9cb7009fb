// Invariants of steps in time.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { stringCount } from '../strings.ts';
import { checkCompiles } from './compiles.ts';
import { checkHistory } from './history.ts';
import type { Steps, Timeline } from './tables.ts';

export function checkSteps(profile: Head & Timeline, to: Invariants): void {
  const { steps } = profile;
  const n = steps.name.length;
  const { part, parent, startUs, durationUs, track } = steps;
  to.sameLength('steps', n, columnsOf(steps));
  to.within('steps.name', steps.name, 0, stringCount(profile.strings));
  to.within('steps.part', part, 0, profile.parts.length);
  to.within('steps.parent', parent, -1, n);
  to.within('steps.track', track, 0, steps.tracks.length);
  to.within('steps.routine', steps.routine, -1, profile.routines.name.length);
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
  if (steps.compiles) checkCompiles(steps.compiles, profile.strings, n, to);
  if (steps.live) {
    to.within('live.step', steps.live.running.step, 0, n);
    to.sameLength('live', steps.live.running.step.length, { beforeUs: steps.live.running.beforeUs });
  }
  if (steps.history) checkHistory(steps.history, profile.strings, to);
  if (steps.clip) to.within('clip.row', steps.clip.row, 0, steps.clip.of.name.length);
}

/** What has a value for each step. */
function columnsOf(steps: Steps): Record<string, ArrayLike<number> | undefined> {
  const { name, kind, track, part, parent, startUs, durationUs, cpuUs, result, routine, clip } = steps;
  const { role, caveat, target, detail, source, language, config, command, directory, more, trace, traceCaveat } = steps;
  return {
    ...{ name, kind, track, part, parent, startUs, durationUs, cpuUs, result, routine, clipRow: clip?.row },
    ...{ role, caveat, target, detail, source, language, config, command, directory, more, trace, traceCaveat },
  };
}

function pairs(name: string, from: Uint32Array, of: Uint32Array, steps: number, to: Invariants): void {
  to.sameLength(name, from.length, { of });
  to.within(`${name}.from`, from, 0, steps);
  to.within(`${name}.of`, of, 0, steps);
}
