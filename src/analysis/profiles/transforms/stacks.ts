// Sampled stacks with transforms applied, one after the other: exact, since every cost has its whole stack.
import { ChoiceError } from '../../../base/errors.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { hitSets, labelled } from '../../answers/stacks/tags.ts';
import { OUTSIDE } from './call-graph-hide.ts';
import { hitRoutines } from './hits.ts';
import { type OwnPlaces, ownRoutines } from './own-code.ts';
import { nowhere } from './routine-draft.ts';
import { chainsOf } from './stack-chains.ts';
import { StackDraft } from './stack-draft.ts';
import {
  joinNeighbours,
  keepFrames,
  keepLabelled,
  keepStacks,
  ownFrames,
  pruneFrom,
  showFrom,
  withoutRecursion,
} from './stack-rules.ts';
import { withTagFrames } from './tag-frames.ts';
import { targetOf, testOf, type Untimed } from './transform.ts';

/** Frames between pauses while their lines are matched. */
const SLICE = 1000;

/** The stacks that are left, with the routines that occur in them. Yields after some milliseconds of work. */
export function* transformStacks(
  profile: ProfileOf<'stacks'>,
  transforms: readonly Untimed[],
  own: OwnPlaces,
): Generator<undefined, ProfileOf<'stacks'>> {
  let left = profile;
  let draft: StackDraft | undefined;
  for (const transform of transforms) {
    if (transform.word === 'tag-root' || transform.word === 'tag-leaf') {
      // Stacks become longer, which a draft cannot.
      if (draft) left = yield* draft.finish();
      draft = undefined;
      left = yield* withTagFrames(left, transform.word, transform.pattern);
      continue;
    }
    draft ??= yield* StackDraft.of(left);
    yield* applied(draft, left, transform, own);
  }
  return draft ? yield* draft.finish() : left;
}

/** Throws ChoiceError for a profile whose samples have none. */
function labelsOf(profile: ProfileOf<'stacks'>) {
  const out = labelled(profile);
  if (out) return out;
  throw new ChoiceError('the samples of the profile have no labels');
}

function* applied(draft: StackDraft, profile: ProfileOf<'stacks'>, t: Untimed, own: OwnPlaces): Generator<undefined, void> {
  if (t.word === 'collapse')
    return yield* t.what === 'chains' ? joinChains(draft) : draft.each(withoutRecursion(draft, draft.routines.count));
  if (t.word === 'only-own') return yield* keepOwn(draft, own);
  if (t.word === 'tag-root' || t.word === 'tag-leaf') return;
  if (t.word === 'tag-focus' || t.word === 'tag-ignore') {
    const of = labelsOf(profile);
    return yield* draft.each(keepLabelled(draft, of.labels.set, hitSets(of, t.pattern), t.word === 'tag-focus' ? 1 : 0));
  }
  const hit = yield* hitFrames(draft, profile, t.pattern, t.word === 'prune-from');
  return yield* t.word === 'merge' ? mergeFrames(draft, hit, t.pattern) : draft.each(RULES[t.word](draft, hit));
}

const RULES = {
  focus: (draft: StackDraft, hit: Uint8Array) => keepStacks(draft, hit, 1),
  ignore: (draft: StackDraft, hit: Uint8Array) => keepStacks(draft, hit, 0),
  hide: (draft: StackDraft, hit: Uint8Array) => keepFrames(draft, hit, 0),
  show: (draft: StackDraft, hit: Uint8Array) => keepFrames(draft, hit, 1),
  'show-from': showFrom,
  'prune-from': pruneFrom,
};

/** By frame: 1 where the pattern means its routine, or its line. */
function* hitFrames(
  draft: StackDraft,
  profile: ProfileOf<'stacks'>,
  pattern: string,
  namesAlone: boolean,
): Generator<undefined, Uint8Array> {
  const { routine } = draft;
  if (targetOf(pattern).target === 'line') return yield* hitLines(profile, pattern);
  const byRoutine = yield* hitRoutines(draft.routines.head, pattern, namesAlone);
  const hit = new Uint8Array(routine.length);
  for (let f = 0; f < hit.length; f++) hit[f] = byRoutine[routine[f]];
  return hit;
}

/** By frame: 1 where the expression matches its `FILE:LINE`; a frame without a file has none. */
function* hitLines({ frames, files, strings }: ProfileOf<'stacks'>, pattern: string): Generator<undefined, Uint8Array> {
  const test = testOf(pattern);
  const { file, line } = frames;
  const known = new Map<number, 0 | 1>();
  const hit = new Uint8Array(file.length + 1);
  for (let f = 0; f < file.length; f++) {
    if (f % SLICE === SLICE - 1) yield;
    if (file[f] < 0) continue;
    const key = line[f] * files.name.length + file[f];
    const before = known.get(key);
    const is = before ?? (test(`${stringAt(strings, files.name[file[f]])}:${line[f]}`) ? 1 : 0);
    if (before === undefined) known.set(key, is);
    hit[f] = is;
  }
  return hit;
}

function* mergeFrames(draft: StackDraft, hit: Uint8Array, pattern: string): Generator<undefined, void> {
  if (!hit.includes(1)) return;
  const [into] = yield* draft.routines.add([nowhere(`(${targetOf(pattern).expression})`)]);
  for (let f = 0; f < hit.length; f++) if (hit[f] === 1) draft.routine[f] = into;
  yield* draft.each(joinNeighbours(draft, (inner, outer) => hit[inner] === 1 && hit[outer] === 1));
}

function* joinChains(draft: StackDraft): Generator<undefined, void> {
  const { next, chains } = yield* chainsOf(draft);
  if (chains.length === 0) return;
  const { routine } = draft;
  yield* draft.each(joinNeighbours(draft, (inner, outer) => next[routine[outer]] === routine[inner]));
  const into = yield* draft.routines.joinChains(chains, '');
  for (let f = 0; f < routine.length; f++) routine[f] = into[routine[f]];
}

function* keepOwn(draft: StackDraft, own: OwnPlaces): Generator<undefined, void> {
  const { routine, routines, outside } = draft;
  const byRoutine = ownRoutines(routines.head, own);
  const [name] = yield* routines.add([nowhere(OUTSIDE)]);
  const hit = new Uint8Array(routine.length);
  for (let f = 0; f < outside; f++) hit[f] = byRoutine[routine[f]];
  routine[outside] = name;
  yield* draft.each(ownFrames(draft, hit, outside));
}
