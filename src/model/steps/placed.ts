// Tables beside the steps, in which the rows as written become the rows in order. `place`: by row as written, its row in order; undefined
// where the order is the same.
import { indexBy } from '../column.ts';
import { pickRows } from '../table.ts';
import type { StepColumns } from './columns.ts';
import type { Rebuilds } from './rebuilds.ts';
import type { Live, Steps } from './tables.ts';

export function outputsOf(
  columns: StepColumns,
  place: Uint32Array | undefined,
): Pick<Steps, 'outputStart' | 'outputPath' | 'outputBytes'> {
  const { outputStep, outputPath, outputBytes } = columns;
  const steps = place ? outputStep.done().map((row) => place[row]) : outputStep.done();
  const { order, from } = indexBy(steps, columns.rows);
  return { outputStart: from, ...pickRows({ outputPath: outputPath.done(), outputBytes: outputBytes.done() }, order) };
}

export function rebuildsOf({ units, headers }: Rebuilds, place: Uint32Array | undefined): Rebuilds {
  return { units: place ? { ...units, step: units.step.map((row) => (row < 0 ? row : place[row])) } : units, headers };
}

export function liveOf(live: Live, place: Uint32Array | undefined): Live {
  const { step, beforeUs } = live.running;
  return { ...live, running: { step: place ? step.map((row) => place[row]) : step, beforeUs } };
}
