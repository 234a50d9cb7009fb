// Finds steps that waited because their build pool was full.
import { groupByKey } from '../../base/lists.ts';
import { firstIndexWhere } from '../../base/search.ts';
import type { Analysis } from '../answers/analysis.ts';
import { stepText } from '../answers/steps/steps.ts';
import type { BuildUnit, Stages } from './stages.ts';

/** The units of a pool in one stage. */
interface PoolUnits {
  readonly depth: number;
  readonly starts: Float64Array;
  /** In order of end. */
  readonly byEnd: readonly BuildUnit[];
}

export class FullPools {
  private readonly pools = new Map<BuildUnit, PoolUnits>();

  constructor(
    { profile }: Analysis<'steps'>,
    private readonly stages: Stages,
  ) {
    const depths = new Map((profile.steps.pools ?? []).map(({ name, depth }) => [name, depth]));
    if (depths.size === 0) return;
    for (const { units } of stages.stages) {
      const byPool = groupByKey(units, (unit) => stepText(profile, 'pool', unit.steps[0]) ?? '');
      for (const [name, own] of byPool) {
        const depth = depths.get(name);
        if (depth === undefined) continue;
        const byEnd = [...own].sort((a, b) => a.endUs - b.endUs);
        const pooled = { depth, byEnd, starts: Float64Array.from(own, (u) => u.startUs).sort() };
        for (const unit of own) this.pools.set(unit, pooled);
      }
    }
  }

  /**
   * The step that left the full pool before a step could start, and for how long that had waited; undefined if its pool was not full when
   * all that it needs had ended.
   */
  stepThatLeftPool(step: number, readyUs: number, slack: number): { before: number; poolUs: number } | undefined {
    const unit = this.stages.unitOf.get(step);
    const pool = unit && this.pools.get(unit);
    if (!pool) return undefined;
    const { byEnd, starts, depth } = pool;
    const last = byEnd[firstIndexWhere(byEnd.length, (k) => byEnd[k].endUs > unit.startUs + slack) - 1];
    if (!last || last.endUs <= readyUs + slack) return undefined;
    const begun = firstIndexWhere(starts.length, (k) => starts[k] >= last.endUs);
    const ended = firstIndexWhere(byEnd.length, (k) => byEnd[k].endUs >= last.endUs - slack);
    if (begun - ended < depth) return undefined;
    return { before: last.steps[last.steps.length - 1], poolUs: last.endUs - readyUs };
  }
}
