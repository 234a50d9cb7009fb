// Code without symbol names.

import { neighboursOf } from '../../analysis/answers/neighbours.ts';
import { routineName, routineObject } from '../../analysis/names/names.ts';
import { originOf } from '../../analysis/names/origin.ts';
import { getOrMake } from '../../base/lists.ts';
import { baseName } from '../../base/paths.ts';
import type { Profile } from '../../model/profile.ts';
import { purposesOf } from '../cost/code-cost.ts';
import { isLinker, isNameless } from '../cost/code-names.ts';
import { rankingBySelf } from '../hottest.ts';
import { type Evidence, makeSampledRule, routineSubject } from '../rule.ts';
import { asShare, cutName, EMPTY_PHRASE, eventName, type Phrase, routineText, say } from '../say.ts';

const MIN_SHARE = 0.05;

/** Origins of objects that belong to the program, or whose owner is unknown. */
const PROGRAM_ORIGINS: ReadonlySet<string> = new Set(['own', 'unknown', 'runtime']);

/** How the names of a routine's object can be had. Nobody recompiles the libraries of a distribution: it has their debug files. */
function adviceFor(profile: Profile, routine: number, isNamedLater: boolean): string {
  const object = baseName(routineObject(profile, routine) ?? '');
  if (originOf(profile, routine) === 'kernel')
    return 'record as root, or with kernel.kptr_restrict=0: the kernel hides its names';
  if (/^\?*$/.test(object))
    return 'record again with an unstripped binary and debug packages of its libraries: its object is unknown';
  if (!PROGRAM_ORIGINS.has(originOf(profile, routine)))
    return isNamedLater
      ? `install the debug package of ${object}, or fetch its debug file with debuginfod-find (--symbol-path DIR)`
      : `install the debug package of ${object}, or set DEBUGINFOD_URLS, and record again`;
  return isNamedLater
    ? 'give the unstripped binary (--binary PATH) or its debug files (--symbol-path DIR)'
    : 'record again with an unstripped binary';
}

/** The routines of the loader that run the initializers of libraries, mostly before main. */
const INITIALIZERS = /^(?:call_init|_dl_init)\b/;

/** Says that unnamed code of a routine is run by the loader; empty if its calls do not have all of the cost. */
function initializersText(e: Evidence, routine: number, self: number, sum: number): Phrase {
  const { analysis, profile, event } = e;
  if (!analysis.costing.can.has('calls')) return EMPTY_PHRASE;
  const isLoader = (r: number) => isLinker(profile, r) && INITIALIZERS.test(routineName(profile, r));
  const calls = neighboursOf(analysis, event, routine, 0, 'callers');
  const caller = calls.find((n) => n.value >= self && isLoader(n.routine))?.routine;
  if (caller === undefined) return EMPTY_PHRASE;
  const part = self === sum ? say`it` : asShare(e, 'initializers', self);
  return say`; ${part} is in initializers of libraries, which the loader runs (${routineText(profile, caller)})`;
}

export const namesMissingRule = makeSampledRule({
  id: 'names-missing',
  question: 'How much of the cost is in code without symbol names?',
  evidence: 'the self cost of routines whose name is an address or ???, by object',
  threshold: 'at least 5 % of the cost',
  requires: ['routines', 'self'],
  *find(e) {
    const { analysis, profile, event, whole } = e;
    if (profile.granularity) return [];
    const { value, order } = rankingBySelf(analysis, event);
    // Code below exceptions, sorting and their like is counted there.
    const { inside } = yield* purposesOf(analysis, event).wait();
    const objects = new Map<string, { readonly object: string; readonly first: number; cost: number }>();
    let sum = 0;
    for (const [i, r] of order.entries()) {
      if (i % 2000 === 1999) yield;
      if (!isNameless(routineName(profile, r)) || inside.has(r)) continue;
      sum += value[r];
      const name = routineObject(profile, r) ?? '';
      getOrMake(objects, name, (object) => ({ object, first: r, cost: 0 })).cost += value[r];
    }
    if (objects.size === 0 || sum < MIN_SHARE * whole) return [];
    const [{ first }] = objects.values();
    const hint = profile.warnings.find((w) => w.sign === 'NO NAMES');
    // Routines are in order of cost.
    const isMostOfIt = value[first] > sum / 2;
    const [{ object, first: firstThere, cost }] = [...objects.values()].sort((a, b) => b.cost - a.cost);
    const part = cost === sum ? 'all' : asShare(e, 'inObject', cost);
    const where = object !== '' && !/^\?+$/.test(object) ? say`, ${part} in ${cutName(baseName(object))}` : EMPTY_PHRASE;
    // Addresses get names from object files when proftui loads the profile. Other names are fixed when the profile is recorded.
    const isNamedLater = profile.kind === 'stacks' && profile.places !== undefined;
    return {
      ...say`Code without symbol names takes ${asShare(e, 'self', sum)} of ${eventName(e)}${where}${isMostOfIt ? initializersText(e, first, value[first], sum) : EMPTY_PHRASE}`,
      try: adviceFor(profile, firstThere, isNamedLater),
      // Only the reason, which follows the colon: the sentence already contains the share.
      why: hint?.found.slice(hint.found.indexOf(': ') + 2) ?? 'the self cost of routines whose name is an address or ???',
      // Callers tell what code without a name is, if most of it is one routine.
      ...routineSubject(first, sum / whole, isMostOfIt ? 'calls' : 'routines'),
      subject: 'names',
      // If most code has no name, this is the main finding, not a note.
      isNote: sum < whole / 2,
    };
  },
});
