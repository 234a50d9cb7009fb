// What the values of samples count: pprof's types and units as events.
import type { Unit } from '../../base/units.ts';
import type { SampleType } from '../../model/stacks/samples.ts';

/** Our unit, and what one of pprof's is in it. */
const UNITS: Readonly<Record<string, readonly [Unit, number]>> = {
  nanoseconds: ['ns', 1],
  microseconds: ['us', 1],
  milliseconds: ['ns', 1e6],
  seconds: ['ns', 1e9],
  bytes: ['bytes', 1],
  kilobytes: ['bytes', 1 << 10],
  megabytes: ['bytes', 1 << 20],
  gigabytes: ['bytes', 1 << 30],
};

/** As pprof reads them (measurement.go), in any case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ns: 'nanoseconds',
  us: 'microseconds',
  ms: 'milliseconds',
  s: 'seconds',
  sec: 'seconds',
  b: 'bytes',
  kb: 'kilobytes',
  mb: 'megabytes',
  gb: 'gigabytes',
};

/** `each`: what one sample counts, if the profile says so. Names that occur twice get their units. */
export function sampleTypes(
  types: readonly { readonly type: string; readonly unit: string; readonly each: number | undefined }[],
): SampleType[] {
  return types.map(({ type, unit, each }) => {
    const [ours, factor] = unitOf(unit);
    const twice = types.filter((t) => t.type === type).length > 1;
    const name = twice || type === '' ? `${type}/${unit}` : type;
    const samples = type === 'samples' && ours === 'count';
    return {
      name,
      unit: samples ? 'samples' : ours,
      longName: `${type}/${unit}`,
      ...(factor === 1 ? {} : { factor }),
      ...(samples ? { each: 1 } : each === undefined ? {} : { each }),
    };
  });
}

function unitOf(said: string): readonly [Unit, number] {
  const word = said.toLowerCase();
  const known = (name: string) => UNITS[name] ?? UNITS[OTHER_NAMES[name] ?? ''] ?? UNITS[`${name}s`];
  return Object.hasOwn(UNITS, word) || Object.hasOwn(OTHER_NAMES, word) || Object.hasOwn(UNITS, `${word}s`)
    ? (known(word) ?? ['count', 1])
    : ['count', 1];
}

/** The one that opens first is in front: the default, else the last. */
export function inOrder(types: readonly SampleType[], first: number): (SampleType & { readonly column: number })[] {
  const all = types.map((type, column) => ({ ...type, column }));
  const front = all[first] ?? all.at(-1);
  return front ? [front, ...all.filter((t) => t !== front)] : [];
}
