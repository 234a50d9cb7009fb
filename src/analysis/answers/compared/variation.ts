// Computes how far several runs of one program vary: their totals, and the costs of their routines.
import { getOrMake } from '../../../base/lists.ts';
import { type Event, eventColumn, eventValue } from '../../../model/head.ts';
import type { Variation } from '../../../model/profile.ts';
import { nameInData, routineObject } from '../../names/names.ts';
import type { Analysis } from '../analysis.ts';

interface SumsOverRuns {
  readonly totals: number[];
  /** By routine: the sum of its self costs, and of their squares. */
  readonly routines: Map<string, [sum: number, squares: number]>;
}

/** Adds up runs one at a time, keeping only sums. */
export class RunVariation {
  private readonly byEvent = new Map<string, SumsOverRuns>();

  add({ profile, totals, costing }: Analysis, events: readonly Event[]): void {
    const names = profile.routines.name.length;
    const keys = costing.can.has('self')
      ? Array.from({ length: names }, (_, r) => `${nameInData(profile, r)}\n${routineObject(profile, r)}`)
      : [];
    for (const event of events) {
      if (event.per) continue;
      const sums = getOrMake(this.byEvent, event.name, () => ({ totals: [], routines: new Map() }));
      sums.totals.push(eventValue(event, totals.total, 0));
      if (keys.length === 0) continue;
      const self = eventColumn(event, totals.self, names);
      for (let r = 0; r < names; r++) {
        if (self[r] === 0) continue;
        const own = getOrMake(sums.routines, keys[r], () => [0, 0]);
        own[0] += self[r];
        own[1] += self[r] ** 2;
      }
    }
  }

  /** By event: the variation, for events that all runs have. */
  result(runs: number): ReadonlyMap<string, Variation> {
    const out = new Map<string, Variation>();
    for (const [name, { totals, routines }] of this.byEvent) {
      if (totals.length !== runs) continue;
      const mean = totals.reduce((s, t) => s + t, 0) / runs;
      const squares = totals.reduce((s, t) => s + (t - mean) ** 2, 0);
      out.set(name, { mean, variance: squares / Math.max(1, runs - 1), routines: poolVariances(routines, runs) });
    }
    return out;
  }
}

/** Routines whose costs differ by less than this factor share their variances. */
const COST_POOL_FACTOR = 4;

export const costPool = (cost: number): number => Math.floor(Math.log(Math.max(1, Math.abs(cost))) / Math.log(COST_POOL_FACTOR));

/** The mean relative variances, grouped by cost. A routine that a run lacks costs 0 there. */
function poolVariances(routines: SumsOverRuns['routines'], runs: number): Variation['routines'] {
  const pools: { relative: number; routines: number }[] = [];
  for (const [sum, squares] of routines.values()) {
    const mean = sum / runs;
    if (!(mean > 0) || runs < 2) continue;
    const pool = (pools[costPool(mean)] ??= { relative: 0, routines: 0 });
    pool.relative += Math.max(0, squares - runs * mean * mean) / (runs - 1) / (mean * mean);
    pool.routines++;
  }
  return Array.from(pools, (pool) => (pool ? { relative: pool.relative / pool.routines, routines: pool.routines } : EMPTY_POOL));
}

const EMPTY_POOL = { relative: 0, routines: 0 };
