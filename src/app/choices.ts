// Choices that hold for all views, each cycled through by a key.
import { NAME_MODES } from '../analysis/symbols/short.ts';
import { type AppState, say } from './state.ts';

const PERCENT_TEXT = { total: 'percent of total', parent: 'percent of parent (Calls, Tree)', none: 'no percentages' };

export function nextPercent(state: AppState): AppState {
  const percent = state.percent === 'total' ? 'parent' : state.percent === 'parent' ? 'none' : 'total';
  return say({ ...state, percent }, PERCENT_TEXT[percent]);
}

const NAME_TEXT = {
  fit: 'names as there is room for them',
  'no-templates': 'names without template arguments',
  'no-parameters': 'names without template arguments and parameters',
  whole: 'whole names',
};

export function nextNames(state: AppState): AppState {
  const names = NAME_MODES[(NAME_MODES.indexOf(state.names) + 1) % NAME_MODES.length];
  return say({ ...state, names }, NAME_TEXT[names]);
}
