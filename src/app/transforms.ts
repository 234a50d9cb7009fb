// The stack of transforms: adds, removes, reorders and toggles transforms, and computes the resulting profile.
import { analyse, prepareAnalysis } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { indexNames } from '../analysis/answers/counterparts.ts';
import { allEvents, userFormulas } from '../analysis/answers/events.ts';
import { routineName } from '../analysis/names/names.ts';
import { buildShownProfileInSlices } from '../analysis/profiles/shown.ts';
import { transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { refusalReason } from '../analysis/profiles/transforms/apply.ts';
import { parseTransform, transformLabel, transformText } from '../analysis/profiles/transforms/transform.ts';
import { visible } from '../base/safe-text.ts';
import { plural } from '../base/units.ts';
import type { Profile } from '../model/profile.ts';
import type { TransformChange } from './action.ts';
import { keepCursorOnTop } from './places.ts';
import { replaceAnalysis } from './reload.ts';
import { type ActionHandlers, type AppState, type PendingTransforms, shapingOf, withErrorMessage, withMessage } from './state.ts';

/** Adds a transform to the stack. A new time range replaces the previous one. */
export function addTransform(state: AppState, text: string): AppState {
  return withErrorMessage(state, () => {
    const transform = parseTransform(text);
    const why = refusalReason(state.loaded, transform);
    if (why !== undefined) return withMessage(state, why, 'error');
    const others = state.transforms.filter((c) => c.transform.word !== 'time' || transform.word !== 'time');
    if (others.some((c) => c.on && transformText(c.transform) === transformText(transform)))
      return withMessage(state, `${visible(transformLabel(transform))} is set already`);
    const chosen = { transform, on: true };
    const all = transform.word === 'inlined' ? [chosen, ...others] : [...others, chosen];
    const how =
      transform.word === 'time' && state.loaded.kind === 'stacks'
        ? ': samples that begin in it, on all threads, each with its whole cost'
        : '';
    return applyTransforms(state, all, `${visible(transformLabel(transform))}${how}; S removes it`);
  });
}

/** Changes the transform at this index of the stack. */
export function changeTransform(state: AppState, at: number, change: TransformChange): AppState {
  const { transforms } = state;
  const chosen = transforms[at];
  if (!chosen) return state;
  const text = visible(transformLabel(chosen.transform));
  const without = transforms.toSpliced(at, 1);
  switch (change) {
    case 'toggle':
      return applyTransforms(state, transforms.with(at, { ...chosen, on: !chosen.on }), `${text} is ${chosen.on ? 'off' : 'on'}`);
    case 'remove':
      return applyTransforms(state, without, `${text} is removed`);
    case 'earlier':
      if (at === 0) return withMessage(state, `${text} is the first`);
      return applyTransforms(state, without.toSpliced(at - 1, 0, chosen), `${text} comes earlier`);
    case 'later':
      if (at === transforms.length - 1) return withMessage(state, `${text} is the last`);
      return applyTransforms(state, without.toSpliced(at + 1, 0, chosen), `${text} comes later`);
  }
}

const applyTransforms = (state: AppState, transforms: AppState['transforms'], why: string): AppState =>
  startTransforms(state, { transforms, transformsBefore: [...state.transformsBefore, state.transforms] }, why);

/** Shows the new stack at once, and starts to compute its profile in slices. */
function startTransforms(state: AppState, stacks: PendingTransforms['old'], why: string): AppState {
  const old = state.reshaping?.old ?? { transforms: state.transforms, transformsBefore: state.transformsBefore };
  const next: AppState = { ...state, ...stacks };
  const active = (of: AppState) => shapingOf(of).transforms.map(transformText).join('\n');
  const job = prepareShownProfile(next);
  // If only disabled transforms changed, the profile stays.
  if (!state.reshaping && active(next) === active(state)) return withMessage(next, why);
  return continueTransforms({ ...next, reshaping: { job, message: why, old } });
}

/** Computes the profile, and the data for its first frame. */
function* prepareShownProfile(state: AppState): Generator<undefined, Profile> {
  const profile = yield* buildShownProfileInSlices(state.loaded, shapingOf(state));
  yield* prepareAnalysis(profile, state.analysis.partsOff);
  yield* indexNames(profile);
  return profile;
}

/** Stops computing the new profile, and restores the previous stack. */
export function stopTransforms(state: AppState): AppState {
  const { reshaping } = state;
  if (!reshaping) return state;
  return withMessage({ ...state, ...reshaping.old, reshaping: undefined }, 'Stopped; nothing changed');
}

/** Continues computing the profile, for the time budget of a key. */
export function continueTransforms(state: AppState): AppState {
  const { reshaping } = state;
  if (!reshaping) return state;
  const until = performance.now() + state.timeBudgetMs;
  return withErrorMessage(stopTransforms(state), () => {
    for (;;) {
      const step = reshaping.job.next();
      if (step.done) {
        const { events } = step.value;
        const next = analyse(step.value, allEvents(events, userFormulas(state.analysis)), state.analysis.partsOff);
        const shown = { ...state, reshaping: undefined };
        const why = `${reshaping.message}${noEffectNote(state.analysis, next)}`;
        return keepCursorOnTop(shown, replaceAnalysis(shown, next, why));
      }
      if (performance.now() >= until) return withMessage(state, 'working it out …');
    }
  });
}

/** Whether all routine costs are equal. False with a collapse or time range, whose effect may not show in routine costs. */
function hasSameCosts(old: Analysis, now: Analysis): boolean {
  const isComparable = transformTexts(now.profile).every((text) => !/^(collapse|time)=/.test(text));
  if (!isComparable || old.profile.routines.name.length !== now.profile.routines.name.length) return false;
  return (['self', 'inclusive'] as const).every((what) =>
    old.totals[what].every((column, c) => column.every((cost, r) => cost === now.totals[what][c]?.[r])),
  );
}

/** A note if a transform changed nothing, or left no source in the user's folders; '' otherwise. */
function noEffectNote(old: Analysis, now: Analysis): string {
  if (now.profile.routines.name.length === 1 && routineName(now.profile, 0) === '(outside)')
    return ': none of its sources are in these folders; give yours with --source-dir';
  return hasSameCosts(old, now) ? ': it changes nothing here' : '';
}

/** The handlers of transform actions, by action type. */
export const TRANSFORM_HANDLERS = {
  transform: (state, { text }) => addTransform(state, text),
  'change-transform': (state, { at, change }) => changeTransform(state, at, change),
  /** Turns `only-own` on or off. */
  'only-own'(state) {
    const at = state.transforms.findIndex((c) => c.transform.word === 'only-own');
    return at < 0 ? addTransform(state, 'only-own') : changeTransform(state, at, 'toggle');
  },
  /** Undoes the latest change of the stack. */
  'undo-transforms'(state) {
    const last = state.transformsBefore.at(-1);
    if (!last) return withMessage(state, 'Nothing to undo');
    const stacks = { transforms: last, transformsBefore: state.transformsBefore.slice(0, -1) };
    return startTransforms(state, stacks, 'last focus change undone');
  },
  /** Saves the stack for this folder: the focus panel offers it at the next start. */
  'keep-transforms'(state, { name = '' }) {
    const kept = state.transforms.flatMap(({ transform, on }) => (on ? [transform] : []));
    const keptTransforms = new Map(state.keptTransforms).set(name, kept);
    if (kept.length === 0) keptTransforms.delete(name);
    const what = `${visible(name || 'focus')} is`;
    const text = kept.length > 0 ? `${what} saved for this folder; S offers it the next time` : `${what} no longer saved`;
    return [withMessage({ ...state, keptTransforms }, text), [{ type: 'keep-transforms', name, texts: kept.map(transformText) }]];
  },
  /** Applies the stack saved for this folder. */
  'take-kept'(state, { name = '' }) {
    const fit = (state.keptTransforms.get(name) ?? []).filter((t) => refusalReason(state.loaded, t) === undefined);
    if (fit.length === 0) return withMessage(state, 'No focus is saved for this profile');
    const all = fit.map((transform) => ({ transform, on: true }));
    return applyTransforms(state, all, `${plural(fit.length, 'saved step')} applied`);
  },
} satisfies Partial<ActionHandlers>;
