// The inclusive cost of code of one purpose: of its topmost frames and everything below them. Only frames of libraries or the runtime
// count: a program may have a routine of its own that is called like one of them.
import { type Analysis, costOfRoutineSet } from '../../analysis/answers/analysis.ts';
import { forEachInSlices, memoInBackground, NAMES_PER_SLICE } from '../../base/slices.ts';
import { rowsOfKey } from '../../model/column.ts';
import { type Event, eventValue } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { rankingByInclusive, rankingBySelf, selfValues } from '../hottest.ts';
import { isLibrary, mayBeLibrary, PURPOSE_IDS, type PurposeId, plainNameOf, routineHasPurpose } from './code-names.ts';

/** Purposes whose frames cause all that is below them. */
export const INCLUSIVE_PURPOSES: readonly PurposeId[] = [
  'allocation',
  'copying',
  'regexes',
  'sorting',
  'locking',
  'exceptions',
  'compression',
  'io',
  'sleeping',
];

export type Purposes = ReturnType<ReturnType<typeof purposesOf>['now']>;

/**
 * `bits`: the purposes of the costliest routines, by routine a set of bits by index in `PURPOSE_IDS`. `costs`: of INCLUSIVE_PURPOSES, without
 * those that have no routine; empty if the profile has no calls. `inside`: the routines inside any of these, which no other finding counts.
 */
export const purposesOf = memoInBackground(function* (analysis: Analysis, event: Event) {
  const bits = yield* findPurposes(analysis, event);
  const costs = new Map<PurposeId, CodeCost>();
  const inside = new Set<number>();
  for (const id of INCLUSIVE_PURPOSES) {
    const cost = inclusiveCodeCost(analysis, event, bits, id);
    if (!cost) continue;
    costs.set(id, cost);
    for (const r of cost.inside) inside.add(r);
    yield;
  }
  return { bits, costs, inside };
});

function* findPurposes(analysis: Analysis, event: Event): Generator<undefined, Uint16Array> {
  const { profile, costing } = analysis;
  const out = new Uint16Array(profile.routines.name.length);
  const inclusive = costing.can.has('inclusive') ? rankingByInclusive(analysis, event).order : [];
  const routines = [...new Set([...rankingBySelf(analysis, event).order, ...inclusive])];
  const examine = (r: number) => {
    const plain = plainNameOf(profile, r);
    for (const [k, id] of PURPOSE_IDS.entries()) if (routineHasPurpose(profile, r, id, plain)) out[r] |= 1 << k;
  };
  yield* forEachInSlices(routines.length, (k) => examine(routines[k]), NAMES_PER_SLICE);
  return out;
}

export type CodeCost = NonNullable<ReturnType<typeof inclusiveCodeCost>>;

/**
 * The inclusive cost of the purpose; undefined without routines, or if the profile has no calls. `isMember`: 1 for routines with the purpose.
 * `inside`: the members, and code that only they call, directly or through others.
 */
function inclusiveCodeCost(analysis: Analysis, event: Event, purposes: Uint16Array, id: PurposeId) {
  if (!analysis.costing.can.has('calls') || !analysis.costing.can.has('inclusive')) return undefined;
  const bit = 1 << PURPOSE_IDS.indexOf(id);
  const isMember = Uint8Array.from(purposes, (bits) => ((bits & bit) !== 0 ? 1 : 0));
  const members = Array.from(isMember.keys()).filter((r) => isMember[r] === 1);
  const cost = members.length === 0 ? undefined : costOfRoutineSet(analysis, isMember, event);
  if (!cost || Number.isNaN(cost.value)) return undefined;
  return { isMember, members, inside: reachedOnlyFrom(analysis, members), ...cost };
}

/** The routines and those that no others call. */
function reachedOnlyFrom({ edges }: Analysis, routines: readonly number[]): Set<number> {
  const inside = new Set(routines);
  for (const r of inside)
    for (let k = edges.from[r]; k < edges.from[r + 1]; k++) {
      const callee = edges.callee[k];
      const isFromInside = (e: number) => edges.caller[e] === callee || inside.has(edges.caller[e]);
      if (!inside.has(callee) && rowsOfKey(edges.into, callee).every(isFromInside)) inside.add(callee);
    }
  return inside;
}

/** The routine inside with the highest self cost. */
export function hottestInside(analysis: Analysis, event: Event, { inside }: CodeCost) {
  const self = selfValues(analysis, event);
  const routine = [...inside].reduce((best, r) => (self[r] > self[best] ? r : best));
  return { routine, value: self[routine] };
}

/** The program's own routine that code of the purpose calls back at the highest cost; undefined without one. */
export function costliestCallback({ edges, profile }: Analysis, event: Event, { inside }: CodeCost) {
  const costs = new Map<number, number>();
  for (const caller of inside) {
    if (!mayBeLibrary(profile, caller)) continue;
    for (let k = edges.from[caller]; k < edges.from[caller + 1]; k++) {
      const callee = edges.callee[k];
      if (!isLibrary(profile, callee) && !hasPurposeName(profile, callee))
        costs.set(callee, (costs.get(callee) ?? 0) + eventValue(event, edges.costs, k));
    }
  }
  const [most] = [...costs].sort((a, b) => b[1] - a[1]);
  return most && { routine: most[0], value: most[1] };
}

const hasPurposeName = (profile: Profile, r: number): boolean => {
  const plain = plainNameOf(profile, r);
  return PURPOSE_IDS.some((id) => id !== 'comparing' && id !== 'hashing' && routineHasPurpose(profile, r, id, plain));
};
