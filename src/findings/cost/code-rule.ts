// Rules for code of one purpose: its cost, and the user's routine and line that cause it.

import { type Active, activeIn } from '../../analysis/answers/once.ts';
import { memoTest } from '../../base/lists.ts';
import { forEachInSlices } from '../../base/slices.ts';
import { rowsOfKey } from '../../model/column.ts';
import { type Event, eventValue } from '../../model/head.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { type CallLine, mainCallLine, routineTarget, siteSuffix } from '../calls.ts';
import { rankingBySelf } from '../hottest.ts';
import { type Evidence, type FindingRule, lineTarget, makeCostRule } from '../rule.ts';
import { APPROX_MARK, asShare, EMPTY_PHRASE, eventName, type Phrase, routineText, say } from '../say.ts';
import { type CodeCost, costliestCallback, hottestInside, INCLUSIVE_PURPOSES, type Purposes, purposesOf } from './code-cost.ts';
import { codePurpose, isAllocatorWrapper, isCoveredByName, isLibrary, PURPOSE_IDS, type PurposeId } from './code-names.ts';

const MIN_SHARE = 0.05;
const MAX_CALL_LEVELS = 40;
const MIN_FOLLOWED_SHARE = 0.001;
const MIN_CAUSE_SHARE = 0.25;
const MIN_NEARLY_ALL_SHARE = 0.9;
const MIN_NAMED_SHARE = 0.01;

interface CostFlow {
  readonly value: number;
  /** True if the cost is only a share of a routine's cost, because the routine has several callers. */
  readonly estimated: boolean;
}

const addFlows = (a: CostFlow | undefined, b: CostFlow): CostFlow => ({
  value: b.value + (a?.value ?? 0),
  estimated: b.estimated || a?.estimated === true,
});

/** A call by which the user's own code causes cost in a library. */
interface Cause extends CostFlow {
  readonly caller: number;
  readonly callee: number;
}

/**
 * The calls in the user's code that cause the cost, costliest first. Code that `passes` accepts is skipped for its callers.
 * If a library routine has several callers, its cost is split among them by the cost of their calls. `isMember`: calls among these routines,
 * directly or through others, cause nothing: the outermost has the cost.
 */
function* findCauses(
  { analysis, event }: Evidence,
  from: ReadonlyMap<number, number>,
  passes: (routine: number) => boolean,
  isMember?: Uint8Array,
): Generator<undefined, readonly Cause[]> {
  const { profile, edges, totals } = analysis;
  const total = [...from.values()].reduce((a, b) => a + b, 0);
  const isForeign = memoTest(profile.routines.name.length, (r) => from.has(r) || isLibrary(profile, r) || passes(r));
  if (profile.kind === 'stacks' && !analysis.before)
    return yield* causesInStacks(profile, activeIn(analysis.partsOff), event, from, isForeign, isMember);
  const found = new Map<string, Cause>();
  let current = new Map([...from].map(([r, value]): [number, CostFlow] => [r, { value, estimated: false }]));
  for (let far = 0; far < MAX_CALL_LEVELS && current.size > 0; far++) {
    const next = new Map<number, CostFlow>();
    for (const [r, { value, estimated }] of current) {
      const isEntry = isMember?.[r] === 1;
      const into = Array.from(rowsOfKey(edges.into, r), (k) => ({
        caller: edges.caller[k],
        cost: eventValue(event, edges.costs, k),
      })).filter(({ caller, cost }) => caller !== r && cost > 0 && isMember?.[caller] !== 1);
      const called = into.reduce((sum, { cost }) => sum + cost, 0);
      // A routine at the root of a stack has cost that no caller caused.
      const all = isEntry ? called : Math.max(called, eventValue(event, totals.inclusive, r));
      for (const { caller, cost } of into) {
        const mine = { value: (value * cost) / all, estimated: estimated || cost < all };
        if (mine.value < MIN_FOLLOWED_SHARE * total) continue;
        if (isForeign(caller)) next.set(caller, addFlows(next.get(caller), mine));
        else {
          const key = `${caller} ${r}`;
          found.set(key, { caller, callee: r, ...addFlows(found.get(key), mine) });
        }
      }
    }
    current = next;
    yield;
  }
  return [...found.values()].sort((a, b) => b.value - a.value);
}

/** The same in sampled stacks, which is exact: the nearest frame outside of libraries above the outermost member, or the routine itself. */
function* causesInStacks(
  { stacks, frames }: ProfileOf<'stacks'>,
  isActive: Active,
  event: Event,
  from: ReadonlyMap<number, number>,
  isForeign: (routine: number) => boolean,
  isMember?: Uint8Array,
): Generator<undefined, readonly Cause[]> {
  const { start, frame, part, costs } = stacks;
  const routineAt = (k: number) => frames.routine[frame[k]];
  const found = new Map<string, Cause>();
  yield* forEachInSlices(part.length, (s) => {
    if (isActive?.(part[s]) === false || start[s] === start[s + 1]) return;
    // Frames go from the innermost to the outermost.
    let k = isMember ? start[s + 1] - 1 : start[s];
    while (isMember && k >= start[s] && isMember[routineAt(k)] === 0) k--;
    if (k < start[s] || !(isMember || from.has(routineAt(k)))) return;
    while (k < start[s + 1] && isForeign(routineAt(k))) k++;
    if (k === start[s + 1]) return;
    const [caller, callee] = [routineAt(k), routineAt(k - 1)];
    const key = `${caller} ${callee}`;
    found.set(key, { caller, callee, ...addFlows(found.get(key), { value: eventValue(event, costs, s), estimated: false }) });
  });
  return [...found.values()].sort((a, b) => b.value - a.value);
}

/** The calls of one caller that cause cost. `most`: the part of its costliest call. */
type CausingCaller = Cause & { readonly most: number };

/** The routine that causes the largest part of the cost, with its costliest call; undefined if no routine causes enough. */
function largestCause(all: readonly Cause[], total: number): CausingCaller | undefined {
  const byCaller = new Map<number, CausingCaller>();
  // `all` is sorted, so the first call of a caller is its costliest one.
  for (const cause of all) {
    const sum = byCaller.get(cause.caller);
    byCaller.set(cause.caller, { ...(sum ?? { ...cause, most: cause.value }), ...addFlows(sum, cause) });
  }
  const [most] = [...byCaller.values()].sort((a, b) => b.value - a.value);
  return most && most.value >= MIN_CAUSE_SHARE * total ? most : undefined;
}

function causeText(e: Evidence, { caller, value, estimated, most }: CausingCaller, of: Phrase, site?: CallLine): Phrase {
  const cost = say`${estimated ? APPROX_MARK : ''}${asShare(e, 'causedBy', value)}${of}`;
  return say`${routineText(e.analysis.profile, caller)} causes ${cost}${siteSuffix(site, (site?.share ?? 0) * most, value)}`;
}

/** Makes the rule for routines whose names have the purpose `id`. */
export function makeCodeRule(id: PurposeId): FindingRule {
  const { noun, title = `${noun[0].toUpperCase()}${noun.slice(1)} takes`, words } = codePurpose(id);
  const isInclusive = INCLUSIVE_PURPOSES.includes(id);
  return makeCostRule({
    id,
    question: `How much goes into ${noun}, and who causes it?`,
    evidence: `the ${isInclusive ? 'cost of calls to' : 'self cost of'} routines by name (${words}), and the nearest caller outside the libraries`,
    threshold: `${isInclusive ? 'costs, callees included,' : 'self costs'} of at least 5 %`,
    assumes: 'routine names describe the work; shared library routines are split among callers by call cost',
    requires: ['routines', 'self'],
    *find(e) {
      const { analysis, event, whole } = e;
      const purposes = yield* purposesOf(analysis, event).wait();
      const cost = purposes.costs.get(id);
      const found = cost ? yield* describeInclusive(e, id, cost) : yield* describeSelf(e, id, purposes);
      if (!found) return [];
      const { cause, first, value } = found;
      const site = cause && mainCallLine(e, cause.caller, cause.callee);
      const guess = cause?.estimated ? '; shared routines are split among callers by call cost' : '';
      const of = say` of ${eventName(e)}`;
      // All that a profile of memory counts was allocated: only who causes it is news.
      const isOfMemory = id === 'allocation' && analysis.events.some(({ unit }) => unit === 'bytes');
      if (isOfMemory && !cause) return [];
      const taken = say`${title} ${found.estimated ? APPROX_MARK : ''}${asShare(e, cost ? 'inclusive' : 'self', value)}${of}`;
      const causes = cause ? say`; ${causeText(e, cause, EMPTY_PHRASE, site)}` : EMPTY_PHRASE;
      return {
        ...(isOfMemory && cause ? causeText(e, cause, of, site) : say`${taken}${found.parts}${causes}`),
        why: `${found.why}, chosen by ${id === 'linking' ? 'object, file or ' : ''}name${guess}`,
        subject: `code ${id}`,
        // The finding about start-up says the same, and more.
        ...(id === 'linking' ? { covers: ['start-up'] } : {}),
        share: (isOfMemory && cause ? cause.value : value) / whole,
        target: cause && site ? lineTarget(cause.caller, site.file, site.line) : routineTarget(e, cause?.caller ?? first),
      };
    },
  });
}

/**
 * By routine of the purpose, the cost of the calls that enter it from other code. If other code below the purpose calls back into it, the
 * calls from code that is never below it have all the cost, and are the only ones that count.
 */
function entriesOf({ analysis: { edges }, event }: Evidence, { value, members, isMember }: CodeCost) {
  const below = new Set(members);
  for (const r of below) for (let k = edges.from[r]; k < edges.from[r + 1]; k++) below.add(edges.callee[k]);
  const enteredFrom = (isOutside: (caller: number) => boolean) => {
    const costs = members.map((r) => {
      const calls = Array.from(rowsOfKey(edges.into, r)).filter((k) => isOutside(edges.caller[k]));
      return [r, calls.reduce((sum, k) => sum + eventValue(event, edges.costs, k), 0)] as const;
    });
    return costs.filter(([, entered]) => entered > 0);
  };
  const topmost = enteredFrom((caller) => !below.has(caller));
  const isAll = topmost.reduce((sum, [, entered]) => sum + entered, 0) >= value;
  return new Map(isAll ? topmost : enteredFrom((caller) => isMember[caller] === 0));
}

/**
 * The topmost frames of the purpose with all that they call, as a finding: as far as it depends on how its cost is counted. `first`: the
 * routine that it leads to, if nothing causes enough of the cost.
 */
function* describeInclusive(e: Evidence, id: PurposeId, cost: CodeCost) {
  const { analysis, profile, event, whole } = e;
  const { value, estimated, members, isMember } = cost;
  if (value < MIN_SHARE * whole) return undefined;
  const passes = (r: number) => isMember[r] === 1 || (id === 'allocation' && isAllocatorWrapper(profile, r));
  const all = yield* findCauses(e, entriesOf(e, cost), passes, isMember);
  const { routine, value: most } = hottestInside(analysis, event, cost);
  // Code that has nothing itself explains nothing.
  const inside =
    most >= MIN_NAMED_SHARE * value ? say`${asShare(e, 'most', most)} in ${routineText(profile, routine)} itself` : undefined;
  const callback = costliestCallback(analysis, event, cost);
  const own = callback && callback.value >= MIN_SHARE * value ? callback : undefined;
  return {
    ...{ value, estimated, first: routine, cause: largestCause(all, value) },
    parts: say` including callees${inside || own ? say` (${inside ?? EMPTY_PHRASE}${inside && own ? ', ' : ''}${own ? say`${asShare(e, 'callback', own.value)} in ${routineText(profile, own.routine)} of the program` : EMPTY_PHRASE})` : EMPTY_PHRASE}`,
    why: `the inclusive cost of ${members.length === 1 ? 'one routine' : `${members.length} routines`}, each cost counted once`,
  };
}

/** The routines of the purpose by themselves. Code below a purpose with an inclusive cost is counted there. */
function* describeSelf(e: Evidence, id: PurposeId, purposes: Purposes) {
  const { analysis, profile, event, whole } = e;
  const { value, order } = rankingBySelf(analysis, event);
  const bit = 1 << PURPOSE_IDS.indexOf(id);
  const members = new Map<number, number>();
  for (const r of order)
    if ((purposes.bits[r] & bit) !== 0 && !(id === 'library' && purposes.inside.has(r))) members.set(r, value[r]);
  const sum = [...members.values()].reduce((a, b) => a + b, 0);
  if (sum === 0 || sum < MIN_SHARE * whole) return undefined;
  const [[first, most]] = members;
  const all = analysis.costing.can.has('calls')
    ? yield* findCauses(e, members, (r) => id === 'allocation' && isAllocatorWrapper(profile, r))
    : [];
  const isOneRoutine = most >= MIN_NEARLY_ALL_SHARE * sum;
  // A single routine of the user is reported by another rule.
  if (isOneRoutine && !isCoveredByName(profile, first)) return undefined;
  return {
    ...{ value: sum, estimated: false, first, cause: largestCause(all, sum) },
    parts: isOneRoutine
      ? say`, nearly all in ${routineText(profile, first)}`
      : say`, including ${asShare(e, 'most', most)} in ${routineText(profile, first)}`,
    why: members.size === 1 ? 'the self cost of one routine' : `the self costs of ${members.size} routines`,
  };
}
