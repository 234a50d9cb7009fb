// Applies transforms to a profile. No other file chooses the method by the profile's kind.
import { AnswerError } from '../../../base/errors.ts';
import { runToEnd } from '../../../base/slices.ts';
import type { Profile, ProfileOf } from '../../../model/profile.ts';
import { labelsOf } from '../../answers/stacks/part-labels.ts';
import { tagKeys } from '../../answers/stacks/tags.ts';
import { foldNodes } from '../inlined/fold.ts';
import { inlineProfile } from '../inlined/inline.ts';
import { transformGraph } from './call-graph.ts';
import { partKeys } from './call-graph-roots.ts';
import { contextsAsStacks, stepsAsStacks } from './of-contexts.ts';
import { transformStacks } from './stacks.ts';
import { clipSamples, clipSteps, dropUnusedNames, startOfTimes } from './time.ts';
import type { TimeRange } from './time-range.ts';
import { isTagFrameTransform, isTagTransform, labelKeysIn, type Transform, transformText } from './transform.ts';

/** Why a transform cannot be applied to a profile; undefined if it can. */
export function refusalReason(profile: Profile, transform: Transform): string | undefined {
  const { word } = transform;
  const time = profile.kind === 'steps' || (profile.kind === 'stacks' && profile.times !== undefined);
  if (word === 'inlined') return reasonAgainstInlined(profile) ?? unreadReason(profile);
  if (word === 'time') return time ? undefined : 'only traces, builds, and samples with times say when something ran';
  if (isTagTransform(word)) {
    const keys = word === 'tag-root' ? rootKeys(profile) : labelKeys(profile);
    if (keys.length === 0)
      return profile.kind === 'callgraph' && word === 'tag-root'
        ? 'tag-root needs several threads or parts with calls'
        : `${word} needs samples with labels`;
    const unknown =
      'pattern' in transform && isTagFrameTransform(word)
        ? labelKeysIn(transform.pattern).find((key) => !keys.includes(key))
        : undefined;
    return unknown === undefined ? undefined : `no label is called ${unknown}; the profile has ${keys.slice(0, 10).join(', ')}`;
  }
  if (profile.kind === 'processes') return `${word} is for stacks and calls; --filter chooses processes`;
  if (profile.kind === 'steps' && profile.routines.name.length === 0)
    return `${word} is for stacks and calls; --filter chooses build steps`;
  if (profile.kind !== 'inputs') return undefined;
  if (!profile.contexts) return `${word} needs calling contexts, which this report lacks`;
  return profile.inputs.selfSum ? undefined : `${word} needs self costs, which this report lacks`;
}

const labelKeys = (profile: Profile): readonly string[] => {
  const of = profile.kind === 'stacks' ? labelsOf(profile) : undefined;
  return of ? tagKeys(of) : [];
};

/** The keys that --tag-root accepts: labels of samples, and `thread` and `part`. */
export const rootKeys = (profile: Profile): readonly string[] =>
  (profile.kind !== 'stacks' && profile.kind !== 'callgraph') || (profile.kind === 'callgraph' && !profile.calls)
    ? []
    : [...new Set([...labelKeys(profile), ...partKeys(profile)])];

/**
 * The profile that is left, with what percentages stay of. Yields often enough to hear keys. Times come first; then slices of a trace and
 * recorded contexts become stacks. Throws AnswerError for what the profile cannot follow.
 */
export function* transformInSlices(profile: Profile, transforms: readonly Transform[]): Generator<undefined, Profile> {
  if (transforms.length === 0) return profile;
  const [why] = transforms.flatMap((transform) => refusalReason(profile, transform) ?? []);
  if (why !== undefined) throw new AnswerError(why);
  let remaining: Profile = profile;
  for (const t of transforms) {
    if (t.word !== 'time') continue;
    if (remaining.kind === 'steps') remaining = clipFromStart(remaining, t);
    else if (remaining.kind === 'stacks' && remaining.times) remaining = yield* clipSamples(remaining, remaining.times, t);
  }
  if (remaining.kind === 'callgraph' && transforms.some(({ word }) => word === 'inlined'))
    remaining = yield* inlineProfile(remaining, remaining.inlines ?? new Map());
  const rest = transforms.filter((t) => t.word !== 'time' && t.word !== 'inlined');
  if (rest.length > 0) {
    if (remaining.kind === 'steps') remaining = yield* stepsAsStacks(remaining);
    if (remaining.kind === 'inputs') remaining = yield* contextsAsStacks(remaining);
    if (remaining.kind === 'stacks') remaining = yield* transformStacks(remaining, rest);
    else if (remaining.kind === 'callgraph') {
      // If routines stand for several nodes, transforms act on the nodes.
      const left = yield* transformGraph(remaining.nodes?.graph ?? remaining, rest);
      remaining = remaining.nodes ? yield* foldNodes(left) : left;
    }
  }
  return { ...remaining, transformed: { ...remaining.transformed, from: profile, applied: transforms.map(transformText) } };
}

/** Clips to a time range that users count from the first start. */
function clipFromStart(profile: ProfileOf<'steps'>, { fromUs, toUs }: TimeRange): ProfileOf<'steps'> {
  const start = startOfTimes(profile);
  return dropUnusedNames(clipSteps(profile, { fromUs: start + fromUs, toUs: start + toUs }));
}

/** Why inlined functions cannot be shown; undefined if they can. */
export function reasonAgainstInlined(profile: Profile): string | undefined {
  if (profile.kind !== 'callgraph')
    return 'inlined is for recorded instructions: sampled stacks have their inlined functions already';
  if (!profile.lines.address)
    return 'no instruction addresses were recorded: with valgrind --dump-instr=yes, functions that were inlined can be shown';
  return undefined;
}

const unreadReason = (profile: Profile) =>
  profile.kind === 'callgraph' && !profile.inlines ? 'the debug information was not read yet: u reads it' : undefined;

/** Works like transformInSlices(), but without pauses. */
export const transformProfile = (profile: Profile, transforms: readonly Transform[]): Profile =>
  runToEnd(transformInSlices(profile, transforms));
