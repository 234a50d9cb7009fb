// Recursion: routines that call themselves, and how deep.

import { type Analysis, isOfKind } from '../../analysis/answers/analysis.ts';
import { isRecursive, recursiveCalls } from '../calls.ts';
import { rankingByInclusive, rankingBySelf } from '../hottest.ts';
import { type Evidence, makeCostRule, type RuleResult, routineSubject } from '../rule.ts';
import { asCount, asShare, asShareOf, EMPTY_PHRASE, eventName, type Phrase, routineText, say } from '../say.ts';
import { hasNoFinding, isLibrary } from './code-names.ts';

const MIN_INCLUSIVE_SHARE = 0.05;
/** Minimum self share. A routine that only passes calls on has its cost in its callees. */
const MIN_SELF_SHARE = 0.01;
const MAX_ROUTINES = 200;
const MIN_DEPTH = 3;

function recursionResult(e: Evidence, r: number, said: Phrase, why: string): RuleResult {
  const { value } = rankingByInclusive(e.analysis, e.event);
  return {
    ...say`${routineText(e.analysis.profile, r)} ${said}; it takes ${asShare(e, 'inclusive', value[r])} of ${eventName(e)} including callees, ${asShare(e, 'self', rankingBySelf(e.analysis, e.event).value[r])} self`,
    why,
    ...routineSubject(r, value[r] / e.whole),
  };
}

/** Routines that cost enough and call themselves. */
function recursiveRoutines(e: Evidence): readonly number[] {
  const { analysis, profile, event, whole } = e;
  // Slices of a trace nest, but do not call each other.
  if (profile.kind === 'steps') return [];
  const { value, order } = rankingByInclusive(analysis, event);
  const self = rankingBySelf(analysis, event).value;
  const isCostly = (r: number) => value[r] >= MIN_INCLUSIVE_SHARE * whole && self[r] >= MIN_SELF_SHARE * whole;
  const costly = Array.from(order.subarray(0, MAX_ROUTINES)).filter(isCostly);
  return costly.filter((r) => !hasNoFinding(profile, r) && !isLibrary(profile, r) && recursiveCalls(e, r) !== undefined);
}

export const recursionRule = makeCostRule({
  id: 'recursion',
  question: 'Which routine calls itself?',
  evidence: 'the calls that a routine makes of itself, as a share of all calls to it',
  threshold: 'an inclusive cost of at least 5 % and a self cost of at least 1 %; at least half of its calls are recursive',
  requires: ['routines', 'calls', 'inclusive', 'counts'],
  *find(e) {
    const { totals } = e.analysis;
    const [r] = recursiveRoutines(e).filter((one) => totals.calls[one] > 0 && isRecursive(e, one));
    if (r === undefined) return [];
    yield;
    const deep = depthInContexts(e.analysis, r);
    const far = deep === undefined ? EMPTY_PHRASE : say`, up to ${asCount('depth', deep, 'call')} deep`;
    const known = deep === undefined ? 'recorded calls; their depth is not recorded' : 'recorded calls and calling contexts';
    const share = asShareOf('ownCalls', recursiveCalls(e, r) ?? 0, totals.calls[r]);
    const said = say`calls itself${far}: ${share} of its ${asCount('calls', totals.calls[r], 'call')} are recursive`;
    return recursionResult(e, r, said, known);
  },
});

/** The largest number of frames of a routine on one recorded call path; undefined if no calling contexts are recorded. */
function depthInContexts(analysis: Analysis, r: number): number | undefined {
  if (!isOfKind(analysis, 'inputs') || !analysis.profile.contexts) return undefined;
  const { parent, routine } = analysis.profile.contexts;
  const deep = new Uint32Array(parent.length);
  let most = 0;
  // Parents come before their children.
  for (let i = 0; i < parent.length; i++) {
    deep[i] = (parent[i] < 0 ? 0 : deep[parent[i]]) + (routine[i] === r ? 1 : 0);
    most = Math.max(most, deep[i]);
  }
  return most;
}

export const recursionDepthRule = makeCostRule({
  kind: 'stacks',
  id: 'recursion-depth',
  question: 'How deep does a recursion go?',
  evidence: 'how often a routine occurs in one stack',
  threshold: `an inclusive cost of at least 5 % and a self cost of at least 1 %; ${MIN_DEPTH} or more frames of it in one stack`,
  *find(e) {
    const { profile } = e.analysis;
    const [r] = recursiveRoutines(e);
    if (r === undefined) return [];
    const { start, frame, part: of } = profile.stacks;
    let most = 0;
    for (let s = 0; s < of.length; s++) {
      if (s % 65536 === 65535) yield;
      if (e.analysis.partsOff.has(of[s])) continue;
      let deep = 0;
      for (let k = start[s]; k < start[s + 1]; k++) if (profile.frames.routine[frame[k]] === r) deep++;
      most = Math.max(most, deep);
    }
    if (most < MIN_DEPTH) return [];
    const said = say`calls itself, up to ${asCount('depth', most, 'frame')} deep in one stack`;
    return recursionResult(e, r, said, 'frames of the recorded stacks');
  },
});
