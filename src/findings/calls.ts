// Callers and call sites of a routine, shared by several rules.
import { findEdge } from '../analysis/answers/callgraph/call-sites.ts';
import { mergeAddresses } from '../analysis/answers/line-calls.ts';
import { neighboursOf } from '../analysis/answers/neighbours.ts';
import { canUnfold, childrenOf, nodeValue, openTree } from '../analysis/answers/tree.ts';
import { fileName } from '../analysis/names/names.ts';
import { isOwnRoutine } from '../analysis/names/origin.ts';
import { sortedByKey } from '../base/lists.ts';
import { eventValue } from '../model/head.ts';
import type { Evidence, FindingTarget } from './rule.ts';
import { asCount, asShareOf, EMPTY_PHRASE, locationText, type Phrase, routineText, say } from './say.ts';

/** The order of callers: by the cost of their calls, or by the number of their calls. */
type CallerOrder = 'cost' | 'calls';

/**
 * The caller with the largest part of a routine's cost, or of the calls to it; undefined if no caller is known. By cost, callers in its own cycle
 * do not count. `all`: by cost, the routine's inclusive cost, or the cost of all calls to it if that is higher; by calls, the number of all calls,
 * recursive ones included.
 */
export function mainCaller({ analysis, event }: Evidence, routine: number, by: CallerOrder = 'cost') {
  if (!analysis.costing.can.has('calls')) return undefined;
  const { cycles, inclusive, calls } = analysis.totals;
  const own = cycles.of[routine];
  const callers = neighboursOf(analysis, event, routine, 0, 'callers')
    .filter((n) => n.routine !== routine && (by === 'calls' || (n.value > 0 && (own === 0 || cycles.of[n.routine] !== own))))
    .map((n) => ({ ...n, calls: n.edges.reduce((sum, e) => sum + analysis.edges.count[e], 0) }));
  if (by === 'calls') callers.sort((a, b) => b.calls - a.calls);
  const [first] = callers;
  if (!first) return undefined;
  const sum = callers.reduce((s, c) => s + (by === 'calls' ? c.calls : c.value), 0);
  // A routine at the root of a stack has cost without a caller.
  const all = Math.max(sum, by === 'calls' ? calls[routine] : eventValue(event, inclusive, routine));
  return { ...first, all, callers: callers.length };
}

/** How often a routine calls itself directly; undefined if it never does. */
export const recursiveCalls = ({ analysis: { edges } }: Evidence, routine: number): number | undefined =>
  edges.count[findEdge(edges, routine, routine)];

/** Whether at least half of a routine's calls are recursive; such a routine is reported as a recursion. */
export const isRecursive = (e: Evidence, routine: number): boolean =>
  (recursiveCalls(e, routine) ?? -1) >= MIN_RECURSIVE_SHARE * e.analysis.totals.calls[routine];

const MIN_RECURSIVE_SHARE = 0.5;

/** The view of a routine and its callers; the list of routines if calls are not recorded. */
export function routineTarget({ analysis }: Evidence, routine: number): FindingTarget {
  const view = analysis.costing.can.has('calls') ? 'calls' : 'routines';
  return { view, report: view, routine };
}

export type CallLine = NonNullable<ReturnType<typeof mainCallLine>>;

/**
 * The line of the caller with the largest part of the callee's cost or calls; undefined if no line is known. `isInlined`: its code was inlined
 * from another file than the caller's. `share`: its part of all calls of the callee there.
 */
export function mainCallLine({ analysis, event }: Evidence, caller: number, callee: number, by: CallerOrder = 'cost') {
  const recorded = analysis.costing.callSites({ from: caller });
  if (!recorded) return undefined;
  const sites = mergeAddresses(recorded);
  const own = analysis.profile.routines.file[caller];
  const all = Array.from(sites.callee.keys())
    .filter((i) => sites.callee[i] === callee)
    .map((i) => {
      const fileId = sites.file[i];
      return {
        ...{ fileId, file: fileName(analysis.profile, fileId), isInlined: own >= 0 && fileId !== own },
        ...{ line: sites.line[i], value: eventValue(event, sites.costs, i), calls: sites.count[i] },
      };
    });
  const key = (site: (typeof all)[number]) => (by === 'calls' ? site.calls : site.value);
  const sum = all.reduce((total, site) => total + key(site), 0);
  const known = all.filter(({ line }) => line > 0).sort((a, b) => key(b) - key(a) || a.line - b.line);
  // Among nearly equal lines, prefer a line in the caller's own file to a line of inlined code.
  const found = known.find((site) => site.fileId === own && key(site) >= MIN_NEAR_EQUAL_RATIO * key(known[0])) ?? known[0];
  return found && { ...found, share: sum > 0 ? key(found) / sum : 0 };
}

const MIN_NEAR_EQUAL_RATIO = 0.8;
/** Minimum share that is written as 100.00%. */
const MIN_NEARLY_ALL_SHARE = 0.99995;
const MIN_MOSTLY_SHARE = 0.5;

/** ` at tree.c:12`, ` in code inlined from stl_algo.h:1937`; empty if no line is known. */
function siteText(site: CallLine | undefined): Phrase {
  if (!site) return EMPTY_PHRASE;
  const location = locationText(site.file, site.line);
  return site.isInlined ? say` in code inlined from ${location}` : say` at ${location}`;
}

/** A call line as a suffix: ` at tree.c:12` if it has all of `all`, `, most at tree.c:12` for more than half; else empty. */
export function siteSuffix(site: CallLine | undefined, part: number, all: number): Phrase {
  if (!site || part <= MIN_MOSTLY_SHARE * all) return EMPTY_PHRASE;
  return part >= MIN_NEARLY_ALL_SHARE * all ? siteText(site) : say`, most${siteText(site)}`;
}

/** Whether the line is in a loop: a recorded backward jump spans the line. */
function isInLoop({ analysis }: Evidence, routine: number, { fileId, line }: CallLine): boolean {
  if (!analysis.costing.can.has('jumps')) return false;
  return analysis.costing
    .jumps(routine)
    .filter((j) => j.taken > 0 && j.file === fileId && j.targetFile === fileId && j.targetLine < j.line)
    .some((j) => j.targetLine <= line && line <= j.line);
}

const MIN_CALLS_PER_CALL = 2;

/** `, in 12 calls`; empty for one call, or if the profile does not count calls. */
export const callsSuffix = ({ analysis }: Evidence, calls: number): Phrase =>
  analysis.costing.can.has('counts') && calls > 1 ? say`, in ${asCount('calls', calls, 'call')}` : EMPTY_PHRASE;

/** `all` or `nearly all`; undefined for smaller shares. */
const allText = (of: number, all: number): Phrase | undefined =>
  of === all ? say`all` : of >= MIN_NEARLY_ALL_SHARE * all ? say`nearly all` : undefined;

/** The longest chain of library code from a routine up to own code. */
const MAX_LIBRARY_CALLS = 20;

/** The call of own code that has all the cost of library code, through library code that has it all, too; else the main call of the routine. */
function payingCall(e: Evidence, called: number) {
  const isOwn = (r: number) => isOwnRoutine(e.analysis.profile, r);
  const direct = { callee: called, caller: mainCaller(e, called) };
  let { callee, caller } = direct;
  const hasAll = () => caller && caller.value >= eventValue(e.event, e.totals.inclusive, callee);
  for (let k = 0; caller && !isOwn(called) && hasAll() && k < MAX_LIBRARY_CALLS; k++) {
    if (isOwn(caller.routine)) return { callee, caller };
    callee = caller.routine;
    caller = mainCaller(e, callee);
  }
  return direct;
}

/** How many frames are followed from library code up to own code. */
const MAX_FRAMES_UP = 1000;
const MIN_CAUSED_SHARE = 0.1;

/** The own routine that causes most of the cost of library code, through other code; undefined if stacks are estimates. */
function causingOwnCode({ analysis, profile, event, totals }: Evidence, called: number) {
  const tree = openTree(analysis.costing.routineTree(called, true), true, event);
  const costs = new Map<number, number>();
  const open = [...tree.roots];
  for (let k = 0; open.length > 0; k++) {
    const node = tree.nodes[open.pop() ?? 0];
    if (node.estimated || k === MAX_FRAMES_UP) return undefined;
    if (isOwnRoutine(profile, node.routine)) costs.set(node.routine, (costs.get(node.routine) ?? 0) + nodeValue(event, node));
    else if (canUnfold(tree, node.id)) open.push(...childrenOf(tree, node.id, event));
  }
  const [first] = sortedByKey([...costs], ([, value]) => value, true);
  const all = eventValue(event, totals.inclusive, called);
  return first && first[1] >= MIN_CAUSED_SHARE * all ? { routine: first[0], value: first[1], all } : undefined;
}

/** The own routine that causes cost of library code; undefined if none is known. */
export function causeInOwnCode(e: Evidence, called: number): number | undefined {
  const caller = payingCall(e, called).caller?.routine;
  const isOwn = caller !== undefined && isOwnRoutine(e.analysis.profile, caller);
  return isOwn ? caller : causingOwnCode(e, called)?.routine;
}

/** `all from walk at tree.c:12`, `90.00% of its inclusive cost from …`; empty if no caller is known. */
export function costCallerText(e: Evidence, called: number): Phrase {
  const { callee: routine, caller } = payingCall(e, called);
  if (!caller) return EMPTY_PHRASE;
  const { profile } = e.analysis;
  const cause = isOwnRoutine(profile, called) || isOwnRoutine(profile, caller.routine) ? undefined : causingOwnCode(e, called);
  if (cause)
    return say`${asShareOf('fromCaller', cause.value, cause.all)} of its inclusive cost from ${routineText(profile, cause.routine)}, through library code`;
  const site = mainCallLine(e, caller.routine, routine);
  // If one caller calls another, both have the cost: a caller's share may exceed the inclusive cost.
  const inclusive = Math.max(caller.value, eventValue(e.event, e.totals.inclusive, routine));
  const all = allText(caller.value, inclusive) ?? say`${asShareOf('fromCaller', caller.value, inclusive)} of its inclusive cost`;
  return say`${all} from ${routineText(profile, caller.routine)}${siteSuffix(site, site?.value ?? 0, caller.value)}`;
}

/** `90.00% of them from walk at tree.c:12, on average 8 per call of walk`; empty if no caller is known. */
export function callsCallerText(e: Evidence, routine: number): Phrase {
  const caller = mainCaller(e, routine, 'calls');
  if (!caller) return EMPTY_PHRASE;
  const { profile, totals } = e.analysis;
  const site = mainCallLine(e, caller.routine, routine, 'calls');
  const at = siteSuffix(site, site?.calls ?? 0, caller.calls);
  const all = allText(caller.calls, caller.all) ?? say`${asShareOf('fromCaller', caller.calls, caller.all)} of them`;
  const own = totals.calls[caller.routine];
  const times = own > 0 ? (at !== EMPTY_PHRASE && site ? site.calls : caller.calls) / own : 0;
  const name = routineText(profile, caller.routine);
  const average = say`, on average ${asCount('callsByCaller', times)} per call of ${name}`;
  const loop = at !== EMPTY_PHRASE && site && isInLoop(e, caller.routine, site) ? ', in a loop' : '';
  return say`${all} from ${name}${at}${loop}${times >= MIN_CALLS_PER_CALL ? average : EMPTY_PHRASE}`;
}
