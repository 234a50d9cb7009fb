// Routines that only one run has, with their callees, and the code that replaced them.
import { eventInMeasure, eventOfBothRuns } from '../../analysis/answers/compared/measure.ts';
import { noiseOf, significantRows } from '../../analysis/answers/compared/noise.ts';
import { routineName } from '../../analysis/names/names.ts';
import { IN_BASE, IN_THIS_RUN } from '../../analysis/profiles/compare/match.ts';
import { rowsOfKey } from '../../model/column.ts';
import { eventValue } from '../../model/head.ts';
import { type CallLine, mainCallLine, routineTarget, siteSuffix } from '../calls.ts';
import { type Evidence, lineTarget, makeComparingRule, type RuleResult, routineSubject } from '../rule.ts';
import { asCost, asCount, asShareOf, EMPTY_PHRASE, type Phrase, routineText, say } from '../say.ts';
import {
  baseTotal,
  callerSelfChangeText,
  MAX_NAMED,
  minReportedChange,
  renamedRoutines,
  renumberedRoutines,
  THRESHOLD_TEXT,
} from './delta.ts';
import { isInlined } from './inlined-into.ts';

/** A routine that only one run has, and its costs in that run. */
type OneSidedRoutine = ReturnType<typeof findOneSided>[number];

/** A caller, and the cost of the calls of `all` callers. */
type CallerInRun = ReturnType<typeof callersIn>[number] & { readonly all: number };

/** A routine and its costliest caller that is not itself reported as new or gone. */
type RoutineWithCaller = ReturnType<typeof findReportedRoutines>[number];

/** A row that stands for all routines below the threshold of a recording. */
const BELOW_THRESHOLD = /^\(below [^()]{1,40} threshold\)$/;

/** Finds the routines that only one run has and whose inclusive cost is large enough. */
function findOneSided(e: Evidence) {
  const { analysis, event } = e;
  const { totals, costing, profile } = analysis;
  const [now, before] = eventOfBothRuns(analysis, event);
  const least = minReportedChange(analysis, event, baseTotal(e));
  const noise = noiseOf(analysis, event);
  const leftOut = new Set([...renamedRoutines(analysis), ...renumberedRoutines(analysis, event)]);
  const out = [];
  const sides = profile.compared?.routineSides ?? new Uint8Array(0);
  const { bytes, start } = profile.strings;
  // Only names that begin with a bracket are decoded.
  const rest = profile.routines.name.findIndex(
    (id, r) => bytes[start[id]] === 0x28 && BELOW_THRESHOLD.test(routineName(profile, r)),
  );
  for (let routine = 0; routine < sides.length; routine++) {
    const isNew = sides[routine] === IN_THIS_RUN;
    if (!isNew && sides[routine] !== IN_BASE) continue;
    const shown = isNew ? now : before;
    const self = eventValue(shown, totals.self, routine);
    const value = Math.max(self, costing.can.has('inclusive') ? eventValue(shown, totals.inclusive, routine) : 0);
    // In the other run, it may be among the routines that were too small to be listed.
    const unlisted = rest < 0 ? 0 : eventValue(isNew ? before : now, totals.self, rest);
    if (routine !== rest && value >= least && value > unlisted && !leftOut.has(routine) && !isInlined(e, routine))
      out.push({ routine, isNew, self, value });
  }
  return noise ? significantRows(out, ({ isNew, value }) => noise.chance(isNew ? value : 0, isNew ? 0 : value)) : out;
}

/** The callers of a routine in the run that has the routine, costliest first. */
function callersIn({ analysis, event }: Evidence, { routine, isNew }: OneSidedRoutine) {
  const of = isNew ? analysis : analysis.before;
  if (!of?.costing.can.has('calls')) return [];
  const { edges } = of;
  const shown = isNew ? eventInMeasure(analysis, event, 'now') : (event.pair?.[1] ?? event);
  return Array.from(rowsOfKey(edges.into, routine))
    .filter((k) => edges.caller[k] !== routine)
    .map((k) => ({ routine: edges.caller[k], value: eventValue(shown, edges.costs, k), calls: edges.count[k] }))
    .sort((a, b) => b.value - a.value);
}

/** The routines to report, costliest first. A routine is left out if only other reported routines call it. */
function findReportedRoutines(e: Evidence) {
  const all = findOneSided(e);
  const known = new Set(all.map(({ routine }) => routine));
  return all
    .flatMap((one) => {
      const callers = callersIn(e, one);
      const caller = callers.find(({ routine }) => !known.has(routine));
      const all = callers.reduce((sum, { value }) => sum + value, 0);
      return callers.length > 0 && !caller ? [] : [{ ...one, caller: caller && { ...caller, all } }];
    })
    .sort((a, b) => b.value - a.value);
}

/** `2.75M including callees, 1.87M self`. */
const costText = (e: Evidence, { value, self }: OneSidedRoutine, all: string, own: string): Phrase =>
  say`${asCost(e, all, value)}${value > self ? say` including callees, ${asCost(e, own, self)} self` : EMPTY_PHRASE}`;

function callerText({ profile }: Evidence, caller: CallerInRun | undefined, site: CallLine | undefined): Phrase {
  if (!caller) return EMPTY_PHRASE;
  const who = routineText(profile, caller.routine);
  const at = siteSuffix(site, site?.value ?? 0, caller.value);
  const part = caller.value < caller.all ? say`${asShareOf('fromCaller', caller.value, caller.all)} of it ` : EMPTY_PHRASE;
  return caller.calls > 0
    ? say`, ${part}in ${asCount('calls', caller.calls, 'call')} from ${who}${at}`
    : say`, ${part}called by ${who}${at}`;
}

export const newCodeRule = makeComparingRule({
  id: 'new-code',
  question: 'Which routines are new or gone, and what replaced them?',
  evidence: 'routines that exist in one run only and have callers in both, including callees',
  threshold: `including callees, ${THRESHOLD_TEXT}; not a likely rename`,
  find(e) {
    const whole = baseTotal(e);
    const found = findReportedRoutines(e);
    const replaced = new Set<RoutineWithCaller>();
    const callers = new Set<number>();
    /** The code that replaced the routine, or was replaced by it: the caller's own, else another callee. Once for each caller. */
    const replacementText = ({ isNew, caller }: RoutineWithCaller): Phrase => {
      if (!caller || callers.has(caller.routine)) return EMPTY_PHRASE;
      callers.add(caller.routine);
      const own = callerSelfChangeText(e, caller.routine, isNew);
      const ofCaller = found.filter((o) => o.caller?.routine === caller.routine);
      const other = ofCaller.find((o) => o.isNew !== isNew);
      // Nothing shows which of several replaced which.
      if (own !== EMPTY_PHRASE || !other || ofCaller.length > 2) return own;
      replaced.add(other);
      const costs = costText(e, other, 'other', 'otherSelf');
      const [who, by] = [routineText(e.profile, other.routine), routineText(e.profile, caller.routine)];
      return isNew
        ? say`; it probably replaces ${who} (${costs}), which ${by} called in the base`
        : say`; ${who} (${costs}), which ${by} calls now, probably replaces it`;
    };
    const out: RuleResult[] = [];
    for (const one of found) {
      if (replaced.has(one)) continue;
      if (out.length === MAX_NAMED) break;
      const { routine, isNew, value, caller } = one;
      const costs = costText(e, one, isNew ? 'now' : 'before', 'self');
      const site = isNew && caller ? mainCallLine(e, caller.routine, routine) : undefined;
      out.push({
        ...say`${routineText(e.profile, routine)} is ${isNew ? 'new and costs' : 'gone; it cost'} ${costs}, ${asShareOf('delta', value, whole)} of the base${callerText(e, caller, site)}${replacementText(one)}`,
        why: `no routine of ${isNew ? 'the base' : 'this run'} has this name, file and object, and no rename matched it`,
        ...routineSubject(routine, value / whole, 'routines', { report: 'changes' }),
        // New code is seen where it is called; code that is gone, by what its caller calls instead.
        ...(site && caller ? { target: lineTarget(caller.routine, site.file, site.line) } : {}),
        ...(!isNew && caller ? { target: routineTarget(e, caller.routine) } : {}),
        sign: isNew ? 1 : -1,
      });
    }
    return out;
  },
});
