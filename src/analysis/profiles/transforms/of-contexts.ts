// Converts recorded calling contexts to stacks: one per context that has self cost.
import { ChoiceError } from '../../../base/errors.ts';
import { forEachInSlices, type Sliced } from '../../../base/slices.ts';
import { formatCount } from '../../../base/units.ts';
import { appendRows, GrowableColumn, pickRowsInSlices } from '../../../model/column.ts';
import type { Contexts } from '../../../model/inputs/tables.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { leafRowsInSlices } from '../../../model/stacks/leaf-rows.ts';
import type { Frames, Stacks } from '../../../model/stacks/tables.ts';
import { contextCosts, NO_CONTEXTS } from '../../answers/inputs/points.ts';
import { sliceContexts } from '../../answers/steps/costing.ts';

/** The maximum number of frames that fit into memory, at four bytes each. */
const MAX_FRAMES = 200_000_000;

/**
 * Slices of a trace: each path of names with the time that it took by itself. Equal paths of a part are one stack. Where slices of one
 * thread overlap, the stacks below a slice have more time than the slice: its self time counts what they share once, theirs twice.
 */
export function* stepsAsStacks(profile: ProfileOf<'steps'>): Sliced<ProfileOf<'stacks'>> {
  const contexts = sliceContexts(profile, undefined, true);
  yield;
  return yield* contextsAsStacks(contexts);
}

/** Routines are frames without lines. Throws ChoiceError for contexts that are too many and too deep. Yields between slices of work. */
export function* contextsAsStacks(profile: ProfileOf<'inputs'>): Sliced<ProfileOf<'stacks'>> {
  const { inputs: _, compared: __, contexts: ___, ...head } = profile;
  const whole = addLostContexts(profile);
  const { routines } = profile;
  const frames: Frames = {
    routine: Uint32Array.from(routines.name.keys()),
    file: routines.file,
    line: new Uint32Array(routines.name.length),
  };
  yield;
  const { self } = contextCosts(whole);
  yield;
  const stacks = yield* buildPaths(whole.contexts, self);
  return { ...head, kind: 'stacks', frames, stacks, ...(yield* leafRowsInSlices(stacks, frames, undefined)) };
}

/**
 * Adds a context without callers for each point that lost its context. Leaves out points whose routine has points with
 * contexts: they describe the same calls.
 */
function addLostContexts(profile: ProfileOf<'inputs'>): ProfileOf<'inputs'> & { readonly contexts: Contexts } {
  const { inputs, contexts = NO_CONTEXTS, routines } = profile;
  const { context, routine, part, counted } = inputs;
  const key = (i: number) => part[i] * routines.name.length + routine[i];
  const described = new Set<number>();
  for (let i = 0; i < context.length; i++) if (context[i] >= 0 && counted[i] === 0) described.add(key(i));
  const lostPoints = Array.from(context.keys()).filter((i) => context[i] < 0 && !described.has(key(i)));
  if (lostPoints.length === 0) return { ...profile, contexts };
  const first = contexts.id.length;
  const newContext = context.slice();
  for (const [k, i] of lostPoints.entries()) newContext[i] = first + k;
  const added = lostPoints.map((i, k) => ({ id: 0, parent: -1, end: first + k + 1, routine: routine[i], part: part[i] }));
  return { ...profile, inputs: { ...inputs, context: newContext }, contexts: appendRows(contexts, added) };
}

/** The paths of contexts that have costs of their own. Frames are routines. */
function* buildPaths({ parent, routine, part }: Contexts, self: readonly Float64Array[]): Sliced<Stacks> {
  const n = parent.length;
  const depth = new Uint32Array(n);
  const costly = new GrowableColumn(Uint32Array);
  let frames = 0;
  yield* forEachInSlices(n, (c) => {
    depth[c] = parent[c] < 0 ? 1 : depth[parent[c]] + 1;
    if (self.every((column) => column[c] === 0)) return;
    costly.push(c);
    frames += depth[c];
  });
  const kept = costly.done();
  if (frames > MAX_FRAMES)
    throw new ChoiceError(
      `${formatCount(kept.length)} paths of calls have ${formatCount(frames)} frames, and at most ${formatCount(MAX_FRAMES)} can be transformed`,
    );
  const start = new Uint32Array(kept.length + 1);
  const frame = new Uint32Array(frames);
  let at = 0;
  const follow = (s: number) => {
    for (let k = kept[s]; k >= 0; k = parent[k]) frame[at++] = routine[k];
    start[s + 1] = at;
  };
  yield* forEachInSlices(kept.length, follow);
  return { start, frame, ...(yield* pickRowsInSlices({ part, costs: self }, kept)) };
}
