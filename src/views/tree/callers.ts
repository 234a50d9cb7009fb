// The tree of all callers of one routine, by inclusive cost, which can replace the complete tree.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { counterpartsOf } from '../../analysis/answers/counterparts.ts';
import type { Tree } from '../../analysis/answers/tree.ts';
import type { ViewContext } from '../view.ts';
import { treeOf } from './places.ts';
import { initialStateOf, lastNodeOfRow, openOrClose, type TreeState } from './state.ts';

/** The routine under the cursor; the routine in focus if that one has no row. */
export const routineUnderCursor = (state: TreeState, c: ViewContext): number =>
  state.focusWithoutRow >= 0 ? state.focusWithoutRow : (lastNodeOfRow(state, state.list.cursor, c.event)?.routine ?? -1);

/** Shows only the callers of the routine under the cursor, or the complete tree again. */
export function toggleCallers(state: TreeState, c: ViewContext): TreeState {
  if (state.wholeTree) return state.wholeTree;
  const routine = routineUnderCursor(state, c);
  if (routine < 0) return state;
  return openOrClose(initialStateOf(treeOf(c.analysis, true, c.event, routine), routine, state, c), 'toggle', c);
}

/** The tree to show, and the routine whose callers it shows; undefined if the profile does not have that routine. */
export function wantedTree(state: TreeState, c: ViewContext): { readonly tree: Tree; readonly callersOf: number } | undefined {
  const { moved } = state;
  if (state.callersOf < 0) return { tree: treeOf(c.analysis, state.tree.inverted, c.event, -1), callersOf: -1 };
  const { from, callersOf } = (moved && state.origin) ?? { from: moved?.from, callersOf: state.callersOf };
  const routine = moved && from ? counterpartsOf(from, moved.to)(callersOf)[0] : callersOf;
  return routine === undefined ? undefined : { tree: treeOf(c.analysis, true, c.event, routine), callersOf: routine };
}

/** The state for another profile. The new tree is built when it is shown, because the profile may change again before. */
export function rebaseState(state: TreeState, from: Analysis, to: Analysis): TreeState {
  const on = ({ moved }: Pick<TreeState, 'moved'>) => ({ moved: { from: moved?.from ?? from.profile, to: to.profile } });
  return {
    ...state,
    ...on(state),
    focusWithoutRow: state.focusWithoutRow < 0 ? -1 : (counterpartsOf(from.profile, to.profile)(state.focusWithoutRow)[0] ?? -1),
    invertedDisplay: state.invertedDisplay && { ...state.invertedDisplay, ...on(state.invertedDisplay) },
    wholeTree: state.wholeTree && rebaseState(state.wholeTree, from, to),
  };
}
