// The cost of changing a header: the units that are compiled again, and how long each took when it was last compiled.
// Times are microseconds; names are string ids.
import type { Invariants } from '../invariants.ts';
import { type Strings, stringCount } from '../strings.ts';
import type { RepeatedWork } from './compiles.ts';

export interface Rebuilds {
  /** The units of the build tree, named by their outputs. `step`: -1 if none is recorded. `us`: NaN if unknown. */
  readonly units: { readonly name: Uint32Array; readonly step: Int32Array; readonly us: Float64Array };
  /** The project's own headers. `us`: the sum over units with known durations. `worst`: the unit that took longest. */
  readonly headers: Pick<RepeatedWork, 'name' | 'us' | 'units' | 'worst'>;
}

export function checkRebuilds({ units, headers }: Rebuilds, strings: Strings, steps: number, to: Invariants): void {
  const [n, name] = [units.name.length, stringCount(strings)];
  to.checkTable('rebuilds.units', units, { name, step: steps });
  to.checkTable('rebuilds.headers', headers, { name, worst: n });
  to.checkRange('rebuilds.headers.units', headers.units, 1, n + 1);
  to.checkRows(headers.us.length, (i) => (headers.us[i] >= 0 ? undefined : `header ${i} costs ${headers.us[i]} µs`));
}
