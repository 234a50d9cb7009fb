// What the compilers of a build spent their time on, added up over all units. Times are microseconds; names are string ids.
import type { Invariants } from '../invariants.ts';
import { type Strings, stringCount } from '../strings.ts';

/** The translation units, a row each. */
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

/** What was done again and again, by name: a sum over all units, and the unit in which it took the longest. */
export interface Work {
  readonly name: Uint32Array;
  readonly us: Float64Array;
  /** Without work of the same table inside it. */
  readonly selfUs: Float64Array;
  readonly count: Float64Array;
  readonly units: Uint32Array;
  readonly worst: Uint32Array;
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
  readonly phases: Work;
}

const WORK = ['headers', 'templates', 'templateSets', 'functions', 'phases'] as const;

export function checkCompiles(compiles: Compiles, strings: Strings, steps: number, to: Invariants): void {
  const { units, uses, includes } = compiles;
  const n = units.name.length;
  to.sameLength('units', n, { ...units });
  to.within('units.name', units.name, 0, stringCount(strings));
  to.within('units.step', units.step, -1, steps);
  for (const table of WORK) {
    const work = compiles[table];
    const rows = work.name.length;
    to.sameLength(table, rows, { ...work });
    to.within(`${table}.name`, work.name, 0, stringCount(strings));
    to.within(`${table}.worst`, work.worst, 0, n);
    to.within(`${table}.units`, work.units, 1, n + 1);
    to.every(rows, (i) => (work.us[i] >= 0 && work.count[i] >= 1 ? undefined : `${table} ${i} takes ${work.us[i]} µs`));
  }
  to.sameLength('uses', uses.unit.length, { ...uses });
  to.within('uses.unit', uses.unit, 0, n);
  to.within('uses.header', uses.header, 0, compiles.headers.name.length);
  to.sameLength('includes', includes.header.length, { ...includes });
  to.within('includes.header', includes.header, 0, compiles.headers.name.length);
  to.every(includes.parent.length, (i) => (includes.parent[i] < i ? undefined : `include ${i} is above its parent`));
}
