// The stack of transforms on the screen: it grows, shrinks and is put in order, and leaves a profile.
import { analyse, preparing } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { namingTwins } from '../analysis/answers/counterparts.ts';
import { allEvents, userFormulas } from '../analysis/answers/events.ts';
import { routineName } from '../analysis/names/names.ts';
import { showing } from '../analysis/profiles/shown.ts';
import { appliedTo } from '../analysis/profiles/transforms/applied.ts';
import { refusal } from '../analysis/profiles/transforms/apply.ts';
import {
  type Chosen,
  parseTransform,
  sameTransform,
  transformLabel,
  transformText,
} from '../analysis/profiles/transforms/transform.ts';
import { ChoiceError } from '../base/errors.ts';
import { FormatError } from '../base/problem.ts';
import { visible } from '../base/safe-text.ts';
import { plural } from '../base/units.ts';
import type { Profile } from '../model/profile.ts';
import type { AppActions, Change } from './action.ts';
import { keepTop } from './places.ts';
import { swap } from './reload.ts';
import { type AppState, type Step, say, shapingOf } from './state.ts';

/** Adds a transform. A range of time takes the place of the one that is set. */
export function addTransform(state: AppState, text: string): AppState {
  try {
    const transform = parseTransform(text);
    const why = refusal(state.loaded, transform);
    if (why !== undefined) return say(state, why, 'error');
    const others = state.transforms.filter((c) => c.transform.word !== 'time' || transform.word !== 'time');
    if (others.some((c) => c.on && sameTransform(c.transform, transform)))
      return say(state, `${visible(transformLabel(transform))} is set already`);
    const chosen = { transform, on: true };
    const all = transform.word === 'inlined' ? [chosen, ...others] : [...others, chosen];
    return reshape(state, all, `${visible(transformLabel(transform))}; S removes it`);
  } catch (error) {
    if (error instanceof ChoiceError) return say(state, error.message, 'error');
    throw error;
  }
}

/** Changes the transform in that place of the stack. */
export function changeTransform(state: AppState, at: number, change: Change): AppState {
  const { transforms } = state;
  const chosen = transforms[at];
  if (!chosen) return state;
  const text = visible(transformLabel(chosen.transform));
  const without = transforms.toSpliced(at, 1);
  switch (change) {
    case 'toggle':
      return reshape(state, transforms.with(at, { ...chosen, on: !chosen.on }), `${text} is ${chosen.on ? 'off' : 'on'}`);
    case 'remove':
      return reshape(state, without, `${text} is removed`);
    case 'earlier':
      if (at === 0) return say(state, `${text} is the first`);
      return reshape(state, without.toSpliced(at - 1, 0, chosen), `${text} comes earlier`);
    case 'later':
      if (at === transforms.length - 1) return say(state, `${text} is the last`);
      return reshape(state, without.toSpliced(at + 1, 0, chosen), `${text} comes later`);
  }
}

/** Only one's own code, or all again. */
function toggleOnlyOwn(state: AppState): AppState {
  const at = state.transforms.findIndex((c) => c.transform.word === 'only-own');
  return at < 0 ? addTransform(state, 'only-own') : changeTransform(state, at, 'toggle');
}

/** Takes back the latest change of the stack. */
function undoTransforms(state: AppState): AppState {
  const last = state.transformsBefore.at(-1);
  if (!last) return say(state, 'Nothing to undo');
  return start(state, last, state.transformsBefore.slice(0, -1), 'last focus change undone');
}

/** Takes the stack that was kept with the profile. */
function takeKept(state: AppState): AppState {
  const fit = state.keptTransforms.filter((t) => refusal(state.loaded, t) === undefined);
  if (fit.length === 0) return say(state, 'No focus is saved for this profile');
  return reshape(
    state,
    fit.map((transform) => ({ transform, on: true })),
    `${plural(fit.length, 'saved step')} applied`,
  );
}

/** Keeps the stack with the profile: it is offered the next time. */
function keepTransforms(state: AppState): Step {
  const keptTransforms = state.transforms.flatMap(({ transform, on }) => (on ? [transform] : []));
  const said = keptTransforms.length > 0 ? 'Focus saved for this folder; S offers it the next time' : 'Saved focus removed';
  return [say({ ...state, keptTransforms }, said), [{ type: 'keep-transforms', texts: keptTransforms.map(transformText) }]];
}

function reshape(state: AppState, transforms: readonly Chosen[], why: string): AppState {
  return start(state, transforms, [...state.transformsBefore, state.transforms], why);
}

/** The stack is shown at once; the profile follows. */
function start(state: AppState, transforms: readonly Chosen[], before: AppState['transformsBefore'], why: string): AppState {
  const from = state.reshaping ?? { old: state.transforms, oldBefore: state.transformsBefore };
  const next: AppState = { ...state, transforms, transformsBefore: before };
  const active = (list: readonly Chosen[]) =>
    shapingOf({ ...state, transforms: list })
      .transforms.map(transformText)
      .join('\n');
  const job = shownAndPrepared(next);
  // Parts that are off change nothing.
  if (!state.reshaping && active(transforms) === active(state.transforms)) return say(next, why);
  return goOn({ ...next, reshaping: { job, why, old: from.old, oldBefore: from.oldBefore } });
}

/** The profile to be shown, and what its first frame asks for. */
function* shownAndPrepared(state: AppState): Generator<undefined, Profile> {
  const profile = yield* showing(state.loaded, shapingOf(state));
  yield* preparing(profile, state.analysis.partsOff);
  yield* namingTwins(profile);
  return profile;
}

/** Leaves it as it was. */
export function stopReshaping(state: AppState): AppState {
  const { reshaping } = state;
  if (!reshaping) return state;
  const { old, oldBefore } = reshaping;
  return say({ ...state, reshaping: undefined, transforms: old, transformsBefore: oldBefore }, 'Stopped; nothing changed');
}

/** Continues as long as a key may take. */
export function goOn(state: AppState): AppState {
  const { reshaping } = state;
  if (!reshaping) return state;
  const until = performance.now() + state.patienceMs;
  try {
    for (;;) {
      const step = reshaping.job.next();
      if (step.done) return shown({ ...state, reshaping: undefined }, step.value, reshaping.why);
      if (performance.now() >= until) return say(state, 'working it out …');
    }
  } catch (error) {
    if (!(error instanceof ChoiceError || error instanceof FormatError)) throw error;
    return say(stopReshaping(state), error.message, 'error');
  }
}

function shown(state: AppState, profile: Profile, why: string): AppState {
  const analysis = analyse(profile, allEvents(profile.events, userFormulas(state.analysis)), state.analysis.partsOff);
  return keepTop(state, swap(state, analysis, `${why}${remark(state.analysis, analysis)}`));
}

/** Every routine costs what it did. Collapsed frames may change calls alone, and a range of time is not about routines. */
function isSame(old: Analysis, now: Analysis): boolean {
  const isAbout = appliedTo(now.profile).every((text) => !/^(collapse|time)=/.test(text));
  if (!isAbout || old.profile.routines.name.length !== now.profile.routines.name.length) return false;
  return (['self', 'inclusive'] as const).every((what) =>
    old.totals[what].every((column, c) => column.every((cost, r) => cost === now.totals[what][c]?.[r])),
  );
}

/** A note on a change: it changed nothing, or no code here is one's own. */
function remark(old: Analysis, now: Analysis): string {
  const { routines } = now.profile;
  if (routines.name.length === 1 && routineName(now.profile, 0) === '(outside)')
    return ': none of its sources are in these folders; give yours with --source-dir';
  return isSame(old, now) ? ': it changes nothing here' : '';
}

/** The selected part of the profile, by action. */
export const TRANSFORMS = {
  transform: (state: AppState, { text }: AppActions['transform']) => addTransform(state, text),
  'change-transform': (state: AppState, { at, change }: AppActions['change-transform']) => changeTransform(state, at, change),
  'only-own': toggleOnlyOwn,
  'undo-transforms': undoTransforms,
  'keep-transforms': keepTransforms,
  'take-kept': takeKept,
};
