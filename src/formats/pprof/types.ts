// Converts pprof's sample types and units to events.
import { type Unit, unitFactor } from '../../base/units.ts';
import type { RecordedType } from '../../model/stacks/samples.ts';

/** Go profiles that list everything that existed at one moment, without sampling. */
const SNAPSHOT_PROFILES: ReadonlySet<string> = new Set(['goroutine', 'threadcreate']);

/** Converts sample types. `each`: what one sample counts, if the profile records it. Duplicate names get a unit or a number. */
export function convertSampleTypes(
  types: readonly { readonly type: string; readonly unit: string; readonly each: number | undefined }[],
): RecordedType[] {
  const timesSeen = new Map<string, number>();
  return types.map(({ type, unit, each }, column) => {
    const [ours, factor] = convertUnit(unit);
    const twice = types.filter((t) => t.type === type).length > 1;
    const plain = twice || type === '' ? `${type}/${unit}` : type;
    const before = timesSeen.get(plain) ?? 0;
    timesSeen.set(plain, before + 1);
    const samples = type === 'samples' && ours === 'count';
    // A snapshot is complete, so its period is ignored.
    const one = samples ? 1 : SNAPSHOT_PROFILES.has(type) ? undefined : each;
    return {
      name: before === 0 ? plain : `${plain} ${before + 1}`,
      unit: samples ? 'samples' : ours,
      longName: `${type}/${unit}`,
      column,
      ...(factor === 1 ? {} : { factor }),
      ...(one === undefined ? {} : { each: one }),
    };
  });
}

/** proftui's unit for a pprof unit, and the conversion factor. */
function convertUnit(pprofUnit: string): readonly [Unit, number] {
  const known = unitFactor(pprofUnit);
  if (!known) return ['count', 1];
  return known.of === 'ns' && known.factor === 1e3 ? ['us', 1] : [known.of, known.factor];
}

/** The types with the default type first, or the last type if there is no default. */
export function withDefaultFirst(types: readonly RecordedType[], first: number): RecordedType[] {
  const front = types[first] ?? types.at(-1);
  return front ? [front, ...types.filter((t) => t !== front)] : [];
}
