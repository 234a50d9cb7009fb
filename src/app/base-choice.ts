// The run to compare with, chosen on the screen: what is offered, and what happens once it is there.
import { analyse } from '../analysis/answers/analyse.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { allEvents, userFormulas } from '../analysis/answers/events.ts';
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import { shownProfile } from '../analysis/profiles/shown.ts';
import { ChoiceError } from '../base/errors.ts';
import { FormatError } from '../base/problem.ts';
import { visible } from '../base/safe-text.ts';
import type { Measure } from '../model/head.ts';
import { swap } from './reload.ts';
import { type AppState, eventOf, type Step, say, shapingOf } from './state.ts';

/** Opens the list of what the profile can be compared with; what is beside it is looked up. */
export function chooseBase(state: AppState): Step {
  return [{ ...state, panel: { kind: 'bases', text: '', cursor: 0, row: 0 }, offers: undefined }, [{ type: 'find-bases' }]];
}

/** The run as it was before it was reloaded. */
export function compareWithPrevious(state: AppState): AppState {
  const { previous } = state;
  if (!previous) return say(state, 'No earlier load yet: R reloads the file', 'error');
  return compareWith(state, { loaded: previous, options: NO_MATCHING, flags: [], trusted: false }, 'the previous load');
}

const NO_MATCHING = { pathMaps: [], renames: [], normalize: false };

/** Shows the profile beside a base, or alone. What cannot be compared is said, and nothing changes. */
export function compareWith(state: AppState, versus: Versus | undefined, what: string): AppState {
  try {
    const profile = shownProfile(state.loaded, { ...shapingOf(state), versus });
    const analysis = analyse(profile, allEvents(profile.events, userFormulas(state.analysis)), state.analysis.partsOff);
    return swap(
      { ...state, versus },
      analysis,
      versus ? `compared with ${visible(what)}; V shows this run, the base, or the difference` : 'Comparison off',
    );
  } catch (error) {
    if (error instanceof FormatError || error instanceof ChoiceError) return say(state, error.message, 'error');
    throw error;
  }
}

const SAID = {
  delta: 'the difference',
  percent: 'the change in percent',
  now: 'this run',
  before: 'the base',
} as const;
const ORDER = ['delta', 'percent', 'now', 'before'] as const satisfies readonly Measure[];

/** Difference, its share, this run, the base, and around again. A ratio has no difference of sums. */
export function nextMeasure(state: AppState): AppState {
  const order = eventOf(state).per ? (['now', 'before'] as const) : ORDER;
  const at = [...order].indexOf(state.measure);
  const measure = order[(at + 1) % order.length];
  const { name } = measured(state.analysis, eventOf(state), measure);
  return say({ ...state, measure }, `${visible(name)}: ${SAID[measure]}`);
}
