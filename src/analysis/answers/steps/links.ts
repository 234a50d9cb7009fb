// Which slices hand over to which, by the flow events of a trace.
import { memo } from '../../../base/lists.ts';
import { type Index, indexBy, rowsOfKey } from '../../../model/column.ts';
import type { Steps } from '../../../model/steps/tables.ts';

const linkIndexes = memo((steps: Steps) => ({
  to: indexBy(steps.linkFrom, steps.name.length),
  from: indexBy(steps.linkTo, steps.name.length),
}));

/** The slices that a slice hands over `to`, and those that hand over to it (`from`). */
export function sliceLinksOf(steps: Steps, step: number) {
  if (steps.linkFrom.length === 0 || step < 0) return { to: [], from: [] };
  const { to, from } = linkIndexes(steps);
  const list = (index: Index, other: Uint32Array) => Array.from(rowsOfKey(index, step), (k) => other[k]);
  return { to: list(to, steps.linkTo), from: list(from, steps.linkFrom) };
}
