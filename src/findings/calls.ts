// Callers and call sites of a routine, shared by several rules.
import { mergeAddresses } from '../analysis/answers/merged-sites.ts';
import { neighboursOf } from '../analysis/answers/neighbours.ts';
import { fileName } from '../analysis/names/names.ts';
import { eventValue } from '../model/event-value.ts';
import type { Evidence, Target } from './rule.ts';
import { count, NOTHING, named, part, placed, type Said, say } from './say.ts';

/** The measure that chooses a caller: the cost of its calls, or their number. */
type By = 'cost' | 'calls';

/** The caller through which most of a routine's cost comes, or most of its calls. */
export interface Caller {
  readonly routine: number;
  readonly value: number;
  readonly calls: number;
  /** The inclusive cost of the routine; or the cost of all calls to it by others. */
  readonly all: number;
  readonly callers: number;
}

/** undefined if nothing is known to call it. Of a cycle, only what is outside of it calls. */
export function mainCaller({ analysis, event }: Evidence, routine: number, by: By = 'cost'): Caller | undefined {
  if (!analysis.costing.can.has('calls')) return undefined;
  const { cycles, inclusive } = analysis.totals;
  const own = cycles.of[routine];
  const callers = neighboursOf(analysis, event, routine, 0, 'callers')
    .filter((n) => n.routine !== routine && n.value > 0 && (own === 0 || cycles.of[n.routine] !== own))
    .map(({ routine: r, value, edges }) => ({
      routine: r,
      value,
      calls: edges.reduce((sum, e) => sum + analysis.edges.count[e], 0),
    }));
  if (by === 'calls') callers.sort((a, b) => b.calls - a.calls);
  const [first] = callers;
  if (!first) return undefined;
  const sum = callers.reduce((s, c) => s + (by === 'calls' ? c.calls : c.value), 0);
  // Stacks may begin with it.
  const all = by === 'calls' ? sum : Math.max(sum, eventValue(event, inclusive, routine));
  return { ...first, all, callers: callers.length };
}

/** The calls that a routine makes of itself; undefined if it makes none. */
export function ownCalls({ analysis }: Evidence, routine: number): number | undefined {
  const { from, callee, count: calls } = analysis.edges;
  for (let k = from[routine]; k < from[routine + 1]; k++) if (callee[k] === routine) return calls[k];
  return undefined;
}

/** Whether a routine makes most of the calls of it itself: the finding is recursion then. */
export const isRecursive = (e: Evidence, routine: number): boolean =>
  (ownCalls(e, routine) ?? -1) >= OWN_CALLS * e.analysis.totals.calls[routine];

const OWN_CALLS = 0.5;

/** Where a routine is seen with its callers, or without them where calls are not recorded. */
export const atRoutine = ({ analysis }: Evidence, routine: number): Target =>
  analysis.costing.can.has('calls')
    ? { view: 'calls', report: 'calls', routine }
    : { view: 'routines', report: 'routines', routine };

export interface Site {
  readonly file: string | null;
  readonly fileId: number;
  /** The line is of code inlined from a file that is not the caller's. */
  readonly isInlined: boolean;
  readonly line: number;
  readonly value: number;
  readonly calls: number;
}

/** The line of a caller from which most of a callee's cost comes, or most of its calls; undefined if no line is known. */
export function mainSite({ analysis, event }: Evidence, caller: number, callee: number, by: By = 'cost'): Site | undefined {
  const found = analysis.costing.callSites({ from: caller });
  if (!found) return undefined;
  const sites = mergeAddresses(found);
  const own = analysis.profile.routines.file[caller];
  const all = Array.from(sites.callee.keys())
    .filter((i) => sites.callee[i] === callee && sites.line[i] > 0)
    .map((i): Site => {
      const fileId = sites.file[i];
      return {
        ...{ fileId, file: fileName(analysis.profile, fileId), isInlined: own >= 0 && fileId !== own },
        ...{ line: sites.line[i], value: eventValue(event, sites.costs, i), calls: sites.count[i] },
      };
    });
  const key = (site: Site) => (by === 'calls' ? site.calls : site.value);
  all.sort((a, b) => key(b) - key(a) || a.line - b.line);
  // Among lines that matter alike, one of the caller's own file says more than one of what was inlined into it.
  return all.find((site) => site.fileId === own && key(site) >= ALIKE * key(all[0])) ?? all[0];
}

const ALIKE = 0.8;
/** Shares written as 100.0%; more than half is most. */
const NEARLY = 0.99995;
const MOST = 0.5;

/** ` at tree.c:12`, ` in code inlined from stl_algo.h:1937`; nothing where no line is known. */
function siteText(site: Site | undefined): Said {
  if (!site) return NOTHING;
  const place = placed(site.file, site.line);
  return site.isInlined ? say` in code inlined from ${place}` : say` at ${place}`;
}

/** The same with what it is of all: `, most at tree.c:12`; nothing for a line that does not make half of it. */
export function siteOf(site: Site | undefined, part: number, all: number): Said {
  if (!site || part <= MOST * all) return NOTHING;
  return part >= NEARLY * all ? siteText(site) : say`, most${siteText(site)}`;
}

/** The line that a cost begins with, among others. */
export const firstSite = (site: Site | undefined): Said => (site ? say`, mostly${siteText(site)}` : NOTHING);

/** Whether a recorded jump goes back over the line. */
function isInLoop({ analysis }: Evidence, routine: number, { fileId, line }: Site): boolean {
  if (!analysis.costing.can.has('jumps')) return false;
  return analysis.costing
    .jumps(routine)
    .all.some(
      (j) =>
        j.taken > 0 &&
        j.file === fileId &&
        j.targetFile === fileId &&
        j.targetLine <= line &&
        line <= j.line &&
        j.targetLine < j.line,
    );
}

/** Fewer calls per call of the caller are not mentioned. */
const OFTEN = 2;

/** `, in 12 calls`; nothing where calls are not counted. */
export const inCalls = ({ analysis }: Evidence, calls: number): Said =>
  analysis.costing.can.has('counts') && calls > 0 ? say`, in ${count('calls', calls, 'call')}` : NOTHING;

/** The word for all, or nearly all; undefined for less. */
function whole(of: number, all: number): Said | undefined {
  if (of === all) return say`all`;
  return of >= NEARLY * all ? say`nearly all` : undefined;
}

/** `all from walk at tree.c:12`, `90.00% of its inclusive cost from …`; nothing where no caller is known. */
export function byWhom(e: Evidence, routine: number): Said {
  const caller = mainCaller(e, routine);
  if (!caller) return NOTHING;
  const site = mainSite(e, caller.routine, routine);
  // Callers of which one calls the other both have the cost: their sum may be more than there is.
  const inclusive = Math.max(caller.value, eventValue(e.event, e.totals.inclusive, routine));
  const all = whole(caller.value, inclusive) ?? say`${part('fromCaller', caller.value, inclusive)} of its inclusive cost`;
  return say`${all} from ${named(e.analysis.profile, caller.routine)}${siteOf(site, site?.value ?? 0, caller.value)}`;
}

/** `90.00% of the calls from walk at tree.c:12, on average 8 per call of walk`; nothing where no caller is known. */
export function byWhomCalled(e: Evidence, routine: number): Said {
  const caller = mainCaller(e, routine, 'calls');
  if (!caller) return NOTHING;
  const { profile, totals } = e.analysis;
  const site = mainSite(e, caller.routine, routine, 'calls');
  const at = siteOf(site, site?.calls ?? 0, caller.calls);
  const all = whole(caller.calls, caller.all) ?? say`${part('fromCaller', caller.calls, caller.all)} of them`;
  const own = totals.calls[caller.routine];
  const times = own > 0 ? (at !== NOTHING && site ? site.calls : caller.calls) / own : 0;
  const often =
    times >= OFTEN ? say`, on average ${count('callsByCaller', times)} per call of ${named(profile, caller.routine)}` : NOTHING;
  const loop = at !== NOTHING && site && isInLoop(e, caller.routine, site) ? ', in a loop' : '';
  return say`${all} from ${named(profile, caller.routine)}${at}${loop}${often}`;
}
