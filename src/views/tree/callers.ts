// All callers of one routine by its inclusive cost, in the place of the whole tree until the user returns to it.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { twinsOf } from '../../analysis/answers/counterparts.ts';
import type { Tree } from '../../analysis/answers/tree.ts';
import type { ViewContext } from '../view.ts';
import { treeOf } from './places.ts';
import { freshState, openOrClose, type TreeState, tailAt } from './state.ts';

/** The routine under the cursor: the one in focus, if that has no row. */
export const routineHere = (state: TreeState, c: ViewContext): number =>
  state.still >= 0 ? state.still : (tailAt(state, state.list.cursor, c.event)?.routine ?? -1);

/** Shows who called the routine under the cursor; from there, the whole tree again. */
export function callersOrWhole(state: TreeState, c: ViewContext): TreeState {
  if (state.whole) return state.whole;
  const routine = routineHere(state, c);
  if (routine < 0) return state;
  return openOrClose(freshState(treeOf(c.analysis, true, c.event, routine), routine, state, c), 'toggle', c);
}

/** The tree that the state should show, and the number that its routine has there; undefined if the routine is gone. */
export function wantedTree(state: TreeState, c: ViewContext): { readonly tree: Tree; readonly callersOf: number } | undefined {
  const { moved } = state;
  if (state.callersOf < 0) return { tree: treeOf(c.analysis, state.inverted, c.event, -1), callersOf: -1 };
  const { from, callersOf } = (moved && state.origin) ?? { from: moved?.from, callersOf: state.callersOf };
  const routine = moved && from ? twinsOf(from, moved.to)(callersOf)[0] : callersOf;
  return routine === undefined ? undefined : { tree: treeOf(c.analysis, true, c.event, routine), callersOf: routine };
}

/** The state for another profile. Only what is shown is made anew: until then, profiles may change several times. */
export function movedOn(state: TreeState, from: Analysis, to: Analysis): TreeState {
  const on = ({ moved }: Pick<TreeState, 'moved'>) => ({ moved: { from: moved?.from ?? from.profile, to: to.profile } });
  return {
    ...state,
    ...on(state),
    still: state.still < 0 ? -1 : (twinsOf(from.profile, to.profile)(state.still)[0] ?? -1),
    other: state.other && { ...state.other, ...on(state.other) },
    whole: state.whole && movedOn(state.whole, from, to),
  };
}
