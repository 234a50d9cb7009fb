// Applies transforms to a profile. No other file chooses the method by the profile's kind.

import { AnswerError, ChoiceError } from '../../../base/errors.ts';
import { getOrMake } from '../../../base/lists.ts';
import { fillInSlices, forEachInSlices, NAMES_PER_SLICE, runInSlices, runToEnd, type Sliced } from '../../../base/slices.ts';
import { appendRows, type Costs, Groups, Numbering, pickColumn, pickColumnInSlices } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import type { Profile, ProfileOf } from '../../../model/profile.ts';
import { leafRowsInSlices } from '../../../model/stacks/leaf-rows.ts';
import type { Frames } from '../../../model/stacks/tables.ts';
import { stringAt } from '../../../model/strings.ts';
import { inlinedFrames } from '../../answers/stacks/inlined.ts';
import { labelKeys, labelsOf, matchingSets, valuesInSet } from '../../answers/stacks/tags.ts';
import { markOwnRoutines } from '../../names/origin.ts';
import { foldNodes } from '../inlined/fold.ts';
import { inlineProfile } from '../inlined/inline.ts';
import { buildTransformGraph, type GraphProfile } from './call-graph-flows.ts';
import { hideRoutines, OUTSIDE_NAME } from './call-graph-hide.ts';
import { collapseRoutines, mergeRoutines } from './call-graph-merge.ts';
import { keepParts, partsThrough } from './call-graph-parts.ts';
import { addPartRoots, partKeys, rootNames } from './call-graph-roots.ts';
import { keepShares } from './call-graph-shares.ts';
import { findHitRoutines } from './hits.ts';
import { contextsAsStacks, stepsAsStacks } from './of-contexts.ts';
import { RoutineDraft, routineWithoutFile } from './routine-draft.ts';
import { findChains } from './stack-chains.ts';
import { NO_ADDRESS, StackDraft } from './stack-draft.ts';
import { collapseRecursion, joinNeighbours, keepOrigins, keepOwnFrames, STACK_RULES } from './stack-rules.ts';
import { clipSamples, clipSteps, dropUnusedNames, startOfTimes } from './time.ts';
import {
  compileTest,
  isTagTransform,
  labelKeysIn,
  splitPattern,
  TAG_FRAMES,
  type Transform,
  transformText,
  type UntimedTransform,
} from './transform.ts';

/** Why a transform cannot be applied to a profile; undefined if it can. */
export function refusalReason(profile: Profile, transform: Transform): string | undefined {
  const { word } = transform;
  const time = profile.kind === 'steps' || (profile.kind === 'stacks' && profile.times !== undefined);
  if (word === 'inlined') return reasonAgainstInlined(profile) ?? unreadReason(profile);
  if (word === 'time') return time ? undefined : 'time is for traces, builds, and samples with times';
  if (isTagTransform(word)) {
    const keys = word === 'tag-root' ? rootKeys(profile) : labelKeys(profile);
    if (keys.length === 0)
      return profile.kind === 'callgraph' && word === 'tag-root'
        ? 'tag-root needs several threads or parts with calls'
        : `${word} needs samples with labels`;
    const unknown =
      'pattern' in transform && TAG_FRAMES.has(word)
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

/** The keys that --tag-root accepts: labels of samples, and `thread` and `part`. */
export const rootKeys = (profile: Profile): readonly string[] =>
  (profile.kind !== 'stacks' && profile.kind !== 'callgraph') || (profile.kind === 'callgraph' && !profile.calls)
    ? []
    : [...new Set([...labelKeys(profile), ...partKeys(profile)])];

/**
 * The profile that is left, with what percentages stay of. Yields often enough to hear keys. Times come first; then slices of a trace and
 * recorded contexts become stacks. Throws AnswerError for what the profile cannot follow.
 */
export function* transformInSlices(profile: Profile, transforms: readonly Transform[]): Sliced<Profile> {
  if (transforms.length === 0) return profile;
  const [why] = transforms.flatMap((transform) => refusalReason(profile, transform) ?? []);
  if (why !== undefined) throw new AnswerError(why);
  let remaining: Profile = profile;
  for (const t of transforms) {
    if (t.word !== 'time') continue;
    if (remaining.kind === 'steps') {
      // Users count from the first start.
      const start = startOfTimes(remaining);
      remaining = dropUnusedNames(clipSteps(remaining, { fromUs: start + t.fromUs, toUs: start + t.toUs }));
    } else if (remaining.kind === 'stacks' && remaining.times) remaining = yield* clipSamples(remaining, remaining.times, t);
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

// Applies transforms to sampled stacks one after the other. Results are exact, because every cost has its whole stack.

/** The remaining stacks and the routines that occur in them. Yields after some milliseconds of work. */
function* transformStacks(profile: ProfileOf<'stacks'>, transforms: readonly UntimedTransform[]): Sliced<ProfileOf<'stacks'>> {
  let left = profile;
  let draft: StackDraft | undefined;
  for (const transform of transforms) {
    if (transform.word === 'tag-root' || transform.word === 'tag-leaf') {
      // Adding frames makes stacks longer, which a draft cannot do.
      if (draft) left = yield* draft.finish();
      draft = undefined;
      left = yield* addTagFrames(left, transform.word, transform.pattern);
      continue;
    }
    draft ??= yield* StackDraft.fromProfile(left);
    yield* applyTransform(draft, left, transform);
  }
  return draft ? yield* draft.finish() : left;
}

function* applyTransform(draft: StackDraft, profile: ProfileOf<'stacks'>, t: UntimedTransform): Sliced<void> {
  if (t.word === 'collapse')
    return yield* t.what === 'chains' ? joinChains(draft) : draft.applyRule(collapseRecursion(draft, draft.routines.count));
  if (t.word === 'only-own') return yield* keepOwnCode(draft);
  if (t.word === 'tag-root' || t.word === 'tag-leaf') return;
  if (t.word === 'tag-focus' || t.word === 'tag-ignore') {
    const of = labelsOf(profile);
    if (!of) throw new ChoiceError('the samples of the profile have no labels');
    const [hit, hits] = [matchingSets(of, t.pattern), t.word === 'tag-focus' ? 1 : 0];
    return yield* draft.applyRule(keepOrigins(draft, (s) => hit[of.labels.set[s]] === hits));
  }
  const { target } = splitPattern(t.pattern);
  if (target === 'path' && t.word !== 'merge')
    return yield* draft.applyRule(STACK_RULES[t.word](draft, yield* hitPaths(draft, t.pattern)));
  const hit =
    target === 'line'
      ? yield* hitLines(profile, t.pattern)
      : pickColumn(yield* findHitRoutines(draft.routines.head, t.pattern, t.word === 'prune-from'), draft.routine);
  if (t.word === 'merge') return yield* mergeFrames(draft, hit, t.pattern);
  return yield* draft.applyRule(STACK_RULES[t.word](draft, yield* pickColumnInSlices(hit, draft.frame)));
}

/** By place in the stacks: 1 if the names from the root to its frame, joined by semicolons, match the expression. */
function* hitPaths(draft: StackDraft, pattern: string): Sliced<Uint8Array> {
  const test = compileTest(pattern);
  const { frame, routine } = draft;
  const { strings, routines } = draft.routines.head;
  const name = (f: number) => stringAt(strings, routines.name[routine[f]]);
  const paths = new PairTable(Int32Array);
  const hits: boolean[] = [];
  const hit = new Uint8Array(frame.length);
  yield* draft.applyRule((from, to) => {
    for (let k = to - 1, path = -1; k >= from; k--) {
      path = paths.numberOf(path, routine[frame[k]]);
      // The text of a path is not kept: those of deep stacks are long.
      if (path === hits.length) hits.push(test(Array.from(frame.subarray(k, to), name).reverse().join(';')));
      if (hits[path]) hit[k] = 1;
    }
    return to;
  });
  return hit;
}

/** By frame: 1 if the expression matches its `FILE:LINE`. Frames without a file do not match. */
function* hitLines({ frames, files, strings }: ProfileOf<'stacks'>, pattern: string): Sliced<Uint8Array> {
  const test = compileTest(pattern);
  const { file, line } = frames;
  const known = new Map<number, 0 | 1>();
  const isHit = (f: number) => {
    const key = line[f] * files.name.length + file[f];
    return getOrMake(known, key, () => (test(`${stringAt(strings, files.name[file[f]])}:${line[f]}`) ? 1 : 0));
  };
  return yield* fillInSlices(new Uint8Array(file.length + 1), (f) => (file[f] >= 0 ? isHit(f) : 0), NAMES_PER_SLICE);
}

function* mergeFrames(draft: StackDraft, hit: Uint8Array, pattern: string): Sliced<void> {
  if (!hit.includes(1)) return;
  const [into] = yield* draft.routines.add([routineWithoutFile(`(${splitPattern(pattern).expression})`)]);
  for (let f = 0; f < hit.length; f++) if (hit[f] === 1) draft.routine[f] = into;
  yield* draft.applyRule(joinNeighbours(draft, (inner, outer) => hit[inner] === 1 && hit[outer] === 1));
}

function* joinChains(draft: StackDraft): Sliced<void> {
  const { next, chains } = yield* findChains(draft);
  if (chains.length === 0) return;
  const { routine } = draft;
  yield* draft.applyRule(joinNeighbours(draft, (inner, outer) => next[routine[outer]] === routine[inner]));
  const into = yield* draft.routines.joinChains(chains, '');
  for (let f = 0; f < routine.length; f++) routine[f] = into[routine[f]];
}

function* keepOwnCode(draft: StackDraft): Sliced<void> {
  const { routine, routines, outsideFrame } = draft;
  const byRoutine = yield* markOwnRoutines(routines.head);
  const [name] = yield* routines.add([routineWithoutFile(OUTSIDE_NAME)]);
  const hit = new Uint8Array(routine.length);
  for (let f = 0; f < outsideFrame; f++) hit[f] = byRoutine[routine[f]];
  routine[outsideFrame] = name;
  yield* draft.applyRule(keepOwnFrames(draft, yield* pickColumnInSlices(hit, draft.frame), outsideFrame));
}

// Applies transforms to a call graph one after the other. Where several paths meet, costs are split by shares.

/** Yields often enough to handle keys. Throws ChoiceError for line patterns, and if the result would be too large. */
function* transformGraph(profile: GraphProfile, transforms: readonly UntimedTransform[]): Sliced<GraphProfile> {
  for (const transform of transforms)
    if ('pattern' in transform) {
      const { target } = splitPattern(transform.pattern);
      const what =
        target === 'line' ? 'which line was on the stack' : target === 'path' ? 'by which path it was called' : undefined;
      if (what) throw new ChoiceError(`only sampled stacks say ${what}: a call graph has routines, files and objects`);
    }
  let now = profile;
  for (const transform of transforms) now = yield* transformOne(now, transform);
  return yield* recomputeHalves(now);
}

function* transformOne(profile: GraphProfile, transform: UntimedTransform): Sliced<GraphProfile> {
  if (transform.word === 'collapse') return yield* collapseRoutines(yield* buildTransformGraph(profile), transform.what);
  const hideMarked = function* (hide: Uint8Array) {
    return hide.includes(1) ? yield* hideRoutines(yield* buildTransformGraph(profile), hide, transform) : profile;
  };
  if (transform.word === 'only-own') return yield* hideMarked((yield* markOwnRoutines(profile)).map((mine) => 1 - mine));
  const { word, pattern } = transform;
  if (word === 'tag-root') return yield* addPartRoots(profile, pattern);
  const hit = yield* findHitRoutines(profile, pattern, word === 'prune-from');
  const hits = hit.includes(1);
  if (word === 'hide') return yield* hideMarked(hit);
  if (word === 'show') return yield* hideMarked(hit.map((shown) => 1 - shown));
  if (word === 'merge') return hits ? yield* mergeRoutines(profile, hit, pattern) : profile;
  // refusalReason() excludes these: only samples have labels.
  if (word === 'tag-leaf' || word === 'tag-focus' || word === 'tag-ignore') return profile;
  if (!hits && (word === 'ignore' || word === 'prune-from')) return profile;
  const graph = yield* buildTransformGraph(profile);
  const parts = yield* partsThrough(graph, hit, word);
  if (!parts?.includes(1)) return yield* keepShares(graph, hit, word);
  return yield* keepParts(graph.profile, word === 'ignore' ? parts.map((is) => 1 - is) : parts);
}

// Counts beyond 2^53 have columns with exact halves. Scaling a half makes it inexact, so the halves of a scaled cost are
// recomputed from the rounded cost. Costs that were kept, moved or removed unchanged stay exact.
const TWO_POW_32 = 2 ** 32;

/** Makes all halves whole numbers that add up to their counts. */
function* recomputeHalves(profile: GraphProfile): Sliced<GraphProfile> {
  let now = profile;
  for (const { terms, exact } of profile.events) {
    const [[, high] = [0, -1]] = exact?.high ?? [];
    const [[, low] = [0, -1]] = exact?.low ?? [];
    if (terms.length !== 1 || high < 0 || low < 0) continue;
    const withHalvesOf = (costs: Costs) => withHalves(costs, terms[0][1], high, low);
    const { lines, calls } = now;
    now = {
      ...now,
      lines: { ...lines, costs: yield* withHalvesOf(lines.costs) },
      ...(calls ? { calls: { ...calls, costs: yield* withHalvesOf(calls.costs) } } : {}),
    };
  }
  return now;
}

function* withHalves(costs: Costs, main: number, high: number, low: number): Sliced<Costs> {
  const [upper, lower] = [Float64Array.from(costs[high]), Float64Array.from(costs[low])];
  yield;
  yield* runInSlices(upper.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const cost = costs[main][i];
      const whole = Number.isInteger(upper[i]) && Number.isInteger(lower[i]);
      if (whole && TWO_POW_32 * upper[i] + lower[i] === cost) continue;
      upper[i] = Math.floor(cost / TWO_POW_32);
      lower[i] = Math.round(cost - upper[i] * TWO_POW_32);
    }
  });
  return costs.map((column, c) => (c === high ? upper : c === low ? lower : column));
}

// Labels as frames, as with pprof's -tagroot and -tagleaf: every view then shows the cost of each value.

/**
 * `where`: the frames of labels are the outermost or the innermost ones. `keys`: of labels, or `thread` and `part`, with commas between them;
 * each becomes a frame of every stack, the first one outermost.
 */
function* addTagFrames(profile: ProfileOf<'stacks'>, where: 'tag-root' | 'tag-leaf', keys: string): Sliced<ProfileOf<'stacks'>> {
  const list = labelKeysIn(keys);
  const { parts, stacks, frames } = profile;
  const of = labelsOf(profile);
  const known = new Set(labelKeys(profile));
  // Threads have names, with what tells those of equal number apart.
  if (parts.some(({ thread }) => thread !== null)) known.delete('thread');
  // Stacks with the same labels and part get the same frames.
  const groups = Groups.groupBy(stacks.part.length, (s) => (of?.labels.set[s] ?? 0) * parts.length + stacks.part[s]);
  const ofParts = list.map((key) => rootNames(key, parts));
  const names = groups.first.map((s) =>
    list.map((key, k) =>
      of && known.has(key) ? frameName(key, valuesInSet(of, of.labels.set[s], key)) : ofParts[k][stacks.part[s]],
    ),
  );
  const first = frames.routine.length;
  const numbers = new Numbering<string>();
  // Frames are innermost first, as in stacks.
  const added = names.map((row) => Uint32Array.from(row, (name) => first + numbers.numberOf(name)).reverse());
  const draft = new RoutineDraft(profile);
  const routines = yield* draft.add(Array.from(numbers.keys(), routineWithoutFile));
  const each = list.length;
  const start = new Uint32Array(stacks.start.length);
  const frame = new Uint32Array(stacks.frame.length + each * stacks.part.length);
  yield* forEachInSlices(stacks.part.length, (s) => {
    const own = stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]);
    const at = start[s];
    const more = added[groups.groupOf[s]];
    frame.set(where === 'tag-leaf' ? more : own, at);
    frame.set(where === 'tag-leaf' ? own : more, at + (where === 'tag-leaf' ? each : own.length));
    start[s + 1] = at + own.length + each;
  });
  const left = { ...stacks, start, frame };
  const inlined = inlinedFrames(profile, profile.granularity);
  const { inlined: _, ...own } = frames;
  const tagFrames = routines.map((routine) => ({ routine, file: -1, line: 0, inlined: 0 }));
  const next: Frames = appendRows({ ...own, ...(inlined ? { inlined } : {}) }, tagFrames);
  yield;
  // Each new frame gets its own address, so that none counts as inlined into another.
  const firstAddress = profile.places?.high.length ?? 0;
  const addresses = routines.map((_, i) => ({ ...NO_ADDRESS, ofFrame: firstAddress + i }));
  const places = profile.places && appendRows(profile.places, addresses);
  const { strings, routines: all } = draft.head;
  const rows = yield* leafRowsInSlices(left, next, places);
  return { ...profile, strings, routines: all, ...(places ? { places } : {}), frames: next, stacks: left, ...rows };
}

/** `worker=1`, several values as `worker=1,2`; `worker=?` for samples without one. */
const frameName = (key: string, values: readonly string[]): string => `${key}=${values.length === 0 ? '?' : values.join(',')}`;
