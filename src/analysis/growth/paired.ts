// Two runs' curves side by side: routines by their numbers, calling contexts by their paths, points by their sizes.
import { groupByKey, memo } from '../../base/lists.ts';
import type { Analysis } from '../answers/analysis.ts';
import {
  activeContexts,
  type Curve,
  contextsOfRoutine,
  curveOfContext,
  curveOfRoutine,
  EMPTY_CURVE,
} from '../answers/inputs/points.ts';

export type PairedSizes = ReturnType<typeof pairSizes>;

/** The sizes of two curves in ascending order, and the rows that they have in each; -1 in the curve that lacks a size. */
export function pairSizes(now: Curve, before: Curve) {
  const size: number[] = [];
  const rows: [now: number[], before: number[]] = [[], []];
  let [i, b] = [0, 0];
  while (i < now.size.length || b < before.size.length) {
    const [ours, theirs] = [now.size[i] ?? Number.POSITIVE_INFINITY, before.size[b] ?? Number.POSITIVE_INFINITY];
    size.push(Math.min(ours, theirs));
    rows[0].push(theirs < ours ? -1 : i++);
    rows[1].push(ours < theirs ? -1 : b++);
  }
  return { size: Float64Array.from(size), now: Int32Array.from(rows[0]), before: Int32Array.from(rows[1]) };
}

export type PointState = 'both' | 'new' | 'gone';

/** Whether both runs have the size of a row. */
export const pointState = ({ now, before }: PairedSizes, row: number): PointState =>
  now[row] < 0 ? 'gone' : before[row] < 0 ? 'new' : 'both';

/**
 * Matches calling contexts by the routines from the root down. Where a run has several of one path, as threads have, they are
 * paired in order, and what is below them with what is below the other one. Parts that are off are left out. Of the base, as of all
 * that is paired here, routines have the same numbers (`Analysis.before`).
 */
export const pairedContexts = memo((analysis: Analysis<'inputs'>, base: Analysis<'inputs'>) => {
  const [now, then] = [analysis.profile.contexts, base.profile.contexts];
  const before = new Int32Array(now?.id.length ?? 0).fill(-1);
  if (!now || !then) return { before, removed: new Map<number, number[]>() };
  const routines = analysis.profile.routines.name.length;
  const keyOf = (parent: number, routine: number) => (parent + 1) * routines + routine;
  // Unpaired contexts of the base, in reverse order, so that pop() takes the first one.
  const waiting = groupByKey(activeContexts(base).reverse(), (c) => keyOf(then.parent[c], then.routine[c]));
  // Parents stand before their children.
  for (const c of activeContexts(analysis)) {
    const parent = now.parent[c] < 0 ? -1 : before[now.parent[c]];
    if (parent < 0 && now.parent[c] >= 0) continue;
    before[c] = waiting.get(keyOf(parent, now.routine[c]))?.pop() ?? -1;
  }
  const left = [...waiting.values()].flat().sort((a, b) => a - b);
  return { before, removed: groupByKey(left, (c) => then.routine[c]) };
});

/** The curve of a routine or of a calling context in two runs. */
export interface CurvePair {
  readonly routine: number;
  /** The calling context in each run; -1 in the one that lacks it, and for a routine's curve. */
  readonly context: number;
  readonly contextBefore: number;
  /** A run without this curve has no points. */
  readonly now: Curve;
  readonly before: Curve;
  readonly sizes: PairedSizes;
}

const withPairedSizes = (of: Omit<CurvePair, 'sizes'>): CurvePair => ({ ...of, sizes: pairSizes(of.now, of.before) });

/** Without a base, all is of this run. */
export function routinePair(analysis: Analysis<'inputs'>, routine: number, base: Analysis<'inputs'> | undefined): CurvePair {
  const before = base ? curveOfRoutine(base, routine) : EMPTY_CURVE;
  return withPairedSizes({ routine, context: -1, contextBefore: -1, now: curveOfRoutine(analysis, routine), before });
}

/** A calling context of this run, with the same one of the base. */
function contextPair(analysis: Analysis<'inputs'>, context: number, base: Analysis<'inputs'> | undefined): CurvePair {
  const same = base ? pairedContexts(analysis, base).before[context] : -1;
  return withPairedSizes({
    ...{ routine: analysis.profile.contexts?.routine[context] ?? -1, context, contextBefore: same },
    now: curveOfContext(analysis, context),
    before: base && same >= 0 ? curveOfContext(base, same) : EMPTY_CURVE,
  });
}

/**
 * A routine's curves in two runs: one, or one for each of its calling contexts, those of this run in their order before those
 * that only the base has. Over all routines, each point of both runs stands there once.
 */
export function* pairedCurves(
  analysis: Analysis<'inputs'>,
  base: Analysis<'inputs'> | undefined,
  routine: number,
  byContext: boolean,
): Generator<CurvePair, void> {
  if (!byContext || !analysis.profile.contexts) {
    yield routinePair(analysis, routine, base);
    return;
  }
  for (const c of contextsOfRoutine(analysis, routine)) yield contextPair(analysis, c, base);
  if (!base) return;
  const removedCurve = (context: number, before: Curve) =>
    withPairedSizes({ routine, context: -1, contextBefore: context, now: EMPTY_CURVE, before });
  if (!base.profile.contexts) yield removedCurve(-1, curveOfRoutine(base, routine));
  for (const c of pairedContexts(analysis, base).removed.get(routine) ?? []) yield removedCurve(c, curveOfContext(base, c));
}
