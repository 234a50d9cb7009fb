// Shows inlined functions on the screen. Debug information is read on the first request.
import type { BaseRun } from '../analysis/profiles/compare/versus.ts';
import type { Profile } from '../model/profile.ts';
import { compareWith } from './base-choice.ts';
import { type AppState, type UpdateResult, withMessage } from './state.ts';
import { addTransform, changeTransform } from './transforms.ts';

/** The open profile and its base with inlined functions read, or the reason why there are none. */
export interface InlinesRead {
  readonly loaded: Profile;
  readonly versus: BaseRun | undefined;
  readonly why: string | undefined;
}

/** Whether inlined functions are shown. */
export const showsInlined = ({ transforms }: AppState): boolean =>
  transforms.some(({ transform, on }) => on && transform.word === 'inlined');

export const hasInlines = (profile: Profile): boolean => profile.kind === 'callgraph' && profile.inlines !== undefined;

/** With inlined functions, or as recorded. Debug information is asked the first time. */
export function toggleInlined(state: AppState): UpdateResult {
  const { loaded, versus, transforms } = state;
  const at = transforms.findIndex(({ transform }) => transform.word === 'inlined');
  if (at >= 0) return [changeTransform(state, at, 'toggle'), []];
  if (hasInlines(loaded) && (!versus || hasInlines(versus.loaded))) return [addTransform(state, 'inlined'), []];
  return [withMessage(state, 'reading debug information …'), [{ type: 'read-inlines' }]];
}

/** Shows the functions that were read. */
export function showInlines(state: AppState, { loaded, versus, why }: InlinesRead): AppState {
  const next = { ...state, loaded, versus };
  return why === undefined ? addTransform(next, 'inlined') : withMessage(next, why, 'error');
}

/** Compares with a loaded base. If inlined functions are shown, those of the base are read first. */
export function compareLoaded(state: AppState, versus: BaseRun, path: string): UpdateResult {
  if (showsInlined(state) && !hasInlines(versus.loaded)) return [state, [{ type: 'read-inlines', versus, path }]];
  return [compareWith(state, versus, path), []];
}
