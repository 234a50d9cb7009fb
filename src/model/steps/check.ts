// Checks the invariants of steps in time.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { stringCount } from '../strings.ts';
import { columnsPerStep } from './columns.ts';
import { checkCompiles, checkRebuilds } from './compiles.ts';
import { checkHistory } from './history.ts';
import type { Timeline } from './tables.ts';

export function checkSteps(profile: Head & Timeline, to: Invariants): void {
  const { steps } = profile;
  const n = steps.name.length;
  const { startUs, durationUs } = steps;
  const rows = { name: stringCount(profile.strings), part: profile.parts.length, parent: n, track: steps.tracks.length };
  const table = { ...columnsPerStep(steps), clipRow: steps.clip?.row };
  to.checkTable('steps', table, { ...rows, routine: profile.routines.name.length });
  to.checkRows(n, (i) => (durationUs[i] >= 0 || Number.isNaN(durationUs[i]) ? undefined : `step ${i} takes ${durationUs[i]} µs`));
  const { outputStart, outputPath } = steps;
  to.check(outputStart.length === n + 1 && outputStart[n] === outputPath.length, 'the steps do not cover their outputs');
  to.checkLength('outputs', outputPath.length, { bytes: steps.outputBytes });
  let last = Number.NEGATIVE_INFINITY;
  to.checkRows(n, (i) => {
    if (startUs[i] < last) return `step ${i} starts at ${startUs[i]} µs, before the one above it`;
    if (!Number.isNaN(startUs[i])) last = startUs[i];
    return undefined;
  });
  checkPairs('links', steps.linkFrom, steps.linkTo, n, to);
  if (steps.needs) checkPairs('needs', steps.needs.step, steps.needs.of, n, to);
  if (steps.targetNeeds) checkPairs('targetNeeds', steps.targetNeeds.step, steps.targetNeeds.of, n, to);
  if (steps.critical) to.checkRange('critical', steps.critical, 0, n);
  if (steps.compiles) checkCompiles(steps.compiles, profile.strings, n, to);
  if (steps.rebuilds) checkRebuilds(steps.rebuilds, profile.strings, n, to);
  if (steps.live) {
    to.checkRange('live.step', steps.live.running.step, 0, n);
    to.checkLength('live', steps.live.running.step.length, { beforeUs: steps.live.running.beforeUs });
  }
  if (steps.history) checkHistory(steps.history, profile.strings, to);
  if (steps.clip) to.checkRange('clip.row', steps.clip.row, 0, steps.clip.of.name.length);
}

function checkPairs(name: string, from: Uint32Array, of: Uint32Array, steps: number, to: Invariants): void {
  to.checkLength(name, from.length, { of });
  to.checkRange(`${name}.from`, from, 0, steps);
  to.checkRange(`${name}.of`, of, 0, steps);
}
