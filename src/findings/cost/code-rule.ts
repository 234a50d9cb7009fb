// Rules of code that does one thing: how much it takes, and which routine and line of one's own cause it.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { routineName } from '../../analysis/names/names.ts';
import { Background } from '../../base/background.ts';
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import { atRoutine, firstSite, mainSite, type Site } from '../calls.ts';
import { bySelf } from '../hottest.ts';
import { atLine, costRule, type Evidence, type Rule } from '../rule.ts';
import { ABOUT, eventName, NOTHING, named, type Said, say, share } from '../say.ts';
import { CODES, type CodeId, codeName, doesCode, isCoveredByName, isLibrary, isWrapper, plainName } from './code-names.ts';

const LEAST = 0.05;
/** Callers are followed up to so many calls. */
const FAR = 40;
/** Less than this share of the code's cost is not followed. */
const LITTLE = 0.001;
/** Minimum share of a reported cause in the code's cost. */
const WORTH = 0.25;
/** One routine makes nearly all of it. */
const NEARLY_ALL = 0.9;

/** Cost on its way to who causes it. */
interface Flow {
  readonly value: number;
  /** Shares of what several callers have. */
  readonly estimated: boolean;
}

const together = (a: Flow | undefined, b: Flow): Flow => ({
  value: b.value + (a?.value ?? 0),
  estimated: b.estimated || a?.estimated === true,
});

/** A call by which one's own code causes cost elsewhere. */
interface Cause extends Flow {
  readonly caller: number;
  readonly callee: number;
}

/**
 * The calls of one's own code that lead to the cost, the most expensive caller first; code that passes it on is no cause. Where a library routine has several callers, each gets the
 * share that its calls have in the routine's cost.
 */
function* causes(
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
  let wave = new Map([...from].map(([r, value]): [number, Flow] => [r, { value, estimated: false }]));
  for (let far = 0; far < FAR && wave.size > 0; far++) {
    const next = new Map<number, Flow>();
    for (const [r, { value, estimated }] of wave) {
      const into = Array.from(edges.into.order.subarray(edges.into.from[r], edges.into.from[r + 1]), (k) => ({
        caller: edges.caller[k],
        cost: eventValue(event, edges.costs, k),
      })).filter(({ caller, cost }) => caller !== r && cost > 0);
      const called = into.reduce((sum, { cost }) => sum + cost, 0);
      // The root of a stack has no caller; nor has the part of it that is a root.
      const all = Math.max(called, eventValue(event, totals.inclusive, r));
      for (const { caller, cost } of into) {
        const mine = { value: (value * cost) / all, estimated: estimated || cost < all };
        if (mine.value < LITTLE * total) continue;
        if (isForeign(caller)) next.set(caller, together(next.get(caller), mine));
        else {
          const key = `${caller} ${r}`;
          found.set(key, { caller, callee: r, ...together(found.get(key), mine) });
        }
      }
    }
    wave = next;
    yield;
  }
  return [...found.values()].sort((a, b) => b.value - a.value);
}

/** The routine that causes most of the cost, and its most expensive call that leads there; undefined where none causes much. */
function mainCause(all: readonly Cause[], total: number): Cause | undefined {
  const byCaller = new Map<number, Cause>();
  // The most expensive call of each caller comes first.
  for (const cause of all) {
    const sum = byCaller.get(cause.caller);
    byCaller.set(cause.caller, { ...(sum ?? cause), ...together(sum, cause) });
  }
  const [most] = [...byCaller.values()].sort((a, b) => b.value - a.value);
  return most && most.value >= WORTH * total ? most : undefined;
}

function causeText(e: Evidence, { caller, value, estimated }: Cause, site: Site | undefined): Said {
  return say`; ${named(e.analysis.profile, caller)} causes ${estimated ? ABOUT : ''}${share(e, 'causedBy', value)}${firstSite(site)}`;
}

/** The purposes of the costliest routines, by their names: by place in the order by self cost, a bit for each of CODES. */
const codesOf = memo((analysis: Analysis, event: Event) => new Background(codesIn(analysis, event)), 4);

function* codesIn(analysis: Analysis, event: Event): Generator<undefined, Uint16Array> {
  const { order } = bySelf(analysis, event);
  const out = new Uint16Array(order.length);
  for (let i = 0; i < order.length; i++) {
    if (i % NAMES === NAMES - 1) yield;
    const plain = plainName(routineName(analysis.profile, order[i]));
    CODES.forEach((id, k) => {
      if (doesCode(analysis.profile, order[i], id, plain)) out[i] |= 1 << k;
    });
  }
  return out;
}

/** Names between pauses. */
const NAMES = 1000;

/** A rule of routines by what their names say they do. */
export function codeRule(id: CodeId): Rule {
  const { noun, title, words } = codeName(id);
  return costRule({
    id,
    question: `How much goes into ${noun}, and who causes it?`,
    evidence: `the self cost of routines by name (${words}), and the nearest caller outside the libraries`,
    threshold: 'self costs of at least 5 %',
    assumes: 'routine names describe the work; shared library routines are split among callers by call cost',
    asks: ['routines', 'self'],
    *find(e) {
      const { analysis, profile, event, whole } = e;
      const { value, order } = bySelf(analysis, event);
      const codes = yield* codesOf(analysis, event).wait();
      const bit = 1 << CODES.indexOf(id);
      const members = new Map<number, number>();
      let sum = 0;
      codes.forEach((does, i) => {
        if ((does & bit) === 0) return;
        const r = order[i];
        members.set(r, value[r]);
        sum += value[r];
      });
      if (sum < LEAST * whole) return [];
      const [[first, most]] = members;
      const all = analysis.costing.can.has('calls')
        ? yield* causes(e, members, (r) => id === 'allocation' && isWrapper(profile, r))
        : [];
      const alone = most >= NEARLY_ALL * sum;
      // The user's own routine gets its own finding instead.
      if (alone && !isCoveredByName(profile, first)) return [];
      const which = alone
        ? say`, nearly all in ${named(profile, first)}`
        : say`, including ${share(e, 'most', most)} in ${named(profile, first)}`;
      const cause = mainCause(all, sum);
      const site = cause && mainSite(e, cause.caller, cause.callee);
      const guess = cause?.estimated ? '; shared routines are split among callers by call cost' : '';
      return {
        ...say`${title} ${share(e, 'self', sum)} of ${eventName(e)}${which}${cause ? causeText(e, cause, site) : NOTHING}`,
        why: `${members.size === 1 ? 'the self cost of one routine' : `the self costs of ${members.size} routines`}, chosen by name${guess}`,
        subject: id === 'linking' ? 'start-up' : `code ${id}`,
        share: sum / whole,
        target: cause && site ? atLine(cause.caller, site.file, site.line) : atRoutine(e, cause?.caller ?? first),
      };
    },
  });
}
