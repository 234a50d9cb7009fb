// Profiles and analyses that must be of one kind.
import assert from 'node:assert/strict';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { type Analysis, isOfKind } from '../../src/analysis/answers/analysis.ts';
import type { Event } from '../../src/model/head.ts';
import type { Kind, Profile, ProfileOf } from '../../src/model/profile.ts';

export function analysisOf<K extends Kind>(
  profile: Profile,
  kind: K,
  partsOff: ReadonlySet<number> = new Set(),
  events: readonly Event[] = profile.events,
): Analysis<K> {
  const analysis = analyse(profile, events, partsOff);
  assert.ok(isOfKind(analysis, kind), `a profile of ${kind}, not of ${profile.kind}`);
  return analysis;
}

export function profileOf<K extends Kind>(profile: Profile, kind: K): ProfileOf<K> {
  return analysisOf(profile, kind).profile;
}
