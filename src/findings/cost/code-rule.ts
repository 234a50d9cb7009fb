// Rules for code of one purpose: its cost, and the user's routine and line that cause it.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { routineName } from '../../analysis/names/names.ts';
import { Background } from '../../base/background.ts';
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import { type CallLine, mainSite, mostlySiteText, routineTarget } from '../calls.ts';
import { rankingBySelf } from '../hottest.ts';
import { costRule, type Evidence, type FindingRule, lineTarget } from '../rule.ts';
import { APPROX_MARK, eventName, NOTHING, routineText, type Said, say, share } from '../say.ts';
import {
  CODES,
  type CodeId,
  codeName,
  isAllocatorWrapper,
  isCoveredByName,
  isLibrary,
  plainName,
  routineHasPurpose,
} from './code-names.ts';

const LEAST = 0.05;
/** Callers are followed up to this many levels. */
const MAX_CALLS_UP = 40;
/** Minimum share of the code's cost to follow. */
const MIN_FOLLOWED = 0.001;
/** Minimum share of a reported cause in the code's cost. */
const MIN_CAUSE = 0.25;
/** From this share on, one routine has nearly all of the cost. */
const NEARLY_ALL = 0.9;

/** Cost that is passed up to callers. */
interface CostFlow {
  readonly value: number;
  /** The cost is a share of a routine with several callers. */
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
 * The calls of one's own code that lead to the cost, the most expensive caller first; code that passes it on is no cause. Where a library routine has several callers, each gets the
 * share that its calls have in the routine's cost.
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
  for (let far = 0; far < MAX_CALLS_UP && current.size > 0; far++) {
    const next = new Map<number, CostFlow>();
    for (const [r, { value, estimated }] of current) {
      const into = Array.from(edges.into.order.subarray(edges.into.from[r], edges.into.from[r + 1]), (k) => ({
        caller: edges.caller[k],
        cost: eventValue(event, edges.costs, k),
      })).filter(({ caller, cost }) => caller !== r && cost > 0);
      const called = into.reduce((sum, { cost }) => sum + cost, 0);
      // Cost of a routine at the root of a stack has no caller.
      const all = Math.max(called, eventValue(event, totals.inclusive, r));
      for (const { caller, cost } of into) {
        const mine = { value: (value * cost) / all, estimated: estimated || cost < all };
        if (mine.value < MIN_FOLLOWED * total) continue;
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
  return most && most.value >= MIN_CAUSE * total ? most : undefined;
}

function causeText(e: Evidence, { caller, value, estimated }: Cause, site: CallLine | undefined): Said {
  return say`; ${routineText(e.analysis.profile, caller)} causes ${estimated ? APPROX_MARK : ''}${share(e, 'causedBy', value)}${mostlySiteText(site)}`;
}

/** The purposes of the costliest routines as bits by index in CODES, in order of self cost. */
const purposesOf = memo((analysis: Analysis, event: Event) => new Background(findPurposes(analysis, event)), 4);

function* findPurposes(analysis: Analysis, event: Event): Generator<undefined, Uint16Array> {
  const { order } = rankingBySelf(analysis, event);
  const out = new Uint16Array(order.length);
  for (let i = 0; i < order.length; i++) {
    if (i % NAMES_PER_SLICE === NAMES_PER_SLICE - 1) yield;
    const plain = plainName(routineName(analysis.profile, order[i]));
    CODES.forEach((id, k) => {
      if (routineHasPurpose(analysis.profile, order[i], id, plain)) out[i] |= 1 << k;
    });
  }
  return out;
}

/** Names to examine between pauses. */
const NAMES_PER_SLICE = 1000;

/** The rule for routines whose names have a purpose. */
export function codeRule(id: CodeId): FindingRule {
  const { noun, title, words } = codeName(id);
  return costRule({
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
      const bit = 1 << CODES.indexOf(id);
      const members = new Map<number, number>();
      let sum = 0;
      codes.forEach((bits, i) => {
        if ((bits & bit) === 0) return;
        const r = order[i];
        members.set(r, value[r]);
        sum += value[r];
      });
      if (sum < LEAST * whole) return [];
      const [[first, most]] = members;
      const all = analysis.costing.can.has('calls')
        ? yield* findCauses(e, members, (r) => id === 'allocation' && isAllocatorWrapper(profile, r))
        : [];
      const isOneRoutine = most >= NEARLY_ALL * sum;
      // A single routine of the user is reported by another rule.
      if (isOneRoutine && !isCoveredByName(profile, first)) return [];
      const which = isOneRoutine
        ? say`, nearly all in ${routineText(profile, first)}`
        : say`, including ${share(e, 'most', most)} in ${routineText(profile, first)}`;
      const cause = largestCause(all, sum);
      const site = cause && mainSite(e, cause.caller, cause.callee);
      const guess = cause?.estimated ? '; shared routines are split among callers by call cost' : '';
      return {
        ...say`${title} ${share(e, 'self', sum)} of ${eventName(e)}${which}${cause ? causeText(e, cause, site) : NOTHING}`,
        why: `${members.size === 1 ? 'the self cost of one routine' : `the self costs of ${members.size} routines`}, chosen by name${guess}`,
        subject: id === 'linking' ? 'start-up' : `code ${id}`,
        share: sum / whole,
        target: cause && site ? lineTarget(cause.caller, site.file, site.line) : routineTarget(e, cause?.caller ?? first),
      };
    },
  });
}
