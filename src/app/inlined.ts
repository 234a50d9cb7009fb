// Shows or hides inlined functions. Debug information is read at the first request.
import type { BaseRun } from '../analysis/profiles/compare/compare.ts';
import type { Profile } from '../model/profile.ts';
import { compareWithBase } from './base-choice.ts';
import { type AppState, type UpdateResult, withMessage } from './state.ts';
import { addTransform, changeTransform } from './transforms.ts';

/** The open profile and its base after reading inlined functions, or the reason why that failed. */
export interface InlinedFunctionsRead {
  readonly loaded: Profile;
  readonly versus: BaseRun | undefined;
  readonly why: string | undefined;
}

export const isInlinedShown = ({ transforms }: AppState): boolean =>
  transforms.some(({ transform, on }) => on && transform.word === 'inlined');

const hasInlines = (profile: Profile): boolean => profile.kind === 'callgraph' && profile.inlines !== undefined;

/** Shows or hides inlined functions. The first request starts to read debug information. */
export function toggleInlined(state: AppState): UpdateResult {
  const { loaded, versus, transforms } = state;
  const at = transforms.findIndex(({ transform }) => transform.word === 'inlined');
  if (at >= 0) return [changeTransform(state, at, 'toggle'), []];
  if (hasInlines(loaded) && (!versus || hasInlines(versus.loaded))) return [addTransform(state, 'inlined'), []];
  return [withMessage(state, 'reading debug information …'), [{ type: 'read-inlines' }]];
}

/** Replaces the profile by one with inlined functions, and shows them. */
export function showInlinedFunctions(state: AppState, { loaded, versus, why }: InlinedFunctionsRead): AppState {
  const next = { ...state, loaded, versus };
  return why === undefined ? addTransform(next, 'inlined') : withMessage(next, why, 'error');
}

/** Compares with a loaded base. If inlined functions are shown, those of the base are read first. */
export function compareLoaded(state: AppState, versus: BaseRun, path: string): UpdateResult {
  if (isInlinedShown(state) && !hasInlines(versus.loaded)) return [state, [{ type: 'read-inlines', versus, path }]];
  return [compareWithBase(state, versus, path), []];
}
