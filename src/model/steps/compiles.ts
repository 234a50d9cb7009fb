// The work of the compilers of a build, added up over all units. Times are microseconds; names are string ids.
import type { Invariants } from '../invariants.ts';
import { type Strings, stringCount } from '../strings.ts';

/** The translation units, one row each. */
export interface Units {
  readonly name: Uint32Array;
  /** Path of its trace. */
  readonly trace: Int32Array;
  /** The row of its step; -1 if none is recorded. */
  readonly step: Int32Array;
  readonly totalUs: Float64Array;
  readonly frontendUs: Float64Array;
  readonly backendUs: Float64Array;
}

/** Repeated work, by name: a sum over all units, and the unit in which it took the longest. */
export interface Work {
  readonly name: Uint32Array;
  readonly us: Float64Array;
  /** Without work of the same table inside it. */
  readonly selfUs: Float64Array;
  readonly count: Float64Array;
  readonly units: Uint32Array;
  readonly worst: Uint32Array;
}

/** More columns of phases, which only GCC's reports have. */
export interface PhaseCosts {
  readonly userUs: Float64Array;
  readonly systemUs: Float64Array;
  /** Memory of GCC's garbage collector that was allocated: each unit's is rounded down to 1,024 bytes, or to 1,024² from 10,240 KiB on. */
  readonly bytes: Float64Array;
}

export interface Compiles {
  readonly units: Units;
  /** Headers; their inclusive time has the headers below, their self time has not. */
  readonly headers: Work;
  /** Which unit spent how long in which header, by unit. */
  readonly uses: {
    readonly unit: Uint32Array;
    readonly header: Uint32Array;
    readonly us: Float64Array;
    readonly selfUs: Float64Array;
  };
  /** The chains of includes, from what a source includes itself: an equal chain of several units is one row, below its parent's. */
  readonly includes: {
    readonly header: Uint32Array;
    readonly parent: Int32Array;
    readonly us: Float64Array;
    readonly count: Float64Array;
  };
  readonly templates: Work;
  /** `std::vector<$>`; an instantiation inside one of the same set is not counted again. */
  readonly templateSets: Work;
  /** Functions; `us` is optimizing, and `generateUs` generating code. */
  readonly functions: Work & { readonly generateUs: Float64Array };
  readonly phases: Work & Partial<PhaseCosts>;
}

const WORK = ['headers', 'templates', 'templateSets', 'functions', 'phases'] as const;

export function checkCompiles(compiles: Compiles, strings: Strings, steps: number, to: Invariants): void {
  const { units, uses, includes } = compiles;
  const n = units.name.length;
  const name = stringCount(strings);
  to.checkTable('units', units, { name, step: steps });
  for (const table of WORK) {
    const work = compiles[table];
    const rows = work.name.length;
    to.checkTable(table, work, { name, worst: n });
    to.checkRange(`${table}.units`, work.units, 1, n + 1);
    to.checkRows(rows, (i) => (work.us[i] >= 0 && work.count[i] >= 1 ? undefined : `${table} ${i} takes ${work.us[i]} µs`));
  }
  const header = compiles.headers.name.length;
  to.checkTable('uses', uses, { unit: n, header });
  to.checkTable('includes', includes, { header });
  to.checkRows(includes.parent.length, (i) => (includes.parent[i] < i ? undefined : `include ${i} is above its parent`));
}
