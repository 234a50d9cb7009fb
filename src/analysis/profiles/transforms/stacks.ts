// Applies transforms to sampled stacks one after the other. Results are exact, because every cost has its whole stack.
import { ChoiceError } from '../../../base/errors.ts';
import { getOrMake } from '../../../base/lists.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { pickColumn } from '../../../model/table.ts';
import { labelsOf } from '../../answers/stacks/part-labels.ts';
import { matchingSets } from '../../answers/stacks/tags.ts';
import { markOwnRoutines } from '../../names/origin.ts';
import { OUTSIDE_NAME } from './call-graph-hide.ts';
import { findHitRoutines } from './hits.ts';
import { routineWithoutFile } from './routine-draft.ts';
import { findChains } from './stack-chains.ts';
import { StackDraft } from './stack-draft.ts';
import {
  collapseRecursion,
  joinNeighbours,
  keepFrames,
  keepOrigins,
  keepOwnFrames,
  keepStacks,
  pruneFrom,
  showFrom,
} from './stack-rules.ts';
import { addTagFrames } from './tag-frames.ts';
import { compileTest, splitPattern, type UntimedTransform } from './transform.ts';

/** The number of frames between pauses while lines are matched. */
const FRAMES_PER_SLICE = 1000;

/** The remaining stacks and the routines that occur in them. Yields after some milliseconds of work. */
export function* transformStacks(
  profile: ProfileOf<'stacks'>,
  transforms: readonly UntimedTransform[],
): Generator<undefined, ProfileOf<'stacks'>> {
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

function* applyTransform(draft: StackDraft, profile: ProfileOf<'stacks'>, t: UntimedTransform): Generator<undefined, void> {
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
  const hit = yield* hitFrames(draft, profile, t.pattern, t.word === 'prune-from');
  return yield* t.word === 'merge' ? mergeFrames(draft, hit, t.pattern) : draft.applyRule(STACK_RULES[t.word](draft, hit));
}

const STACK_RULES = {
  focus: (draft: StackDraft, hit: Uint8Array) => keepStacks(draft, hit, 1),
  ignore: (draft: StackDraft, hit: Uint8Array) => keepStacks(draft, hit, 0),
  hide: (draft: StackDraft, hit: Uint8Array) => keepFrames(draft, hit, 0),
  show: (draft: StackDraft, hit: Uint8Array) => keepFrames(draft, hit, 1),
  'show-from': showFrom,
  'prune-from': pruneFrom,
};

/** By frame: 1 if the pattern selects its routine or its line. */
function* hitFrames(draft: StackDraft, profile: ProfileOf<'stacks'>, pattern: string, namesOnly: boolean) {
  if (splitPattern(pattern).target === 'line') return yield* hitLines(profile, pattern);
  return pickColumn(yield* findHitRoutines(draft.routines.head, pattern, namesOnly), draft.routine);
}

/** By frame: 1 if the expression matches its `FILE:LINE`. Frames without a file do not match. */
function* hitLines({ frames, files, strings }: ProfileOf<'stacks'>, pattern: string): Generator<undefined, Uint8Array> {
  const test = compileTest(pattern);
  const { file, line } = frames;
  const known = new Map<number, 0 | 1>();
  const hit = new Uint8Array(file.length + 1);
  for (let f = 0; f < file.length; f++) {
    if (f % FRAMES_PER_SLICE === FRAMES_PER_SLICE - 1) yield;
    if (file[f] < 0) continue;
    const key = line[f] * files.name.length + file[f];
    hit[f] = getOrMake(known, key, () => (test(`${stringAt(strings, files.name[file[f]])}:${line[f]}`) ? 1 : 0));
  }
  return hit;
}

function* mergeFrames(draft: StackDraft, hit: Uint8Array, pattern: string): Generator<undefined, void> {
  if (!hit.includes(1)) return;
  const [into] = yield* draft.routines.add([routineWithoutFile(`(${splitPattern(pattern).expression})`)]);
  for (let f = 0; f < hit.length; f++) if (hit[f] === 1) draft.routine[f] = into;
  yield* draft.applyRule(joinNeighbours(draft, (inner, outer) => hit[inner] === 1 && hit[outer] === 1));
}

function* joinChains(draft: StackDraft): Generator<undefined, void> {
  const { next, chains } = yield* findChains(draft);
  if (chains.length === 0) return;
  const { routine } = draft;
  yield* draft.applyRule(joinNeighbours(draft, (inner, outer) => next[routine[outer]] === routine[inner]));
  const into = yield* draft.routines.joinChains(chains, '');
  for (let f = 0; f < routine.length; f++) routine[f] = into[routine[f]];
}

function* keepOwnCode(draft: StackDraft): Generator<undefined, void> {
  const { routine, routines, outsideFrame } = draft;
  const byRoutine = yield* markOwnRoutines(routines.head);
  const [name] = yield* routines.add([routineWithoutFile(OUTSIDE_NAME)]);
  const hit = new Uint8Array(routine.length);
  for (let f = 0; f < outsideFrame; f++) hit[f] = byRoutine[routine[f]];
  routine[outsideFrame] = name;
  yield* draft.applyRule(keepOwnFrames(draft, hit, outsideFrame));
}
