// The change of a routine's self cost, and its causes.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { isOldLine } from '../../analysis/answers/compared/line-map.ts';
import { callsBefore, callsScale, eventInMeasure, eventOfBothRuns } from '../../analysis/answers/compared/measure.ts';
import { noiseOf, significantRows } from '../../analysis/answers/compared/noise.ts';
import { magnitudes, orderByNumber } from '../../analysis/answers/order.ts';
import { fileName, routineName } from '../../analysis/names/names.ts';
import { isOwnFile } from '../../analysis/names/origin.ts';
import { IN_BASE, IN_THIS_RUN } from '../../analysis/profiles/compare/match.ts';
import { findRenameOffers } from '../../analysis/profiles/compare/offered.ts';
import { groupByKey, memo, pairByKey } from '../../base/lists.ts';
import { type Event, eventColumn, eventValue } from '../../model/head.ts';
import { recordedNameId } from '../../model/routine-table.ts';
import { stringAt } from '../../model/strings.ts';
import type { Evidence, RuleResult } from '../rule.ts';
import { asCost, EMPTY_PHRASE, type Phrase, routineText, say } from '../say.ts';
import { commonChange } from './all-alike.ts';

export type Delta = ReturnType<typeof selfCostDeltas>[number];

/** The state of a routine that only one run has, by that run. */
const ONE_RUN_STATES: Readonly<Record<number, 'both' | 'new' | 'gone'>> = { [IN_THIS_RUN]: 'new', [IN_BASE]: 'gone' };

/** Maximum number of routines to examine, those with the largest changes. */
const MAX_ROUTINES = 200;

/** The largest changes of the self costs of routines; in sampled runs, only changes beyond chance. Calls are NaN if not counted. */
const selfCostDeltas = memo((analysis: Analysis, event: Event) => {
  const { totals, costing, profile } = analysis;
  const { compared } = profile;
  if (!compared) return [];
  const [now, before] = eventOfBothRuns(analysis, event);
  const column = eventColumn(eventInMeasure(analysis, event, 'delta'), totals.self, profile.routines.name.length);
  // Calls of a part that the compiler split off are none of the function, which may be inlined.
  const runs = [compared.now, compared.before];
  const isPart = (r: number) => runs.some((run) => /\.part\.\d/.test(stringAt(run.strings, recordedNameId(run.routines, r))));
  const isCounted = (r: number) => costing.can.has('counts') && !isPart(r);
  const noise = noiseOf(analysis, event);
  const sides = (r: number) => [eventValue(now, totals.self, r), eventValue(before, totals.self, r)] as const;
  const order = orderByNumber(magnitudes(column), true);
  // All routines are tested: testing only the largest differences would bias the test.
  const changed = noise
    ? significantRows(Array.from(order), (r) => noise.chance(...sides(r)))
    : Array.from(order.subarray(0, MAX_ROUTINES));
  return changed.slice(0, MAX_ROUTINES).flatMap((r) => {
    if (column[r] === 0) return [];
    const [ours, theirs] = sides(r);
    return {
      ...{ routine: r, now: ours, before: theirs, delta: column[r], calls: isCounted(r) ? totals.calls[r] : Number.NaN },
      callsBefore: isCounted(r) ? totals.inclusive[callsBefore(analysis)][r] * callsScale(analysis) : Number.NaN,
      state: ONE_RUN_STATES[compared.routineSides[r]] ?? 'both',
    };
  });
}, 4);

/** The number of a lambda or closure within its function: `{lambda(int)#2}`, `{closure#0}`, `$_1`. */
const LAMBDA_NUMBER = /(\{(?:lambda\([^{}]{0,200}\)|closure|unnamed type)#|\$_)\d{1,9}/g; // bounded: one function

/** By name with … for its numbers: changed lambdas of one function, of which both runs have some, and only one run has others. */
export const renumberedLambdas = memo((analysis: Analysis, event: Event): readonly (readonly [string, readonly Delta[]])[] => {
  const nameOf = ({ routine }: Delta) => routineName(analysis.profile, routine);
  const numbered = selfCostDeltas(analysis, event).filter((d) => nameOf(d).search(LAMBDA_NUMBER) >= 0);
  const groups = groupByKey(numbered, (d) => nameOf(d).replace(LAMBDA_NUMBER, '$1…'));
  return [...groups].filter(([, list]) => new Set(list.map(({ state }) => state === 'both')).size === 2);
}, 4);

/** Lambdas of which it is unknown which is which; `renumbered` reports them. */
export const renumberedRoutines = memo(
  (analysis: Analysis, event: Event): ReadonlySet<number> =>
    new Set(renumberedLambdas(analysis, event).flatMap(([, list]) => list.map(({ routine }) => routine))),
);

const knownDeltas = (analysis: Analysis, event: Event): readonly Delta[] =>
  selfCostDeltas(analysis, event).filter(({ routine }) => !renumberedRoutines(analysis, event).has(routine));

/** The total of the base, to which the shares in a comparison refer. */
export const baseTotal = ({ analysis, event }: Evidence): number =>
  Math.abs(eventValue(eventInMeasure(analysis, event, 'before'), analysis.totals.whole, 0));

/** Reported changes have `MIN_SHARE` of the base, or `MIN_SHARE_OF_CHANGES` of all changes with `MIN_SHARE_OF_BASE`. */
export const MIN_SHARE = 0.01;
const MIN_SHARE_OF_CHANGES = 0.1;
const MIN_SHARE_OF_BASE = 0.0001;
export const MAX_NAMED = 3;
export const THRESHOLD_TEXT =
  'a change of at least 1 % of the base, or of 10 % of all changes and 0.01 % of the base; more than noise';

export const minReportedChange = memo((analysis: Analysis, event: Event, whole: number): number => {
  const changes = selfCostDeltas(analysis, event).reduce((sum, { delta }) => sum + Math.abs(delta), 0);
  return Math.max(MIN_SHARE_OF_BASE * whole, Math.min(MIN_SHARE * whole, MIN_SHARE_OF_CHANGES * changes));
}, 4);

/** The largest of the reportable changes that the rule accepts. */
export const largestDeltas = (e: Evidence, takes: (delta: Delta) => boolean): readonly Delta[] =>
  reportableDeltas(e, takes).slice(0, MAX_NAMED);

/** Changes that are large enough and that the rule accepts, largest first. Changes that other rules report are left out. */
export function reportableDeltas(e: Evidence, takes: (delta: Delta) => boolean): readonly Delta[] {
  const least = minReportedChange(e.analysis, e.event, baseTotal(e));
  const common = commonChange(e.analysis, e.event);
  const isAlike = (d: Delta) => d.state === 'both' && common?.isAlike(d.now, d.before) === true;
  const exchange = findExchange(e.analysis, e.event);
  const isReportedElsewhere = (d: Delta) => isAlike(d) || d === exchange?.from || d === exchange?.to;
  return knownDeltas(e.analysis, e.event).filter((d) => Math.abs(d.delta) >= least && !isReportedElsewhere(d) && takes(d));
}

const EQUAL_TOLERANCE = 0.1;

/** The routines with the largest fall and the largest rise, if these cancel out and the total stays; both runs have them. */
export const findExchange = memo((analysis: Analysis, event: Event): { readonly from: Delta; readonly to: Delta } | undefined => {
  // All changes cancel out where the totals were made equal.
  if (analysis.profile.compared?.normalize) return undefined;
  const changes = knownDeltas(analysis, event).filter((d) => d.state === 'both');
  const to = changes.find((d) => d.delta > 0);
  const from = changes.find((d) => d.delta < 0);
  if (!to || !from) return undefined;
  const [now, before] = eventOfBothRuns(analysis, event).map((shown) => eventValue(shown, analysis.totals.whole, 0));
  const size = Math.max(to.delta, -from.delta);
  const isEqual = Math.abs(to.delta + from.delta) <= EQUAL_TOLERANCE * size && Math.abs(now - before) <= EQUAL_TOLERANCE * size;
  return isEqual && size >= MIN_SHARE * Math.abs(before) ? { from, to } : undefined;
}, 4);

/** The opposite change of the caller's self cost, as a suffix: work moved between caller and callee. Empty if small. */
export function callerSelfChangeText(e: Evidence, caller: number, isMore: boolean): Phrase {
  // Changes beyond the largest ones are small.
  const change = selfCostDeltas(e.analysis, e.event).find((d) => d.routine === caller)?.delta ?? 0;
  if (change > 0 === isMore || Math.abs(change) < minReportedChange(e.analysis, e.event, baseTotal(e))) return EMPTY_PHRASE;
  return say`; the self cost of ${routineText(e.analysis.profile, caller)} ${isMore ? 'fell' : 'rose'} by ${asCost(e, 'instead', Math.abs(change))}`;
}

/** The line that changed most with the sign of the routine's change: of the user's code, or of any if none of that changed. */
export function changedLine(e: Evidence, { routine, delta }: Delta) {
  const all = lineChanges(e, routine).sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.line - b.line);
  const own = all.filter(({ isOwn }) => isOwn);
  const hasSameSign = ({ value }: (typeof all)[number]) => value * delta > 0;
  return (own.length > 0 ? own : all).find(hasSameSign);
}

/** The changes of a routine's lines. Without the base's source text, lines of a file with equal costs are paired: `estimated`. */
function lineChanges({ analysis, event }: Evidence, routine: number) {
  const { costing, profile } = analysis;
  if (!costing.can.has('lines')) return [];
  const { file, line, costs } = costing.lines({ routine });
  const [now, before] = eventOfBothRuns(analysis, event).map((shown) =>
    Float64Array.from(line, (_, row) => eventValue(shown, costs, row)),
  );
  const changed = Array.from(line.keys()).filter((row) => now[row] !== before[row]);
  return [...groupByKey(changed, (row) => file[row])].flatMap(([f, rows]) => {
    const estimated = costing.lineMaps?.(f).change === undefined;
    const [ours, theirs] = [now, before].map((costs) => rows.filter((row) => estimated && costs[row] !== 0));
    const { pairs } = pairByKey(ours, theirs, (row, isOther) => (isOther ? before : now)[row]);
    for (const [row, baseRow] of pairs) now[row] = before[baseRow] = 0;
    const fileInfo = { file: fileName(profile, f), isOwn: isOwnFile(profile, f), estimated };
    return rows
      .filter((row) => line[row] > 0 && !isOldLine(line[row]) && now[row] !== before[row])
      .map((row) => ({ ...fileInfo, line: line[row], value: now[row] - before[row] }));
  });
}

export const deltaSubject = (e: Evidence, { routine, delta }: Delta): Pick<RuleResult, 'subject' | 'share' | 'sign'> => ({
  subject: `routine ${routine}`,
  share: Math.abs(delta) / baseTotal(e),
  sign: delta > 0 ? 1 : -1,
});

/** Routines that were probably renamed; `moved-cost` reports them. */
export const renamedRoutines = memo(
  (analysis: Analysis): ReadonlySet<number> => new Set(findRenameOffers(analysis).flatMap(({ now, removed }) => [now, removed])),
);

/** The change that the number of calls explains, at the base's cost per call; NaN if calls are not counted. */
export const changeByCalls = ({ calls, callsBefore, before }: Delta): number =>
  callsBefore > 0 ? ((calls - callsBefore) * before) / callsBefore : Number.NaN;

/** Whether the number of calls, at the base's cost per call, explains nearly all of the change. */
export function isCausedByCalls(delta: Delta): boolean {
  const ratio = changeByCalls(delta) / delta.delta;
  return ratio >= MIN_EXPLAINED_SHARE && ratio <= 1 / MIN_EXPLAINED_SHARE;
}

const MIN_EXPLAINED_SHARE = 0.8;
