// Who calls a routine, and from which line: what several rules say of calls.
import { fileName } from '../analysis/names.ts';
import { neighboursOf } from '../analysis/neighbours.ts';
import { eventValue } from '../model/event-value.ts';
import type { Evidence, Target } from './rule.ts';
import { count, NOTHING, named, part, placed, type Said, say } from './say.ts';

/** The caller through which most of a routine's cost comes. */
export interface Caller {
  readonly routine: number;
  readonly value: number;
  /** Calls through that edge. */
  readonly calls: number;
  /** What it costs with all that it calls, whoever calls it, and how many callers there are. */
  readonly all: number;
  readonly callers: number;
}

/** undefined if nothing is known to call it. */
export function mainCaller({ analysis, event }: Evidence, routine: number): Caller | undefined {
  if (!analysis.costing.can.has('calls')) return undefined;
  const callers = neighboursOf(analysis, event, routine, 0, 'callers').filter((n) => n.routine !== routine && n.value > 0);
  const [first] = callers;
  if (!first) return undefined;
  return {
    routine: first.routine,
    value: first.value,
    calls: first.edges.reduce((sum, e) => sum + analysis.edges.count[e], 0),
    // Stacks may begin with it.
    all: Math.max(
      callers.reduce((sum, n) => sum + n.value, 0),
      eventValue(event, analysis.totals.inclusive, routine),
    ),
    callers: callers.length,
  };
}

/** Whether a routine makes most of the calls of it itself: that is told as recursion. */
export function isRecursive({ analysis }: Evidence, routine: number): boolean {
  const { from, callee, count: calls } = analysis.edges;
  for (let k = from[routine]; k < from[routine + 1]; k++)
    if (callee[k] === routine) return calls[k] >= OWN_CALLS * analysis.totals.calls[routine];
  return false;
}

const OWN_CALLS = 0.5;

/** Where a routine is seen with its callers, or without them where calls are not recorded. */
export const atRoutine = ({ analysis }: Evidence, routine: number): Target =>
  analysis.costing.can.has('calls')
    ? { view: 'calls', report: 'calls', routine }
    : { view: 'routines', report: 'routines', routine };

export interface Site {
  readonly file: string | null;
  /** The line is of code inlined from a file that is not the caller's. */
  readonly isInlined: boolean;
  readonly line: number;
  readonly value: number;
  readonly calls: number;
}

/** The line of a caller from which most of a callee's cost comes; undefined if no line is known. */
export function mainSite({ analysis, event }: Evidence, caller: number, callee: number): Site | undefined {
  const sites = analysis.costing.callSites({ from: caller });
  if (!sites) return undefined;
  const byLine = new Map<string, { file: number; line: number; value: number; calls: number }>();
  for (let i = 0; i < sites.callee.length; i++) {
    if (sites.callee[i] !== callee || sites.line[i] === 0) continue;
    const key = `${sites.file[i]}:${sites.line[i]}`;
    const site = byLine.get(key) ?? { file: sites.file[i], line: sites.line[i], value: 0, calls: 0 };
    site.value += eventValue(event, sites.costs, i);
    site.calls += sites.count[i];
    byLine.set(key, site);
  }
  const sorted = [...byLine.values()].sort((a, b) => b.value - a.value || a.line - b.line);
  const own = analysis.profile.routines.file[caller];
  // A line of the caller's own file says more than one of what was inlined into it.
  const most = sorted.find((site) => site.file === own && site.value >= WORTH * sorted[0].value) ?? sorted[0];
  return most && { ...most, file: fileName(analysis.profile, most.file), isInlined: own >= 0 && most.file !== own };
}

const WORTH = 0.1;

/** ` at tree.c:12`, ` in code inlined from stl_algo.h:1937`; nothing where no line is known. */
export function siteText(site: Site | undefined): Said {
  if (!site) return NOTHING;
  const place = placed(site.file, site.line);
  return site.isInlined ? say` in code inlined from ${place}` : say` at ${place}`;
}

/** What is all but a rounding error is all. */
const NEARLY = 0.99995;
/** A line that makes a call less often than this in each call of its routine is not said to loop. */
const LOOPS = 2;

/** `most from walk at tree.c:12, 8 times in each call`; nothing where no caller is known. */
export function byWhom(e: Evidence, routine: number): Said {
  const caller = mainCaller(e, routine);
  if (!caller) return NOTHING;
  const { profile, totals, costing } = e.analysis;
  const site = mainSite(e, caller.routine, routine);
  const at = siteText(site);
  const all = caller.value >= NEARLY * caller.all ? say`all` : say`${part('fromCaller', caller.value, caller.all)} of it`;
  const own = totals.calls[caller.routine];
  const calls = site?.calls ?? caller.calls;
  const loops = costing.can.has('counts') && own > 0 && calls / own >= LOOPS;
  const often = loops ? say`, in a loop: ${count('callsByCaller', calls / own)} times in each call of it` : NOTHING;
  return say`${all} from ${named(profile, caller.routine)}${at}${often}`;
}
