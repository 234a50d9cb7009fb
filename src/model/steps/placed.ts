// Renumbers tables that refer to steps, after steps were sorted. `rowOf`: the new row of each old one; undefined if unchanged.
import { indexBy } from '../column.ts';
import { pickRows } from '../table.ts';
import type { StepColumns } from './columns.ts';
import type { Rebuilds } from './rebuilds.ts';
import type { RunningBuild, Steps } from './tables.ts';

export function orderOutputs(
  columns: StepColumns,
  rowOf: Uint32Array | undefined,
): Pick<Steps, 'outputStart' | 'outputPath' | 'outputBytes'> {
  const { outputStep, outputPath, outputBytes } = columns;
  const steps = rowOf ? outputStep.done().map((row) => rowOf[row]) : outputStep.done();
  const { order, from } = indexBy(steps, columns.rows);
  return { outputStart: from, ...pickRows({ outputPath: outputPath.done(), outputBytes: outputBytes.done() }, order) };
}

export function orderRebuilds({ units, headers }: Rebuilds, rowOf: Uint32Array | undefined): Rebuilds {
  return { units: rowOf ? { ...units, step: units.step.map((row) => (row < 0 ? row : rowOf[row])) } : units, headers };
}

export function orderLive(live: RunningBuild, rowOf: Uint32Array | undefined): RunningBuild {
  const { step, beforeUs } = live.running;
  return { ...live, running: { step: rowOf ? step.map((row) => rowOf[row]) : step, beforeUs } };
}
