// Chooses the profile to compare with (the base) from a list, and starts the comparison once the base is loaded.
import { analyse } from '../analysis/answers/analyse.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { allEvents, userFormulas } from '../analysis/answers/events.ts';
import type { BaseRun } from '../analysis/profiles/compare/compare.ts';
import { buildShownProfile } from '../analysis/profiles/shown.ts';
import { visible } from '../base/safe-text.ts';
import type { Measure } from '../model/head.ts';
import { nextValue } from '../views/parts/options.ts';
import { replaceAnalysis } from './reload.ts';
import { type AppState, eventOf, shapingOf, type UpdateResult, withErrorMessage, withMessage } from './state.ts';

/** Opens the list of possible bases, and starts a search for profiles near the open one. */
export const chooseBase = (state: AppState): UpdateResult => [
  { ...state, panel: { kind: 'bases', text: '', cursor: 0, row: 0 }, offers: undefined },
  [{ type: 'find-bases' }],
];

/** Compares with the profile as it was before the last reload. */
export function compareWithPrevious(state: AppState): AppState {
  const { previous } = state;
  if (!previous) return withMessage(state, 'No earlier load yet: R reloads the file', 'error');
  const run = { loaded: previous, options: { pathMaps: [], renames: [], normalize: false }, flags: [], trusted: false };
  return compareWithBase(state, run, 'the previous load');
}

/** Compares with a base, or stops comparing without one. If the profiles cannot be compared, only the message changes. */
export function compareWithBase(state: AppState, versus: BaseRun | undefined, what: string): AppState {
  return withErrorMessage(state, () => {
    const profile = buildShownProfile(state.loaded, { ...shapingOf(state), versus });
    const analysis = analyse(profile, allEvents(profile.events, userFormulas(state.analysis)), state.analysis.partsOff);
    const compared = `compared with ${visible(what)}; V shows this run, the base, or the difference`;
    return replaceAnalysis({ ...state, versus }, analysis, versus ? compared : 'Comparison off');
  });
}

const MEASURE_TEXTS = { delta: 'the difference', percent: 'the change in percent', now: 'this run', before: 'the base' } as const;
const MEASURE_ORDER = ['delta', 'percent', 'now', 'before'] as const satisfies readonly Measure[];

/** Shows the next of difference, percent, this run and base. Ratios have no difference, so only this run and base alternate. */
export function showNextMeasure(state: AppState): AppState {
  const measure = nextValue(eventOf(state).per ? (['now', 'before'] as const) : MEASURE_ORDER, state.measure);
  const { name } = eventInMeasure(state.analysis, eventOf(state), measure);
  return withMessage({ ...state, measure }, `${visible(name)}: ${MEASURE_TEXTS[measure]}`);
}
