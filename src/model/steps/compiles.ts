// The work of the compilers of a build, summed over all units, and the cost of changing a header: the units that are compiled again, and
// how long each took when it was last compiled. Times are microseconds; names are string ids.
import type { Invariants } from '../invariants.ts';
import { type Strings, stringCount } from '../strings.ts';

/** Work that is repeated in several units, by name: its sum over all units, and the unit in which it took longest. */
export interface RepeatedWork {
  readonly name: Uint32Array;
  readonly us: Float64Array;
  /** Self time: without nested work of the same table. */
  readonly selfUs: Float64Array;
  readonly count: Float64Array;
  readonly units: Uint32Array;
  readonly worst: Uint32Array;
}

/**
 * Additional columns of phases that only GCC's reports have. `bytes`: memory allocated by GCC's garbage collector, which GCC rounds down per
 * unit: to KiB, above 10,240 KiB to MiB.
 */
export type PhaseCosts = Readonly<Record<'userUs' | 'systemUs' | 'bytes', Float64Array>>;

export interface Compiles {
  /** The translation units of a build, one row each. */
  readonly units: {
    readonly name: Uint32Array;
    /** The path of each unit's trace. */
    readonly trace: Int32Array;
    /** The row of each unit's step; -1 if none is recorded. */
    readonly step: Int32Array;
    readonly totalUs: Float64Array;
    readonly frontendUs: Float64Array;
    readonly backendUs: Float64Array;
  };
  /** Work by header. Inclusive time includes nested headers, self time does not. */
  readonly headers: RepeatedWork;
  /** The time that each unit spent in each header, sorted by unit. */
  readonly uses: {
    readonly unit: Uint32Array;
    readonly header: Uint32Array;
    readonly us: Float64Array;
    readonly selfUs: Float64Array;
  };
  /** The phases of each unit that take 1 % of its time or more, sorted by unit. */
  readonly phaseUses: { readonly unit: Uint32Array; readonly phase: Uint32Array; readonly us: Float64Array };
  /** Include chains, starting at a source's direct includes. Equal chains of several units are one row, below their parent's. */
  readonly includes: {
    readonly header: Uint32Array;
    readonly parent: Int32Array;
    readonly us: Float64Array;
    readonly count: Float64Array;
  };
  readonly templates: RepeatedWork;
  /** Work by template without arguments, `std::vector<$>`. Nested instantiations of the same template are not counted again. */
  readonly templateSets: RepeatedWork;
  /** Work by function. `us`: optimizing; `generateUs`: generating code. */
  readonly functions: RepeatedWork & { readonly generateUs: Float64Array };
  readonly phases: RepeatedWork & Partial<PhaseCosts>;
}

export const WORK_TABLES = ['headers', 'templates', 'templateSets', 'functions', 'phases'] as const;

export function checkCompiles(compiles: Compiles, strings: Strings, steps: number, to: Invariants): void {
  const { units, uses, phaseUses, includes } = compiles;
  const n = units.name.length;
  const name = stringCount(strings);
  to.checkTable('units', units, { name, step: steps });
  for (const table of WORK_TABLES) {
    const work = compiles[table];
    const rows = work.name.length;
    to.checkTable(table, work, { name, worst: n });
    to.checkRange(`${table}.units`, work.units, 1, n + 1);
    to.checkRows(rows, (i) => (work.us[i] >= 0 && work.count[i] >= 1 ? undefined : `${table} ${i} takes ${work.us[i]} µs`));
  }
  const header = compiles.headers.name.length;
  to.checkTable('uses', uses, { unit: n, header });
  to.checkTable('phaseUses', phaseUses, { unit: n, phase: compiles.phases.name.length });
  to.checkTable('includes', includes, { header });
  to.checkRows(includes.parent.length, (i) => (includes.parent[i] < i ? undefined : `include ${i} is above its parent`));
}

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

/** A slice in the trace of one compile, in microseconds from the start of the compiler. */
export interface CompilerSlice extends Readonly<Record<'us' | 'durationUs', number>> {
  readonly name: string;
  readonly detail?: string | undefined;
}
