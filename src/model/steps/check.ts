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
  to.checkTable('outputs', { path: outputPath, bytes: steps.outputBytes }, {});
  let last = Number.NEGATIVE_INFINITY;
  to.checkRows(n, (i) => {
    if (startUs[i] < last) return `step ${i} starts at ${startUs[i]} µs, before the one above it`;
    if (!Number.isNaN(startUs[i])) last = startUs[i];
    return undefined;
  });
  to.checkTable('links', { from: steps.linkFrom, of: steps.linkTo }, { from: n, of: n });
  for (const name of ['needs', 'targetNeeds'] as const) if (steps[name]) to.checkTable(name, steps[name], { step: n, of: n });
  if (steps.critical) to.checkRange('critical', steps.critical, 0, n);
  if (steps.compiles) checkCompiles(steps.compiles, profile.strings, n, to);
  if (steps.rebuilds) checkRebuilds(steps.rebuilds, profile.strings, n, to);
  if (steps.live) to.checkTable('live', steps.live.running, { step: n });
  if (steps.history) checkHistory(steps.history, profile.strings, to);
  if (steps.clip) to.checkRange('clip.row', steps.clip.row, 0, steps.clip.of.name.length);
}
