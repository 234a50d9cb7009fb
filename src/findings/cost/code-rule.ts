// Rules for code of one purpose: its cost, and the user's routine and line that cause it.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { routineName } from '../../analysis/names/names.ts';
import { Background } from '../../base/background.ts';
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import { type CallLine, mainCallLine, mostlySiteText, routineTarget } from '../calls.ts';
import { rankingBySelf } from '../hottest.ts';
import { type Evidence, type FindingRule, lineTarget, makeCostRule } from '../rule.ts';
import { APPROX_MARK, asShare, EMPTY_PHRASE, eventName, type Phrase, routineText, say } from '../say.ts';
import {
  codePurpose,
  isAllocatorWrapper,
  isCoveredByName,
  isLibrary,
  PURPOSE_IDS,
  type PurposeId,
  plainName,
  routineHasPurpose,
} from './code-names.ts';

const MIN_SHARE = 0.05;
/** Maximum number of call levels that are followed upwards. */
const MAX_CALL_LEVELS = 40;
/** Minimum share of the code's cost that a caller needs to be followed. */
const MIN_FOLLOWED_SHARE = 0.001;
/** Minimum share of the code's cost that a reported caller causes. */
const MIN_CAUSE_SHARE = 0.25;
/** Minimum share of one routine that counts as nearly all of the cost. */
const MIN_NEARLY_ALL_SHARE = 0.9;

/** Cost that flows up to callers. */
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
 * If a library routine has several callers, its cost is split among them by the cost of their calls.
 */
function* findCauses(
  { analysis, event }: Evidence,
  from: ReadonlyMap<number, number>,
  passes: (routine: number) => boolean,
): Generator<undefined, readonly Cause[]> {
  const { profile, edges, totals } = analysis;
  const total = [...from.values()].reduce((a, b) => a + b, 0);
  const library = new Map<number, boolean>();
  const isForeign = (r: number) => {
    const known = library.get(r) ?? (from.has(r) || isLibrary(profile, r) || passes(r));
    library.set(r, known);
    return known;
  };
  const found = new Map<string, Cause>();
  let current = new Map([...from].map(([r, value]): [number, CostFlow] => [r, { value, estimated: false }]));
  for (let far = 0; far < MAX_CALL_LEVELS && current.size > 0; far++) {
    const next = new Map<number, CostFlow>();
    for (const [r, { value, estimated }] of current) {
      const into = Array.from(edges.into.order.subarray(edges.into.from[r], edges.into.from[r + 1]), (k) => ({
        caller: edges.caller[k],
        cost: eventValue(event, edges.costs, k),
      })).filter(({ caller, cost }) => caller !== r && cost > 0);
      const called = into.reduce((sum, { cost }) => sum + cost, 0);
      // A routine at the root of a stack has cost that no caller caused.
      const all = Math.max(called, eventValue(event, totals.inclusive, r));
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

/** The routine that causes the largest part of the cost, with its costliest call; undefined if no routine causes enough. */
function largestCause(all: readonly Cause[], total: number): Cause | undefined {
  const byCaller = new Map<number, Cause>();
  // `all` is sorted, so the first call of a caller is its costliest one.
  for (const cause of all) {
    const sum = byCaller.get(cause.caller);
    byCaller.set(cause.caller, { ...(sum ?? cause), ...addFlows(sum, cause) });
  }
  const [most] = [...byCaller.values()].sort((a, b) => b.value - a.value);
  return most && most.value >= MIN_CAUSE_SHARE * total ? most : undefined;
}

function causeText(e: Evidence, { caller, value, estimated }: Cause, site: CallLine | undefined): Phrase {
  return say`; ${routineText(e.analysis.profile, caller)} causes ${estimated ? APPROX_MARK : ''}${asShare(e, 'causedBy', value)}${mostlySiteText(site)}`;
}

/** The purposes of the costliest routines, in order of self cost. Each is a set of bits, by index in `PURPOSE_IDS`. */
const purposesOf = memo((analysis: Analysis, event: Event) => new Background(findPurposes(analysis, event)), 4);

function* findPurposes(analysis: Analysis, event: Event): Generator<undefined, Uint16Array> {
  const { order } = rankingBySelf(analysis, event);
  const out = new Uint16Array(order.length);
  for (let i = 0; i < order.length; i++) {
    if (i % NAMES_PER_SLICE === NAMES_PER_SLICE - 1) yield;
    const plain = plainName(routineName(analysis.profile, order[i]));
    PURPOSE_IDS.forEach((id, k) => {
      if (routineHasPurpose(analysis.profile, order[i], id, plain)) out[i] |= 1 << k;
    });
  }
  return out;
}

/** Number of names to examine between pauses. */
const NAMES_PER_SLICE = 1000;

/** Makes the rule for routines whose names have the purpose `id`. */
export function makeCodeRule(id: PurposeId): FindingRule {
  const { noun, title, words } = codePurpose(id);
  return makeCostRule({
    id,
    question: `How much goes into ${noun}, and who causes it?`,
    evidence: `the self cost of routines by name (${words}), and the nearest caller outside the libraries`,
    threshold: 'self costs of at least 5 %',
    assumes: 'routine names describe the work; shared library routines are split among callers by call cost',
    requires: ['routines', 'self'],
    *find(e) {
      const { analysis, profile, event, whole } = e;
      const { value, order } = rankingBySelf(analysis, event);
      const codes = yield* purposesOf(analysis, event).wait();
      const bit = 1 << PURPOSE_IDS.indexOf(id);
      const members = new Map<number, number>();
      let sum = 0;
      codes.forEach((bits, i) => {
        if ((bits & bit) === 0) return;
        const r = order[i];
        members.set(r, value[r]);
        sum += value[r];
      });
      if (sum < MIN_SHARE * whole) return [];
      const [[first, most]] = members;
      const all = analysis.costing.can.has('calls')
        ? yield* findCauses(e, members, (r) => id === 'allocation' && isAllocatorWrapper(profile, r))
        : [];
      const isOneRoutine = most >= MIN_NEARLY_ALL_SHARE * sum;
      // A single routine of the user is reported by another rule.
      if (isOneRoutine && !isCoveredByName(profile, first)) return [];
      const which = isOneRoutine
        ? say`, nearly all in ${routineText(profile, first)}`
        : say`, including ${asShare(e, 'most', most)} in ${routineText(profile, first)}`;
      const cause = largestCause(all, sum);
      const site = cause && mainCallLine(e, cause.caller, cause.callee);
      const guess = cause?.estimated ? '; shared routines are split among callers by call cost' : '';
      return {
        ...say`${title} ${asShare(e, 'self', sum)} of ${eventName(e)}${which}${cause ? causeText(e, cause, site) : EMPTY_PHRASE}`,
        why: `${members.size === 1 ? 'the self cost of one routine' : `the self costs of ${members.size} routines`}, chosen by name${guess}`,
        subject: id === 'linking' ? 'start-up' : `code ${id}`,
        share: sum / whole,
        target: cause && site ? lineTarget(cause.caller, site.file, site.line) : routineTarget(e, cause?.caller ?? first),
      };
    },
  });
}
