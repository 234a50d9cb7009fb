// How many sampled objects the costs of a heap profile were estimated from.
import type { StackTable } from '../../model/stacks/samples.ts';

/**
 * By column: the number of sampled objects behind it; 0 for types that are no objects or bytes of a heap. The writer scaled each site by
 * 1 / (1 - exp(-size / rate)) (pprof's legacy_profile.go, runtime/pprof/protomem.go), which is undone here. `rate`: bytes between samples.
 */
export function countSampledObjects(
  { sums, rows }: StackTable,
  firstRow: number,
  types: readonly { readonly type: string }[],
  rate: number,
): number[] {
  return types.map(({ type }) => {
    const of = (what: string) => types.findIndex((t) => t.type === type.replace(/(objects|space)$/, what));
    const [objects, space] = [of('objects'), of('space')];
    if (objects === space || objects < 0 || space < 0) return 0;
    let sampled = 0;
    for (let row = firstRow; row < rows; row++) {
      const [count, bytes] = [sums[objects].sum.data[row], sums[space].sum.data[row]];
      if (count > 0 && bytes > 0) sampled += count * (1 - Math.exp(-bytes / count / rate));
    }
    return Math.round(sampled);
  });
}
