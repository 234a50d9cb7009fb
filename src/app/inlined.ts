// Inlined functions on the screen: debug information is read the first time that they are shown.
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import type { Profile } from '../model/profile.ts';
import { compareWith } from './base-choice.ts';
import { type AppState, type Step, say } from './state.ts';
import { addTransform, changeTransform } from './transforms.ts';

/** The functions of the open profile, and of the run that it is compared with; or why there are none. */
export interface InlinesRead {
  readonly loaded: Profile;
  readonly versus: Versus | undefined;
  readonly why: string | undefined;
}

/** Whether functions are shown that were inlined. */
export const showsInlined = ({ transforms }: AppState): boolean =>
  transforms.some(({ transform, on }) => on && transform.word === 'inlined');

export const hasInlines = (profile: Profile): boolean => profile.kind === 'callgraph' && profile.inlines !== undefined;

/** With inlined functions, or as recorded. Debug information is asked the first time. */
export function toggleInlined(state: AppState): Step {
  const { loaded, versus, transforms } = state;
  const at = transforms.findIndex(({ transform }) => transform.word === 'inlined');
  if (at >= 0) return [changeTransform(state, at, 'toggle'), []];
  if (hasInlines(loaded) && (!versus || hasInlines(versus.loaded))) return [addTransform(state, 'inlined'), []];
  return [say(state, 'reading debug information …'), [{ type: 'read-inlines' }]];
}

/** Shows the functions that were read. */
export function showInlines(state: AppState, { loaded, versus, why }: InlinesRead): AppState {
  const next = { ...state, loaded, versus };
  return why === undefined ? addTransform(next, 'inlined') : say(next, why, 'error');
}

/** Compares with a run that was loaded, once its functions are read if they are shown. */
export function compareLoaded(state: AppState, versus: Versus, path: string): Step {
  if (showsInlined(state) && !hasInlines(versus.loaded)) return [state, [{ type: 'read-inlines', versus, path }]];
  return [compareWith(state, versus, path), []];
}
