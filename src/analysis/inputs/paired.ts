// Two runs' curves side by side: routines by their names, calling contexts by their paths, points by their sizes.
import { memo } from '../../base/memo.ts';
import type { Analysis } from '../analysis.ts';
import { lawKey, sameRoutine } from './laws.ts';
import { type Curve, curveOfContext, curveOfRoutine, measuredRoutines, NO_POINTS } from './points.ts';

/** The sizes of two curves in ascending order, and the rows that they have in each; -1 in the curve that lacks a size. */
export interface PairedSizes {
  readonly size: Float64Array;
  readonly now: Int32Array;
  readonly before: Int32Array;
}

export function pairSizes(now: Curve, before: Curve): PairedSizes {
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
export const stateOf = ({ now, before }: PairedSizes, row: number): PointState =>
  now[row] < 0 ? 'gone' : before[row] < 0 ? 'new' : 'both';

/** The context of the other run by the context of this one, -1 where it has none; those that only the other run has. */
export interface PairedContexts {
  readonly of: Int32Array;
  readonly gone: readonly number[];
}

/**
 * Matches calling contexts by the names of the routines from the root down. Where a run has several of one path, as threads
 * have, they are paired in order, and what is below them with what is below the other one. Parts that are off are left out.
 */
export const pairedContexts = memo((analysis: Analysis<'inputs'>, base: Analysis<'inputs'>): PairedContexts => {
  const [now, then] = [analysis.profile.contexts, base.profile.contexts];
  const of = new Int32Array(now?.id.length ?? 0).fill(-1);
  if (!now || !then) return { of, gone: then ? activeContexts(base) : [] };
  const [nameNow, nameThen] = namesOf(analysis, base);
  const names = 1 + nameNow.concat(nameThen).reduce((most, id) => Math.max(most, id), 0);
  /** Contexts of the other run that wait for their pair, by their parent there and their name. */
  const waiting = new Map<number, number[]>();
  const keyOf = (parent: number, name: number) => (parent + 1) * names + name;
  for (const c of activeContexts(base)) {
    const key = keyOf(then.parent[c], nameThen[then.routine[c]]);
    const list = waiting.get(key);
    if (list) list.push(c);
    else waiting.set(key, [c]);
  }
  for (const list of waiting.values()) list.reverse();
  // Parents stand before their children.
  for (const c of activeContexts(analysis)) {
    const parent = now.parent[c] < 0 ? -1 : of[now.parent[c]];
    if (parent < 0 && now.parent[c] >= 0) continue;
    of[c] = waiting.get(keyOf(parent, nameNow[now.routine[c]]))?.pop() ?? -1;
  }
  return { of, gone: [...waiting.values()].flat().sort((a, b) => a - b) };
});

/** Contexts of the parts that are on. */
function activeContexts({ profile, partsOff }: Analysis<'inputs'>): number[] {
  const { contexts } = profile;
  return contexts ? Array.from(contexts.id.keys()).filter((c) => !partsOff.has(contexts.part[c])) : [];
}

/** By routine of each run, a number that stands for its name in both. */
function namesOf(...runs: readonly [Analysis<'inputs'>, Analysis<'inputs'>]): [number[], number[]] {
  const ids = new Map<string, number>();
  const of = (run: Analysis<'inputs'>) =>
    Array.from(run.profile.routines.name.keys(), (r) => {
      const key = lawKey(run, r);
      const id = ids.get(key) ?? ids.size;
      ids.set(key, id);
      return id;
    });
  return [of(runs[0]), of(runs[1])];
}

/** The curve of a routine or of a calling context in two runs. */
export interface CurvePair {
  /** Its numbers in this run and in the other; -1 in the one that lacks it. */
  readonly routine: number;
  readonly routineBefore: number;
  /** Of calling contexts; -1 for a routine's curve. */
  readonly context: number;
  readonly contextBefore: number;
  /** Without points in the run that lacks it. */
  readonly now: Curve;
  readonly before: Curve;
  readonly sizes: PairedSizes;
}

const pairOf = (of: Omit<CurvePair, 'sizes'>): CurvePair => ({ ...of, sizes: pairSizes(of.now, of.before) });

/** A routine of this run, with the same routine of the other one. */
export function routinePair(analysis: Analysis<'inputs'>, routine: number, base: Analysis<'inputs'>): CurvePair {
  const same = sameRoutine(analysis, routine, base);
  return pairOf({
    ...{ routine, routineBefore: same, context: -1, contextBefore: -1 },
    now: curveOfRoutine(analysis, routine),
    before: same < 0 ? NO_POINTS : curveOfRoutine(base, same),
  });
}

/** A calling context of this run, with the same one of the other. */
export function contextPair(analysis: Analysis<'inputs'>, context: number, base: Analysis<'inputs'>): CurvePair {
  const same = pairedContexts(analysis, base).of[context];
  return pairOf({
    routine: analysis.profile.contexts?.routine[context] ?? -1,
    routineBefore: base.profile.contexts?.routine[same] ?? -1,
    ...{ context, contextBefore: same },
    now: curveOfContext(analysis, context),
    before: same < 0 ? NO_POINTS : curveOfContext(base, same),
  });
}

/**
 * The points of two runs, each of both once: by routine, or by calling context. What this run has comes in its order, then what
 * only the other run has.
 */
export function* pairedPoints(
  analysis: Analysis<'inputs'>,
  base: Analysis<'inputs'>,
  byContext = false,
): Generator<CurvePair, void> {
  if (byContext && analysis.profile.contexts && base.profile.contexts) {
    for (const c of activeContexts(analysis)) yield contextPair(analysis, c, base);
    const { routine } = base.profile.contexts;
    for (const c of pairedContexts(analysis, base).gone)
      yield pairOf({
        ...{ routine: -1, routineBefore: routine[c], context: -1, contextBefore: c },
        ...{ now: NO_POINTS, before: curveOfContext(base, c) },
      });
    return;
  }
  const taken = new Set<number>();
  for (const r of measuredRoutines(analysis)) {
    const pair = routinePair(analysis, r, base);
    taken.add(pair.routineBefore);
    yield pair;
  }
  for (const r of measuredRoutines(base))
    if (!taken.has(r))
      yield pairOf({
        ...{ routine: -1, routineBefore: r, context: -1, contextBefore: -1 },
        ...{ now: NO_POINTS, before: curveOfRoutine(base, r) },
      });
}
