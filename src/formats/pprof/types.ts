// The units of the values of samples: pprof's types and units as events.
import { type Unit, unitFactor } from '../../base/units.ts';
import type { RecordedType, SampleType } from '../../model/stacks/samples.ts';

/** Profiles of Go that are no samples: what there was at one moment. */
const SNAPSHOTS: ReadonlySet<string> = new Set(['goroutine', 'threadcreate']);

/** `each`: what one sample counts, if the profile says so. Names that occur twice get their units, then numbers. */
export function sampleTypes(
  types: readonly { readonly type: string; readonly unit: string; readonly each: number | undefined }[],
): SampleType[] {
  const met = new Map<string, number>();
  return types.map(({ type, unit, each }) => {
    const [ours, factor] = unitOf(unit);
    const twice = types.filter((t) => t.type === type).length > 1;
    const plain = twice || type === '' ? `${type}/${unit}` : type;
    const before = met.get(plain) ?? 0;
    met.set(plain, before + 1);
    const samples = type === 'samples' && ours === 'count';
    // A snapshot counts all there are, by whatever period.
    const one = samples ? 1 : SNAPSHOTS.has(type) ? undefined : each;
    return {
      name: before === 0 ? plain : `${plain} ${before + 1}`,
      unit: samples ? 'samples' : ours,
      longName: `${type}/${unit}`,
      ...(factor === 1 ? {} : { factor }),
      ...(one === undefined ? {} : { each: one }),
    };
  });
}

/** Our unit, and what one of pprof's is in it. Microseconds are a unit of ours. */
function unitOf(said: string): readonly [Unit, number] {
  const known = unitFactor(said);
  if (!known) return ['count', 1];
  return known.of === 'ns' && known.factor === 1e3 ? ['us', 1] : [known.of, known.factor];
}

/** The one that opens first is in front: the default, else the last. */
export function inOrder(types: readonly SampleType[], first: number): RecordedType[] {
  const all = types.map((type, column) => ({ ...type, column }));
  const front = all[first] ?? all.at(-1);
  return front ? [front, ...all.filter((t) => t !== front)] : [];
}
